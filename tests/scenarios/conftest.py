"""A bot as a real process with an emulator of its own: one per mode for most scenarios, a fresh one where a scenario stops or kills it.

Every test ends with the emulator's violations being empty and nothing logged as an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from bot_process import BotProcess, Mode
from fakegram import Telegram

MODES: tuple[Mode, ...] = ("polling", "webhook")


@dataclass
class Bot:
    """A bot with its Telegram. `replicas`: all its processes. `expected`: log events that this test means to cause.

    `tables`: the database file it finds at its first start; None: it finds nothing and makes its own.
    """

    telegram: Telegram
    folder: Path
    mode: Mode
    tables: Path | None = None
    settings: dict[str, str] = field(default_factory=dict)
    replicas: list[BotProcess] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)
    _errors: int = 0

    @property
    def process(self) -> BotProcess:
        """The first replica."""
        return self.replicas[0]

    def replica(self, ready: bool = True, **settings: str) -> BotProcess:
        """Start another process on the same database."""
        if self.tables is not None and not self.replicas:
            self.folder.mkdir(exist_ok=True)
            shutil.copy(self.tables, self.folder / "sizewell.db")
        made = BotProcess(self.telegram, self.folder, self.mode, {**self.settings, **settings}, len(self.replicas) + 1)
        self.replicas.append(made)
        return made.start(ready)

    def check(self) -> None:
        """Errors: AssertionError for what the bot did against the rules of the Bot API, or logged as an error unexpectedly."""
        self.telegram.check_clean()
        errors = [event for one in self.replicas for event in one.errors()]
        fresh, self._errors = errors[self._errors :], len(errors)
        assert [event for event in fresh if event["event"] not in self.expected] == []
        self.expected.clear()

    def discard(self) -> None:
        """End all processes."""
        for one in self.replicas:
            one.discard()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Mode], Bot]]:
    """One bot per mode, started when it is first needed."""
    bots: dict[Mode, Bot] = {}
    with ExitStack() as stack:

        def started(mode: Mode) -> Bot:
            if mode not in bots:
                bots[mode] = Bot(stack.enter_context(Telegram()), tmp_path_factory.mktemp(mode), mode)
                stack.callback(bots[mode].discard)
                bots[mode].replica()
            return bots[mode]

        yield started


@pytest.fixture(params=MODES)
def bot(running: Callable[[Mode], Bot], request: pytest.FixtureRequest) -> Iterator[Bot]:
    """The bot that many tests share; each brings its own people."""
    shared = running(request.param)
    assert shared.process.running, shared.process.log[-2000:]
    yield shared
    shared.telegram.settle()
    shared.check()


@pytest.fixture(params=MODES)
def fresh(tmp_path: Path, migrated: Path, request: pytest.FixtureRequest) -> Iterator[Bot]:
    """A bot of its own, not started yet."""
    with Telegram() as telegram:
        made = Bot(telegram, tmp_path / "data", request.param, migrated)
        try:
            yield made
            made.check()
        finally:
            made.discard()


@pytest.fixture
def polling(tmp_path: Path, migrated: Path) -> Iterator[Bot]:
    """A bot of its own that polls, not started yet."""
    with Telegram() as telegram:
        made = Bot(telegram, tmp_path / "data", "polling", migrated)
        try:
            yield made
            made.check()
        finally:
            made.discard()
