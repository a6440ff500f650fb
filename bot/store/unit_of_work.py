"""One transaction per update: an update id and the work to do for it enter; either everything of it is kept, or nothing is.

Only after this returns is an update acknowledged. An update that comes twice finds its id and changes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.store import outbox
from bot.store.conversations import Key, keep_session, lock, session_of
from bot.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Turn:
    """What one update leads to: the session as it is now, the calls to make, and what a tap is answered with."""

    session: str | None
    calls: Sequence[outbox.Call] = ()
    alert: str = ""
    modal: bool = False


Work = Callable[[Connection, str | None], Turn]


def unit_of_work(database: Database, update_id: int, key: Key, work: Work, now: datetime, name: str = "") -> Turn | None:
    """Lock the conversation, take the update in, read the session, work, write, commit. None for an update worked off before."""
    with database.transaction() as connection:
        lock(connection, key, now, name)
        if not taken_in(connection, update_id, now):
            return None
        before = session_of(connection, key)
        turn = work(connection, before)
        if turn.session != before:
            keep_session(connection, key, turn.session)
        for call in turn.calls:
            outbox.put(connection, call, now)
    return turn


def taken_in(connection: Connection, update_id: int, now: datetime) -> bool:
    """Note the update's id; False if it is known. Never a high-water mark: updates of several queues overtake each other."""
    return (
        connection.change(
            "INSERT INTO update_inbox (update_id, received) VALUES (:update_id, :now) ON CONFLICT (update_id) DO NOTHING",
            update_id=update_id,
            now=now,
        )
        == 1
    )


def forget_old_updates(connection: Connection, before: datetime) -> None:
    """Drop ids that can no longer come again: Telegram keeps an update for a day."""
    connection.run("DELETE FROM update_inbox WHERE received < :before", before=before)
