"""What was advised is found again: newest first, by number, by any of its words, by its local date; by nobody else."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.store import Database, History, Kept, Key, Whose

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def test_an_empty_history_is_an_empty_list(database: Database) -> None:
    assert History(database).list() == ()


def test_an_entry_comes_back_as_it_was_kept(database: Database, kept: Kept) -> None:
    number = History(database).add(kept, NOW)
    entry = History(database).show(number)
    assert entry is not None
    assert (entry.message, entry.shown, entry.summary, entry.lang) == (kept.message, kept.shown, kept.summary, "de")
    assert entry.answer == {"approach": {"method": "lora"}}
    assert entry.created == NOW
    assert entry.today == kept.today


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, 2**63, 10**30])
def test_no_entry_has_a_number_no_database_holds(database: Database, kept: Kept, number: int) -> None:
    History(database).add(kept, NOW)
    assert History(database).show(number) is None


def test_the_newest_comes_first_and_the_limit_holds(database: Database, kept: Kept) -> None:
    history = History(database)
    numbers = [history.add(kept, NOW + timedelta(minutes=minute)) for minute in range(5)]
    assert [entry.id for entry in history.list(3)] == numbers[:1:-1]


@pytest.mark.parametrize(
    "query", ["LORA", "handBÜCHER", "Große", "llama-3.1", "4090 lora", "100%", "", "lora 2026-11-30", "11.2026", "30.11.2026"]
)
def test_found_by(database: Database, kept: Kept, query: str) -> None:
    History(database).add(kept, NOW)
    assert len(History(database).search(query, BERLIN)) == 1


@pytest.mark.parametrize(
    "query", ["qlora", "lora 70b", "100_", "%", "2026-11-29", "12.2026", "99.99.2026", "0000-01-01", "' OR 1=1 --", "9999-12-31"]
)
def test_not_found_by(database: Database, kept: Kept, query: str) -> None:
    History(database).add(replace(kept, search=kept.search.replace("100%", "1000")), NOW)
    assert History(database).search(query, BERLIN) == ()


def test_a_day_begins_at_local_midnight(database: Database, kept: Kept) -> None:
    history = History(database)
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)  # 00:30 on 1 December in Berlin
    history.add(kept, late)
    assert len(history.search("2026-12-01", BERLIN)) == 1
    assert history.search("2026-11-30", BERLIN) == ()


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_the_day_the_clocks_change_loses_and_doubles_nothing(database: Database, kept: Kept, day: str, hours: int) -> None:
    history = History(database)
    start = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=BERLIN).astimezone(UTC)
    for hour in range(-1, hours + 1):
        history.add(kept, start + timedelta(hours=hour))
    assert len(history.search(day, BERLIN, limit=100)) == hours


def test_a_team_sees_its_own_entries_only(database: Database, kept: Kept) -> None:
    with database.transaction() as connection:
        for team in (1, 2):
            connection.run("INSERT INTO team (id, name, defaults, created) VALUES (:id, '', '{}', :now)", id=team, now=NOW)
    ours, theirs = (Whose(Key("telegram", 7, 0, 7), team_id=team) for team in (1, 2))
    number = History(database, ours).add(kept, NOW)
    assert History(database, ours).show(number) is not None
    assert History(database, theirs).show(number) is None
    assert History(database, theirs).list() == ()
    assert History(database).list() == ()


def test_numbers_are_not_used_again(database: Database, kept: Kept) -> None:
    first = History(database).add(kept, NOW)
    with database.transaction() as connection:
        connection.run("DELETE FROM recommendation")
    assert History(database).add(kept, NOW) > first
