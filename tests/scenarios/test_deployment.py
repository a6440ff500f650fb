"""What stands in deploy/ works: the commands start the bot, the settings exist, the secrets folder, backup and restore of one file."""

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path

from bot_process import SIZEWELL, BotProcess
from conftest import Bot
from talks import advised

from bot.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
KNOWN = {PREFIX + name.upper() for name in Settings.model_fields} | {"SIZEWELL_SECRETS_DIR"}


def instructions() -> dict[str, str]:
    """The last of each instruction of the Dockerfile."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return dict(line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


def test_the_example_names_only_settings_that_exist() -> None:
    text = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:# )?(SIZEWELL_\w+)=", text, re.MULTILINE))
    assert named
    assert named <= KNOWN
    others = (DEPLOY / "README.md", DEPLOY / "systemd" / "sizewell.service", DEPLOY / "Dockerfile")
    pages = text + "".join(one.read_text(encoding="utf-8") for one in others)
    assert set(re.findall(r"SIZEWELL_[A-Z_]+[A-Z]", pages)) <= KNOWN


def test_containers_and_units_start_the_same_command() -> None:
    started = [*json.loads(instructions()["ENTRYPOINT"]), *json.loads(instructions()["CMD"])]
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "systemd" / "sizewell.service")
    by_unit = unit["Service"]["ExecStart"].split()
    assert [Path(by_unit[0]).name, *by_unit[1:]] == started == [SIZEWELL.name, "bot"]
    assert instructions()["USER"] not in ("root", "0")
    assert instructions()["VOLUME"] == "/data"
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "LockPersonality"):
        assert unit["Service"][name] == "yes"
    assert unit["Service"]["ProtectSystem"] == "strict"


def test_token_from_a_secrets_folder_and_a_dotenv_file(polling: Bot, tmp_path: Path) -> None:
    """As the page says: .env beside the start, the token as a file; nothing of it in the environment."""
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "sizewell_telegram_token").write_text(polling.telegram.world.token + "\n", encoding="utf-8")
    polling.folder.mkdir()
    example = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    (polling.folder / ".env").write_text(example.replace("# SIZEWELL_TZ=", "SIZEWELL_TZ="), encoding="utf-8")
    polling.settings |= {"TELEGRAM_TOKEN": "", "SECRETS_DIR": str(secrets), "TZ": ""}
    process = polling.replica()
    anna = polling.telegram.person()
    advised(anna)
    polling.telegram.settle()

    copy = _backup(process, tmp_path / "copies")
    anna.say("/forget")
    anna.tap(anna.hears().labels[0])
    polling.telegram.settle()
    assert process.stop() == 0

    shutil.copy(copy, polling.folder / "sizewell.db")
    for rest in ("-wal", "-shm"):
        (polling.folder / f"sizewell.db{rest}").unlink(missing_ok=True)
    process.start()
    anna.say("/history")
    anna.hears("RTX 4090")


def _backup(process: BotProcess, folder: Path) -> Path:
    made = subprocess.run(
        [str(SIZEWELL), "db", "backup", str(folder)],
        env={**process.environment(), "SIZEWELL_TELEGRAM_TOKEN": ""},
        cwd=process.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return Path(made.stdout.strip())
