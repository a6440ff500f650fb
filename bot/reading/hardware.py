"""Hardware: enters as a page, leaves as readings of cards, machines and memory.

Whether a card is owned or only talked about is marked: what somebody might buy or rent is no hardware at hand.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.reading.cards import cards
from bot.reading.memories import chips, memories, unnamed
from bot.reading.ownership import not_at_hand, talked_about
from bot.reading.page import Page
from bot.reading.readings import Reading


def hardware(page: Page) -> Iterator[Reading]:
    """Cards, machines and memory of a message; those only talked about are marked."""
    found = [reading for rule in (cards, memories, unnamed, chips) for reading in rule(page)]
    named = {one.value["gpu"] for one in found if one.ask_back is None and one.value and "gpu" in one.value}
    found = [_unlinked(page, one) for one in found]
    pooled = [one for one in found if _pool(one, found)]
    yield from (Reading("training", one.text, one.span, {}, says=("symptom", "pooled")) for one in pooled)
    found = [one for one in found if one not in pooled]
    if page.slot == "hardware":
        kept = [reading for reading in found if reading.sure or not _said_closer(reading, named)]
        yield from _at_hand(page, kept)
    else:
        yield from talked_about(page, _together(reading for reading in found if not _said_closer(reading, named)))


def _said_closer(reading: Reading, named: set[str]) -> bool:
    """Whether an open card is named exactly elsewhere: "Kaggle 2x T4", "the T4 on Colab"."""
    return bool(reading.ask_back) and any(isinstance(one.value, dict) and one.value.get("gpu") in named for one in reading.ask_back or ())


def _at_hand(page: Page, readings: list[Reading]) -> Iterator[Reading]:
    """Of an answer to the question what they have: a card they have not, or only want, is nothing at hand."""
    owned = [one for one in readings if not not_at_hand(page, one)]
    yield from owned
    if readings and not owned:
        text, span = page.text, (0, len(page.text))
        yield Reading("hardware", text, span, [])


def _unlinked(page: Page, reading: Reading) -> Reading:
    """Several cards of which the message says somewhere that they are not linked."""
    value = reading.value
    if not isinstance(value, dict) or value.get("count", 1) < 2 or "nvlink" in value or "memory_gb" not in value:
        return reading
    apart = next(page.find(r"{not}{nvlink}|{nvlink}{.}??{inactive}", needs="nvlink", free=False), None)
    return reading if apart is None else replace(reading, value={**value, "nvlink": False})


def _pool(reading: Reading, found: list[Reading]) -> bool:
    """Whether a memory without a name is only the sum of named cards: "2x 3090 … as one 48 GB GPU"."""
    if not isinstance(reading.value, dict) or "gpu" in reading.value or reading.value.get("kind") != "vram":
        return False
    named = [one.value for one in found if isinstance(one.value, dict) and "gpu" in one.value and "memory_gb" in one.value]
    return any(value["count"] > 1 and value["count"] * value["memory_gb"] == reading.value["memory_gb"] for value in named)


def _together(readings: Iterable[Reading]) -> list[Reading]:
    """Cards without a name and a memory elsewhere are one thing: "2 GPUs … 24 GB"."""
    found = list(readings)
    bare = [one for one in found if isinstance(one.value, dict) and one.value.keys() == {"count"}]
    known = [one for one in found if one.ask_back is None and isinstance(one.value, dict) and one.value.get("kind") in ("vram", "unified")]
    if not bare or not known:
        return found
    counted = replace(known[0], value={**known[0].value, "count": max(bare[0].value["count"], known[0].value["count"])})
    return [counted if one is known[0] else one for one in found if one not in bare]
