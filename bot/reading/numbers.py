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


def _large(written: str) -> float:
    """Every sign groups thousands."""
    return float("".join(sign for sign in written if sign.isdecimal()))


def _small(written: str) -> float:
    """The last sign separates the decimals."""
    before, _, after = re.sub(r"[.,']", " ", written).rpartition(" ")
    return float(f"{before.replace(' ', '') or 0}.{after}")


def meanings(written: str, lang: Language, sort: Sort) -> tuple[float, ...]:
    """The values a number can have; most likely first, a single one where nothing is to ask.

    money: amounts, where thousands and cents both occur. whole: what is counted, never a fraction. measure: sizes, hours, shares.
    """
    written = written.replace(" ", "")
    signs = [character for character in written if character in ".,'"]
    if not signs:
        return (float(written),)
    grouped = _GROUPED.match(written)
    if grouped and grouped.group(2) and grouped.group(2) != grouped.group(1):
        return (_small(written),)  # 1.234,56
    if grouped and grouped.group(2) and sort == "money":
        return (_small(written), _large(written))  # 1.500.50: cents behind the sign that grouped before
    if grouped and (len(signs) > 1 or signs[0] == "'"):
        return (_large(written),)  # 1,234,567   5'000
    native = signs[-1] == _DECIMAL[lang]
    small, large = _small(written), _large(written)
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
