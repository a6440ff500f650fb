"""Hardware: enters as a page, leaves as readings of cards, machines and memory.

Whether a card is owned or only talked about is marked: what somebody might buy or rent is no hardware at hand.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.reading.cards import cards
from bot.reading.memories import chips, memories, unnamed
from bot.reading.ownership import talked_about
from bot.reading.page import Page
from bot.reading.readings import Reading


def hardware(page: Page) -> Iterator[Reading]:
    """Cards, machines and memory of a message; those only talked about are marked."""
    found = [reading for rule in (cards, memories, unnamed, chips) for reading in rule(page)]
    named = {one.value["gpu"] for one in found if one.ask_back is None and one.value and "gpu" in one.value}
    if page.slot == "hardware":
        yield from (reading for reading in found if reading.sure or not _said_closer(reading, named))
    else:
        yield from talked_about(page, _together(reading for reading in found if not _said_closer(reading, named)))


def _said_closer(reading: Reading, named: set[str]) -> bool:
    """Whether an open card is named exactly elsewhere: "Kaggle 2x T4", "the T4 on Colab"."""
    return bool(reading.ask_back) and any(isinstance(one.value, dict) and one.value.get("gpu") in named for one in reading.ask_back or ())


def _together(readings: Iterable[Reading]) -> list[Reading]:
    """Cards without a name and a memory elsewhere are one thing: "2 GPUs … 24 GB"."""
    found = list(readings)
    bare = [one for one in found if isinstance(one.value, dict) and one.value.keys() == {"count"}]
    known = [one for one in found if one.ask_back is None and isinstance(one.value, dict) and one.value.get("kind") in ("vram", "unified")]
    if not bare or not known:
        return found
    counted = replace(known[0], value={**known[0].value, "count": max(bare[0].value["count"], known[0].value["count"])})
    return [counted if one is known[0] else one for one in found if one not in bare]
