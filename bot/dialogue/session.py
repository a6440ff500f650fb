"""Where a conversation stands: a frozen value that goes through JSON unchanged, and older shapes of it brought forward."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.questions import Intent, Json
from engine.catalogue import Catalogue
from engine.recommendation import Option, Question
from engine.request import Currency, Language, Request, Slot

VERSION: Literal[1] = 1
KEPT_RESULTS = 5
LONGEST_MESSAGE = 500
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class World:
    """What a conversation needs to know that is not its own. `defaults` is contract JSON that stands under every request."""

    catalogue: Catalogue
    today: date
    defaults: Mapping[str, Any] = field(default_factory=dict)
    currency: Currency = "EUR"
    numbered: bool = False  # choices are shown with numbers: a bare number is a choice before it is a value
    detects_language: bool = False  # nobody chose a language: the first message tells it


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choice(_Kept):
    """One way to answer a question raised by reading or by the engine."""

    label: str
    value: Any = None


class Doubt(_Kept):
    """A question raised by reading or by the engine, as it is kept; `Question` of the engine is its twin."""

    slot: Slot
    read: str | None = None
    options: tuple[Choice, ...] = ()
    field: str | None = None
    adds: bool = False  # it stands beside others of its kind that were clear ("an A100 and a 4090")

    @classmethod
    def of(cls, question: Question) -> "Doubt":
        options = tuple(Choice(label=option.label, value=option.value) for option in question.options)
        return cls(slot=question.slot, read=question.read, options=options, field=question.field)

    @property
    def question(self) -> Question:
        return Question(self.slot, self.read, tuple(Option(one.label, one.value) for one in self.options), self.field)

    @property
    def name(self) -> str:
        """What makes two doubts the same one."""
        return f"{self.slot}/{self.field or ''}/{(self.read or '').casefold()}"


class Stop(_Kept):
    """A question on the way: a slot, or a doubt about one."""

    slot: Slot
    doubt: Doubt | None = None

    @property
    def name(self) -> str:
        return self.doubt.name if self.doubt else self.slot


class Result(_Kept):
    """A recommendation that was given: what it was asked for, so that it can be computed again."""

    revision: int
    request: Json
    intent: Intent = "recommend"
    doubts: tuple[Doubt, ...] = ()
    assumed: Json = Field(default_factory=dict)
    symptoms: tuple[str, ...] = ()
    session: str = ""  # the conversation it was given in

    def repeats(self, other: "Result") -> bool:
        """Whether it answers the same as another one that was given in the same conversation."""
        return self.model_copy(update={"revision": other.revision}) == other


class Past(_Kept):
    """An earlier conversation's id and request, for old keyboards."""

    id: str
    request: Json


class Session(_Kept):
    """One conversation."""

    version: Literal[1] = VERSION
    id: str
    revision: int = 0
    lang: Language
    currency: Currency | None = None  # what they chose; the world's otherwise
    intent: Intent = "recommend"
    begun: bool = False  # there is something to cancel
    guided: bool = False  # step by step from the start, not from a message
    spoken_at: datetime | None = None  # when it last went on
    finished_at: datetime | None = None  # when the last recommendation was given, where no question is open
    request: Json = Field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()  # raised by reading, not yet answered
    way: tuple[Stop, ...] = ()  # the questions put so far
    at: int | None = None  # which of them is open
    picks: dict[str, str] = Field(default_factory=dict)  # name of a doubt -> key of the option taken
    unanswered: int = 0  # messages in a row that said other things than the open question asks
    passed: tuple[str, ...] = ()  # names of slots and doubts that need no further question
    assumed: Json = Field(default_factory=dict)  # path -> default taken for "I don't know"
    symptoms: tuple[str, ...] = ()  # what they report about a run that misbehaves
    said: Json = Field(default_factory=dict)  # what the last answer or message gave, for its correction
    said_at: int | None = None  # the question it answered
    message: str = ""  # what was written, for the history
    results: tuple[Result, ...] = ()
    past: tuple[Past, ...] = ()

    @property
    def open(self) -> Stop | None:
        """The question that waits for an answer."""
        return self.way[self.at] if self.at is not None and self.at < len(self.way) else None

    @property
    def last(self) -> Result | None:
        """The newest recommendation."""
        return self.results[-1] if self.results else None

    @property
    def changes_last(self) -> bool:
        """Whether the open question is about a change to the last recommendation, which stands if it is not answered."""
        return self.last is not None and self.last.request == self.request

    def changed(self, **values: Any) -> "Session":
        """A copy with some fields replaced."""
        return self.model_copy(update=values)


def _short(seed: str) -> str:
    number = int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=5).digest())
    letters = ""
    while number:
        number, digit = divmod(number, 62)
        letters = _DIGITS[digit] + letters
    return letters or "0"


def opened(lang: Language, now: datetime, seed: str = "") -> Session:
    """A conversation that has not begun. The same moment and seed give the same id."""
    return Session(id=_short(f"{seed}/{now.isoformat()}"), lang=lang)


def renewed(session: Session, now: datetime, request: Json | None = None) -> Session:
    """A new conversation of the same person; the old one's values are remembered for its keyboards."""
    past = (*session.past, Past(id=session.id, request=session.last.request if session.last else session.request))[-3:]
    fresh = opened(session.lang, now, f"{session.id}/{session.revision}")
    return fresh.changed(currency=session.currency, past=past, results=session.results, request=request or {}, revision=session.revision)


def saved(session: Session) -> str:
    """The session as JSON text."""
    return session.model_dump_json(exclude_defaults=True)


def resumed(text: str | None, lang: Language, now: datetime, seed: str = "") -> Session:
    """A saved session of this or an older version; what cannot be read any more becomes a new one that keeps what it can."""
    if not text:
        return opened(lang, now, seed)
    try:
        entry = json.loads(text)
        return Session.model_validate(_brought_forward(entry, _short(f"{seed}/{now.isoformat()}"), lang))
    except (ValueError, TypeError, AttributeError, ValidationError):
        return opened(lang, now, seed)


def _brought_forward(entry: Any, new_id: str, lang: Language) -> Json:
    """Version 0 and versions from the future: the fields this version knows and can read; the open question is asked anew."""
    if entry.get("version", VERSION) == VERSION and set(entry) <= set(Session.model_fields):
        return dict(entry)
    kept = {name: entry[name] for name in ("id", "revision", "request", "message", "begun", "guided", "intent") if name in entry}
    return {"id": new_id, **_readable(kept), "lang": entry.get("lang") if entry.get("lang") in ("de", "en") else lang}


def _readable(entry: Json) -> Json:
    """Only the fields that validate, and of the request only the parts that do."""
    sound = {name: value for name, value in entry.items() if _sound(name, value)}
    request = {name: value for name, value in dict(entry.get("request") or {}).items() if _part_sound(name, value)}
    return {**sound, "request": request} if _sound("request", request) else sound


def _sound(name: str, value: Any) -> bool:
    try:
        Session.model_validate({"id": "0", "lang": "en", name: value})
    except ValidationError:
        return False
    return True


def _part_sound(name: str, value: Any) -> bool:
    try:
        Request.model_validate({name: value})
    except ValidationError:
        return False
    return True
