"""`sizewell bot` as a process of its own: started with the emulator's address, stopped, killed; its log read as events."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fakegram import Telegram

SIZEWELL = Path(sys.executable).with_name("sizewell")
TODAY = "2026-11-30"
SECRET = "s3cret-of_the-webhook"
ADMINS = ",".join(map(str, range(10_001, 10_400)))  # whoever `Telegram.person` makes
STRANGER = 50_001
Mode = Literal["polling", "webhook"]


def free_port() -> int:
    """A port nobody listens on, below those that connections get: by the time the bot takes it, nobody else has it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


@dataclass
class BotProcess:
    """One replica. Replicas share a folder, and so one SQLite file; `number` tells their logs apart."""

    telegram: Telegram
    folder: Path
    mode: Mode
    settings: dict[str, str] = field(default_factory=dict)
    number: int = 1
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    _read: int = 0

    def start(self, ready: bool = True) -> BotProcess:
        """Start it; `ready`: wait until it takes updates."""
        self.folder.mkdir(exist_ok=True)
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen([str(SIZEWELL), "bot"], env=self.environment(), cwd=self.folder, stdout=log, stderr=log)
        if ready:
            self.wait_ready()
        return self

    def environment(self) -> dict[str, str]:
        """What it is started with: nothing of this machine's settings."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIZEWELL_")}
        given = {
            "TELEGRAM_TOKEN": self.telegram.world.token, "TELEGRAM_API_URL": self.telegram.url, "DATA_DIR": str(self.folder),
            "TODAY": TODAY, "ADMINS": ADMINS, "TZ": "Europe/Berlin", "LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG", "LANG_DEFAULT": "en",
        } | self.settings  # fmt: skip
        if self.mode == "webhook":
            given |= {"LISTEN": f"127.0.0.1:{self.port}", "WEBHOOK_SECRET": SECRET, "WEBHOOK_URL": "http://127.0.0.1:9/hook"}
        return kept | {f"SIZEWELL_{name}": value for name, value in given.items() if value}

    def wait_ready(self, seconds: float = 30.0) -> None:
        """Until "started" stands in the log and, by webhook, the port answers."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            assert self.process is not None
            assert self.process.poll() is None, self.log
            if any(event.get("event") == "started" for event in self.events()) and (self.mode == "polling" or self._listens()):
                self._join()
                return
            time.sleep(0.02)
        raise TimeoutError(self.log)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _join(self) -> None:
        """Take part in the webhook's turns: the emulator stands in for the proxy before the replicas."""
        if self.mode == "webhook" and self.port not in self.telegram.world.updates.ports:
            self.telegram.world.updates.ports.append(self.port)
        self._read = len(self.log) if self.number > 1 else self._read

    @property
    def log_file(self) -> Path:
        """Where it writes."""
        return self.folder / f"bot-{self.number}.log"

    @property
    def log(self) -> str:
        """Everything it wrote, over all its starts."""
        return self.log_file.read_text(encoding="utf-8", errors="replace") if self.log_file.exists() else ""

    def events(self, all_starts: bool = False) -> Iterator[dict[str, Any]]:
        """Its log, event by event, since the last start."""
        for line in self.log[0 if all_starts else self._read :].splitlines():
            if line.startswith("{"):
                yield json.loads(line)

    def errors(self) -> list[dict[str, Any]]:
        """What it logged as an error."""
        return [event for event in self.events(all_starts=True) if event.get("level") == "error"]

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def memory(self) -> int:
        """Resident bytes."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def signal(self, number: int) -> None:
        """Send a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL, at once."""
        self.signal(signal.SIGKILL)
        self._ended(10)

    def stop(self, seconds: float = 12.0) -> int:
        """SIGTERM; the exit code. Errors: TimeoutExpired where it does not stop in time."""
        if self.running:
            self.signal(signal.SIGTERM)
        return self._ended(seconds)

    def ended(self, seconds: float = 20.0) -> int:
        """Wait until it ends by itself; the exit code."""
        return self._ended(seconds)

    def _ended(self, seconds: float) -> int:
        assert self.process is not None
        code = self.process.wait(seconds)
        self._read = len(self.log)
        if self.port in self.telegram.world.updates.ports:
            self.telegram.world.updates.ports.remove(self.port)
        return code

    def discard(self) -> None:
        """End it whatever state it is in."""
        if self.running:
            self.kill()
