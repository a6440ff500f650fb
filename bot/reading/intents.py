"""What a message asks for: enters as text and its readings, leaves as one of the six questions, or nothing where it asks none."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from bot.reading.lexicon import longest, words
from bot.reading.readings import Reading
from bot.reading.text import tokens

Intent: TypeAlias = Literal["recommend", "fit", "reverse", "money", "approach", "run", "compare"]
_ORDER: tuple[tuple[str, Intent], ...] = (
    ("ask_rag", "approach"),
    ("ask_money", "money"),
    ("ask_duration", "run"),
    ("ask_capacity", "reverse"),
    ("ask_compare", "compare"),
    ("ask_cost", "run"),
    ("ask_fit", "fit"),
)


def _kinds(text: str) -> frozenset[str]:
    """The kinds of question whose words a text has."""
    said, root = tokens(text), words("intents_")
    kinds: set[str] = set()
    place = 0
    while place < len(said):
        found = longest(root, said, place)
        kinds |= found[1].keys() if found else set()
        place = found[0] if found else place + 1
    return frozenset(kinds)


def intent_of(text: str, readings: Iterable[Reading]) -> Intent | None:
    """The question a message asks; the most particular where it asks several, nothing where it asks none in words."""
    said = tuple(readings)
    kinds = _kinds(text)
    clear = [one.slot for one in said if not one.aside and one.means_it]
    several = max(clear.count("model"), clear.count("method")) > 1
    for kind, intent in _ORDER:
        if kind in kinds and (kind != "ask_compare" or several) and (kind != "ask_capacity" or "model" not in clear):
            return intent
    quoted = [one.value for one in said if one.slot == "quotes" and isinstance(one.value, dict)]
    if {"ask_buy", "ask_rent"} <= kinds or (any("rent" in one for one in quoted) and any("purchase" in one for one in quoted)):
        return "money"
    return "fit" if any(one.says == ("symptom", "oom") for one in said) else None
