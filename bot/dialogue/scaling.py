"""Follow-ups that say how much more or less: "half the hours?", "doppelt so lange Zeilen", "a smaller model?" against the last request."""

from collections.abc import Mapping
from typing import Any

from bot.phrases import LANGUAGES, plain, words
from bot.questions import Json
from engine.request import Slot

_SIZES = (1, 3, 8, 14, 32, 70, 120, 405)  # what "smaller" and "larger" step through [10^9 parameters]
_MOST_CARDS = 128
_WHOLE = ("sequence_length", "rows", "users")
_NUMBERS: Mapping[Slot, tuple[str, ...]] = {
    "usage": ("training_hours_per_month", "serving_hours_per_month", "hours_once"),
    "dataset": ("tokens", "rows"),
    "training": ("sequence_length",),
    "serving": ("users",),
    "budget": ("amount",),
}


def scaled(text: str, request: Mapping[str, Any]) -> Json | None:
    """What a text sets that multiplies one input of a request; None for any other text, and where that input was not said."""
    spoken = plain(text).split()
    factor = next((words(one).factors[word] for word in spoken for one in LANGUAGES if word in words(one).factors), None)
    slot = subject_of(text)
    if slot == "model":
        return _other_size(factor, request)
    name, value = _amount(slot, request)
    if factor is None or slot is None or value is None:
        return None
    return _with(slot, name, value * factor, request)


def recounted(text: str, request: Mapping[str, Any]) -> Json | None:
    """How many of the cards they named before ("und wenn ich 2 habe?", "with four of them"); None for any other text."""
    spoken = plain(text).split()
    numbers = [found for word in spoken if (found := _number(word)) is not None]
    cards = request.get("hardware")
    if not cards or len(numbers) != 1 or not any(word in words(one).counted for word in spoken for one in LANGUAGES):
        return None
    return {"hardware": [{**cards[0], "count": numbers[0]}, *cards[1:]]}


def _number(word: str) -> int | None:
    """A small number in digits or letters."""
    if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= _MOST_CARDS:
        return int(word)
    return next((words(one).numbers[word] for one in LANGUAGES if word in words(one).numbers), None)


def subject_of(text: str) -> Slot | None:
    """The input a text is about, by its everyday words: hours, data, budget, length, model, card, users."""
    spoken = set(plain(text).split())
    return next((slot for one in LANGUAGES for word, slot in words(one).subjects.items() if word in spoken), None)


def _amount(slot: Slot | None, request: Mapping[str, Any]) -> tuple[str, float | None]:
    """The number a slot is about, by its name in the request."""
    if slot is None or slot not in _NUMBERS:
        return "", None
    if slot == "budget":
        return "amount", request["budget"][0]["amount"] if request.get("budget") else None
    part = request.get(slot, {})
    name = next((one for one in _NUMBERS[slot] if one in part), "")
    return name, part.get(name)


def _with(slot: Slot, name: str, value: float, request: Mapping[str, Any]) -> Json:
    if slot == "budget":
        first, *rest = request["budget"]
        return {"budget": [{**first, "amount": value}, *rest]}
    return {slot: {name: max(1, round(value)) if name in _WHOLE else value}}


def _other_size(factor: float | None, request: Mapping[str, Any]) -> Json | None:
    """The next smaller or larger size, where they had one."""
    size = next((one.get("params_b") for one in request.get("models", ()) if one.get("params_b")), None)
    if factor is None or size is None:
        return None
    others = [one for one in _SIZES if (one < size * 0.9 if factor < 1 else one > size * 1.1)]
    if not others:
        return None
    return {"models": [{"params_b": others[-1] if factor < 1 else others[0]}]}
