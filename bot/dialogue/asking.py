"""Which question comes next and how it is put: a session enters, a stop on the way and an `Ask` leave."""

from typing import Any

from bot.dialogue.callback import button, in_rows
from bot.dialogue.choices import Choice, choices, grouped, money
from bot.dialogue.merging import holds
from bot.dialogue.session import Doubt, Session, Stop, World
from bot.events import Ask, Button, Freeze, Tell
from bot.phrases import label, option_label
from bot.questions import ASKED, DEFAULTS, WHICH, can_wait, has, missing, question_template, quoted_currency, request_key
from engine.request import Currency, Slot

MOST_QUESTIONS = 5


def next_stop(session: Session) -> Stop | None:
    """The next question: doubts first, then the first slot that is missing and matters."""
    doubt = next((one for one in session.doubts if one.name not in session.passed), None)
    if doubt is not None and (doubt.options or doubt.slot not in ASKED):
        return Stop(slot=doubt.slot, doubt=doubt)
    if doubt is not None and doubt.slot not in session.passed:
        return Stop(slot=doubt.slot)
    if session.picks.get("budget") == "owned" and not has(session.request, "hardware") and "hardware" not in session.passed:
        return Stop(slot="hardware")
    told = {*session.passed, *(doubt.slot for doubt in session.doubts)}  # a doubt that was passed over leaves nothing to ask
    slots = (slot for slot in missing(session.request, session.intent, session.guided) if slot not in told)
    slot = next(slots, None)
    others = sum(stop.doubt is None and stop.slot != slot for stop in session.way)  # asking what was unclear does not count
    return Stop(slot=slot) if slot and (others < MOST_QUESTIONS or not can_wait(slot, session.intent)) else None


def offered(session: Session, stop: Stop, world: World) -> tuple[Choice, ...]:
    """The choices of a question, in order."""
    if stop.doubt is not None:
        labels = [option.label for option in stop.doubt.options]
        return tuple(Choice(str(place), option_label(one, session.lang), said=one) for place, one in enumerate(labels))
    return choices(stop.slot, session.request, session.lang, currency_of(session, world))


def currency_of(session: Session, world: World) -> Currency:
    """The currency of the request, else the one that is usual here."""
    named: Any = next((budget.get("currency") for budget in session.request.get("budget", ()) if budget.get("currency")), None)
    return named or session.currency or world.currency


def is_chosen(session: Session, stop: Stop, choice: Choice) -> bool:
    """Whether a choice is what the request already says."""
    if stop.doubt is not None:
        return session.picks.get(stop.name) == choice.key
    return holds(session.request, choice.sets)


def chosen_label(session: Session, stop: Stop, world: World) -> str | None:
    """The earlier answer of a question as a label; None where there was none."""
    for choice in offered(session, stop, world):
        if is_chosen(session, stop, choice):
            return choice.label
    return said_label(session, stop.slot) if stop.doubt is None and has(session.request, stop.slot) else None


def said_label(session: Session, slot: Slot) -> str | None:
    """A value that is none of the choices, as short as a button needs it."""
    value = session.request.get(request_key(slot))
    return _SHORT[slot](value, session) if value and slot in _SHORT else None


def _model(value: Any, session: Session) -> str | None:
    sizes = [one.get("name") or (f"{one['params_b']:g}B" if "params_b" in one else None) for one in value]
    text = " / ".join(size for size in sizes if size)
    return text.replace(".", ",") if session.lang == "de" and "name" not in value[0] else text


def _method(value: Any, session: Session) -> str:
    return " / ".join(label(f"method.{one}", session.lang) for one in value)


def _budget(value: Any, session: Session) -> str | None:
    first = value[0]
    return money(first["amount"], first["currency"], session.lang) if "currency" in first else grouped(first["amount"], session.lang)


def _hours(value: Any, session: Session) -> str | None:
    once, month = value.get("hours_once"), value.get("training_hours_per_month", value.get("serving_hours_per_month"))
    if once is not None:
        return f"{grouped(once, session.lang)} h"
    return label("usage.hours", session.lang, number=f"{month:g}") if month is not None else None


def _cards(value: Any, _session: Session) -> str:
    return " + ".join(f"{one.get('count', 1)} × {one.get('gpu') or format(one.get('memory_gb', 0), 'g') + ' GB'}" for one in value)


def _length(value: Any, session: Session) -> str | None:
    tokens = value.get("sequence_length")
    return label("training.length", session.lang, number=grouped(tokens, session.lang)) if tokens else None


_SHORT: Any = {"model": _model, "method": _method, "budget": _budget, "usage": _hours, "hardware": _cards, "training": _length}


def ask(session: Session, world: World, edits: bool = False, again: Tell | None = None) -> Ask:
    """The open question with its choices; the earlier answer is marked and can be kept."""
    stop = session.open
    assert stop is not None  # noqa: S101  # callers ask only what is open
    earlier = chosen_label(session, stop, world)
    return Ask(
        slot=stop.slot,
        template=WHICH if stop.doubt else question_template(stop.slot),
        buttons=_rows(session, stop, world, earlier),
        question=stop.doubt.question if stop.doubt else None,
        facts=_facts(session, stop, world, earlier),
        again=again,
        edits=edits,
    )


def _rows(session: Session, stop: Stop, world: World, earlier: str | None) -> tuple[tuple[Button, ...], ...]:
    step = f"q{session.at}"
    made = tuple(button(_marked(session, stop, choice), session, step, choice.key) for choice in offered(session, stop, world))
    keep = (button(label("keep", session.lang, value=earlier)[:40], session, step, "keep"),) if earlier else ()
    skip = () if earlier else (button(label("skip", session.lang), session, step, "skip"),)
    leave = tuple(button(label(name, session.lang), session, step, name) for name in ("back", "cancel"))
    return (*in_rows(made), *((keep,) if keep else ()), *((skip,) if skip else ()), leave)


def _marked(session: Session, stop: Stop, choice: Choice) -> str:
    return label("chosen", session.lang, label=choice.label) if is_chosen(session, stop, choice) else choice.label


def _facts(session: Session, stop: Stop, world: World, earlier: str | None) -> dict[str, Any]:
    more = sum(one.name not in session.passed and one != stop.doubt for one in session.doubts)
    return {
        "known": session.request,
        "chosen": earlier,
        "intent": session.intent,
        "number": (session.at or 0) + 1,
        "optional": session.changes_last,
        "choices": [choice.label for choice in offered(session, stop, world)],
        "assumes": DEFAULTS.get(stop.slot) if stop.doubt is None else None,
        "numbered": world.numbered,
        **(_doubt_facts(stop.doubt, more) if stop.doubt else {}),
    }


def _doubt_facts(doubt: Doubt, more: int) -> dict[str, Any]:
    currency = quoted_currency(option.value for option in doubt.options)
    return {"slot": doubt.slot, "read": doubt.read, "field": doubt.field, "currency": currency, "more": more}


def freeze(session: Session, stop: Stop, world: World) -> Freeze:
    """What stays of a question that is answered."""
    return Freeze(stop.slot, {"slot": stop.slot, "label": chosen_label(session, stop, world), "known": session.request})
