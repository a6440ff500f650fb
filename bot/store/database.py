"""A database address enters, transactions leave: `with database.transaction() as connection: connection.run(SQL, **values)`.

SQLite goes through Python's own driver, which is there in 20 ms; every other engine through SQLAlchemy, imported when it is
needed. Statements are one text for both: `:name` for values, `ON CONFLICT` and `RETURNING` as both engines read them.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Protocol

from engine.errors import Refusal

Row = Mapping[str, Any]


class Connection(Protocol):
    """An open transaction."""

    def run(self, statement: str, **values: Any) -> list[Row]:
        """Execute one statement; its rows, empty for statements without any."""

    def change(self, statement: str, **values: Any) -> int:
        """Execute one statement; how many rows it changed."""


class Database(Protocol):
    """Where everything is kept."""

    @property
    def url(self) -> str:
        """Its address."""

    def transaction(self) -> AbstractContextManager[Connection]:
        """A transaction that may write: committed at the end of the block, rolled back on an exception."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that only reads; it never waits for a writer."""

    def stay_open(self) -> AbstractContextManager[None]:
        """For a long-lived process: spares every transaction the work of the last connection that closes."""


@cache
def open_database(url: str) -> Database:
    """The database at an address, its tables brought up to date if it is SQLite. Errors: Refusal database_*."""
    from bot.store.schema import bring_up_to_date

    database = database_at(url)
    bring_up_to_date(database)
    return database


def database_at(url: str) -> Database:
    """The database at an address, as it is."""
    if url.startswith("sqlite:"):
        from bot.store.sqlite import Sqlite

        return Sqlite(url)
    return Server(url)


@dataclass(frozen=True)
class Server:
    """A database server, through SQLAlchemy."""

    url: str

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        with connected(_engine(self.url)) as connection, connection.begin():
            yield _ServerConnection(connection)

    reading = transaction

    def stay_open(self) -> AbstractContextManager[None]:
        return nullcontext()  # its pool does


@dataclass(frozen=True)
class _ServerConnection:
    connection: Any

    def run(self, statement: str, **values: Any) -> list[Row]:
        made = self._executed(statement, values)
        return list(made.mappings()) if made.returns_rows else []

    def change(self, statement: str, **values: Any) -> int:
        return int(self._executed(statement, values).rowcount)

    def _executed(self, statement: str, values: Mapping[str, Any]) -> Any:
        from sqlalchemy import text

        return self.connection.execute(text(statement), values)


@cache
def _engine(url: str) -> Any:
    return engine_at(url, pool_pre_ping=True)


def engine_at(url: str, **options: Any) -> Any:
    """SQLAlchemy's engine for an address. Errors: Refusal database_unusable: no such kind of database, or its driver is not installed."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError

    try:
        return create_engine(url, hide_parameters=True, **options)
    except (ArgumentError, ImportError) as error:
        raise unusable(error) from None


def connected(engine: Any) -> Any:
    """An open connection. Errors: Refusal database_unreachable where nobody answers or the door stays shut: that may pass."""
    from sqlalchemy.exc import OperationalError

    try:
        return engine.connect()
    except OperationalError as error:
        raise unusable(error.orig or error, "database_unreachable") from error


def unusable(error: BaseException, code: str = "database_unusable") -> Refusal:
    """That a server cannot be used, without its address: a password stands in it."""
    return Refusal(code, "SIZEWELL_DATABASE_URL", None, {"why": str(error), "server": True})


def moment(value: Any) -> datetime:
    """A moment as a driver returned it, aware and in UTC: SQLite keeps text without an offset."""
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


def day(value: Any) -> date:
    """A date as a driver returned it."""
    return date.fromisoformat(value) if isinstance(value, str) else value
