"""Follow-ups to a recommendation: a text with what was heard in it enters; the changed advice, or a closer look, leaves."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.dialogue.advising import standing
from bot.dialogue.answering import not_understood
from bot.dialogue.asides import aside
from bot.dialogue.changing import CHANGES, continued
from bot.dialogue.clarifying import clarified
from bot.dialogue.hearing import Heard
from bot.dialogue.scaling import recounted, scaled, subject_of
from bot.dialogue.session import Result, Session, Stop, World, renewed
from bot.dialogue.showing import Part, shown
from bot.dialogue.taking import given, hear_out, noted
from bot.dialogue.turns import Turn, onward, put
from bot.phrases import looks_at, option_named, says_more_or_less, wants_cheaper
from bot.questions import Intent, Json, has, missing
from engine.rules.asked import IN_QUESTION

_LOOKS: Mapping[Intent | None, Part] = {"money": "money", "run": "money", "fit": "memory", "approach": "why"}
_CHEAPER = {"pretrain": "lora", "continued_pretrain": "lora", "full": "lora", "lora": "qlora", "lora8": "qlora"}


def follow_up(session: Session, last: Result, heard: Heard, text: str, now: datetime, world: World, intent: Intent | None) -> Turn:
    """Change one input of the last request, or look closer at its answer."""
    before = continued(session, last, now).changed(intent=intent or _kept_intent(last.intent, heard))
    settled = clarified(before, last, text, world)
    if settled is not None:
        return onward(settled, now, world)
    if wants_cheaper(text) and not heard.anything:
        return _cheaper(noted(before, text), last, now, world)
    if not heard.sets and (relative := _relative(before, last, text, now, world)):
        return relative
    told = None if heard.sets else aside(text, session, world)
    if told is not None:
        return session, (told,)
    after = hear_out(before, heard, text)
    now_theirs = IN_QUESTION in last.symptoms and IN_QUESTION not in after.symptoms
    if after.request != last.request or now_theirs or heard.doubts or missing(after.request, after.intent, guided=False):
        return onward(after, now, world)
    if heard.intent == "run" and _needs_data(after):
        return put(after, Stop(slot="dataset"), world)
    part = looks_at(text) or _LOOKS.get(heard.intent)
    if part is not None:
        return shown(session, last, part, world)
    if not heard.anything:
        return session, (not_understood(text, None),)
    return session, (standing(session, world),)


def _needs_data(session: Session) -> bool:
    """Whether nobody can say how long or how much, since neither data nor hours are known of something that is trained."""
    trains = session.request.get("goal") not in ("facts", "serve") and not {"serve", "rag"} & set(session.request.get("methods", ()))
    return trains and "models" in session.request and not (has(session.request, "dataset") or has(session.request, "usage"))


def _relative(session: Session, last: Result, text: str, now: datetime, world: World) -> Turn | None:
    """ "Half the hours?" changes them; "more hours?" asks how many."""
    sets = scaled(text, last.request) or recounted(text, last.request) or _taxed(text, last.request)
    if sets is not None:
        return onward(noted(given(session, sets), text), now, world)
    slot = subject_of(text)
    if slot in CHANGES and says_more_or_less(text):
        return put(session, Stop(slot=slot), world)
    return None


def _taxed(text: str, request: Mapping[str, Any]) -> Json | None:
    """Net or gross, said of a price they gave before."""
    tax = option_named(text)
    return {"quotes": {"purchase": {"tax": tax}}} if tax and "purchase" in request.get("quotes", {}) else None


def what_it_can(session: Session, last: Result, heard: Heard, text: str, now: datetime, world: World) -> Turn:
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
