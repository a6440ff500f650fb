"""What happens to a conversation (events) and what it answers (effects): plain values, no Telegram, no I/O.

Adapters turn updates and terminal lines into events, hand them to `bot.dialogue.step`, and render and deliver the effects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engine.recommendation import Question, Recommendation
from engine.request import Slot


@dataclass(frozen=True, slots=True)
class Said:
    """A person wrote something. `edited`: it replaces what they wrote before."""

    text: str
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Tapped:
    """A button was pressed; `data` is its callback data as it came."""

    data: str


@dataclass(frozen=True, slots=True)
class Command:
    """/name argument, or the same word typed in the terminal."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A config.json, already parsed and within limits."""

    name: str
    config: Mapping[str, Any]


Event: TypeAlias = Said | Tapped | Command | Uploaded


@dataclass(frozen=True, slots=True)
class Button:
    """A choice: what is shown, the callback data (session id, revision, step, choice; at most 64 bytes)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Put one question. `template` is under templates/questions; `again`: why it is asked again, where an answer was not usable."""

    slot: Slot
    template: str
    buttons: tuple[tuple[Button, ...], ...]
    question: Question | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    again: "Tell | None" = None
    edits: bool = False  # the open question's message is edited in place


@dataclass(frozen=True, slots=True)
class Freeze:
    """The open question is answered: its message keeps one line and loses its keyboard."""

    slot: Slot
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tell:
    """A message from templates/messages/<template>.j2, with buttons under it. `edits`: it replaces the one whose button was tapped."""

    template: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    buttons: tuple[tuple[Button, ...], ...] = ()
    edits: bool = False


@dataclass(frozen=True, slots=True)
class Advise:
    """The recommendation: a new message, kept in the history; `again`: it was given before in this conversation, and kept then."""

    recommendation: Recommendation
    buttons: tuple[tuple[Button, ...], ...] = ()
    message: str = ""  # what was written, for the history
    again: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """Several recommendations side by side, kept in the history as the one request that named them all: `whole`."""

    recommendations: tuple[Recommendation, ...]
    whole: Recommendation
    buttons: tuple[tuple[Button, ...], ...] = ()
    message: str = ""  # what was written, for the history


@dataclass(frozen=True, slots=True)
class Explain:
    """Details of the last recommendation: why, memory, money, sources."""

    recommendation: Recommendation
    part: Literal["why", "memory", "money", "sources"] = "why"
    buttons: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of the last recommendation."""

    recommendation: Recommendation
    kind: Literal["memory", "money"]


@dataclass(frozen=True, slots=True)
class Alert:
    """Answer to a tap alone: a toast, or an alert that must be closed. Nothing else is sent."""

    template: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    modal: bool = False


@dataclass(frozen=True, slots=True)
class Recall:
    """Read from the history: list the latest, search, show one, or ask one again. The adapter fetches and renders it."""

    query: str = ""
    item: str | None = None
    checks: bool = False  # with today's prices, and what changed


Effect: TypeAlias = Ask | Freeze | Tell | Advise | Compare | Explain | Chart | Alert | Recall
