"""Lengths of time as people write them: patterns, what they come to in hours, and the reading they make.

Months have 730 h, weeks 730/168 of a month; a "day" of less than 24 h happens 30 times a month, a working day five times a week.
"""

from bot.reading.amounts import plain_number, rounded, whole
from bot.reading.labels import label
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option
from engine.request import HOURS_PER_MONTH, Language

HOURS = {
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "workday": 8.0,
    "week": 168.0,
    "fortnight": 336.0,
    "month": float(HOURS_PER_MONTH),
    "quarter": 3.0 * HOURS_PER_MONTH,
    "year": 12.0 * HOURS_PER_MONTH,
}
WEEKS = HOURS_PER_MONTH / 168
TIMES = {  # how often a period comes round in a month
    "hour": float(HOURS_PER_MONTH),
    "day": 30.0,
    "workday": 5 * WEEKS,
    "week": WEEKS,
    "fortnight": WEEKS / 2,
    "month": 1.0,
    "quarter": 1 / 3,
    "year": 1 / 12,
}
LENGTH = r"(?P<about>{about|most|least})?(?P<a>{n|count|one|half|number_word})(?:(?:{to|or})(?P<b>{n}))?(?P<unit>{time})"
PER = r"(?:(?:{per}|{once})?(?:{per})(?P<per>{time})|(?P<rate>{rate}))"
EACH = r"(?:{comma|each|per|times|equals|open|about|after|to|and}){0,3}"
_STEPS = (4, 20, 80, 300)  # h a month: a run now and then, weekly, most nights, all nights


def length(found: Found) -> tuple[float, float]:
    """How long something takes [h], low and high."""
    hours = HOURS[found.value("unit", "time")]
    low = plain_number(found, "a") or 0.0
    high = plain_number(found, "b") or low
    return low * hours, high * hours


def proper(found: Found) -> bool:
    """Whether it is a length at all: "a month" behind other hours is a period, "an hour" is a length."""
    return found.value("unit", "time") in ("hour", "minute") or found.part("a")[0].text not in ("a", "an")


def frequency(found: Found) -> tuple[float, str]:
    """How many times a month the period comes round, and the period."""
    period = found.value("per", "time") if found.has("per") else found.value("rate", "rate")
    if period == "day" and found.page.near(*found.span, "weekdays_only", 0, 2):
        period = "workday"
    return TIMES.get(period, 0.0), period


def activity_of(page: Page, first: int, last: int) -> dict[str, str]:
    """Training or serving, where the nearest words say so."""
    for at in (*range(first, last), *range(first - 1, max(-1, first - 6), -1), *range(last, min(len(page.lexemes), last + 3))):
        kinds = page.lexemes[at].kinds
        if kinds.get("method") == "serve" or "users" in kinds or "serving_word" in kinds:
            return {"activity": "serving"}
        if kinds.keys() & {"run", "train", "adapt", "method"}:
            return {"activity": "training"}
    return {}


def answer(page: Page, found: Found, key: str, low: float, high: float) -> Reading | None:
    """A reading of hours; more than a month has, or a negative number, is asked back."""
    if _negative(page, found):
        return page.reading(*found.span, "usage", ask_back=(Option(label(page.lang, "month", hours=low), {"hours_per_month": whole(low)}),))
    return answer_at(page, found.span, key, low, high)


def answer_at(page: Page, place: tuple[int, int], key: str, low: float, high: float) -> Reading:
    """The reading of hours at a run of lexemes."""
    activity = activity_of(page, *place)
    if key == "hours_per_month" and high > HOURS_PER_MONTH * 1.02:
        return page.reading(*place, "usage", ask_back=(Option(label(page.lang, "whole_month"), {"hours_per_month": HOURS_PER_MONTH}),))
    cap = HOURS_PER_MONTH if key == "hours_per_month" else 1e7
    values = [{key: whole(min(rounded(side), cap)), **activity} for side in (low, high)]
    if low == high:
        return page.reading(*place, "usage", values[0])
    return page.reading(*place, "usage", range=(values[0], values[1]))


def _negative(page: Page, found: Found) -> bool:
    """Whether a minus stands before the number: "-12 h"."""
    first = found.span[0]
    if not first or "minus" not in page.lexemes[first - 1].kinds:
        return False
    return not page.lexemes[first].gap and (first < 2 or bool(page.lexemes[first - 1].gap))


def per_what(lang: Language, hours: float) -> tuple[Option, ...]:
    """The ways to take a bare number of hours: once, or a month, a week, a day."""
    said = whole(rounded(hours))
    choices = [Option(label(lang, "once", hours=said), {"hours_once": said})]
    for period in ("month", "week", "day"):
        a_month = rounded(hours * TIMES[period])
        if a_month <= HOURS_PER_MONTH:
            choices.append(Option(label(lang, period, hours=said), {"hours_per_month": whole(a_month)}))
    return tuple(choices)


def steps(lang: Language, key: str = "hours_per_month") -> tuple[Option, ...]:
    """Hours to choose from where nobody says how many."""
    name = "once" if key == "hours_once" else "month"
    return tuple(Option(label(lang, name, hours=hours), {key: hours}) for hours in _STEPS)
