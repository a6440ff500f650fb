"""An update is worked off once, whole, and by one process at a time; whatever is killed in between comes again."""

import json
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import Connection, Conversations, Database, Key, open_database, outbox
from bot.store.unit_of_work import Turn, forget_old_updates, unit_of_work

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANNA = Key("telegram", 10, 0, 10)


def counted(_connection: Connection, before: str | None) -> Turn:
    number = json.loads(before or "0") + 1
    return Turn(json.dumps(number), (outbox.Call(10, json.dumps(number)),))


def waiting(database: Database, chat_id: int = 10) -> list[str]:
    with database.reading() as connection:
        return [one.payload for one in outbox.waiting(connection, chat_id, 10_000)]


def at_once(acts: list) -> None:  # type: ignore[type-arg]
    gate = threading.Barrier(len(acts))
    failures: list[BaseException] = []

    def run(act) -> None:  # type: ignore[no-untyped-def]
        gate.wait()
        try:
            act()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_same_update_at_the_same_moment_changes_the_session_once(database: Database) -> None:
    turns: list[Turn | None] = []
    at_once([lambda: turns.append(unit_of_work(database, 1001, ANNA, counted, NOW))] * 4)
    assert sum(turn is not None for turn in turns) == 1
    assert Conversations(database).load(ANNA) == "1"
    assert waiting(database) == ["1"]


def test_no_update_is_lost_when_many_come_at_once(database: Database) -> None:
    at_once([lambda number=number: unit_of_work(database, number, ANNA, counted, NOW) for number in range(24)])  # type: ignore[misc]
    assert Conversations(database).load(ANNA) == "24"
    assert waiting(database) == [str(number) for number in range(1, 25)]


def test_a_failing_turn_leaves_nothing_and_may_come_again(database: Database) -> None:
    def breaks(connection: Connection, before: str | None) -> Turn:
        counted(connection, before)
        outbox.put(connection, outbox.Call(10, "half"), NOW)
        raise RuntimeError("bug")

    with pytest.raises(RuntimeError):
        unit_of_work(database, 7, ANNA, breaks, NOW)
    assert Conversations(database).load(ANNA) is None
    assert waiting(database) == []
    assert unit_of_work(database, 7, ANNA, counted, NOW) is not None


def test_updates_may_come_out_of_order(database: Database) -> None:
    for number in (9, 3, 7, 3, 9):
        unit_of_work(database, number, ANNA, counted, NOW)
    assert Conversations(database).load(ANNA) == "3"


def test_old_update_ids_are_forgotten(database: Database) -> None:
    unit_of_work(database, 1, ANNA, counted, NOW)
    with database.transaction() as connection:
        forget_old_updates(connection, NOW.replace(day=29))
        assert connection.run("SELECT count(*) AS n FROM update_inbox")[0]["n"] == 1
        forget_old_updates(connection, NOW.replace(month=12, day=1))
        assert connection.run("SELECT count(*) AS n FROM update_inbox")[0]["n"] == 0


CHILD = """
import json, sys, time
from datetime import UTC, datetime
from bot.store import Key, open_database, outbox
from bot.store.unit_of_work import Turn, unit_of_work

def work(connection, before):
    number = json.loads(before or "0") + 1
    if "hang" in sys.argv:
        print("inside", flush=True)
        time.sleep(60)
    return Turn(json.dumps(number), (outbox.Call(10, json.dumps(number)),))

database = open_database(sys.argv[1])
for update in range(int(sys.argv[2]), int(sys.argv[3])):
    unit_of_work(database, update, Key("telegram", 10, 0, 10), work, datetime.now(UTC))
"""


def child(database: Database, *arguments: object, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, database.url, *map(str, arguments)]
    return subprocess.Popen(command, text=True, cwd=Path(__file__).parents[2], **options)  # type: ignore[call-overload,no-any-return]


def test_two_processes_share_one_file(database: Database) -> None:
    first, second = child(database, 0, 40), child(database, 20, 60)
    assert (first.wait(60), second.wait(60)) == (0, 0)
    assert Conversations(database).load(ANNA) == "60"
    assert waiting(database) == [str(number) for number in range(1, 61)]


def test_a_process_killed_within_its_transaction_leaves_nothing(database: Database) -> None:
    killed = child(database, 1, 2, "hang", stdout=subprocess.PIPE)
    assert killed.stdout is not None
    assert killed.stdout.readline().strip() == "inside"
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    killed.stdout.close()
    assert unit_of_work(open_database(database.url), 1, ANNA, counted, NOW) is not None
    assert waiting(database) == ["1"]
