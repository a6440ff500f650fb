"""From the request so far to the recommendation, and the buttons that change one input of it."""

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from bot.charts import drawable
from bot.dialogue.callback import PICK, button, in_rows
from bot.dialogue.merging import merged
from bot.dialogue.session import KEPT_RESULTS, Doubt, Result, Session, World
from bot.events import Advise, Button, Compare, Effect, Tell
from bot.phrases import label, option_label
from bot.questions import ASKED, Json, has, message_template
from bot.rendering.asked import questions_shown
from engine.recommendation import Recommendation
from engine.request import Language, Request, Slot

MOST_COMPARED = 6


def recommendation_of(result: Result, lang: Language, world: World) -> Recommendation:
    """The recommendation for a result, computed anew: the same on the same day. Errors: Refusal, ValidationError."""
    from engine.advise import advise

    request = Request.model_validate({**merged(_standing(world.defaults, result.request), result.request), "lang": lang})
    questions = tuple(doubt.question for doubt in result.doubts)
    made = advise(request, world.catalogue, world.today, questions, frozenset(result.symptoms))
    return dataclasses.replace(made, assumed={**made.assumed, **result.assumed}) if result.assumed else made


def _standing(defaults: Mapping[str, Any], request: Json) -> Json:
    """The defaults that can stand under a request: the tax of a purchase only where there is one."""
    quotes = dict(defaults.get("quotes", {}))
    if "purchase" not in request.get("quotes", {}):
        quotes.pop("purchase", None)
    return {**defaults, **({"quotes": quotes} if "quotes" in defaults else {})}


def result_of(session: Session) -> Result:
    """What the conversation asks the engine now."""
    return Result(
        revision=session.revision,
        request=session.request,
        intent=session.intent,
        doubts=session.doubts,
        assumed=session.assumed,
        symptoms=session.symptoms,
        session=session.id,
    )


def remembered(session: Session, result: Result) -> tuple[Result, ...]:
    """The results with the new one; older ones are forgotten."""
    return (*session.results, result)[-KEPT_RESULTS:]


def says_something(made: Recommendation) -> bool:
    """Whether a recommendation holds an answer, and not only questions."""
    return bool(made.approach or made.sizings or made.largest or made.acquisition.verdict or made.acquisition.break_even)


def answered(session: Session, made: Recommendation, again: bool) -> Effect:
    """The recommendation as an effect; `again`: it was given before, and they went back to it."""
    return Advise(made, result_buttons(session, made), session.message, again)


def variants(result: Result) -> tuple[Json, ...]:
    """The requests to set side by side: each model with each method that was named."""
    models, methods = result.request.get("models", ()), result.request.get("methods", ())
    if len(models) < 2 and len(methods) < 2:
        return ()
    pairs = product(models or (None,), methods or (None,))
    rows = ({**({"models": [model]} if model else {}), **({"methods": [method]} if method else {})} for model, method in pairs)
    return tuple(merged(result.request, row) for row in rows)[:MOST_COMPARED]


def compared(session: Session, result: Result, world: World) -> Compare:
    """Several recommendations side by side. Errors: Refusal, ValidationError."""
    made = tuple(recommendation_of(result.model_copy(update={"request": one}), session.lang, world) for one in variants(result))
    whole = recommendation_of(result, session.lang, world)
    return Compare(made, whole, _change_buttons(session, whole), session.message)


def result_buttons(session: Session, made: Recommendation) -> tuple[tuple[Button, ...], ...]:
    """What the answer asks back, then what can be changed."""
    return (*_options(session, made), *_change_buttons(session, made))


def _change_buttons(session: Session, made: Recommendation) -> tuple[tuple[Button, ...], ...]:
    """What can be changed in one step, most likely first; then why, chart and share."""
    changes = tuple(button(label(f"change.{name}", session.lang), session, "r", f"change-{name}") for name in _changes(session, made))
    shows = ["why", *(["chart"] if drawable(made) else []), "share"]
    return (*in_rows(changes), tuple(button(label(name, session.lang), session, "r", name) for name in shows))


def _options(session: Session, made: Recommendation) -> Iterator[tuple[Button, ...]]:
    """Rows with the choices of each question that the answer shows."""
    shown = questions_shown(made)
    for place, question in enumerate(made.questions):
        if question in shown:
            labels = (option_label(option.label, session.lang) for option in question.options)
            yield from in_rows(tuple(button(name, session, "r", f"{PICK}{place}-{option}") for option, name in enumerate(labels)))


def standing(session: Session, world: World) -> Tell:
    """The last recommendation still stands: what it was asked for, and its buttons. Errors: Refusal, ValidationError."""
    last = session.results[-1]
    made = recommendation_of(last, session.lang, world)
    at = session.changed(revision=last.revision, request=last.request, intent=last.intent)
    return Tell(message_template("unchanged"), {"known": last.request}, result_buttons(at, made))


def _changes(session: Session, made: Recommendation) -> tuple[str, ...]:
    """At most six: what is missing comes first, then what moves the memory."""
    request = session.request
    serves = bool(made.approach and made.approach.method in ("rag", "serve"))
    wanted: tuple[Slot, ...] = (*(("dataset",) if session.intent == "run" else ()), "usage", "hardware", "budget")
    asked = [question.slot for question in made.questions if question.slot in ASKED]
    gaps = [*asked, *(slot for slot in wanted if not has(request, slot))]
    knobs = ["serving", "model"] if serves else ["training", "method", "model"]
    rag = ["rag"] if serves and request.get("goal") == "facts" and "rag_in_production" not in request else []
    rest = [slot for slot in wanted if slot not in gaps]
    if request.get("models") is None and made.sizings == ():
        knobs = ["model"]
    return tuple(dict.fromkeys([*rag, *gaps, *knobs, *rest]))[:6]


def open_doubts(session: Session, made: Recommendation) -> tuple[Doubt, ...]:
    """What the engine asks back that nobody has answered or passed over; questions without options are slots."""
    doubts = (Doubt.of(question) for question in made.questions)
    return tuple(one for one in doubts if one.name not in session.passed and one.slot not in session.passed)
