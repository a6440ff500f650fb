"""Several numbers of hours a month: enter as the readings of a message, leave as they were where one is meant, else as a question.

"12 h im Monat … 4 h im Monat": neither replaces the other silently. Where words between say that the later one corrects the earlier
or sums it up ("nein, 20 h im Monat", "so about 12 h a month"), the later one counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from bot.reading.amounts import rounded, whole
from bot.reading.labels import label
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.recommendation import Option
from engine.request import HOURS_PER_MONTH

_CLOSE = 0.1  # "5 h a week, that is 20 h a month" is one statement
_LATER = ("correction", "about", "equals", "alternative")


def told_apart(page: Page, readings: Sequence[Reading]) -> Iterator[Reading]:
    """The readings; hours of the same activity that contradict each other are asked about."""
    told: dict[bool, list[Reading]] = {False: [], True: []}
    for one in sorted(readings, key=lambda one: one.span):
        if _hours(one):
            told[_of_serving(one)].append(one)
    contradicting = {serving for serving, group in told.items() if _contradict(page, group)}
    for reading in readings:
        asked = _hours(reading) and _of_serving(reading) in contradicting
        yield _asked(page, reading, told[_of_serving(reading)]) if asked else reading


def _hours(reading: Reading) -> float | None:
    """The hours a month of a sure reading."""
    if reading.aside or reading.ask_back is not None or not isinstance(reading.value, dict):
        return None
    hours: float | None = reading.value.get("hours_per_month")
    return hours


def _of_serving(reading: Reading) -> bool:
    """Whether they are hours of use; all others are hours of training."""
    return bool(reading.value.get("activity") == "serving")


def _contradict(page: Page, readings: Sequence[Reading]) -> bool:
    """Whether they differ, and nothing between two neighbours says that the later one counts."""
    hours = [_hours(one) or 0.0 for one in readings]
    if len(readings) < 2 or max(hours) - min(hours) <= _CLOSE * max(hours):
        return False
    return not any(_joined(page, first, second) for first, second in pairwise(readings))


def _joined(page: Page, first: Reading, second: Reading) -> bool:
    start, end = page.lexeme_at(first.span[1]), page.lexeme_at(second.span[0])
    said = page.lexemes[start : end + 1]
    return end <= start or any(one.kinds.keys() & set(_LATER) for one in said)


def _asked(page: Page, reading: Reading, readings: Sequence[Reading]) -> Reading:
    """Which of the hours, or all together?"""
    activity = {key: value for key, value in reading.value.items() if key == "activity"}
    single = list(dict.fromkeys(_hours(one) or 0.0 for one in readings))
    total = whole(rounded(sum(single)))
    choices = [*single, *([total] if total <= HOURS_PER_MONTH else [])]
    options = tuple(Option(label(page.lang, "month", hours=hours), {"hours_per_month": hours, **activity}) for hours in choices)
    return replace(reading, value=None, ask_back=options)
