"""Whether the tables are those this version expects, and bringing them there: alembic, imported only when there is work to do."""

import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from bot.store.database import Database
from engine.errors import Refusal

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def newest() -> str:
    """The revision this version expects. Migrations are numbered, so the last file name tells it without alembic."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py")).split("_")[0]


def current(database: Database) -> str | None:
    """The revision the tables have; None where there are none yet. Errors: Refusal database_unusable for a server out of reach."""
    from bot.store.sqlite import Sqlite

    try:
        with database.reading() as connection:
            rows = connection.run("SELECT version_num FROM alembic_version")
            return str(rows[0]["version_num"]) if rows else None
    except Refusal:
        if isinstance(database, Sqlite):
            return None  # no file yet
        raise
    except Exception:  # every driver has its own exception for a missing table
        return None


def bring_up_to_date(database: Database) -> None:
    """Migrate a file of our own; a server is migrated by its operator. Errors: Refusal database_outdated, database_newer."""
    from bot.store.sqlite import Sqlite

    found = current(database)
    if found == newest():
        return
    if found is not None and found > newest():
        raise Refusal("database_newer", "SIZEWELL_DATABASE_URL", found, {"expected": newest()})
    if not isinstance(database, Sqlite):
        raise Refusal("database_outdated", "SIZEWELL_DATABASE_URL", found, {"expected": newest()})
    upgrade(database)


def upgrade(database: Database) -> None:
    """Run the missing migrations in one transaction; whoever comes second waits and finds nothing to do."""
    from alembic import command
    from sqlalchemy import pool

    from bot.store.database import connected, engine_at
    from bot.store.sqlite import Sqlite

    if isinstance(database, Sqlite):
        database.make()
    engine = engine_at(database.url, poolclass=pool.NullPool)
    if engine.dialect.name == "sqlite":
        _lock_whole_file(engine)
    with connected(engine) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7360117)")
        command.upgrade(configuration(connection), "head")


def configuration(connection: Any, compare: bool = False) -> Any:
    """Alembic's configuration for a connection that is open already; `compare` for new migrations and for checking old ones."""
    from alembic.config import Config

    made = Config(stdout=sys.stdout)  # its own default is whatever stood there when alembic was imported
    made.set_main_option("script_location", str(MIGRATIONS))
    made.attributes.update(connection=connection, compare=compare)
    return made


def _lock_whole_file(engine: Any) -> None:
    """Take SQLite's write lock before alembic looks: the driver would begin only at the first change."""
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def _leave_transactions_to_us(driver: Any, _record: Any) -> None:
        driver.isolation_level = None
        driver.execute("PRAGMA busy_timeout = 30000")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def backup(database: Database, folder: Path, now: datetime) -> Path:
    """Copy the file beside itself (or into a folder) under the moment's name. Errors: Refusal backup_by_server."""
    from bot.store.sqlite import Sqlite

    if not isinstance(database, Sqlite):
        raise Refusal("backup_by_server", "SIZEWELL_DATABASE_URL")
    if not database.path.exists():
        raise Refusal("database_unusable", "SIZEWELL_DATABASE_URL", str(database.path))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"sizewell-{now:%Y-%m-%dT%H%M%S}.db"
    database.copy_to(target)
    return target
