"""Pictures: a Recommendation enters, a PNG of 1200 x 700 leaves. Drawing takes about a tenth of a second: never on an event loop.

Matplotlib's figure objects only, no pyplot (which keeps every figure); imported when the first picture is drawn.
"""

import gc

from bot.rendering.views import Picture, drawable, picture_shown
from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.request import Language

__all__ = ["drawable", "picture"]


def picture(recommendation: Recommendation, kind: Picture, lang: Language) -> bytes:
    """Memory against the card, or owning against renting; the other one where there is nothing of this kind. Errors: Refusal."""
    from bot.charts.memory import memory_picture
    from bot.charts.money import money_picture

    shown = picture_shown(recommendation, kind)
    if shown is None:
        raise Refusal("nothing_to_draw")
    try:
        return memory_picture(recommendation, lang) if shown == "memory" else money_picture(recommendation, lang)
    finally:
        gc.collect()  # a figure is full of reference cycles: without this the pixels of dozens wait for a full collection
