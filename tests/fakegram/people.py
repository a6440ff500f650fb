"""The person's side: a `Voice` is somebody in a chat, a `Room` the chat, `Shown` a message as they see it.

`say`, `tap`, `send` act; `hears` waits until the bot has shown something since the voice's last act.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fakegram import acts

if TYPE_CHECKING:
    from fakegram.telegram import Telegram
    from fakegram.world import Json

SOON = 8.0  # seconds a person waits


@dataclass(frozen=True)
class Shown:
    """A message of the bot as it stood at some moment."""

    message: Json
    edited: bool = False

    @property
    def id(self) -> int:
        """Its number in the chat."""
        return int(self.message["message_id"])

    @property
    def text(self) -> str:
        """Its words: text or caption."""
        return str(self.message.get("text") or self.message.get("caption") or "")

    @property
    def buttons(self) -> tuple[tuple[str, ...], ...]:
        """Labels, row by row."""
        return tuple(tuple(one["text"] for one in row) for row in self._rows)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels."""
        return tuple(label for row in self.buttons for label in row)

    @property
    def _rows(self) -> Sequence[Sequence[Json]]:
        rows: Sequence[Sequence[Json]] = self.message.get("reply_markup", {}).get("inline_keyboard", [])
        return rows

    def button(self, label: str) -> Json:
        """The button with this label, marks of a choice aside. Errors: KeyError with what there is."""
        for row in self._rows:
            for one in row:
                if one["text"].lstrip("✓• ").rstrip("✓ ").casefold() == label.casefold():
                    return one
        raise KeyError(f"{label!r} is none of {self.labels} under {self.text!r}")

    @property
    def file(self) -> str | None:
        """The id of its picture or document."""
        if "photo" in self.message:
            return str(self.message["photo"][-1]["file_id"])
        return str(self.message["document"]["file_id"]) if "document" in self.message else None


@dataclass(frozen=True)
class Room:
    """A chat, or a topic of one."""

    telegram: Telegram = field(repr=False)
    chat_id: int
    thread: int = 0

    def topic(self, thread: int) -> Room:
        """A topic of this group."""
        self.telegram.world.topics.setdefault(self.chat_id, set()).add(thread)
        self.telegram.world.chats[self.chat_id]["is_forum"] = True
        return replace(self, thread=thread)

    def contains(self, message: Json) -> bool:
        """Whether a message stands here."""
        return bool(message["chat"]["id"] == self.chat_id and message.get("message_thread_id", 0) == self.thread)

    def shown(self, since: int = 0) -> list[Shown]:
        """What the bot sent or changed here, in order, as it stood then."""
        changes = self.telegram.world.changes[since:]
        return [
            Shown(one.message, one.kind == "edit") for one in changes if one.by_bot and one.kind != "delete" and self.contains(one.message)
        ]

    def standing(self) -> list[Shown]:
        """The bot's messages here as they stand now, oldest first."""
        world = self.telegram.world
        mine = [one for (chat, _), one in world.messages.items() if chat == self.chat_id and one["from"] is world.me]
        return [Shown(dict(one)) for one in sorted(mine, key=lambda one: one["message_id"]) if self.contains(one)]


@dataclass
class Tap:
    """A button that was pressed."""

    telegram: Telegram = field(repr=False)
    query_id: str
    update: Json

    def answer(self, timeout: float = SOON) -> Json:
        """What the bot answered to it: `text` and `show_alert`, where given."""
        world = self.telegram.world
        self.telegram.until(lambda: self.query_id in world.answers, f"an answer to the tap {self.query_id}", timeout)
        return world.answers[self.query_id]


@dataclass
class Voice:
    """Somebody in a chat. `mark`: where in the course of things they last did something."""

    telegram: Telegram = field(repr=False)
    user: Json
    room: Room
    mark: int = 0

    @property
    def id(self) -> int:
        """The user's id."""
        return int(self.user["id"])

    def at(self, room: Room) -> Voice:
        """The same person in another chat."""
        self.telegram.world.roles.setdefault((room.chat_id, self.id), "member")
        return Voice(self.telegram, self.user, room)

    def say(self, text: str, reply_to: Shown | None = None) -> Json | None:
        """Write something; the update it led to, None where the bot does not see it."""
        self._mark()
        return self.telegram.do(lambda: acts.said(self.telegram.world, self.user, self.room, text, reply_to.id if reply_to else None))

    def edits(self, update: Json, text: str) -> Json:
        """Change what was written before."""
        self._mark()
        return self.telegram.do(lambda: acts.edited(self.telegram.world, update["message"], text))

    def sends(self, name: str, content: bytes, caption: str = "") -> Json:
        """Send a file."""
        self._mark()
        return self.telegram.do(lambda: acts.file_sent(self.telegram.world, self.user, self.room, name, content, caption))

    def tap(self, label: str, message: Shown | None = None, old: bool = False, lasts: float = 15.0) -> Tap:
        """Press the newest button with this label, or that of one message. `old`: so old that the server forgot the message."""
        target = message or self._carrying(label)
        self._mark()
        data = target.button(label)["callback_data"]
        query, update = self.telegram.do(lambda: acts.tapped(self.telegram.world, self.user, target.message, data, old, lasts))
        return Tap(self.telegram, query, update)

    def _carrying(self, label: str) -> Shown:
        standing = self.room.standing()
        for one in reversed(standing):
            try:
                one.button(label)
            except KeyError:
                continue
            return one
        raise AssertionError(f"no message has a button {label!r}: {[one.labels for one in standing]}")

    def hears(self, *parts: str, timeout: float = SOON) -> Shown:
        """Wait for something shown since the last act that has all these parts in its words."""

        def found() -> Shown | None:
            return next((one for one in self.room.shown(self.mark) if all(part in one.text for part in parts)), None)

        return self.telegram.awaited(found, lambda: f"{parts} among {[one.text for one in self.room.shown(self.mark)]}", timeout)

    def is_asked(self, part: str, timeout: float = SOON) -> Shown:
        """Wait for a question with buttons since the last act."""

        def found() -> Shown | None:
            return next((one for one in self.room.shown(self.mark) if part in one.text and one.labels), None)

        return self.telegram.awaited(found, lambda: f"{part!r} among {[one.text for one in self.room.shown(self.mark)]}", timeout)

    def sees(self, kind: str, timeout: float = 15.0) -> Shown:
        """Wait for a picture ("photo") or a file ("document") since the last act."""

        def found() -> Shown | None:
            return next((one for one in self.room.shown(self.mark) if kind in one.message), None)

        return self.telegram.awaited(found, lambda: f"a {kind} among {[one.text for one in self.room.shown(self.mark)]}", timeout)

    def heard(self) -> list[Shown]:
        """Everything shown since the last act, once the bot is done."""
        self.telegram.settle()
        return self.room.shown(self.mark)

    def content(self, shown: Shown) -> bytes:
        """The file of a message."""
        assert shown.file is not None
        return self.telegram.world.files.stored[shown.file].content

    def _mark(self) -> None:
        self.mark = len(self.telegram.world.changes)

    def later(self) -> None:
        """From now on only what is still to come counts as heard."""
        self.telegram.settle()
        self._mark()


def moment() -> float:
    """Seconds, for measuring."""
    return time.perf_counter()
