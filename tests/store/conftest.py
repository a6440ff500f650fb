"""A database of its own for every test, and recommendations to keep."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from bot.store import Database, Kept, open_database


@pytest.fixture
def database(tmp_path: Path, migrated: Path) -> Database:
    shutil.copy(migrated, tmp_path / "sizewell.db")
    return open_database(f"sqlite:///{tmp_path / 'sizewell.db'}")


@pytest.fixture
def kept() -> Kept:
    return Kept(
        lang="de",
        message="8B LoRA für große Handbücher, 12 h im Monat, 5000 €",
        request='{"models": [{"params_b": 8}]}',
        answer='{"approach": {"method": "lora"}}',
        shown="<b>Mieten.</b> LoRA passt.",
        summary="Mieten. LoRA passt.",
        search="8b lora für grosse handbücher, 12 h im monat, 5000 € llama-3.1-8b rtx 4090 100%",
        today=date(2026, 11, 30),
        engine_version="0.1.0",
        catalogue_version="abc",
    )
