"""The answer to the open question: a text enters; the session with it taken and the next question, or the same one again, leave."""

from datetime import datetime
from typing import Literal

from bot.dialogue.asides import aside
from bot.dialogue.asking import ask, chosen_label, offered
from bot.dialogue.choices import Choice
from bot.dialogue.hearing import Heard, hear, hear_number
from bot.dialogue.merging import without
from bot.dialogue.session import Session, Stop, World
from bot.dialogue.taking import hear_out, picked, settled, skipped
from bot.dialogue.turns import Turn, onward, put, tell, went_on
from bot.dialogue.waiting import left_open
from bot.events import Tell
from bot.phrases import LANGUAGES, currency_meant, label, means_none, means_skip, option_label, option_named, plain
from bot.questions import has

_SHOWN = 80


def answer(session: Session, stop: Stop, text: str, now: datetime, world: World) -> Turn:
    """Take the answer to the open question and go on, or ask again."""
    after = _absorbed(session, stop, text, world)
    if after is None:
        told = aside(text, session, world)
        if told is None and hear(text, session.lang, world).intent is not None:
            return left_open(session, not_understood(text, stop), now, world)
        return session, (ask(session, world, again=told or not_understood(text, stop)),)
    then, effects = went_on(session, after, now, world)
    if then.open == stop and after.request != session.request:
        return left_open(then, tell("noted", known=then.request), now, world)
    return then, effects


def corrected(session: Session, text: str, now: datetime, world: World) -> Turn:
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


def _absorbed(session: Session, stop: Stop, text: str, world: World) -> Session | None:
    """The session with a typed answer taken: a label, a number, "I don't know", or words that are read; None for anything else."""
    choices = offered(session, stop, world)
    choice = _typed_choice(choices, text, world.numbered) or (chosen_option(choices, text) if stop.doubt else None)
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
    heard = _heard(session, stop, text, world)
    if heard.anything:
        return _heard_answer(session, stop, heard, text)
    choice = _typed_choice(choices, text, numbered=True) or _nearly_typed(choices, text)
    return picked(session, choice) if choice else None


def _heard(session: Session, stop: Stop, text: str, world: World) -> Heard:
    """What an answer says: for its question, as a bare number, or about something else that is clearer."""
    heard = hear(text, session.lang, world, stop.slot)
    if heard.sets:
        return heard
    others = (() if stop.doubt else (hear_number(text, session.lang, world, stop.slot),), (hear(text, session.lang, world),))
    return next((one for group in others for one in group if one.sets), heard)


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
    """Take all that was said; a question that was left aside is put again, unless it was only about a change."""
    after = hear_out(session, heard, text).changed(said_at=session.at)
    answered = has(heard.sets, stop.slot) or any(doubt.slot == stop.slot for doubt in heard.doubts)
    return settled(after, stop) if answered or (stop.doubt is None and session.changes_last) else after


def _typed_choice(choices: tuple[Choice, ...], text: str, numbered: bool) -> Choice | None:
    """The choice a text names by its label, or by its number where choices are numbered."""
    wanted, option = plain(text), option_named(text)
    named = {plain(option_label(option, lang)) for lang in LANGUAGES} if option else {wanted}
    for place, choice in enumerate(choices, 1):
        if not named.isdisjoint(plain(one) for one in (choice.label, choice.said) if one) or (numbered and wanted == str(place)):
            return choice
    return None


def chosen_option(choices: tuple[Choice, ...], text: str) -> Choice | None:
    """The one option of a doubt that a text names, or whose label holds it as a word ("80" for "A100 80 GB")."""
    currency = currency_meant(text)
    named = _typed_choice(choices, text, numbered=False) or next(
        (choice for choice in choices if currency and currency_meant(choice.said or choice.label) == currency), None
    )
    if named is not None:
        return named
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
