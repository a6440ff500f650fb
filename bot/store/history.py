"""The history: what is kept of a recommendation enters with who asked and where; entries leave, by list, number or search."""

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from bot.store.conversations import TERMINAL, Key
from bot.store.database import Connection, Database, Row, day, moment
from engine.request import Language

LONGEST_LIST = 1000
LARGEST_NUMBER = 2**63 - 1  # what an id can be
_MOST_DIGITS = len(str(LARGEST_NUMBER))
_COLUMNS = (
    "id, token, team_id, channel, chat_id, author_id, author, created, lang, message, request, answer, shown, summary, today,"
    " engine_version, catalogue_version, shared"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recommendation that was given. `request` and `answer` are JSON values of the machine contract."""

    id: int
    token: str
    team_id: int | None
    author_id: int
    author: str
    created: datetime
    lang: Language
    message: str
    request: Mapping[str, Any]
    answer: Mapping[str, Any]
    shown: str
    summary: str
    today: date
    engine_version: str
    catalogue_version: str
    shared: bool
    chat_id: int


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose history: a team's, or without a team what one person asked in one place; `everybody`'s for who holds the database.

    `guest`: of a team's history only what was asked in this chat.
    """

    key: Key = TERMINAL
    team_id: int | None = None
    author: str = ""
    everybody: bool = False
    guest: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """What the history keeps of a recommendation; `bot.keeping.kept` makes it."""

    lang: Language
    message: str
    request: str  # JSON of the machine contract, as is the answer
    answer: str
    shown: str  # the reply as HTML
    summary: str
    search: str
    today: date
    engine_version: str
    catalogue_version: str


@dataclass(frozen=True)
class History:
    """The history of one team, or of the terminal."""

    database: Database
    whose: Whose = field(default_factory=Whose)

    def add(self, kept: Kept, now: datetime) -> int:
        """Keep a recommendation; its number."""
        with self.database.transaction() as connection:
            return add(connection, self.whose, kept, now).id

    def list(self, limit: int = 10) -> tuple[Entry, ...]:
        """The newest entries."""
        with self.database.reading() as connection:
            return newest(connection, self.whose, limit)

    def show(self, number: int) -> Entry | None:
        """One entry; None where there is none that this history may show."""
        with self.database.reading() as connection:
            return by_number(connection, self.whose, number)

    def search(self, query: str, zone: tzinfo | None = None, limit: int = 10) -> tuple[Entry, ...]:
        """Entries that hold every word of the query: text, model, method, card, or a date in the zone (None: the system's)."""
        with self.database.reading() as connection:
            return found(connection, self.whose, query, zone, limit)


@dataclass(frozen=True, slots=True)
class Number:
    """How an entry is called: in lists, and in links."""

    id: int
    token: str


def add(connection: Connection, whose: Whose, kept: Kept, now: datetime) -> Number:
    """Keep a recommendation within an open transaction."""
    values = {
        "token": secrets.token_urlsafe(9),
        "team_id": whose.team_id,
        "channel": whose.key.channel,
        "chat_id": whose.key.chat_id,
        "author_id": whose.key.user_id,
        "author": whose.author,
        "created": now.astimezone(UTC),
        "shared": False,
        **asdict(kept),
    }
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    made = connection.run(f"INSERT INTO recommendation ({names}) VALUES ({places}) RETURNING id, token", **values)[0]
    return Number(made["id"], made["token"])


def newest(connection: Connection, whose: Whose, limit: int) -> tuple[Entry, ...]:
    """The newest entries within an open transaction."""
    return _entries(connection, whose, "", limit)


def number_of(written: str) -> int:
    """The number of an entry as somebody writes it; 0, which no entry has, for anything else."""
    return int(written) if written.isdecimal() and len(written) <= _MOST_DIGITS else 0


def by_number(connection: Connection, whose: Whose, number: int) -> Entry | None:
    """One entry of this history by its number; None as well for one no database can hold."""
    if not 0 < number <= LARGEST_NUMBER:
        return None
    return next(iter(_entries(connection, whose, " AND id = :number", 1, number=number)), None)


def by_token(connection: Connection, token: str) -> Entry | None:
    """One entry by its id in links, whoever it belongs to: the caller checks who may see it."""
    rows = connection.run(f"SELECT {_COLUMNS} FROM recommendation WHERE token = :token", token=token)
    return _entry(rows[0]) if rows else None


def share(connection: Connection, number: int) -> None:
    """Let whoever has the link see an entry."""
    connection.run("UPDATE recommendation SET shared = :yes WHERE id = :id", yes=True, id=number)


def found(connection: Connection, whose: Whose, query: str, zone: tzinfo | None, limit: int) -> tuple[Entry, ...]:
    """Entries that hold every word of the query, or were made on the dates it names."""
    conditions = ""
    values: dict[str, Any] = {}
    for number, word in enumerate(query.split()[:20]):
        span = _span_of_date(word, zone)
        if span is None:
            conditions += f" AND search LIKE :word{number} ESCAPE '\\'"
            values[f"word{number}"] = f"%{_literally(word.casefold())}%"
        else:
            conditions += f" AND created >= :from{number} AND created < :to{number}"
            values |= {f"from{number}": span[0], f"to{number}": span[1]}
    return _entries(connection, whose, conditions, limit, **values)


def _literally(word: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", word)


def _entries(connection: Connection, whose: Whose, conditions: str, limit: int, **values: Any) -> tuple[Entry, ...]:
    of_whom, who = _scope(whose)
    rows = connection.run(
        f"SELECT {_COLUMNS} FROM recommendation WHERE {of_whom}{conditions} ORDER BY created DESC, id DESC LIMIT :limit",
        limit=max(0, min(limit, LONGEST_LIST)),
        **who,
        **values,
    )
    return tuple(_entry(row) for row in rows)


def _scope(whose: Whose) -> tuple[str, dict[str, Any]]:
    if whose.everybody:
        return "1 = 1", {}
    if whose.team_id is not None and whose.guest:
        return "team_id = :team_id AND chat_id = :here", {"team_id": whose.team_id, "here": whose.key.chat_id}
    if whose.team_id is not None:
        return "team_id = :team_id", {"team_id": whose.team_id}
    key = whose.key
    return "team_id IS NULL AND channel = :channel AND author_id = :author_id", {"channel": key.channel, "author_id": key.user_id}


def _entry(row: Row) -> Entry:
    kept = {name: row[name] for name in ("id", "token", "team_id", "author_id", "author", "lang", "message", "shown", "summary", "chat_id")}
    return Entry(
        **kept,
        created=moment(row["created"]),
        request=json.loads(row["request"]),
        answer=json.loads(row["answer"]),
        today=day(row["today"]),
        engine_version=row["engine_version"],
        catalogue_version=row["catalogue_version"],
        shared=bool(row["shared"]),
    )


_DATES = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?"),
    re.compile(r"(?:(?P<day>\d{1,2})\.)?(?P<month>\d{1,2})\.(?P<year>\d{4})"),
)


def _span_of_date(word: str, zone: tzinfo | None) -> tuple[datetime, datetime] | None:
    """From the first moment of a day or month in the zone to the first after it; None for a word that is no date."""
    match = next((found for pattern in _DATES if (found := pattern.fullmatch(word))), None)
    if match is None:
        return None
    year, month, whole_month = int(match["year"]), int(match["month"]), match["day"] is None
    try:
        first = date(year, month, int(match["day"] or 1))
        after = date(year + month // 12, month % 12 + 1, 1) if whole_month else first + timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return _midnight(first, zone), _midnight(after, zone)


def _midnight(of: date, zone: tzinfo | None) -> datetime:
    return datetime.combine(of, time(), zone).astimezone(UTC)
