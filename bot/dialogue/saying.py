"""What somebody wrote: the answer to the open question, a message of its own, or a follow-up to the last recommendation."""

from datetime import datetime, timedelta

from bot.dialogue.answering import answer, corrected, not_understood
from bot.dialogue.changing import CHANGES, change
from bot.dialogue.following import follow_up, what_it_can
from bot.dialogue.hearing import LONGEST, Heard, hear, hear_in_context
from bot.dialogue.session import Result, Session, Stop, World, renewed
from bot.dialogue.taking import given, hear_out
from bot.dialogue.turns import Turn, onward, put, tell
from bot.events import Said
from bot.phrases import LANGUAGES, follows_up, label, plain
from bot.questions import DEFAULTS, Intent, has, request_key
from engine.request import Slot

_SILENCE = timedelta(hours=12)
_SENTENCE = 4  # words: a sentence without anything to read is somebody who does not know what to say


def said(session: Session, event: Said, now: datetime, world: World) -> Turn:
    """Answer to a text that is no command. Errors: Refusal."""
    text = event.text[:LONGEST]
    if event.edited and session.said:
        return corrected(session, text, now, world)
    typed = _typed_button(session, text, now, world)
    if typed is not None:
        return typed
    if session.open is None:
        return message(session, text, now, world)
    if _at_the_door(session) and session.last and follows_up(text):
        return message(session, text, now, world)
    if session.open.doubt is None and _left_long_ago(session, now) and _is_whole(hear(text, session.lang, world)):
        return message(session, text, now, world, fresh=True)
    if _at_the_door(session):
        heard = hear(text, session.lang, world)
        if len(named(heard)) > 1 or (heard.anything and heard.intent not in (None, "recommend")):
            return message(session, text, now, world, fresh=True)
    return answer(session, session.open, text, now, world)


def _typed_button(session: Session, text: str, now: datetime, world: World) -> Turn | None:
    """What a button under the last recommendation does, where its label was typed."""
    last = session.last
    if last is None:
        return None
    wanted = plain(text)
    name = next((name for name in CHANGES if any(wanted == plain(label(f"change.{name}", lang)) for lang in LANGUAGES)), None)
    return change(session, last, name, now, world) if name else None


def _at_the_door(session: Session) -> bool:
    """Whether the first question is open and nothing has been said yet: what is written may be a whole message."""
    return session.guided and session.at == 0 and len(session.way) == 1 and not session.request


def _left_long_ago(session: Session, now: datetime) -> bool:
    """Whether the open question was put so long ago that a whole new message is no answer to it."""
    return session.spoken_at is not None and now - session.spoken_at > _SILENCE


def _is_whole(heard: Heard) -> bool:
    """Whether a text names enough for a request of its own: a model and more, or three things."""
    about = named(heard)
    offers = heard.sets.get("quotes", {}).keys() & {"purchase", "rent"}  # a resale value alone goes on from the offers before
    return ("model" in about and len(about) >= 2) or len(about) >= 3 or bool(offers)


def message(session: Session, text: str, now: datetime, world: World, intent: Intent | None = None, fresh: bool = False) -> Turn:
    """A message of its own: it begins a new request, or goes on from the last one. Errors: Refusal."""
    heard = hear(text, session.lang, world)
    if session.last is not None and heard.intent == "reverse" and "models" not in heard.sets:
        return what_it_can(session, session.last, heard, text, now, world)
    if session.last is not None and not fresh and not stands_alone(text, heard, session.last):
        within = heard if heard.anything else hear_in_context(text, session.lang, world)
        return follow_up(session, session.last, within if within.anything else heard, text, now, world, intent)
    if heard.anything or intent or heard.symptoms or heard.intent:
        return _new_request(session, heard, text, now, world, intent)
    return _nothing_heard(session, text, world)


def stands_alone(text: str, heard: Heard, last: Result) -> bool:
    """Whether a message is a request of its own: it names enough, and not only what the last one left open."""
    return _is_whole(heard) and not follows_up(text) and any(has(last.request, slot) for slot in named(heard))


def named(heard: Heard) -> frozenset[Slot]:
    """The slots a text says something about, sure or not; details of training do not count."""
    slots: tuple[Slot, ...] = ("model", "method", "goal", "hardware", "usage", "budget", "quotes", "dataset")
    unsure = {doubt.slot for doubt in heard.doubts}
    return frozenset(slot for slot in slots if request_key(slot) in heard.sets or slot in unsure - {"goal"})


def _new_request(session: Session, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    fresh = renewed(session, now) if session.begun else session
    after = hear_out(fresh.changed(begun=True), heard, text)
    return onward(_with_intent(after, intent or heard.intent or ("fit" if heard.symptoms else "recommend")), now, world)


def _with_intent(session: Session, intent: Intent) -> Session:
    """The kind of question, as far as what was said lets it be answered: a budget has no largest model, methods compare on 8B."""
    unclear = {doubt.slot for doubt in session.doubts}
    if intent == "reverse" and "hardware" not in unclear and not has(session.request, "hardware") and has(session.request, "budget"):
        intent = "recommend"
    if intent == "compare" and len(session.request.get("methods", ())) > 1 and "model" not in unclear and not has(session.request, "model"):
        session = given(session, DEFAULTS["model"])
    return session.changed(intent=intent)


def _nothing_heard(session: Session, text: str, world: World) -> Turn:
    """Say what to type; somebody who has not begun is taken by the hand."""
    if session.begun:
        return session, (not_understood(text, None),)
    told = tell("start") if len(text.split()) >= _SENTENCE else not_understood(text, None)
    session, effects = put(session.changed(guided=True), Stop(slot="goal"), world)
    return session, (told, *effects)
