"""Taking answers: a session and what was chosen or said enter, the session that knows it leaves. Nothing is asked here."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.dialogue.asking import currency_of, offered
from bot.dialogue.choices import Choice
from bot.dialogue.hearing import Heard, in_the_same_period, option_sets, request_with, with_activity
from bot.dialogue.merging import checked, merged
from bot.dialogue.session import LONGEST_MESSAGE, Doubt, Session, Stop, World
from bot.questions import ASKED, DEFAULTS, Json, has, hours_name
from engine.people import PEOPLE
from engine.request import Slot
from engine.rules.asked import IN_QUESTION

_OWN_QUESTION = ("goal", "method")  # "fine-tune" in passing raises no question: these have one of their own, or rules that decide


def taken(session: Session, sets: Json, assumes: bool = False) -> Session:
    """The session with a value for the open question. Errors: Refusal: the value cannot stand with the rest."""
    after = given(session, sets)
    if assumes:
        after = after.changed(assumed={**after.assumed, **dict(paths(sets))})
    return settled(after, open_stop(session)).changed(said=sets, said_at=session.at)


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
    return session.changed(doubts=doubts, passed=tuple(dict.fromkeys((*session.passed, stop.name))), unanswered=0)


def picked(session: Session, choice: Choice) -> Session:
    """The session with one of the offered choices taken. Errors: Refusal."""
    stop = open_stop(session)
    session = noted(session, choice.label)
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
        if isinstance(option.value, Mapping) and option.value.get("currency") == currency_of(session, world):
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
    heard = in_the_same_period(heard, session.request)
    heard = replace(heard, sets=with_activity(heard, session.request))
    request = request_with(session.request, heard)
    doubts = _doubts(session, heard)
    if "hardware" not in heard.sets and request.get("hardware") != session.request.get("hardware"):
        doubts = tuple(one for one in doubts if one.slot != "hardware")  # "on two cards?" said how many of those they named before
    symptoms = tuple(sorted({*_still_so(session, heard), *heard.symptoms}))
    after = noted(_knowing(session, request, heard.sets), text)
    return after.changed(doubts=doubts, said=heard.sets, said_at=None, symptoms=symptoms)


def _still_so(session: Session, heard: Heard) -> tuple[str, ...]:
    """What they reported before, less a card in question where they speak of a machine now, and people where they count users."""
    machine = "hardware" in heard.sets or any(doubt.slot == "hardware" for doubt in heard.doubts)
    users = "serving" in heard.sets
    return tuple(one for one in session.symptoms if not (one == IN_QUESTION and machine) and not (one.startswith(PEOPLE) and users))


def noted(session: Session, text: str) -> Session:
    """The session that remembers, for the history, what was written or chosen; step by step there is nothing to quote."""
    if session.guided:
        return session
    parts = (session.message, " ".join(text.split()))
    return session.changed(message=" · ".join(part for part in parts if part)[-LONGEST_MESSAGE:])


def _doubts(session: Session, heard: Heard) -> tuple[Doubt, ...]:
    """What is unclear after a text: what was unclear before, unless it spoke of that too, and what it raised."""
    clear = {slot for slot in ASKED if has(heard.sets, slot)}
    spoken = clear | {doubt.slot for doubt in heard.doubts}
    asked = session.open.slot if session.open else None
    raised = (one.model_copy(update={"adds": one.slot in clear}) for one in heard.doubts)
    fresh = (one for one in raised if one.slot not in _OWN_QUESTION or one.slot == asked)
    return (*(one for one in session.doubts if one.slot not in spoken), *fresh)
