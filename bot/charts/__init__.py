"""Pictures: a Recommendation enters, a PNG of 1200 x 700 leaves. Drawing takes about a tenth of a second: never on an event loop.

Matplotlib's figure objects only, no pyplot (which keeps every figure); imported when the first picture is drawn.
"""

from typing import Literal, TypeAlias

from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.request import Language

Kind: TypeAlias = Literal["memory", "money"]


def picture(recommendation: Recommendation, kind: Kind, lang: Language) -> bytes:
    """Memory against the card, or owning against renting; the other one where there is nothing of this kind. Errors: Refusal."""
    from bot.charts.memory import memory_picture
    from bot.charts.money import money_picture

    kinds = [name for name in (kind, "memory", "money") if name in drawable(recommendation)]
    if not kinds:
        raise Refusal("nothing_to_draw")
    return memory_picture(recommendation, lang) if kinds[0] == "memory" else money_picture(recommendation, lang)


def drawable(recommendation: Recommendation) -> tuple[Kind, ...]:
    """The kinds of picture there is something to see on."""
    curve = recommendation.acquisition.curve
    found: list[Kind] = ["memory"] if recommendation.footprint is not None else []
    if curve and (curve[-1].own is not None or curve[-1].rent is not None):
        found.append("money")
    return tuple(found)
