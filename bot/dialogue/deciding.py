"""Whether a doubt is worth a question: the answers to all its options enter, "they differ" or "they do not" leaves."""

from typing import Any

from pydantic import ValidationError

from bot.dialogue.advising import recommendation_of, result_of
from bot.dialogue.hearing import option_sets
from bot.dialogue.merging import merged
from bot.dialogue.session import Doubt, Session, World
from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.units import gigabytes

_WEIGHED = ("model", "hardware", "dataset", "training", "serving")  # money and hours are always asked: nobody may guess them
_ALIKE = 1.25  # sizes within a quarter of each other are the same answer


def decides(session: Session, doubt: Doubt, world: World) -> bool:
    """Whether the options of a doubt lead to different advice, fit, way to get it, or clearly different memory."""
    if doubt.slot not in _WEIGHED or not 2 <= len(doubt.options) <= 6:
        return True
    try:
        made = [_with(session, doubt, option.value, world) for option in doubt.options]
    except (Refusal, ValidationError):
        return True
    return len({_verdicts(one) for one in made}) > 1 or not _alike(made)


def _with(session: Session, doubt: Doubt, value: Any, world: World) -> Recommendation:
    rest = tuple(one for one in session.doubts if one.name != doubt.name)
    request = merged(session.request, option_sets(doubt, value, session.request))
    return recommendation_of(result_of(session.changed(request=request, doubts=rest)), session.lang, world)


def _verdicts(made: Recommendation) -> tuple[str | None, ...]:
    return (made.approach.method if made.approach else None, made.fit.verdict, made.acquisition.verdict)


def _alike(made: list[Recommendation]) -> bool:
    """Where retrieval is advised or the fit is known the verdicts say it all; otherwise the sizes are compared."""
    first = made[0]
    if first.fit.verdict != "unknown" or (first.approach is not None and first.approach.method == "rag"):
        return True
    sizes = [gigabytes(one.footprint.expected) for one in made if one.footprint]
    return len(sizes) == len(made) and max(sizes) <= _ALIKE * min(sizes)
