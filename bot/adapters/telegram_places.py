"""Where a turn happens and what it is said with: an incoming update enters, a `Spot` leaves that makes outgoing calls for it."""

from dataclasses import dataclass
from typing import Any

from bot.adapters.outgoing import Kind, Outgoing, Rows
from bot.adapters.telegram_updates import Incoming
from bot.events import Tapped
from bot.store import Key


@dataclass(frozen=True, slots=True)
class Spot:
    """A chat, a topic, a person. `tapped`: the message whose button was pressed; `reply_to`: what a group's answer replies to."""

    chat_id: int
    thread_id: int
    key: Key
    in_group: bool = False
    tapped: int | None = None
    reply_to: int | None = None

    def calls(
        self,
        kind: Kind,
        text: str = "",
        buttons: Rows = (),
        asks: bool = False,
        ends: bool = False,
        **more: Any,
    ) -> Outgoing:
        """A call in this place."""
        return Outgoing(kind, self.chat_id, self.thread_id, text, buttons, key=self.key, asks=asks, ends=ends, **more)


def spot_of(incoming: Incoming) -> Spot:
    """Where an update is answered."""
    tap = isinstance(incoming.what, Tapped)
    group = incoming.chat_kind == "group"
    return Spot(
        incoming.chat_id,
        incoming.thread_id,
        incoming.key,
        in_group=group,
        tapped=incoming.message_id if tap else None,
        reply_to=incoming.message_id if group and not tap else None,
    )
