"""Nothing secret in logs; settings from the environment, a file or a folder of secrets, refused in words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.logs import redacted, subject
from bot.settings import Settings, settings, user_data_folder
from engine.errors import Refusal

ROOT = Path(__file__).parents[2]
TOKEN = "123456789:AAF-abc_DEF123456789abcdefghijklmnop"


@pytest.mark.parametrize(
    "text",
    [
        f"POST https://api.telegram.org/bot{TOKEN}/getMe",
        f"https://api.telegram.org/file/bot{TOKEN}/documents/1",
        f"token {TOKEN} is wrong",
        "http://127.0.0.1/bot1:SHORT/getMe",
    ],
)
def test_tokens_are_blacked_out(text: str) -> None:
    assert TOKEN.partition(":")[2] not in redacted(text)
    assert "SHORT" not in redacted(text)


def test_ordinary_text_stays() -> None:
    assert redacted("2026-11-30 12:30:45 8B: 5,000 €") == "2026-11-30 12:30:45 8B: 5,000 €"


def test_a_chat_is_recognisable_but_not_named() -> None:
    assert subject(-1001234567890) == subject(-1001234567890)
    assert "1234567890" not in subject(-1001234567890)


def test_log_lines_hold_no_token_whoever_writes_them() -> None:
    code = f"""
import logging
from bot.logs import log, set_up
set_up("json", "INFO")
log().info("call", url="https://x/bot{TOKEN}/getMe", why=ValueError("bot{TOKEN}"))
logging.getLogger("httpx").info("HTTP Request: POST https://x/bot{TOKEN}/getMe")
logging.getLogger("other").warning("bot{TOKEN}")
try:
    raise RuntimeError("https://x/bot{TOKEN}/getMe")
except RuntimeError:
    log().exception("failed")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "AAF-abc" not in done.stderr + done.stdout
    lines = done.stderr.splitlines()
    assert json.loads(lines[0])["url"] == "https://x/bot<token>/getMe"
    assert len(lines) == 3  # httpx is quiet


@pytest.mark.parametrize("form", ["json", "console"])
def test_log_lines_hold_nothing_people_wrote(form: str) -> None:
    code = f"""
import logging
from bot.logs import log, set_up
from engine.request import Request
set_up("{form}", "INFO")
for wrong in (lambda: int("our secret plan"), lambda: Request(goal="our secret plan"), lambda: {{}}["our secret plan"]):
    try:
        try:
            wrong()
        finally:
            open("/nowhere/at/all")
    except OSError as trouble:
        log().exception("failed")
        logging.getLogger("other").exception("failed")
    try:
        wrong()
    except Exception as bug:
        log().warning("call failed", why=bug)
        log().error("given up", exc_info=bug)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    shown = done.stderr + done.stdout
    assert "secret plan" not in shown
    assert shown.count("No such file or directory") == 6  # what is broken outside is said
    assert "ValidationError" in shown
    assert "Traceback" in shown
    assert "line 16, in <module>" in shown


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    for name in os.environ:
        if name.startswith("SIZEWELL_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    return monkeypatch


def test_settings_come_from_the_environment(fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv("SIZEWELL_TELEGRAM_TOKEN", TOKEN)
    fresh.setenv("SIZEWELL_ADMINS", "1, 4503599627370496")
    fresh.setenv("SIZEWELL_WEBHOOK_URL", "http://proxy/hook")
    chosen = settings()
    assert chosen.admins == (1, 4503599627370496)
    assert TOKEN not in repr(chosen)
    assert str(chosen.webhook_url) == "http://proxy/hook"


def test_settings_come_from_a_file_or_a_folder_of_secrets(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SIZEWELL_LANG_DEFAULT=de\nOTHER=1\n")
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "sizewell_telegram_token").write_text(TOKEN)
    fresh.setenv("SIZEWELL_SECRETS_DIR", str(secrets))
    chosen = settings()
    assert chosen.lang_default == "de"
    assert chosen.telegram_token is not None
    assert chosen.telegram_token.get_secret_value() == TOKEN


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LISTEN", "8080"),
        ("ADMINS", "anna"),
        ("LANG_DEFAULT", "fr"),
        ("TODAY", "tomorrow"),
        ("TZ", "Europe/Nowhere"),
        ("WEBHOOK_URL", "proxy"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_was_read(fresh: pytest.MonkeyPatch, name: str, value: str) -> None:
    fresh.setenv(f"SIZEWELL_{name}", value)
    with pytest.raises(Refusal) as refused:
        settings()
    assert refused.value.code == "setting_unusable"
    assert refused.value.field == f"SIZEWELL_{name}"
    assert value in str(refused.value.read)


def test_a_secret_that_cannot_be_used_is_not_repeated(fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv("SIZEWELL_WEBHOOK_SECRET", "has spaces in it")
    with pytest.raises(Refusal) as refused:
        settings()
    assert refused.value.read is None
    assert "spaces" not in repr(refused.value)


def test_the_data_folder_follows_the_home(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.setenv("HOME", str(tmp_path))
    fresh.delenv("XDG_DATA_HOME", raising=False)
    if sys.platform == "linux":
        assert user_data_folder() == tmp_path / ".local" / "share" / "sizewell"
        fresh.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        assert user_data_folder() == tmp_path / "data" / "sizewell"
        fresh.setenv("XDG_DATA_HOME", "not/absolute")
        assert user_data_folder() == tmp_path / ".local" / "share" / "sizewell"
    assert Settings(_env_file=None).database_url == f"sqlite:///{user_data_folder() / 'sizewell.db'}"


@pytest.mark.parametrize(("code", "status"), [("database_unreachable", 1), ("database_unusable", 2)])
def test_only_what_may_pass_lets_the_bot_be_started_again(
    fresh: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str, status: int
) -> None:
    """The unit prevents a restart after 2: a server that is down for a moment must not end the bot for good."""
    from bot import store
    from bot.adapters.telegram import run_bot
    from engine.errors import Refusal

    def refuse(_url: str) -> None:
        raise Refusal(code, "SIZEWELL_DATABASE_URL", None, {"why": "connection refused"})

    fresh.setenv("SIZEWELL_TELEGRAM_TOKEN", "1:a")
    fresh.setattr(store, "open_database", refuse)
    assert run_bot() == status
    told = capsys.readouterr().err
    assert told.startswith("sizewell: SIZEWELL_DATABASE_URL: ")
    assert ("connection refused" in told) == (status == 1)


def test_the_unit_starts_again_after_everything_but_a_setting() -> None:
    unit = (Path(__file__).parents[2] / "deploy" / "systemd" / "sizewell.service").read_text(encoding="utf-8")
    assert "Restart=on-failure" in unit
    assert "RestartPreventExitStatus=2\n" in unit
