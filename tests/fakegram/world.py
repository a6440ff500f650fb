"""Everything the server knows: chats, people, messages, files, open queries; and what the bot did, call by call."""

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fakegram import schema
from fakegram.faults import Faults
from fakegram.files import Files
from fakegram.pace import Pace
from fakegram.refusals import bad, forbidden
from fakegram.updates import Updates

Json = dict[str, Any]
QUERY_LASTS = 15.0  # seconds in which a tap or an inline query can be answered


@dataclass
class Call:
    """One call of the bot."""

    method: str
    arguments: Json
    uploads: tuple[str, ...]
    at: float
    ok: bool = False
    result: Any = None
    error: str = ""


@dataclass(frozen=True)
class Change:
    """A message that appeared, changed or went, in the order people saw it. `by_bot`: whether the bot did it."""

    kind: str
    message: Json
    by_bot: bool


@dataclass
class World:
    """One bot and its surroundings."""

    token: str
    me: Json
    updates: Updates = field(default_factory=Updates)
    files: Files = field(default_factory=Files)
    pace: Pace = field(default_factory=Pace)
    faults: Faults = field(default_factory=Faults)
    chats: dict[int, Json] = field(default_factory=dict)
    roles: dict[tuple[int, int], str] = field(default_factory=dict)
    people: dict[int, Json] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)
    moved: dict[int, int] = field(default_factory=dict)
    topics: dict[int, set[int]] = field(default_factory=dict)
    messages: dict[tuple[int, int], Json] = field(default_factory=dict)
    uneditable: set[tuple[int, int]] = field(default_factory=set)
    queries: dict[str, float] = field(default_factory=dict)
    answers: dict[str, Json] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    words: dict[tuple[str, str], str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)
    _message_ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _query_ids: Iterator[int] = field(default_factory=lambda: itertools.count(4_000_000_000))

    def check(self, name: str, value: Any) -> None:
        """Note what is wrong with an object the server itself made."""
        self.violations += [f"made by the server: {problem}" for problem in schema.problems(name, value)]

    def tell(self) -> None:
        """Wake whoever waits for something to happen."""
        with self.news:
            self.news.notify_all()

    def new_message(self, chat_id: int, sender: Json, content: Json, thread: int = 0) -> Json:
        """Keep a new message and show it."""
        made: Json = {"message_id": next(self._message_ids), "date": int(time.time()), "chat": self.chats[chat_id], "from": sender}
        made |= {"message_thread_id": thread, "is_topic_message": True, **content} if thread else content
        self.check("Message", made)
        self.messages[chat_id, made["message_id"]] = made
        self.changes.append(Change("new", dict(made), sender is self.me))
        return made

    def new_query(self, lasts: float = QUERY_LASTS) -> str:
        """The id of a tap or an inline query that waits to be answered."""
        made = str(next(self._query_ids))
        self.queries[made] = time.monotonic() + lasts
        return made

    def close_query(self, query_id: str, answer: Json) -> None:
        """Take the answer to a tap or an inline query, once. Errors: ApiError."""
        if self.queries.pop(query_id, 0.0) < time.monotonic():
            raise bad("query is too old and response timeout expired or query ID is invalid")
        self.answers[query_id] = answer

    def target(self, arguments: Json) -> int:
        """The chat a method is meant for, if the bot may write there. Errors: ApiError."""
        chat_id = arguments["chat_id"]
        if chat_id in self.moved:
            raise bad("group chat was upgraded to a supergroup chat", migrate_to_chat_id=self.moved[chat_id])
        if chat_id not in self.chats:
            raise bad("chat not found")
        if chat_id in self.blocked:
            raise forbidden("bot was blocked by the user")
        role, kind = self.roles.get((chat_id, self.me["id"])), self.chats[chat_id]["type"]
        if chat_id < 0 and role in ("kicked", "left"):
            raise forbidden(f"bot was kicked from the {kind} chat" if role == "kicked" else f"bot is not a member of the {kind} chat")
        return int(chat_id)

    def thread(self, chat_id: int, arguments: Json) -> int:
        """The topic a message goes to. Errors: ApiError."""
        thread = int(arguments.get("message_thread_id") or 0)
        if thread and thread not in self.topics.get(chat_id, set()):
            raise bad("message thread not found")
        return thread

    def own_message(self, arguments: Json, what: str = "edit") -> Json:
        """A message of the bot. Errors: ApiError."""
        chat_id = self.target(arguments)
        found = self.messages.get((chat_id, arguments["message_id"]))
        if found is None:
            raise bad(f"message to {what} not found")
        if found["from"]["id"] != self.me["id"] or (chat_id, found["message_id"]) in self.uneditable:
            raise bad(f"message can't be {what}ed")
        return found

    def person(self, user_id: int) -> Json:
        """A person as they stand in messages."""
        return self.people[user_id]
