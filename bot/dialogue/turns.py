"""One step of the way: after an answer the next question is put or the recommendation given."""

from datetime import datetime
from typing import Any, TypeAlias

from bot.dialogue.advising import answered, compared, open_doubts, recommendation_of, remembered, result_of, says_something, variants
from bot.dialogue.asking import ask, freeze, next_stop
from bot.dialogue.deciding import decides
from bot.dialogue.session import Session, Stop, World
from bot.dialogue.taking import open_stop
from bot.events import Effect, Tell
from bot.questions import ASKED, has, matters, message_template
from engine.errors import Refusal
from engine.recommendation import Recommendation

Turn: TypeAlias = tuple[Session, tuple[Effect, ...]]


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


def conclude(session: Session, now: datetime, world: World, edits: bool = False, again: bool = False) -> Turn:
    """Give the recommendation, or put the question without whose answer there is none. `again`: they went back to it."""
    result = result_of(session)
    again = again or any(result.repeats(one) for one in session.results)
    if session.intent == "compare" and variants(result):
        session = _finished(session, now)
        return session, (compared(session, result, world),)
    made = recommendation_of(result, session.lang, world)
    stop = _still_open(session, made)
    if stop is not None:
        return put(session, stop, world, edits)
    session = _finished(session, now)
    advice = answered(session, made, again)
    if _wants_their_cards(session):
        session, asked = put(session, Stop(slot="hardware"), world)
        return session, (advice, *asked)
    return session, (advice,)


def _wants_their_cards(session: Session) -> bool:
    """Who asks whether it fits is told what it needs, and then asked on what; once."""
    told = has(session.request, "hardware") or "hardware" in session.passed or any(one.slot == "hardware" for one in session.way)
    about_others = any(mention.startswith("card:") for mention in session.symptoms)  # "how many H100?"
    unclear = session.last is not None and any(doubt.slot == "hardware" for doubt in session.last.doubts)
    return session.intent == "fit" and session.request.get("goal") != "facts" and not (told or unclear or about_others)


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


def went_on(before: Session, after: Session, now: datetime, world: World, edits: bool = False) -> Turn:
    """Go on after an answer; the question it answered is frozen, unless its message becomes the next question."""
    stop = open_stop(before)
    unclear = any(doubt.slot == stop.slot for doubt in after.doubts)  # the answer itself raised a question
    settled = (has(after.request, stop.slot) or stop.name in after.passed) and not unclear
    frozen = (freeze(after, stop, world),) if settled and not edits else ()
    after, effects = onward(after, now, world, edits)
    return after, (*frozen, *effects)


def refused(session: Session, refusal: Refusal, world: World) -> Turn:
    """Say why something cannot be used, and leave the way open as it was."""
    again = tell("refused", refusal=refusal)
    if session.open is None:
        return session, (again,)
    return session, (ask(session, world, again=again),)
