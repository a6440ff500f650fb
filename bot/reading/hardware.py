"""Hardware: enters as a page, leaves as readings of cards, machines and memory.

Whether a card is owned or only talked about is marked: what somebody might buy or rent is no hardware at hand.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.reading.cards import cards
from bot.reading.memories import chips, memories, unnamed
from bot.reading.ownership import not_at_hand, talked_about
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.slices import slices

_GIGABYTES = re.compile(r"(\d{1,6}) ?g(?:b|i[bg])?s?\b(?! ?(?:ddr|(?:system|cpu) ?ram|ram))", re.IGNORECASE)
_IN_A_SERVER = 8
_NOTEBOOKS = ("colab", "google colab", "kaggle", "free colab")
_CLOSE = 0.07  # as of a card's name and what its driver shows


def hardware(page: Page) -> Iterator[Reading]:
    """Cards, machines and memory of a message; those only talked about are marked."""
    found = [reading for rule in (slices, cards, memories, unnamed, chips) for reading in rule(page)]
    named = {one.value["gpu"] for one in found if one.ask_back is None and one.value and "gpu" in one.value}
    found = [_in_one_box(page, _unlinked(page, one)) for one in found]
    pooled = [one for one in found if _pool(one, found)]
    summed = [one for one in found if _summed(one)]
    yield from (Reading("training", one.text, one.span, {}, says=("symptom", "pooled")) for one in (*pooled, *summed))
    yield from (Reading("training", one.text, one.span, {}, says=("symptom", "contradiction")) for one in found if _no_such_size(one))
    cards_named = {one.value["gpu"] for one in found if isinstance(one.value, dict) and "gpu" in one.value}
    found = [one for one in found if one not in pooled and not _named_beside(one, cards_named)]
    if page.slot == "hardware":
        kept = [reading for reading in found if reading.sure or not _said_closer(reading, named)]
        yield from _at_hand(page, kept)
    else:
        yield from talked_about(page, _together(reading for reading in found if not _said_closer(reading, named)))


def _said_closer(reading: Reading, named: set[str]) -> bool:
    """Whether an open card is named exactly elsewhere: "Kaggle 2x T4", "the T4 on Colab"."""
    return bool(reading.ask_back) and any(isinstance(one.value, dict) and one.value.get("gpu") in named for one in reading.ask_back or ())


def _named_beside(reading: Reading, cards_named: set[str]) -> bool:
    """Whether a notebook's usual card is not the one they name: "colab with an A100"."""
    if not reading.text.lower().startswith(_NOTEBOOKS) or not isinstance(reading.value, dict):
        return False
    return bool(cards_named - {reading.value.get("gpu")})


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


def _in_one_box(page: Page, reading: Reading) -> Reading:
    """More cards than a usual server holds, of which the message says that it is one machine."""
    value = reading.value
    if not isinstance(value, dict) or value.get("count", 1) <= _IN_A_SERVER or "nodes" in value or "memory_gb" not in value:
        return reading
    said = next(page.find(r"{one}{node}", needs="one node", free=False), None)
    return reading if said is None else replace(reading, value={**value, "nodes": 1})


def _pool(reading: Reading, found: list[Reading]) -> bool:
    """Whether a memory without a name is only the sum of named cards: "2x 3090 … as one 48 GB GPU"."""
    if not isinstance(reading.value, dict) or "gpu" in reading.value or reading.value.get("kind") != "vram":
        return False
    named = [one.value for one in found if isinstance(one.value, dict) and "gpu" in one.value and "memory_gb" in one.value]
    return any(value["count"] > 1 and value["count"] * value["memory_gb"] == reading.value["memory_gb"] for value in named)


def _summed(reading: Reading) -> bool:
    """Whether the memory of several cards is said as one number: "2x 3090 (48GB)"."""
    value = reading.value
    if not isinstance(value, dict) or "gpu" not in value or value.get("count", 1) < 2 or "memory_gb" not in value:
        return False
    total = value["count"] * value["memory_gb"]
    return any(abs(float(said) - total) <= _CLOSE * total for said in _GIGABYTES.findall(reading.text))


def _no_such_size(reading: Reading) -> bool:
    """Whether a card is named with a memory none of its kind has: "A100 24GB"."""
    sizes = [one.value["memory_gb"] for one in reading.ask_back or () if isinstance(one.value, dict) and one.value.get("memory_gb")]
    said = [float(size) for size in _GIGABYTES.findall(reading.text)]
    if not isinstance(reading.value, dict) or "gpu" not in reading.value or not sizes or not said:
        return False
    known = [size * count for size in sizes for count in (1, reading.value.get("count", 1))]
    return not any(abs(one - size) <= _CLOSE * size for one in said for size in known)


def _together(readings: Iterable[Reading]) -> list[Reading]:
    """Cards without a name and a memory elsewhere are one thing: "2 GPUs … 24 GB"."""
    found = list(readings)
    bare = [one for one in found if isinstance(one.value, dict) and one.value.keys() == {"count"}]
    known = [one for one in found if one.ask_back is None and isinstance(one.value, dict) and one.value.get("kind") in ("vram", "unified")]
    if not bare or not known:
        return found
    counted = replace(known[0], value={**known[0].value, "count": max(bare[0].value["count"], known[0].value["count"])})
    return [counted if one is known[0] else one for one in found if one not in bare]
