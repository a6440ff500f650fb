"""One step of the way: an answer is taken, then the next question is put or the recommendation given."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias

from bot.dialogue.advising import answered, compared, open_doubts, recommendation_of, remembered, result_of, says_something, variants
from bot.dialogue.asking import ask, freeze, next_stop, offered
from bot.dialogue.choices import Choice
from bot.dialogue.deciding import decides
from bot.dialogue.hearing import Heard, option_sets, request_with, with_activity
from bot.dialogue.merging import checked, merged
from bot.dialogue.session import LONGEST_MESSAGE, Doubt, Session, Stop, World
from bot.events import Effect, Tell
from bot.questions import ASKED, DEFAULTS, Json, has, hours_name, matters, message_template
from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.request import Slot

Turn: TypeAlias = tuple[Session, tuple[Effect, ...]]


_OWN_QUESTION = ("goal", "method")  # "fine-tune" in passing raises no question: these have one of their own, or rules that decide


def tell(name: str, /, **facts: Any) -> Tell:
    """A message by its name."""
    return Tell(message_template(name), facts)


def put(session: Session, stop: Stop, world: World, edits: bool = False, again: Tell | None = None) -> Turn:
    """Open a question; one that was put before is opened again where it stood."""
    names = [one.name for one in session.way]
    way = session.way if stop.name in names else (*session.way, stop)
    at = names.index(stop.name) if stop.name in names else len(session.way)
    session = session.changed(way=way, at=at, begun=True, finished_at=None)
    return session, (ask(session, world, edits, again),)


def onward(session: Session, now: datetime, world: World, edits: bool = False) -> Turn:
    """The next question on the way, else the next one that is missing, else the recommendation."""
    ahead = _ahead(session)
    if ahead is not None:
        session = session.changed(at=ahead)
        return session, (ask(session, world, edits),)
    session, stop = _deciding_stop(session, world)
    return put(session, stop, world, edits) if stop else conclude(session, now, world, edits)


def _deciding_stop(session: Session, world: World) -> tuple[Session, Stop | None]:
    """The next question; doubts that change nothing are passed over, and the answer says what is open."""
    stop = next_stop(session)
    while stop is not None and stop.doubt is not None and not decides(session, stop.doubt, world):
        session = session.changed(passed=(*session.passed, stop.name))
        stop = next_stop(session)
    return session, stop


def _ahead(session: Session) -> int | None:
    """After going back: the place of the next question that was put before and still matters."""
    if session.at is None:
        return None
    for place in range(session.at + 1, len(session.way)):
        stop = session.way[place]
        if stop.doubt is None and has(session.request, stop.slot) and matters(stop.slot, session.request, session.intent):
            return place
    return None


def conclude(session: Session, now: datetime, world: World, edits: bool = False) -> Turn:
    """Give the recommendation, or put the question without whose answer there is none."""
    result = result_of(session)
    if session.intent == "compare" and variants(result):
        session = _finished(session, now)
        return session, (compared(session, result, world),)
    made = recommendation_of(result, session.lang, world)
    stop = _still_open(session, made)
    if stop is not None:
        return put(session, stop, world, edits)
    session = _finished(session, now)
    return session, (answered(session, made),)


def _finished(session: Session, now: datetime) -> Session:
    return session.changed(
        results=remembered(session, result_of(session)), finished_at=now, begun=True, at=None, doubts=(), message=session.message
    )


def _still_open(session: Session, made: Recommendation) -> Stop | None:
    """What the engine asks back before there is an answer: what was read and is not clear; where nothing can be said, what is missing."""
    doubts = open_doubts(session, made)
    unclear = next((doubt for doubt in doubts if doubt.options and (doubt.read or doubt.slot not in ASKED)), None)
    if unclear is not None:
        return Stop(slot=unclear.slot, doubt=unclear)
    if says_something(made):
        return None
    slot = next((doubt.slot for doubt in doubts if doubt.slot in ASKED), None)
    return Stop(slot=slot) if slot else None


def taken(session: Session, sets: Json, assumes: bool = False) -> Session:
    """The session with a value for the open question. Errors: Refusal: the value cannot stand with the rest."""
    after = given(session, sets)
    if assumes:
        after = after.changed(assumed={**after.assumed, **dict(paths(sets))})
    return settled(after, open_stop(session)).changed(said=sets, said_at=session.at)


def went_on(before: Session, after: Session, now: datetime, world: World, edits: bool = False) -> Turn:
    """Go on after an answer; the question it answered is frozen, unless its message becomes the next question."""
    stop = open_stop(before)
    frozen = () if edits or not (has(after.request, stop.slot) or stop.name in after.passed) else (freeze(after, stop, world),)
    after, effects = onward(after, now, world, edits)
    return after, (*frozen, *effects)


def open_stop(session: Session) -> Stop:
    """The open question, where there is sure to be one."""
    stop = session.open
    assert stop is not None  # noqa: S101  # callers answer only what is open
    return stop


def given(session: Session, sets: Json) -> Session:
    """The session with more of its request known; what was only assumed gives way. Errors: Refusal."""
    return _knowing(session, checked(merged(session.request, sets)), sets)


def _knowing(session: Session, request: Json, sets: Json) -> Session:
    assumed = {path: value for path, value in session.assumed.items() if path.split(".")[0] not in sets}
    return session.changed(request=request, assumed=assumed)


def settled(session: Session, stop: Stop) -> Session:
    """The session with one question less to ask."""
    doubts = tuple(one for one in session.doubts if one.name != stop.name and (stop.doubt or one.options or one.slot != stop.slot))
    return session.changed(doubts=doubts, passed=tuple(dict.fromkeys((*session.passed, stop.name))))


def picked(session: Session, choice: Choice) -> Session:
    """The session with one of the offered choices taken. Errors: Refusal."""
    stop = open_stop(session)
    if stop.doubt is not None:
        return _resolved(session, stop.doubt, choice)
    return taken(session.changed(picks={**session.picks, stop.name: choice.key}), choice.sets or {})


def _resolved(session: Session, doubt: Doubt, choice: Choice, assumes: bool = False) -> Session:
    """The session with an option of a doubt taken, in the place of the one that was taken before. Errors: Refusal."""
    options = doubt.options
    before = session.picks.get(doubt.name)
    sets = option_sets(doubt, options[int(choice.key)].value, session.request, options[int(before)].value if before else None)
    return taken(session.changed(picks={**session.picks, doubt.name: choice.key}), sets, assumes)


def skipped(session: Session, world: World) -> Session:
    """They do not know: take the documented default, which the answer shows as an assumption. Errors: Refusal."""
    stop = open_stop(session)
    if stop.doubt is None or not stop.doubt.options:
        return taken(session, default_of(stop.slot, session), assumes=True)
    return _resolved(session, stop.doubt, _usual(session, stop, world), assumes=True)


def _usual(session: Session, stop: Stop, world: World) -> Choice:
    """Of a doubt's options the one in the usual currency, else the first: the smallest card, the likelier number."""
    options = offered(session, stop, world)
    assert stop.doubt is not None  # noqa: S101
    for choice, option in zip(options, stop.doubt.options, strict=True):
        if isinstance(option.value, Mapping) and option.value.get("currency") == world.currency:
            return choice
    return options[0]


