"""How everything kept looks, as SQLModel tables. Migrations are compared with this; statements elsewhere name these columns.

Telegram's ids reach 52 bits: BigInteger, and never made by the database. Moments are aware and in UTC.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, Index, Integer, Text
from sqlmodel import Field, SQLModel

_SERIAL: Any = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up only in an INTEGER


def _telegram_id() -> Any:
    return Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})


def _team() -> Any:
    return Field(sa_type=_SERIAL, foreign_key="team.id")


def _team_or_none() -> Any:
    return Field(default=None, sa_type=_SERIAL, foreign_key="team.id", nullable=True)


def _text(default: str | None = "") -> Any:
    return Field(default=default, sa_type=Text)


def _number() -> Any:
    return Field(default=None, sa_type=_SERIAL, primary_key=True)


class Conversation(SQLModel, table=True):
    """One person's conversation in one place, with the name they show and the language they chose there.

    `question_message` carries the open question, `last_message` is what they wrote last.
    """

    channel: str = Field(primary_key=True)
    chat_id: int = _telegram_id()
    thread_id: int = _telegram_id()
    user_id: int = _telegram_id()
    name: str = _text()
    lang: str | None = None
    session: str | None = _text(None)
    question_message: int | None = Field(default=None, sa_type=BigInteger)
    last_message: int | None = Field(default=None, sa_type=BigInteger)
    updated: datetime


class Recommendation(SQLModel, table=True):
    """An answer that was given. `shown` is the reply as HTML, `search` holds everything it can be
    found by, case folded, `token` is its id in links."""

    __table_args__ = (Index("recommendation_of_team", "team_id", "created"), {"sqlite_autoincrement": True})

    id: int | None = _number()
    token: str = Field(unique=True)
    team_id: int | None = _team_or_none()
    channel: str
    chat_id: int = Field(sa_type=BigInteger)
    author_id: int = Field(sa_type=BigInteger, index=True)
    author: str = _text()
    created: datetime
    lang: str
    message: str = _text()
    request: str = _text()
    answer: str = _text()
    shown: str = _text()
    summary: str = _text()
    search: str = _text()
    today: date
    engine_version: str
    catalogue_version: str
    shared: bool = False


class UpdateInbox(SQLModel, table=True):
    """Updates already worked off; a row is here if and only if its effects are."""

    __tablename__ = "update_inbox"

    update_id: int = _telegram_id()
    received: datetime = Field(index=True)


class Outbox(SQLModel, table=True):
    """Calls of the Bot API still to be made, in order per chat. `payload` is JSON as `bot.adapters.outgoing` writes it."""

    __table_args__ = (Index("outbox_of_chat", "chat_id", "id"), {"sqlite_autoincrement": True})

    id: int | None = _number()
    chat_id: int = Field(sa_type=BigInteger)
    payload: str = _text()
    attempts: int = 0
    created: datetime


class Chat(SQLModel, table=True):
    """A chat: whether it may use the bot (team_id), was shut out by an admin (closed), can be written to (active), and who is
    sending to it until when."""

    chat_id: int = _telegram_id()
    kind: str = "private"
    title: str = _text()
    team_id: int | None = _team_or_none()
    closed: bool = False
    active: bool = True
    lang: str | None = None
    greeted: bool = False
    not_before: float = 0.0
    lease: str = ""
    lease_until: float = 0.0


class Team(SQLModel, table=True):
    """People who share a history and defaults (JSON: tariff, tax basis, currency)."""

    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = _number()
    name: str = _text()
    defaults: str = _text("{}")
    created: datetime


class Member(SQLModel, table=True):
    """Somebody who may use the bot, with their own settings."""

    user_id: int = _telegram_id()
    team_id: int = _team()
    role: str = "member"
    name: str = _text()
    lang: str | None = None
    settings: str = _text("{}")
    joined: datetime


class Invitation(SQLModel, table=True):
    """A link that makes one person a member, once and until `expires`. Only the code's digest is kept."""

    digest: str = Field(primary_key=True)
    team_id: int = _team()
    role: str = "member"
    created_by: int = Field(sa_type=BigInteger)
    created: datetime
    expires: datetime
    used_by: int | None = Field(default=None, sa_type=BigInteger)


class Allowance(SQLModel, table=True):
    """How often somebody, or a chat, did something in a period (numbered from 1970 by its length)."""

    subject: int = _telegram_id()
    kind: str = Field(primary_key=True)
    period: int = _telegram_id()
    used: int = 0


class Deployment(SQLModel, table=True):
    """What the installation itself remembers, by name: the claim code's digest, the command menu set last."""

    name: str = Field(primary_key=True)
    content: str = _text()
