"""Calls of the Bot API that are still to be made: put in by a unit of work, taken out by whichever sender holds the chat's lease.

A lease makes one sender at a time responsible for a chat, so that its messages keep their order; a dead sender's lease runs out.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make in a chat; the payload is JSON that `bot.adapters.outgoing` writes and reads."""

    chat_id: int
    payload: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call in the outbox."""

    id: int
    payload: str
    attempts: int


def put(connection: Connection, call: Call, now: datetime) -> None:
    """Add a call at the end of its chat's queue."""
    connection.run(
        "INSERT INTO outbox (chat_id, payload, attempts, created) VALUES (:chat_id, :payload, 0, :now)",
        chat_id=call.chat_id,
        payload=call.payload,
        now=now,
    )
    _know_chat(connection, call.chat_id)


def _know_chat(connection: Connection, chat_id: int) -> None:
    connection.run(
        "INSERT INTO chat (chat_id, kind, title, closed, active, greeted, not_before, lease, lease_until)"
        " VALUES (:chat_id, '', '', :no, :yes, :no, 0, '', 0) ON CONFLICT (chat_id) DO NOTHING",
        chat_id=chat_id,
        yes=True,
        no=False,
    )


def chats_with_calls(connection: Connection, owner: str, seconds: float) -> tuple[int, ...]:
    """Chats that have something to send now and whose lease is free or the owner's. `seconds`: since 1970."""
    rows = connection.run(
        "SELECT chat_id FROM chat WHERE not_before <= :now AND (lease_until < :now OR lease = :owner)"
        " AND EXISTS (SELECT 1 FROM outbox WHERE outbox.chat_id = chat.chat_id) ORDER BY chat_id",
        now=seconds,
        owner=owner,
    )
    return tuple(row["chat_id"] for row in rows)


def lease(connection: Connection, chat_id: int, owner: str, seconds: float, until: float) -> bool:
    """Become, or stay, responsible for a chat; False if another sender is."""
    return (
        connection.change(
            "UPDATE chat SET lease = :owner, lease_until = :until WHERE chat_id = :chat_id AND (lease_until < :now OR lease = :owner)",
            chat_id=chat_id,
            owner=owner,
            now=seconds,
            until=until,
        )
        == 1
    )


def release(connection: Connection, owner: str, chat_id: int | None = None) -> None:
    """Give up one lease, or all of them."""
    connection.run(
        "UPDATE chat SET lease = '', lease_until = 0 WHERE lease = :owner AND (:every OR chat_id = :chat_id)",
        owner=owner,
        every=chat_id is None,
        chat_id=chat_id or 0,
    )


def waiting(connection: Connection, chat_id: int, limit: int = 20) -> tuple[Waiting, ...]:
    """The next calls of a chat, in order."""
    rows = connection.run(
        "SELECT id, payload, attempts FROM outbox WHERE chat_id = :chat_id ORDER BY id LIMIT :limit", chat_id=chat_id, limit=limit
    )
    return tuple(Waiting(row["id"], row["payload"], row["attempts"]) for row in rows)


def done(connection: Connection, call_id: int) -> None:
    """A call was made, or will never be."""
    connection.run("DELETE FROM outbox WHERE id = :id", id=call_id)


def failed(connection: Connection, call_id: int) -> None:
    """A call did not get through; it stays first in its queue."""
    connection.run("UPDATE outbox SET attempts = attempts + 1 WHERE id = :id", id=call_id)


def postpone(connection: Connection, chat_id: int, until: float) -> None:
    """Leave a chat alone until then (seconds since 1970)."""
    connection.run("UPDATE chat SET not_before = :until WHERE chat_id = :chat_id", chat_id=chat_id, until=until)


def close_chat(connection: Connection, chat_id: int) -> None:
    """Nobody can be reached there any more: mark it and drop what waits."""
    connection.run("UPDATE chat SET active = :no WHERE chat_id = :chat_id", chat_id=chat_id, no=False)
    connection.run("DELETE FROM outbox WHERE chat_id = :chat_id", chat_id=chat_id)


def move_chat(connection: Connection, old: int, new: int) -> None:
    """A group became a supergroup: everything of the old id goes on under the new one. Twice is the same as once."""
    _know_chat(connection, new)
    places = {"old": old, "new": new}
    connection.run(
        "UPDATE chat SET team_id = COALESCE(team_id, (SELECT team_id FROM chat AS before WHERE before.chat_id = :old)),"
        " lang = COALESCE(lang, (SELECT lang FROM chat AS before WHERE before.chat_id = :old)) WHERE chat_id = :new",
        **places,
    )
    connection.run(
        "DELETE FROM conversation WHERE chat_id = :old AND EXISTS (SELECT 1 FROM conversation AS moved WHERE moved.chat_id = :new"
        " AND moved.channel = conversation.channel AND moved.thread_id = conversation.thread_id AND moved.user_id = conversation.user_id"
        " AND moved.session IS NOT NULL)",
        **places,
    )
    connection.run(
        "DELETE FROM conversation WHERE chat_id = :new AND session IS NULL AND EXISTS (SELECT 1 FROM conversation AS old"
        " WHERE old.chat_id = :old AND old.channel = conversation.channel AND old.thread_id = conversation.thread_id"
        " AND old.user_id = conversation.user_id)",
        **places,
    )
    for table in ("conversation", "outbox", "recommendation"):
        connection.run(f"UPDATE {table} SET chat_id = :new WHERE chat_id = :old", **places)
    connection.run("DELETE FROM chat WHERE chat_id = :old", old=old)
