"""Hours: enters as a page, leaves as readings of hours a month or once and of the horizon; what nobody can size is asked back."""

from collections.abc import Iterator

from bot.reading.hours import LENGTH, PER, length, per_what, proper, steps
from bot.reading.hours_once import once
from bot.reading.hours_regular import regular
from bot.reading.hours_several import told_apart
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.request import HOURS_PER_MONTH

_SHORT = 5  # lexemes of a message that says nothing else


def _asked_lengths(page: Page) -> Iterator[Reading | None]:
    """Hours of which nobody says how often: once, or per what?"""
    for found in page.find(LENGTH + r"(?:{or|equals|comma|open}{n}{time})?", needs="time"):
        low, high = length(found)
        unit = found.value("unit", "time")
        if high == 0 and unit == "hour":
            yield page.reading(*found.span, "usage", {"hours_per_month": 0})
        elif (unit == "year" and (page.slot == "usage" or page.offers or _ahead(page, found.span[0]))) or (
            unit == "month" and page.offers and high > HOURS_PER_MONTH
        ):
            yield page.reading(*found.span, "usage", {"horizon_months": int(min(high / HOURS_PER_MONTH, 240))})
        elif unit in ("minute", "hour", "day", "workday", "week", "month") and proper(found):
            first, last = found.span
            story = page.slot != "usage" and page.near(first, last, "after", 2)
            yield page.reading(first, last, "usage", ask_back=per_what(page.lang, (low + high) / 2), aside=story)


def _ahead(page: Page, first: int) -> bool:
    """Whether years are what is calculated over: "in 5 Jahren" alone, or beside money and hours."""
    beside = len(page.lexemes) <= _SHORT or bool(page.kinds & {"money", "buy", "rent", "rate", "per"})
    return beside and first > 0 and bool(page.lexemes[first - 1].kinds.keys() & {"on", "most"})


def _vague(page: Page) -> Iterator[Reading | None]:
    for found in page.find(
        r"(?:{n|count|one}{.}??{run}|{often}|{n}{to}?{n}?{times}|{few}{time})" + PER, needs="per|rate run|often|times|few"
    ):
        yield page.reading(*found.span, "usage", ask_back=steps(page.lang))
    if page.slot == "usage":
        for found in page.find(r"{never}", needs="never"):
            yield page.reading(*found.span, "usage", {"hours_per_month": 0})
        for found in page.find(r"{rate}", needs="rate"):
            yield page.reading(*found.span, "usage", ask_back=steps(page.lang))
    for found in page.find(r"(?:{nights}{and}?){1,3}", needs="nights"):
        yield page.reading(*found.span, "usage", ask_back=steps(page.lang))
    if page.slot == "usage":
        for found in page.find(r"{seldom}|{once}|{often}|{few}|{full_time}", needs="seldom|once|often|few|full_time"):
            single = not page.lexemes[found.span[0]].kinds.keys() & {"seldom", "few", "full_time"}
            yield page.reading(*found.span, "usage", ask_back=steps(page.lang, "hours_once" if single else "hours_per_month"))
        for found in page.find(r"(?P<a>{n})", needs="n") if not any(page.taken) else ():
            yield page.reading(*found.span, "usage", ask_back=per_what(page.lang, found.numbers("a", "measure")[0]))


def usage(page: Page) -> Iterator[Reading]:
    """Hours and horizon of a message, the most specific forms first."""
    rules = (regular, once, _asked_lengths, _vague)
    yield from told_apart(page, [reading for rule in rules for reading in rule(page) if reading is not None])
