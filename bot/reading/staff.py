"""Staff for the owned machine: enters as a page, leaves as readings of the hours it takes and what one of them costs.

"Admin 2 h im Monat à 60 €", "4 hours of admin a month at $60", "Admin 60 €/h, 4 h im Monat". Hours without a price are asked about:
they are nobody's hours of training.
"""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, whole
from bot.reading.budgets import OFFERED, SYMBOLS
from bot.reading.hours import HOURS, TIMES
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_RATES = (40, 60, 80)  # an hour of staff, to choose from where nobody says
_LINK = r"(?:{equals|about|per|open|comma|most|minus}){0,2}"
_OFTEN = r"(?:(?:{equals}|{per})?(?P<often>{per}{time}|{rate}))"
_HOURS = r"(?P<a>{n|count})(?P<unit>{time})"
_PRICE = r"(?P<cur>{money})?(?P<b>{n})(?P<post>{money})?(?:{per}{time}|{each})?"
_AT = r"(?:{equals|about|per|open|comma|most|price|each|wage|after}){0,3}" + _PRICE + r"{close}?"
_WITH_PRICE = (
    r"{admin}" + _LINK + _HOURS + _OFTEN + "?" + _AT,
    _HOURS + _OFTEN + r"?{minus}?{equals}?{admin}" + _OFTEN.replace("often", "late") + "?" + _AT,
    r"(?P<a>{n|count}){admin}" + _OFTEN + "?" + _AT,  # "4 Adminstunden im Monat zu 60 €"
    r"{admin}{wage}?" + _LINK + _PRICE + r"(?:{comma|and|after|equals}){0,2}" + _HOURS + _OFTEN + "?",
)
_WITHOUT = (
    r"{admin}" + _LINK + _HOURS + _OFTEN + "?",
    _HOURS + _OFTEN + r"?{minus}?{equals}?{admin}" + _OFTEN.replace("often", "late") + "?",
    r"(?P<a>{n|count}){admin}" + _OFTEN,
)


def staff(page: Page) -> Iterator[Reading]:
    """Hours of staff with their price; without one they are asked about."""
    for rule in _WITH_PRICE:
        for found in page.find(rule, needs="admin money"):
            currency = next((one.kinds["money"] for name in ("cur", "post") for one in found.part(name)), None)
            if currency is not None:
                rate = whole(found.numbers("b", "money")[0])
                yield page.reading(*found.span, "quotes", _value(found, rate, currency))
    for rule in _WITHOUT:
        for found in page.find(rule, needs="admin"):
            currency = OFFERED[page.lang][0]
            choices = tuple(Option(f"{rate} {SYMBOLS[currency]}/h", _value(found, rate, currency)) for rate in _RATES)
            yield page.reading(*found.span, "quotes", ask_back=choices)


def _value(found: Found, rate: float, currency: str) -> dict[str, dict[str, float | str]]:
    hours = (plain_number(found, "a") or 0.0) * _hours_a_month(found)
    return {"admin": {"hours_per_month": whole(round(hours, 2)), "rate": rate, "currency": currency}}


def _hours_a_month(found: Found) -> float:
    """Hours a month that one of the unit stands for: an hour a week is 4.35; somebody's day has eight."""
    unit = next((one.kinds["time"] for one in found.part("unit")), "hour")
    said = (*found.part("often"), *found.part("late"))
    often = next((one.kinds.get("time") or one.kinds["rate"] for one in said if one.kinds.keys() & {"time", "rate"}), "month")
    return HOURS["workday" if unit == "day" else unit] * TIMES.get(often, 1.0)
