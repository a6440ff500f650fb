"""One message, answered at once: what is read goes to the engine with what must be asked back and the symptoms reported."""

from dataclasses import replace
from datetime import date

from bot.reading import Reading, Understood, intent_of, read, understood
from engine import advise
from engine.catalogue import Catalogue
from engine.missing import amount_of_data
from engine.recommendation import Question, Recommendation
from engine.request import Language, ModelChoice


def answer_message(message: str, lang: Language, catalogue: Catalogue, today: date, model: ModelChoice | None = None) -> Recommendation:
    """The recommendation for a message of its own; what was ambiguous stands in its questions. `model`: a config.json beside it."""
    readings = read(message, lang, catalogue)
    found = understood(readings, lang)
    if model is not None:
        questions = tuple(question for question in found.questions if question.slot != "model")
        found = replace(found, request=found.request.model_copy(update={"models": (model,)}), questions=questions)
    questions = (*found.questions, *_amount(message, readings, found))
    return advise(found.request, catalogue, today, questions, found.mentions)


def _amount(message: str, readings: tuple[Reading, ...], found: Understood) -> tuple[Question, ...]:
    """Who asks how long or how much for a training run must say how much data, unless hours were said."""
    request = found.request
    if request.goal in ("serve", "facts") or set(request.methods or ()) & {"serve", "rag"}:
        return ()
    known = found.request.dataset or found.request.usage or any(question.slot == "dataset" for question in found.questions)
    return () if known or intent_of(message, readings) != "run" else (amount_of_data(),)
