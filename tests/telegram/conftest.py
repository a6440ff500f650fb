"""A migrated database, a house with the real catalogue; no setting of this machine."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from telegram_shapes import BOT_ID, BOT_NAME, NOW, Telegram

from bot.adapters.telegram_door import House
from bot.logs import set_up
from bot.settings import Settings
from bot.store import Database, open_database
from engine.catalogue import catalogue

os.environ.setdefault("PTB_TIMEDELTA", "true")  # as `sizewell bot` does before it imports the library


@pytest.fixture(autouse=True)
def _logs() -> None:
    """Log lines as the bot writes them, not a developer's view with every local variable."""
    set_up("json", "INFO")


@pytest.fixture
def database(tmp_path: Path, migrated: Path) -> Database:
    shutil.copy(migrated, tmp_path / "sizewell.db")
    return open_database(f"sqlite:///{tmp_path / 'sizewell.db'}")


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., House]:
    """A bot's house with some settings; nothing of this machine's environment gets in."""

    def made(**settings: Any) -> House:
        given = {"today": NOW.date(), "tz": "Europe/Berlin", "data_dir": tmp_path, **settings}
        return House(catalogue(), Settings(_env_file=None, **given), BOT_ID, BOT_NAME, "123456:SECRET")

    return made


@pytest.fixture
def telegram() -> Telegram:
    return Telegram()
