"""What somebody wrote: a command without its slash, the answer to the open question, or a message of its own."""

from datetime import datetime
from typing import Literal

from bot.dialogue.advising import recommendation_of, result_buttons
from bot.dialogue.asking import ask, chosen_label, freeze, offered
from bot.dialogue.changing import CHANGES, change
from bot.dialogue.hearing import LONGEST, Heard, hear
from bot.dialogue.merging import without
from bot.dialogue.session import Session, Stop, World, renewed
from bot.dialogue.turns import Turn, hear_out, onward, pick, put, settled, skip, tell
from bot.events import Said, Tell
from bot.phrases import LANGUAGES, follows_up, label, means_skip, plain
from bot.questions import Choice, Intent, can_wait, has

_SHOWN = 80


def said(session: Session, event: Said, now: datetime, world: World) -> Turn:
    """Answer to a text that is no command. Errors: Refusal."""
    text = event.text[:LONGEST]
    if event.edited:
        session = session.changed(request=without(session.request, session.said), said={})
    if session.open is not None:
        return _answer(session, session.open, text, now, world)
    return _typed_button(session, text, now, world) or message(session, text, now, world)


def _typed_button(session: Session, text: str, now: datetime, world: World) -> Turn | None:
    """What a button under the last recommendation does, where its label was typed."""
    last = session.last
    if last is None:
        return None
    wanted = plain(text)
    name = next((name for name in CHANGES if any(wanted == plain(label(f"change.{name}", lang)) for lang in LANGUAGES)), None)
    return change(session, last, name, now, world) if name else None


def _answer(session: Session, stop: Stop, text: str, now: datetime, world: World) -> Turn:
    """The answer to the open question, typed: a label, a number, "I don't know", or words that are read."""
    choices = offered(session, stop, world)
    choice = _typed_choice(choices, text, world.numbered) or (_option_holding(choices, text) if stop.doubt else None)
    if choice is not None:
        return pick(session, choice, now, world)
    aside = _typed_aside(session, stop, text, len(choices), world)
    if aside == "keep":
        return onward(settled(session, stop), now, world)
    if aside == "skip" or means_skip(text):
        return skip(session, now, world)
    if _at_the_door(session) and session.last and follows_up(text):
        return message(session, text, now, world)
    heard = hear(text, session.lang, world, stop.slot)
    if _at_the_door(session) and (stands_alone(text, heard) or heard.intent not in (None, "recommend")):
        return message(session, text, now, world, fresh=True)
    if heard.anything:
        return _heard_answer(session, stop, heard, text, now, world)
    choice = _typed_choice(choices, text, numbered=True) or _nearly_typed(choices, text)
    if choice is not None:
        return pick(session, choice, now, world)
    return session, (ask(session, world, again=not_understood(text, stop)),)


def _at_the_door(session: Session) -> bool:
    """Whether the first question is open and nothing has been said yet: what is written may be a whole message."""
    return session.guided and session.at == 0 and len(session.way) == 1 and not session.request


def _typed_aside(session: Session, stop: Stop, text: str, offers: int, world: World) -> Literal["keep", "skip"] | None:
    """Keep or skip by label or, behind the choices, by number."""
    earlier = chosen_label(session, stop, world)
    wanted = plain(text)
    if earlier and wanted == plain(label("keep", session.lang, value=earlier)):
        return "keep"
    if world.numbered and wanted == str(offers + 1):
        return "keep" if earlier else "skip"
    return None


def _heard_answer(session: Session, stop: Stop, heard: Heard, text: str, now: datetime, world: World) -> Turn:
    """Take all that was said; a question that was left aside is not put again where an answer is possible without it."""
    after = hear_out(session, heard, text)
    answered = has(heard.sets, stop.slot) or any(doubt.slot == stop.slot for doubt in heard.doubts)
    if answered or (stop.doubt is None and can_wait(stop.slot, session.intent)):
        after = settled(after, stop)
    frozen = (freeze(after, stop, world),) if has(after.request, stop.slot) else ()
    after, effects = onward(after, now, world)
    return after, (*frozen, *effects)