def default_of(slot: Slot, session: Session) -> Json:
    """What "I don't know" takes for a slot."""
    sets = DEFAULTS.get(slot, {})
    return {"usage": {hours_name(session.request): 12}} if slot == "usage" else sets


def paths(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of contract JSON with its dotted path."""
    if isinstance(value, Mapping):
        for name, entry in value.items():
            yield from paths(entry, f"{path}.{name}" if path else name)
    elif isinstance(value, list | tuple) and value:
        for place, entry in enumerate(value):
            yield from paths(entry, f"{path}.{place}")
    else:
        yield path, value


def hear_out(session: Session, heard: Heard, text: str) -> Session:
    """The session with everything a text said. Errors: Refusal."""
    heard = replace(heard, sets=with_activity(heard, session.request))
    slots = {doubt.slot for doubt in heard.doubts} | {slot for slot in ASKED if has(heard.sets, slot)}
    beside = {slot for slot in ASKED if has(heard.sets, slot)}
    raised = (one.model_copy(update={"adds": one.slot in beside}) for one in heard.doubts)
    fresh = tuple(one for one in raised if one.slot not in _OWN_QUESTION or _asks(session, one.slot))
    doubts = (*(one for one in session.doubts if one.slot not in slots), *fresh)
    message = " · ".join(part for part in (session.message, " ".join(text.split())) if part)[-LONGEST_MESSAGE:]
    symptoms = tuple(sorted({*session.symptoms, *heard.symptoms}))
    request = request_with(session.request, heard)
    if "hardware" not in heard.sets and request.get("hardware") != session.request.get("hardware"):
        doubts = tuple(one for one in doubts if one.slot != "hardware")  # "on two cards?" said how many of those they named before
    after = _knowing(session, request, heard.sets)
    return after.changed(doubts=doubts, said=heard.sets, said_at=None, message=message, symptoms=symptoms)


def _asks(session: Session, slot: Slot) -> bool:
    return session.open is not None and session.open.slot == slot


def refused(session: Session, refusal: Refusal, world: World) -> Turn:
    """Say why something cannot be used, and leave the way open as it was."""
    again = tell("refused", refusal=refusal)
    if session.open is None:
        return session, (again,)
    return session, (ask(session, world, again=again),)
