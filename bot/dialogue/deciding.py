"""Whether a doubt is worth a question: the answers to all its options enter, "they differ" or "they do not" leaves."""

from typing import Any

from pydantic import ValidationError

from bot.dialogue.advising import recommendation_of, result_of
from bot.dialogue.hearing import option_sets
from bot.dialogue.merging import merged
from bot.dialogue.session import Doubt, Session, World
from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.units import gigabytes, magnitude

_WEIGHED = ("model", "hardware", "dataset", "training", "serving")  # money and hours are always asked: nobody may guess them
_UNTRAINED = ("rag", "none")  # whatever the model, nothing is trained
_ALIKE = 1.25  # sizes within a quarter of each other are the same answer


def decides(session: Session, doubt: Doubt, world: World) -> bool:
    """Whether the options of a doubt lead to different advice, fit, way to get it, or clearly different memory."""
    if doubt.slot not in _WEIGHED or not 2 <= len(doubt.options) <= 6:
        return True
    try:
        made = [_with(session, doubt, option.value, world) for option in doubt.options]
        made += [recommendation_of(result_of(session), session.lang, world)] if doubt.slot == "hardware" else []
    except (Refusal, ValidationError):
        return True
    if all(one.approach is not None and one.approach.method in _UNTRAINED for one in made):
        return False
    return len({_verdicts(one) for one in made}) > 1 or not _alike(made)


def _with(session: Session, doubt: Doubt, value: Any, world: World) -> Recommendation:
    rest = tuple(one for one in session.doubts if one.name != doubt.name)
    request = merged(session.request, option_sets(doubt, value, session.request))
    return recommendation_of(result_of(session.changed(request=request, doubts=rest)), session.lang, world)


def _verdicts(made: Recommendation) -> tuple[str | None, ...]:
    return (made.approach.method if made.approach else None, made.fit.verdict, made.acquisition.verdict)


def _alike(made: list[Recommendation]) -> bool:
    """Whether hours of a run, and sizes where the fit is unknown, are about the same."""
    hours = [magnitude(one.run.typical, "hour") for one in made if one.run]
    if hours and (len(hours) < len(made) or not _close(hours)):
        return False
    sizes = [gigabytes(one.footprint.expected) for one in made if one.footprint]
    return made[0].fit.verdict != "unknown" or (len(sizes) == len(made) and _close(sizes))


def _close(values: list[float]) -> bool:
    return max(values) <= _ALIKE * min(values)
