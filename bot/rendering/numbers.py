"""Numbers for people: quantities enter, text in the language's form leaves ("22,1 GB", "8.500 h", "25.09.2026").

Precision follows what the number is worth: memory one decimal, computed hours two digits. A number and its unit are joined by a
no-break space; `bot.rendering.medium` turns it into a plain one for the terminal. Money is in `bot.rendering.money`.
"""

import datetime
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.numbers import format_compact_decimal, format_decimal

from engine.request import HOURS_PER_MONTH
from engine.units import magnitude

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
_WEEKS_PER_MONTH = HOURS_PER_MONTH / (7 * 24)


@cache
def locale_of(language: str) -> Locale:
    """Babel's locale of a language we speak."""
    return Locale(language)


def number(value: float, language: str, decimals: int = 0) -> str:
    """A number with at most so many decimals; no group separator is lost, a minus is a minus sign."""
    pattern = "#,##0" + ("." + "#" * decimals if decimals else "")
    return format_decimal(value, format=pattern, locale=locale_of(language)).replace("-", MINUS)


def fixed(value: float, language: str, decimals: int) -> str:
    """A number with exactly so many decimals."""
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return format_decimal(value, format=pattern, locale=locale_of(language)).replace("-", MINUS)


def rounded(value: float, digits: int = 3) -> float:
    """A computed number cut to the digits it is worth: 4,283 with two digits is 4,300."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def plain(value: Any, unit: str) -> float:
    """The number of a quantity in a unit; plain numbers are taken to be in that unit already."""
    return magnitude(value, unit) if is_quantity(value) else float(value)


def is_quantity(value: Any) -> bool:
    """Whether a value carries its unit."""
    return hasattr(value, "m_as")


def bare_size(value: Any, language: str) -> str:
    """Gigabytes without the unit: one decimal below 100, none above."""
    amount = plain(value, "GB")
    return fixed(rounded(amount) if abs(amount) >= 1000 else amount, language, 1 if abs(amount) < 99.95 else 0)


def size(value: Any, language: str) -> str:
    """A memory size in GB (10^9 bytes), from 10,000 GB in TB."""
    amount = plain(value, "GB")
    if abs(amount) >= 10_000:
        return f"{number(rounded(amount / 1000), language, 1)}{NBSP}TB"
    return f"{bare_size(amount, language)}{NBSP}GB"


def span(low: Any, language: str, high: Any) -> str:
    """A range of gigabytes without unit, rounded outwards so that the expected value lies in it: "20–24"."""
    first, last = plain(low, "GB"), plain(high, "GB")
    if first < 10:
        return f"{fixed(math.floor(first * 10) / 10, language, 1)}–{fixed(math.ceil(last * 10) / 10, language, 1)}"
    return f"{number(math.floor(first), language)}–{number(math.ceil(last), language)}"


def card(name: str, _language: str) -> str:
    """A card as people call it, without maker, series and what stands in brackets."""
    name = name.partition(" (")[0]
    for prefix in ("NVIDIA ", "AMD ", "Intel ", "Apple ", "GeForce "):
        name = name.removeprefix(prefix)
    return name


def hours(value: Any, language: str, digits: int | None = None) -> str:
    """Hours: whole from 10 on, one decimal below, minutes below a tenth; with `digits` cut to what the number is worth."""
    amount_ = plain(value, "h")
    if 0 < amount_ < 0.1:
        return f"{number(max(1, amount_ * 60), language)}{NBSP}min"
    shown = rounded(amount_, digits) if digits else amount_
    return f"{number(shown, language, 0 if shown >= 10 else 1)}{NBSP}h"


def monthly(value: Any, language: str) -> str:
    """Hours a month without their unit, cut to two digits."""
    return bare_hours(plain(value, "h/month"), language, 2)


def weekly(value: Any, language: str) -> str:
    """Hours a month as hours a week, without unit: whole from 10 on."""
    amount_ = plain(value, "h/month") / _WEEKS_PER_MONTH
    return number(amount_, language, 0 if amount_ >= 9.95 else 1)


def bare_hours(value: Any, language: str, digits: int | None = None) -> str:
    """Hours without their unit."""
    amount_ = plain(value, "h")
    shown = rounded(amount_, digits) if digits else amount_
    return number(shown, language, 0 if shown >= 10 else 1)


def tokens(value: Any, language: str) -> str:
    """A count of tokens, without the word."""
    return number(plain(value, "token"), language)


def speed(value: float, language: str) -> str:
    """Tokens a second: two digits, as far as such an estimate goes."""
    return number(rounded(value, 2), language, 1)


def tokens_floor(value: Any, language: str) -> str:
    """A limit in tokens, cut down to two digits so that it still holds; a power of two such as 8,192 stays."""
    count = plain(value, "token")
    if count % 1024 == 0:
        return number(count, language)
    step = 10 ** max(0, math.floor(math.log10(max(count, 1))) - 1)
    return number(math.floor(count / step) * step, language)


def plain_number(value: str, language: str) -> str:
    """A number as the engine names it (10700, 1 000, 0.14T), in the language's form; anything else as it was written."""
    if re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?|[0-9]{1,3}(\s[0-9]{3}){1,5}", value):
        return number(float("".join(value.split())), language, 2)
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?T", value):
        return long_number(float(value[:-1]) * 1e12, language)
    return value


