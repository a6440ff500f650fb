"""One call of the Bot API as it waits in the outbox: a frozen value enters, JSON leaves, and back. No Telegram here."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias

from bot.events import Button
from bot.store.conversations import Key
from bot.store.outbox import Call

Kind: TypeAlias = Literal["send", "edit", "close", "chart", "document", "batch", "leave"]
Rows: TypeAlias = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What to do in a chat.

    send: a new message. edit: another text for `message_id`, or for the open question of `key` where that is None.
    close: take a keyboard away. chart: compute and send a picture of `request`. document: send `content` as a file.
    batch: answer the many requests of `content`. leave: go away from a group.
    `asks`: the message carries the open question of `key`; `ends`: from now on no message does.
    """

    kind: Kind
    chat_id: int
    thread_id: int = 0
    text: str = ""
    buttons: Rows = ()
    message_id: int | None = None
    key: Key | None = None
    asks: bool = False
    ends: bool = False
    reply_to: int | None = None
    force_reply: bool = False
    silent: bool = False
    lang: str = "en"
    name: str = ""
    content: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    today: str = ""
    in_question: bool = False  # the cards of `request` are not theirs

    @property
    def call(self) -> Call:
        """As it goes into the outbox: only what differs from the defaults."""
        said = {name: value for name, value in asdict(self).items() if value != _DEFAULTS.get(name, self)}
        return Call(self.chat_id, json.dumps(said, ensure_ascii=False))


_DEFAULTS: Mapping[str, Any] = {name: value for name, value in asdict(Outgoing("send", 0)).items() if name not in ("kind", "chat_id")}


def outgoing_of(payload: str, chat_id: int | None = None) -> Outgoing:
    """Read a call back from the outbox. `chat_id`: where it waits now; a chat that moved has none of the old one's messages."""
    said = json.loads(payload)
    said["buttons"] = tuple(tuple(Button(**button) for button in row) for row in said.get("buttons", ()))
    said["key"] = Key(**said["key"]) if said.get("key") else None
    call = Outgoing(**said)
    if chat_id in (None, call.chat_id):
        return call
    key = None if call.key is None else replace(call.key, chat_id=chat_id)
    return replace(call, chat_id=chat_id, key=key, message_id=None, reply_to=None)


def without_overtaken(calls: tuple[tuple[int, Outgoing], ...]) -> frozenset[int]:
    """Ids of edits that a later edit of the same message makes needless, with nothing of another kind between them."""
    needless: set[int] = set()
    last: dict[tuple[int | None, Key | None], int] = {}
    for number, call in calls:
        if call.kind != "edit" or call.ends:
            last.clear()
            continue
        target = (call.message_id, call.key if call.message_id is None else None)
        if target in last:
            needless.add(last[target])
        last[target] = number
    return frozenset(needless)