def _typed_choice(choices: tuple[Choice, ...], text: str, numbered: bool) -> Choice | None:
    """The choice a text names by its label, or by its number where choices are numbered."""
    wanted = plain(text)
    for place, choice in enumerate(choices, 1):
        if wanted == plain(choice.label) or (numbered and wanted == str(place)):
            return choice
    return None


def _option_holding(choices: tuple[Choice, ...], text: str) -> Choice | None:
    """The one option of a doubt whose label holds what was typed as a word of it ("80" for "A100 80 GB")."""
    wanted = set(plain(text).split())
    holding = [choice for choice in choices if wanted and wanted <= set(plain(choice.label).split())]
    return holding[0] if len(holding) == 1 else None


def _nearly_typed(choices: tuple[Choice, ...], text: str) -> Choice | None:
    """The choice a text comes close to; short labels such as 7B and 70B are too alike for that."""
    from rapidfuzz import fuzz

    wanted = plain(text)
    near = [one for one in choices if len(one.label) >= 5 and fuzz.ratio(wanted, plain(one.label)) >= 88]
    return near[0] if len(near) == 1 else None


def not_understood(text: str, stop: Stop | None) -> Tell:
    """What was written and not understood, shortened."""
    shown = " ".join(text.split())
    return tell("not_understood", text=shown[:_SHOWN] + ("…" if len(shown) > _SHOWN else ""), slot=stop.slot if stop else None)


def message(session: Session, text: str, now: datetime, world: World, intent: Intent | None = None, fresh: bool = False) -> Turn:
    """A message of its own: it begins a new request, or changes the last one. Errors: Refusal."""
    heard = hear(text, session.lang, world)
    if not heard.anything and not (heard.intent or intent or heard.symptoms):
        return _nothing_heard(session, text, world)
    if session.last is None or fresh or stands_alone(text, heard):
        return _new_request(session, heard, text, now, world, intent)
    return _changed_request(session, heard, text, now, world, intent)


def stands_alone(text: str, heard: Heard) -> bool:
    """Whether a message names enough to be a request of its own; one that opens with "and" or "what if" never does."""
    named = [name for name in ("models", "methods", "goal", "hardware", "usage", "budget", "quotes") if name in heard.sets]
    about_model = "models" in named or any(doubt.slot == "model" for doubt in heard.doubts)
    return not follows_up(text) and ((about_model and len(named) >= 2) or len(named) >= 3 or "quotes" in named or "goal" in named)


def _new_request(session: Session, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    fresh = renewed(session, now) if session.begun else session
    fresh = fresh.changed(intent=intent or heard.intent or "recommend", begun=True)
    return onward(hear_out(fresh, heard, text), now, world)


def _changed_request(session: Session, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    last = session.last
    assert last is not None  # noqa: S101
    session = session.changed(request=last.request, intent=intent or _kept_intent(last.intent, heard), symptoms=last.symptoms)
    after = hear_out(session, heard, text)
    if after.request == session.request and not heard.doubts and after.intent == last.intent:
        made = recommendation_of(last, session.lang, world)
        return session, (Tell("messages/unchanged.j2", {"known": session.request}, result_buttons(session, made)),)
    return onward(after, now, world)


def _kept_intent(last: Intent, heard: Heard) -> Intent:
    return heard.intent if heard.intent in ("money", "compare", "reverse", "run") else "recommend" if last == "compare" else last


def _nothing_heard(session: Session, text: str, world: World) -> Turn:
    """Say what to type; somebody who has not begun is taken by the hand."""
    told = not_understood(text, None)
    if session.begun:
        return session, (told,)
    session, effects = put(session.changed(guided=True), Stop(slot="goal"), world)
    return session, (told, *effects)
