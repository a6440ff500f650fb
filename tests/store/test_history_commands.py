"""`sizewell history` and `sizewell db` as a person runs them: words in both languages, JSON, local time, exit codes."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.keeping import kept as keep
from bot.rendering import answer
from bot.settings import settings
from bot.store import Database, History, Kept, Key, Whose, people
from engine import advise
from engine.catalogue import catalogue
from engine.request import Request

Run = Callable[..., Result]
NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)  # 2027 in Berlin


@pytest.fixture
def run(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    for name in os.environ:
        if name.startswith("SIZEWELL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SIZEWELL_DATABASE_URL", database.url)
    monkeypatch.setenv("SIZEWELL_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SIZEWELL_TZ", "Europe/Berlin")
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    return lambda *words: CliRunner().invoke(app, list(words))


def real(message: str, today: date = date(2026, 11, 30)) -> Kept:
    request = Request.model_validate({"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12}})
    made = advise(request, catalogue(), today)
    return keep(made, "en", message, answer(made, "en", "html"), catalogue())


def test_an_empty_history_says_so_in_both_languages(run: Run) -> None:
    english, german = run("history", "list", "--lang", "en"), run("history", "list", "--lang", "de")
    assert english.exit_code == german.exit_code == 0
    assert english.output.strip()
    assert english.output != german.output
    assert run("history", "list", "--json").output.strip() == "[]"


def test_a_real_recommendation_is_listed_shown_and_found(run: Run, database: Database) -> None:
    number = History(database).add(real("8B LoRA, 12 h a month"), NEW_YEAR)
    listed = run("history", "list", "--lang", "en").output
    assert "8B LoRA, 12 h a month" in listed
    shown = run("history", "show", str(number), "--lang", "en")
    assert shown.exit_code == 0
    assert "LoRA" in shown.output
    assert "<b>" not in shown.output
    for words in (["lora"], ["8b", "lora"], ["2027-01-01"]):
        found = json.loads(run("history", "search", *words, "--json").output)
        assert [one["number"] for one in found] == [number]
    assert json.loads(run("history", "search", "2026-12-31", "--json").output) == []


def test_the_moment_is_shown_in_the_local_time(run: Run, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    number = History(database).add(real("8B LoRA"), NEW_YEAR)
    assert "2027" in run("history", "show", str(number), "--lang", "de").output
    monkeypatch.setenv("SIZEWELL_TZ", "America/New_York")
    settings.cache_clear()
    assert "2026" in run("history", "show", str(number), "--lang", "de").output.splitlines()[0]


def test_who_holds_the_database_sees_what_the_bot_was_asked(run: Run, database: Database) -> None:
    with database.transaction() as connection:
        team = people.first_team(connection, NEW_YEAR)
    History(database, Whose(Key("telegram", 5, 0, 5), team, "Anna")).add(real("8B LoRA"), NEW_YEAR)
    assert "Anna" in run("history", "list").output
    assert json.loads(run("history", "search", "lora", "--json").output)[0]["author"] == "Anna"


def test_json_holds_request_and_answer(run: Run, database: Database) -> None:
    number = History(database).add(real("8B LoRA"), NEW_YEAR)
    entry = json.loads(run("history", "show", str(number), "--json").output)
    assert entry["request"]["models"] == [{"params_b": 8}]
    assert entry["answer"]["fit"]["method"] == "lora"
    assert entry["created"] == "2026-12-31T23:30:00+00:00"


def test_asked_again_the_same_day_nothing_changed_and_what_changes_is_shown(
    run: Run, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWELL_TODAY", "2026-11-30")
    settings.cache_clear()
    kept = real("8B LoRA")
    same = History(database).add(kept, NEW_YEAR)
    old = json.loads(kept.answer)
    old["approach"]["method"] = "full"
    other = History(database).add(replace(kept, answer=json.dumps(old)), NEW_YEAR)
    assert json.loads(run("history", "check", str(same), "--json").output)["changes"] == []
    [change] = json.loads(run("history", "check", str(other), "--json").output)["changes"]
    assert (change["field"], change["before"], change["after"]) == ("approach", "full", "lora")
    assert run("history", "check", str(other), "--lang", "de").output != run("history", "check", str(same), "--lang", "de").output


@pytest.mark.parametrize("words", [["show", "99"], ["check", "99"]])
def test_an_unknown_number_is_refused_in_words(run: Run, words: list[str]) -> None:
    done = run("history", *words, "--lang", "en")
    assert done.exit_code == 2
    assert "99" in done.stderr
    assert "Traceback" not in done.output + done.stderr


def test_db_commands(run: Run, database: Database, tmp_path: Path) -> None:
    History(database).add(real("8B LoRA"), NEW_YEAR)
    assert run("db", "current").exit_code == 0
    assert run("db", "upgrade").exit_code == 0
    copied = run("db", "backup")
    assert copied.exit_code == 0
    path = Path(copied.output.strip())
    assert path.parent == tmp_path / "backups"
    from bot.store import open_database

    assert len(History(open_database(f"sqlite:///{path}")).list()) == 1


def test_a_database_that_is_not_there_cannot_be_copied(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIZEWELL_DATABASE_URL", f"sqlite:///{tmp_path / 'none.db'}")
    settings.cache_clear()
    assert run("db", "current").exit_code == 1
    assert run("db", "backup").exit_code == 2
    assert not (tmp_path / "none.db").exists()
