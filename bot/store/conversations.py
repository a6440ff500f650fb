"""Where a conversation stands: its session as JSON text, by channel, chat, topic and person."""

from dataclasses import asdict, dataclass
from datetime import datetime

from bot.store.database import Connection, Database
from engine.request import Language

_OF_KEY = "channel = :channel AND chat_id = :chat_id AND thread_id = :thread_id AND user_id = :user_id"


@dataclass(frozen=True, slots=True)
class Key:
    """Whose conversation, and where. The terminal has one: the user's own."""

    channel: str
    chat_id: int = 0
    thread_id: int = 0
    user_id: int = 0


TERMINAL = Key("terminal")


@dataclass(frozen=True)
class Conversations:
    """Load and save sessions one by one, for the terminal; Telegram's updates go through `unit_of_work`."""

    database: Database

    def load(self, key: Key = TERMINAL) -> str | None:
        """The session as it was saved; None for a conversation that has not begun."""
        with self.database.reading() as connection:
            return session_of(connection, key)

    def save(self, session: str | None, now: datetime, key: Key = TERMINAL) -> None:
        """Keep the session; None forgets it."""
        with self.database.transaction() as connection:
            lock(connection, key, now)
            keep_session(connection, key, session)


def lock(connection: Connection, key: Key, now: datetime, name: str = "") -> None:
    """Hold the conversation until the transaction ends. A statement of its own: reading in the same one could read the past."""
    connection.run(
        "INSERT INTO conversation (channel, chat_id, thread_id, user_id, name, updated)"
        " VALUES (:channel, :chat_id, :thread_id, :user_id, :name, :now)"
        " ON CONFLICT (channel, chat_id, thread_id, user_id) DO UPDATE SET updated = excluded.updated, name = excluded.name",
        name=name,
        now=now,
        **asdict(key),
    )


def session_of(connection: Connection, key: Key) -> str | None:
    """The session within an open transaction."""
    rows = connection.run(f"SELECT session FROM conversation WHERE {_OF_KEY}", **asdict(key))
    return rows[0]["session"] if rows else None


def keep_session(connection: Connection, key: Key, session: str | None) -> None:
    """Write the session of a conversation that is locked."""
    connection.run(f"UPDATE conversation SET session = :session WHERE {_OF_KEY}", session=session, **asdict(key))


def question_message(connection: Connection, key: Key) -> int | None:
    """The message that carries the open question."""
    rows = connection.run(f"SELECT question_message FROM conversation WHERE {_OF_KEY}", **asdict(key))
    return rows[0]["question_message"] if rows else None


def keep_question_message(connection: Connection, key: Key, message_id: int | None) -> None:
    """Remember which message carries the open question."""
    connection.run(f"UPDATE conversation SET question_message = :message WHERE {_OF_KEY}", message=message_id, **asdict(key))


def carries_a_question(connection: Connection, chat_id: int, message_id: int) -> bool:
    """Whether a message carries anybody's open question."""
    return bool(
        connection.run(
            "SELECT 1 AS one FROM conversation WHERE chat_id = :chat AND question_message = :message", chat=chat_id, message=message_id
        )
    )


def last_message(connection: Connection, key: Key) -> int | None:
    """What the person wrote last: only that can still be corrected."""
    rows = connection.run(f"SELECT last_message FROM conversation WHERE {_OF_KEY}", **asdict(key))
    return rows[0]["last_message"] if rows else None


def keep_last_message(connection: Connection, key: Key, message_id: int | None) -> None:
    """Remember what the person wrote last."""
    connection.run(f"UPDATE conversation SET last_message = :message WHERE {_OF_KEY}", message=message_id, **asdict(key))


def chosen_language(connection: Connection, key: Key) -> Language | None:
    """The language somebody chose in this conversation."""
    rows = connection.run(f"SELECT lang FROM conversation WHERE {_OF_KEY}", **asdict(key))
    return rows[0]["lang"] if rows else None


def keep_language(connection: Connection, key: Key, lang: Language) -> None:
    """Remember the language somebody chose here: guests of a group have no settings of their own."""
    connection.run(f"UPDATE conversation SET lang = :lang WHERE {_OF_KEY}", lang=lang, **asdict(key))


def name_of(connection: Connection, key: Key) -> str:
    """What the person of a conversation is called; empty where there is no such conversation."""
    rows = connection.run(f"SELECT name FROM conversation WHERE {_OF_KEY}", **asdict(key))
    return rows[0]["name"] if rows else ""


def forget(connection: Connection, channel: str, user_id: int) -> None:
    """Delete a person's conversations and what they asked."""
    for table, person in (("conversation", "user_id"), ("recommendation", "author_id")):
        connection.run(f"DELETE FROM {table} WHERE channel = :channel AND {person} = :user", channel=channel, user=user_id)
