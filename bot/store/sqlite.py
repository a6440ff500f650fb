"""All that is said to SQLite alone: how it is opened, locked and copied. WAL, so that readers and the writer do not wait."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot.store.database import Connection, Row
from engine.errors import Refusal

WAIT = 10.0  # seconds for another process to end its transaction


@dataclass(frozen=True)
class Sqlite:
    """A database file. Every transaction has a connection of its own: opening one takes 0.1 ms, and threads share nothing."""

    url: str

    @property
    def path(self) -> Path:
        return Path(self.url.split("?")[0].split(":///", 1)[-1])

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        with self._begun("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._begun("BEGIN") as connection:
            yield connection

    @contextmanager
    def stay_open(self) -> Iterator[None]:
        with closing(self._opened()):
            yield

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Connection]:
        with closing(self._opened()) as connection:
            connection.execute(begin)
            try:
                yield _SqliteConnection(connection)
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def _opened(self, create: bool = False) -> sqlite3.Connection:
        """A connection; only `make` makes the file."""
        if ":///" not in self.url:  # a database in memory would be gone with the connection
            raise Refusal("database_unusable", "SIZEWELL_DATABASE_URL", self.url, {"why": "no file"})
        try:
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            address = f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            connection = sqlite3.connect(address, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except (OSError, sqlite3.Error) as error:
            raise Refusal("database_unusable", "SIZEWELL_DATABASE_URL", str(self.path), {"why": str(error)}) from error
        connection.row_factory = _row
        return connection

    def make(self) -> None:
        """Create the file, in WAL mode, so that whoever comes next finds it. Errors: Refusal database_unusable."""
        self._opened(create=True).close()

    def copy_to(self, target: Path) -> None:
        """A consistent copy while others go on writing."""
        with closing(self._opened()) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)


@dataclass(frozen=True)
class _SqliteConnection:
    connection: sqlite3.Connection

    def run(self, statement: str, **values: Any) -> list[Row]:
        return self.connection.execute(statement, _bound(values)).fetchall()

    def change(self, statement: str, **values: Any) -> int:
        return self.connection.execute(statement, _bound(values)).rowcount


def _bound(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _written(value) for name, value in values.items()}


def _written(value: Any) -> Any:
    """Moments and dates as SQLAlchemy writes them to SQLite."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
    return value.isoformat() if isinstance(value, date) else value


def _row(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, values, strict=True)}
