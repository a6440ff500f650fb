"""The tables that migrations build are those that `bot.store.tables` describes, on a fresh file and for whoever comes second."""

import sqlite3
import threading
from pathlib import Path

import pytest

from bot.store import Conversations, open_database, schema
from bot.store.database import database_at
from engine.errors import Refusal


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'folder of a user' / 'sizewell.db'}"


def test_a_fresh_file_gets_every_table(address: str) -> None:
    database = open_database(address)
    assert schema.current(database) == schema.newest()
    assert Conversations(database).load() is None


def test_migrations_and_tables_agree(address: str) -> None:
    from alembic import command
    from sqlalchemy import create_engine

    open_database(address)
    with create_engine(address).begin() as connection:
        command.check(schema.configuration(connection, compare=True))


def test_the_newest_revision_is_alembics_head(address: str) -> None:
    from alembic.script import ScriptDirectory

    assert ScriptDirectory.from_config(schema.configuration(None)).get_current_head() == schema.newest()


def test_migrations_go_down_and_up_again(address: str) -> None:
    from alembic import command
    from sqlalchemy import create_engine

    database = open_database(address)
    engine = create_engine(address)
    with engine.begin() as connection:
        command.downgrade(schema.configuration(connection), "base")
    assert schema.current(database) is None
    schema.upgrade(database)
    assert schema.current(database) == schema.newest()
    engine.dispose()


def test_two_first_starts_at_once_build_one_set_of_tables(address: str) -> None:
    database = database_at(address)
    gate = threading.Barrier(2)
    failures: list[BaseException] = []

    def start() -> None:
        gate.wait()
        try:
            schema.bring_up_to_date(database)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert schema.current(database) == schema.newest()


def test_a_current_file_opens_without_alembic(address: str) -> None:
    import subprocess
    import sys

    open_database(address)
    heavy = "{'alembic', 'sqlalchemy', 'sqlmodel', 'telegram'} & set(sys.modules)"
    code = f"import sys; from bot.store import open_database; open_database({address!r}); print({heavy})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_file_of_a_newer_version_is_left_alone(address: str) -> None:
    path = open_database(address).path  # type: ignore[attr-defined]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(Refusal) as refused:
        schema.bring_up_to_date(database_at(address))
    assert refused.value.code == "database_newer"


def test_a_place_that_cannot_be_written_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Refusal) as refused:
        open_database(f"sqlite:///{tmp_path / 'file' / 'sizewell.db'}")
    assert refused.value.code == "database_unusable"


@pytest.mark.parametrize("address", ["nonsense", "oracel://x", "nodriver+postgresql://u:hidden@h/x", "postgresql+nodriver://u:hidden@h/x"])
def test_an_address_that_is_none_is_refused_without_its_password(address: str) -> None:
    for act in (open_database, lambda url: schema.upgrade(database_at(url)), lambda url: schema.current(database_at(url))):
        with pytest.raises(Refusal) as refused:
            act(address)
        assert (refused.value.code, refused.value.field) == ("database_unusable", "SIZEWELL_DATABASE_URL")
        assert "hidden" not in repr(refused.value)


def test_a_server_out_of_reach_is_not_an_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import create_engine

    from bot.store import database as module

    nobody = create_engine("sqlite:////nowhere/at/all.db")  # stands for a server: an OperationalError as soon as one connects
    monkeypatch.setattr(module, "_engine", lambda _url: nobody)
    with pytest.raises(Refusal) as refused:
        schema.current(module.Server("server://anywhere"))
    assert refused.value.code == "database_unreachable"


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        open_database("sqlite://")
    assert refused.value.code == "database_unusable"