def long_number(value: Any, language: str) -> str:
    """A large count in words people read: "20 million", "15 trillion" (German: Billionen)."""
    count = plain(value, "token")
    if abs(count) < 1e6:
        return number(rounded(count), language)
    text = format_compact_decimal(rounded(count), format_type="long", locale=locale_of(language), fraction_digits=1)
    return text.replace(" ", NBSP)


def seconds(value: Any, language: str) -> str:
    """Seconds without unit: two decimals below ten."""
    amount_ = plain(value, "s")
    return number(amount_, language, 2 if amount_ < 10 else 0)


def watts(value: Any, language: str) -> str:
    """Watts without unit."""
    return number(plain(value, "W"), language)


def kilowatt_hours(value: Any, language: str) -> str:
    """Energy with its unit."""
    return f"{number(rounded(plain(value, 'kW*h'), 2), language, 1)}{NBSP}kWh"


def percent(value: float, language: str) -> str:
    """A share as percentage, "30 %" in German, "30%" in English."""
    gap = NBSP if language == "de" else ""
    return f"{number(value * 100, language, 0 if abs(value) >= 0.1 else 1)}{gap}%"


def day(value: datetime.date, language: str) -> str:
    """A date: 25.09.2026, 25 Sep 2026."""
    return format_date(value, "dd.MM.yyyy" if language == "de" else "d MMM yyyy", locale=locale_of(language))


def month(value: datetime.date, language: str) -> str:
    """A month: Januar 2028, January 2028."""
    return format_date(value, "LLLL yyyy", locale=locale_of(language))


def moment(value: datetime.datetime, language: str) -> str:
    """A date with its time: 30.11.2026 18:03."""
    shape = "dd.MM.yyyy HH:mm" if language == "de" else "d MMM yyyy HH:mm"
    return format_datetime(value, shape, locale=locale_of(language))


def formula(text: str, _language: str, names: Mapping[str, str]) -> str:
    """A formula with its quantities replaced, by words or by numbers; what has no replacement keeps its name."""
    bare = text[1:-1] if text.startswith("(") and text.endswith(")") and text.count("(") == 1 else text
    shown = re.sub(r"[a-z_]+", lambda found: str(names.get(found[0], found[0].replace("_", " "))), bare)
    return shown.replace("*", "×")


def any_input(value: Any, language: str) -> str:
    """An input of a formula: numbers in the language's form, everything else as it is."""
    if is_quantity(value):
        return f"{number(rounded(float(value.magnitude), 4), language, 3)}{NBSP}{value.units:~}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value, language) if abs(value) >= 1000 else number(rounded(value, 4), language, 4)
    return str(value)


def config_size(config: Mapping[str, Any], language: str) -> str:
    """The parameters a model's config.json describes. Errors: Refusal: it describes no model."""
    from engine.memory import architecture_from_config

    return billions(architecture_from_config(config).parameters, language)


def billions(value: float, language: str) -> str:
    """Parameters as people write them: 8B, 0.5B, 1.5B, 350M."""
    in_billions = value / 1e9
    if in_billions < 0.1:
        return f"{number(rounded(value / 1e6, 2), language)}M"
    return f"{number(rounded(in_billions), language, 2 if in_billions < 1 else 1 if in_billions < 100 else 0)}B"
