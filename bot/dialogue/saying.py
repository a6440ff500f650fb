"""What somebody wrote: a command without its slash, the answer to the open question, or a message of its own."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from bot.dialogue.advising import recommendation_of, result_buttons
from bot.dialogue.asking import ask, chosen_label, offered
from bot.dialogue.changing import CHANGES, change, continued
from bot.dialogue.hearing import LONGEST, Heard, hear, hear_in_context, hear_number
from bot.dialogue.merging import without
from bot.dialogue.scaling import scaled, subject_of
from bot.dialogue.session import Result, Session, Stop, World, renewed
from bot.dialogue.showing import Part, shown
from bot.dialogue.turns import Turn, given, hear_out, onward, picked, put, settled, skipped, tell, went_on
from bot.events import Said, Tell
from bot.phrases import LANGUAGES, follows_up, label, means_none, means_skip, plain, says_more_or_less, wants_cheaper
from bot.questions import Choice, Intent, can_wait, has, message_template, missing, request_key
from engine.request import Slot

_SHOWN = 80
_LOOKS: Mapping[Intent | None, Part] = {"money": "money", "run": "money", "fit": "memory", "approach": "why"}
_CHEAPER = {"pretrain": "lora", "continued_pretrain": "lora", "full": "lora", "lora": "qlora", "lora8": "qlora"}


def said(session: Session, event: Said, now: datetime, world: World) -> Turn:
    """Answer to a text that is no command. Errors: Refusal."""
    text = event.text[:LONGEST]
    if event.edited and session.said:
        return _corrected(session, text, now, world)
    typed = _typed_button(session, text, now, world)
    if typed is not None:
        return typed
    if session.open is None:
        return message(session, text, now, world)
    if _at_the_door(session) and session.last and follows_up(text):
        return message(session, text, now, world)
    if _at_the_door(session):
        heard = hear(text, session.lang, world)
        if len(named(heard)) > 1 or (heard.anything and heard.intent not in (None, "recommend")):
            return message(session, text, now, world, fresh=True)
    return _answer(session, session.open, text, now, world)


def _answer(session: Session, stop: Stop, text: str, now: datetime, world: World) -> Turn:
    """Take the answer to the open question and go on, or ask again."""
    after = _absorbed(session, stop, text, world)
    if after is None:
        return session, (ask(session, world, again=not_understood(text, stop)),)
    return went_on(session, after, now, world)


def _corrected(session: Session, text: str, now: datetime, world: World) -> Turn:
    """An edited message replaces what it said before; the open question stays open, a recommendation is given anew."""
    before = session.changed(request=without(session.request, session.said), said={})
    place = session.said_at
    if place is None or place >= len(session.way):
        after: Session | None = _merged_message(before, text, world)
    else:
        after = _absorbed(before.changed(at=place, finished_at=None), session.way[place], text, world)
    if after is None:
        again = not_understood(text, session.open)
        return session, (ask(session, world, again=again) if session.open else again,)
    if session.open is None or any(doubt.name not in after.passed for doubt in after.doubts):
        return onward(after.changed(at=None), now, world)
    return put(after, session.open, world)


def _merged_message(session: Session, text: str, world: World) -> Session | None:
    heard = hear(text, session.lang, world)
    return hear_out(session, heard, text) if heard.anything else None


def _typed_button(session: Session, text: str, now: datetime, world: World) -> Turn | None:
    """What a button under the last recommendation does, where its label was typed."""
    last = session.last
    if last is None:
        return None
    wanted = plain(text)
    name = next((name for name in CHANGES if any(wanted == plain(label(f"change.{name}", lang)) for lang in LANGUAGES)), None)
    return change(session, last, name, now, world) if name else None


def _absorbed(session: Session, stop: Stop, text: str, world: World) -> Session | None:
    """The session with a typed answer taken: a label, a number, "I don't know", or words that are read; None for anything else."""
    choices = offered(session, stop, world)
    choice = _typed_choice(choices, text, world.numbered) or (_option_holding(choices, text) if stop.doubt else None)
    if choice is not None:
        return picked(session, choice)
    aside = _typed_aside(session, stop, text, len(choices), world)
    if aside == "keep":
        return settled(session, stop)
    if aside == "skip" or means_skip(text):
        return skipped(session, world)
    nothing = next((one for one in choices if one.key == "none"), None)
    if nothing is not None and stop.doubt is None and means_none(text):
        return picked(session, nothing)
    heard = hear(text, session.lang, world, stop.slot)
    if not heard.sets and stop.doubt is None:
        number = hear_number(text, session.lang, world, stop.slot)
        heard = number if number.sets else heard
    if heard.anything:
        return _heard_answer(session, stop, heard, text)
    choice = _typed_choice(choices, text, numbered=True) or _nearly_typed(choices, text)
    return picked(session, choice) if choice else None


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


def _heard_answer(session: Session, stop: Stop, heard: Heard, text: str) -> Session:
    """Take all that was said; a question that was left aside is not put again where an answer is possible without it."""
    after = hear_out(session, heard, text).changed(said_at=session.at)
    answered = has(heard.sets, stop.slot) or any(doubt.slot == stop.slot for doubt in heard.doubts)
    left_aside = stop.doubt is None and can_wait(stop.slot, session.intent)
    return settled(after, stop) if answered or left_aside else after


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
    """A message of its own: it begins a new request, or goes on from the last one. Errors: Refusal."""
    heard = hear(text, session.lang, world)
    if session.last is not None and heard.intent == "reverse" and "models" not in heard.sets:
        return _what_it_can(session, session.last, heard, text, now, world)
    if session.last is not None and not fresh and not stands_alone(text, heard):
        within = heard if heard.anything else hear_in_context(text, session.lang, world)
        return _follow_up(session, session.last, within if within.anything else heard, text, now, world, intent)
    if heard.anything or intent or heard.symptoms or heard.intent:
        return _new_request(session, heard, text, now, world, intent)
    return _nothing_heard(session, text, world)


def stands_alone(text: str, heard: Heard) -> bool:
    """Whether a message names enough to be a request of its own; one that opens with "and" or "what if" never does."""
    about = named(heard)
    return not follows_up(text) and (("model" in about and len(about) >= 2) or len(about) >= 3 or not about.isdisjoint(("quotes", "goal")))


def named(heard: Heard) -> frozenset[str]:
    """The slots a text says something about, sure or not; details of training do not count."""
    slots: tuple[Slot, ...] = ("model", "method", "goal", "hardware", "usage", "budget", "quotes", "dataset")
    unsure = {doubt.slot for doubt in heard.doubts}
    return frozenset(slot for slot in slots if request_key(slot) in heard.sets or slot in unsure - {"goal"})


def _new_request(session: Session, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    fresh = renewed(session, now) if session.begun else session
    fresh = fresh.changed(intent=intent or heard.intent or ("fit" if heard.symptoms else "recommend"), begun=True)
    return onward(hear_out(fresh, heard, text), now, world)


def _follow_up(session: Session, last: Result, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    """Change one input of the last request, or look closer at its answer."""
    before = continued(session, last, now).changed(intent=intent or _kept_intent(last.intent, heard))
    if wants_cheaper(text) and not heard.anything:
        return _cheaper(before, last, now, world)
    if not heard.sets and (relative := _relative(before, last, text, now, world)):
        return relative
    after = hear_out(before, heard, text)
    if after.request != last.request or heard.doubts or missing(after.request, after.intent, guided=False):
        return onward(after, now, world)
    if heard.intent in _LOOKS:
        return shown(session, last, _LOOKS[heard.intent], world)
    if not heard.anything:
        return _nothing_heard(session, text, world)
    made = recommendation_of(last, session.lang, world)
    return session, (Tell(message_template("unchanged"), {"known": last.request}, result_buttons(session, made)),)


def _relative(session: Session, last: Result, text: str, now: datetime, world: World) -> Turn | None:
    """ "Half the hours?" changes them; "more hours?" asks how many."""
    sets = scaled(text, last.request)
    if sets is not None:
        return onward(given(session, sets), now, world)
    slot = subject_of(text)
    if slot in CHANGES and says_more_or_less(text):
        return put(session, Stop(slot=slot), world)
    return None


def _what_it_can(session: Session, last: Result, heard: Heard, text: str, now: datetime, world: World) -> Turn:
    """What their hardware can do is a question of its own; cards they named before still count."""
    cards = {"hardware": last.request["hardware"]} if last.request.get("hardware") else {}
    fresh = renewed(session, now, cards).changed(begun=True, intent="reverse")
    return onward(hear_out(fresh, heard, text), now, world)


def _cheaper(session: Session, last: Result, now: datetime, world: World) -> Turn:
    """The next cheaper method, where there is one; else what the money goes into."""
    named = next(iter(session.request.get("methods", ())), None)
    if named not in _CHEAPER:
        return shown(session, last, "money", world)
    return onward(given(session, {"methods": [_CHEAPER[named]]}), now, world)


def _kept_intent(last: Intent, heard: Heard) -> Intent:
    if heard.intent not in (None, "recommend"):
        return heard.intent
    return last


def _nothing_heard(session: Session, text: str, world: World) -> Turn:
    """Say what to type; somebody who has not begun is taken by the hand."""
    told = not_understood(text, None)
    if session.begun:
        return session, (told,)
    session, effects = put(session.changed(guided=True), Stop(slot="goal"), world)
    return session, (told, *effects)
