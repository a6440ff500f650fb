"""Hours of one run: enters as a page, leaves as readings of hours once, around the clock, and of the horizon."""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, scale_of
from bot.reading.hours import HOURS, LENGTH, activity_of, answer, answer_at, length, per_what, proper
from bot.reading.numbers import meanings
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.request import HOURS_PER_MONTH

_YEAR = 12 * HOURS_PER_MONTH


def _nonstop(page: Page) -> Iterator[Reading | None]:
    for rule in (LENGTH + r"(?:{per|after})?{nonstop}", r"{nonstop}(?:{after|horizon|open|comma})?" + LENGTH):
        for found in page.find(rule, needs="nonstop time"):
            low, high = length(found)
            if low == high >= _YEAR:
                yield _for_years(page, found, round(high / HOURS_PER_MONTH))
            elif low >= 12:
                yield answer(page, found, "hours_once", low, high)
    for found in page.find(r"{nonstop}", needs="nonstop"):
        yield answer(page, found, "hours_per_month", HOURS_PER_MONTH, HOURS_PER_MONTH)


def _for_years(page: Page, found: Found, months: int) -> Reading:
    """Around the clock for a year or more is use over a horizon ("24/7, 3 years"), no single run."""
    value = {"hours_per_month": HOURS_PER_MONTH, **activity_of(page, *found.span), "horizon_months": min(months, 240)}
    return page.reading(*found.span, "usage", value)


def _gpu_hours(page: Page) -> Iterator[Reading | None]:
    for rule in (r"(?P<a>{n})(?P<scale>{scale})?{gpu_hours}", r"(?P<a>{n})(?P<scale>{scale})?{gpu|gpu_ask}{time}"):
        for found in page.find(rule, needs="gpu_hours|gpu|gpu_ask"):
            hours = found.numbers("a", "whole")[0] * scale_of(found.part("scale"))
            yield answer(page, found, "hours_once", hours, hours)
    if page.slot != "usage":
        return
    for found in page.find(LENGTH + r"(?={.}{0,2}?(?P<cards>{n|count}){times}?{gpu|gpu_ask|card})", needs="time gpu|gpu_ask|card"):
        low, high = length(found)
        cards = plain_number(found, "cards") or 1.0
        yield answer(page, found, "hours_once", low * cards, high * cards)


def _compound(page: Page) -> Iterator[Reading | None]:
    """2d7h51m, 1 h 30 min."""
    for found in page.find(r"(?:{n}{time}){1,3}{n}(?:{time|mega})", needs="time"):
        first, last = found.span
        hours = 0.0
        for number, unit in zip(page.lexemes[first:last:2], page.lexemes[first + 1 : last : 2], strict=False):
            hours += meanings(number.get("n"), page.lang, "measure")[0] * HOURS[unit.kinds.get("time", "minute")]
        if page.lexemes[first + 1].kinds.get("time") in ("day", "week"):
            yield answer(page, found, "hours_once", hours, hours)
        elif page.lexemes[first + 1].kinds.get("time") == "hour":
            yield page.reading(first, last, "usage", ask_back=per_what(page.lang, hours))
    for found in page.find(r"(?P<h>{n}){time}(?P<m>{n})(?!{.})", needs="time"):
        if not page.lexemes[found.span[0] + 2].gap and found.numbers("m", "whole")[0] < 60:
            hours = found.numbers("h", "measure")[0] + found.numbers("m", "whole")[0] / 60
            yield page.reading(*found.span, "usage", ask_back=per_what(page.lang, hours))


def _horizon(page: Page) -> Iterator[Reading | None]:
    number = r"(?P<a>{n|count|one})(?P<unit>{time})"
    for rule in (r"{horizon}(?:{about|equals|per|horizon}){0,2}" + number, number + r"{horizon}"):
        for found in page.find(rule, needs="time horizon"):
            months = (plain_number(found, "a") or 0) * {"year": 12, "month": 1}.get(found.value("unit", "time"), 0)
            if 1 <= months <= 240 and float(months).is_integer() and not page.near(*found.span, "run", 3, 2):
                yield page.reading(*found.span, "usage", {"horizon_months": int(months)})


def _once(page: Page) -> Iterator[Reading | None]:
    for rule in (LENGTH + r"{rent}", LENGTH + r"{on}?{one}{0,1}{rented}", r"{rent}(?:{!stop}){0,4}?{after|horizon}" + LENGTH):
        for found in page.find(rule, needs="time rent|rented"):
            if found.value("unit", "time") in ("hour", "day", "week"):
                low, high = length(found)
                first = page.index[found.match.start("a")]
                yield answer_at(page, (first, page.index[found.match.end("unit")]), "hours_once", low, high)
    for rule in (r"{once|often}(?:{per|about|after|equals}){0,2}" + LENGTH + r"(?!{per}|{rate})", LENGTH + r"{.}??(?:{once}|{total})"):
        for found in page.find(rule, needs="time once|often|total"):
            if proper(found):
                yield answer(page, found, "hours_once", *length(found))


def once(page: Page) -> Iterator[Reading | None]:
    """Around the clock, GPU hours, 2d7h51m, the horizon, a single run."""
    for rule in (_nonstop, _gpu_hours, _compound, _horizon, _once):
        yield from rule(page)
