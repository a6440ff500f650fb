"""What a written number can mean: enters as a token and a language, leaves as one value, or as two where the sign is ambiguous.

German separates decimals by a comma and groups by points, English the other way round; apostrophes group in both. A sign used
as the other language would use it is ambiguous ("5.000" in English, "1.5" in German), unless the unit decides it.
"""

import re
from typing import Literal

from engine.request import Language

Sort = Literal["money", "whole", "measure"]
_GROUPED = re.compile(r"\d{1,3}([.,'])\d{3}(?:\1\d{3})*(?:([.,])\d{1,2})?$")
_DECIMAL = {"de": ",", "en": "."}


def _float(written: str, decimal: str | None) -> float:
    for sign in ".,'":
        if sign != decimal:
            written = written.replace(sign, "")
    return float(written.replace(",", "."))


def meanings(written: str, lang: Language, sort: Sort) -> tuple[float, ...]:
    """The values a number can have; most likely first, a single one where nothing is to ask.

    money: amounts, where thousands and cents both occur. whole: what is counted, never a fraction. measure: sizes, hours, shares.
    """
    written = written.replace(" ", "")
    signs = [character for character in written if character in ".,'"]
    if not signs:
        return (float(written),)
    grouped = _GROUPED.match(written)
    if grouped and (grouped.group(2) or len(signs) > 1 or signs[0] == "'"):
        return (_float(written, grouped.group(2)),)  # 1.234,56   1,234,567   5'000: only one way
    native = signs[-1] == _DECIMAL[lang]
    small, large = _float(written, signs[-1]), _float(written, None)
    if grouped and not written.startswith("0"):
        return _three_digits(small, large, native, sort)
    if sort == "money" and not native:
        return (small, large)
    return (small,)


def _three_digits(small: float, large: float, native: bool, sort: Sort) -> tuple[float, ...]:
    """One sign with three digits behind it: thousands, unless the language says decimals and the unit can have them."""
    if sort == "whole" or not native:
        return (large,)
    return (small, large) if sort == "money" else (small,)
