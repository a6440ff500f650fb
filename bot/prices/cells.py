"""Single cells of a price list: text enters, numbers, days, words and yes or no leave; what cannot be read holds the line back."""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import NoReturn, TypeAlias, cast

from engine.request import Currency
from engine.units import CURRENCIES

Cells: TypeAlias = Mapping[str, str]
_YES = frozenset(("y", "yes", "true", "1", "ja"))
_NO = frozenset(("n", "no", "false", "0", "nein"))
_SIGNS = {"€": "EUR", "EURO": "EUR", "$": "USD", "US$": "USD", "£": "GBP"}
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d{1,2})?")
_ENGLISH = re.compile(r"-?\d{1,3}(?:,\d{3})+\.\d+")
_GERMAN = re.compile(r"-?\d{1,3}(?:\.\d{3})*,\d+")
_ONE_GROUP = re.compile(r"-?\d{1,3}[.,]\d{3}")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?")
_LARGEST = 1e12  # nothing sold costs more, and what is larger overflows sooner or later
_MOST_CARDS = 1_000_000  # as in a Request
_YEARS = range(2000, 2100)  # cards have been computing since; a date far ahead is a mistake and would never grow old


class Held(Exception):  # it holds a line back and is no failure of the program
    """A line that becomes no price; `reason` names the words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def hold(reason: str) -> NoReturn:
    """Errors: always Held."""
    raise Held(reason)


def number(cells: Cells, field: str) -> float | None:
    """A number with a dot or a comma, with or without a currency sign; None for an empty cell.

    Errors: Held: unreadable, unclear, or larger than anything that is sold.
    """
    text = re.sub(r"[€$£\s\u00a0]|EUR|USD|GBP|CHF", "", cells.get(field, ""))
    if not text:
        return None
    found = float(_with_point(text))
    return found if abs(found) <= _LARGEST else hold("not_a_number")


def _with_point(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    if _ENGLISH.fullmatch(text):
        return text.replace(",", "")
    if _GERMAN.fullmatch(text) and not _ONE_GROUP.fullmatch(text):  # "1,234" could be either
        return text.replace(".", "").replace(",", ".")
    hold("not_a_number")


def not_below_zero(cells: Cells, field: str) -> float | None:
    """A number that may be 0, such as a fee; None for an empty cell. Errors: Held."""
    found = number(cells, field)
    return hold("price_not_positive") if found is not None and found < 0 else found


def count(cells: Cells) -> int:
    """How many cards; 1 where nothing is said. Errors: Held."""
    found = number(cells, "count")
    if found is None:
        return 1
    if not 1 <= found <= _MOST_CARDS or found != int(found):
        hold("count_unusable")
    return int(found)


def day(cells: Cells, default: date | None) -> date:
    """The day a price held, as YYYY-MM-DD with or without a time. Errors: Held: none given, not a day, or of another age."""
    text = cells.get("date", "")
    found = _day_of(text) if text else default or hold("date_missing")
    return found if found.year in _YEARS else hold("date_unreadable")


def _day_of(text: str) -> date:
    match = _DAY.fullmatch(text)
    try:
        return date.fromisoformat(match[1] if match else text)
    except ValueError:
        hold("date_unreadable")


def flag(cells: Cells, field: str) -> bool | None:
    """Yes or no; None where it says neither."""
    text = cells.get(field, "").lower()
    return True if text in _YES else False if text in _NO else None


def word(cells: Cells, field: str, allowed: Collection[str], default: str) -> str:
    """One of the allowed words, the default for an empty cell. Errors: Held."""
    text = cells.get(field, "").lower().replace("_", "-").replace("ondemand", "on-demand")
    if text and text not in allowed:
        hold("word_unknown")
    return text or default


def currency(cells: Cells, default: Currency | None) -> Currency:
    """The currency of a line, by code or sign. Errors: Held: none given or none of ours."""
    text = cells.get("currency", "").upper()
    code = _SIGNS.get(text, text) or default
    if code is None:
        hold("currency_missing")
    if code not in CURRENCIES:
        hold("currency_unknown")
    return cast(Currency, code)
