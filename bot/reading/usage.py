"""Hours: enters as a page, leaves as readings of hours a month or of hours once, and of the horizon.

Months have 730 h, weeks 730/168 of a month; a "day" of less than 24 h happens 30 times a month, a working day five times a week.
Hours of which nobody says how often are asked back.
"""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, rounded, scale_of, whole
from bot.reading.labels import label
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option
from engine.request import HOURS_PER_MONTH, Language

_HOURS = {
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "workday": 8.0,
    "week": 168.0,
    "month": float(HOURS_PER_MONTH),
    "year": 12.0 * HOURS_PER_MONTH,
}
_WEEKS = HOURS_PER_MONTH / 168
_TIMES = {"hour": float(HOURS_PER_MONTH), "day": 30.0, "workday": 5 * _WEEKS, "week": _WEEKS, "month": 1.0, "year": 1 / 12}
_LENGTH = r"(?P<about>{about|most|least})?(?P<a>{n|count|one|half})(?:(?:{to|or})(?P<b>{n}))?(?P<unit>{time})"
_PER = r"(?:(?:{per}|{once})?(?:{per})(?P<per>{time})|(?P<rate>{rate}))"
_EACH = r"(?:{comma|each|per|times|equals|open|about|after|to|and}){0,3}"


def _length(found: Found) -> tuple[float, float]:
    """How long something takes [h], low and high."""
    hours = _HOURS[found.value("unit", "time")]
    low = plain_number(found, "a") or 0.0
    high = plain_number(found, "b") or low
    return low * hours, high * hours


def _often(found: Found) -> tuple[float, str]:
    """How many times a month the period comes round, and the period."""
    period = found.value("per", "time") if found.has("per") else found.value("rate", "rate")
    return _TIMES.get(period, 0.0), period


def _activity(page: Page, first: int, last: int) -> dict[str, str]:
    """Training or serving, where the nearest words say so."""
    for at in (*range(first, last), *range(first - 1, max(-1, first - 6), -1), *range(last, min(len(page.lexemes), last + 3))):
        kinds = page.lexemes[at].kinds
        if kinds.get("method") == "serve" or "users" in kinds or "serving_word" in kinds:
            return {"activity": "serving"}
        if kinds.keys() & {"run", "train", "adapt", "method"}:
            return {"activity": "training"}
    return {}


def _answer(page: Page, found: Found, key: str, low: float, high: float) -> Reading | None:
    """A reading of hours; more than a month has is asked back as a run that happens once."""
    activity = _activity(page, *found.span)
    if _negative(page, found):
        return page.reading(*found.span, "usage", ask_back=(Option(label(page.lang, "month", hours=low), {"hours_per_month": whole(low)}),))
    if key == "hours_per_month" and high > HOURS_PER_MONTH * 1.02:
        return page.reading(*found.span, "usage", ask_back=(Option(label(page.lang, "whole_month"), {"hours_per_month": HOURS_PER_MONTH}),))
    cap = HOURS_PER_MONTH if key == "hours_per_month" else 1e7
    values = [{key: whole(min(rounded(side), cap)), **activity} for side in (low, high)]
    if low == high:
        return page.reading(*found.span, "usage", values[0])
    return page.reading(*found.span, "usage", range=(values[0], values[1]))


def _negative(page: Page, found: Found) -> bool:
    """Whether a minus stands before the number: "-12 h"."""
    first = found.span[0]
    if not first or "minus" not in page.lexemes[first - 1].kinds:
        return False
    return not page.lexemes[first].gap and (first < 2 or bool(page.lexemes[first - 1].gap))


def _per_period(page: Page) -> Iterator[Reading | None]:
    """12 h/Monat, 30 min a day, daily 3 hours; also with how many days a week."""
    days = r"(?:{comma}?(?:{at|on|per|and})?(?P<days>{n|count}){time}{per}(?P<week>{time}))?"
    for rule in (_LENGTH + r"(?:{train|adapt|run|serving_word|method|goal}){0,2}" + _PER + days, _PER + r"{about}?" + _LENGTH):
        for found in page.find(rule, needs="time per|rate"):
            times, period = _often(found)
            low, high = _length(found)
            if _HOURS.get(period, 0) <= _HOURS[found.value("unit", "time")] or not high:
                continue
            if found.has("days"):
                times = (plain_number(found, "days") or 0) * _TIMES.get(found.value("week", "time"), 0.0)
            if period == "day" and high >= 24:
                times = HOURS_PER_MONTH / 24
            if period == "week" and found.value("unit", "time") in ("day", "workday") and not found.has("days"):
                yield page.reading(*found.span, "usage", ask_back=_steps(page.lang))  # five days a week of how many hours?
                continue
            yield _answer(page, found, "hours_per_month", low * times, high * times)


def _days_first(page: Page) -> Iterator[Reading | None]:
    """5 days a week, 8 hours (a day); 10 hours every night; 20 hours every weekend."""
    days = r"(?P<days>{n|count}){time}{per}(?P<week>{time}){comma|for|per}?" + _LENGTH + r"(?:{per}{time}|{each})?"
    for found in page.find(days, needs="time per"):
        if page.lexemes[found.span[0] + 1].kinds.get("time") != "day" or found.value("unit", "time") not in ("hour", "minute"):
            continue
        low, high = _length(found)
        times = (plain_number(found, "days") or 0) * _TIMES.get(found.value("week", "time"), 0.0)
        yield _answer(page, found, "hours_per_month", low * times, high * times)
    for rule in (_LENGTH + r"{comma|per|on}?(?P<off>{nights})", r"(?P<off>{nights}){comma|about}?" + _LENGTH):
        for found in page.find(rule, needs="time nights"):
            period = found.value("off", "nights")
            if period in _TIMES and found.value("unit", "time") in ("hour", "minute"):
                low, high = _length(found)
                yield _answer(page, found, "hours_per_month", low * _TIMES[period], high * _TIMES[period])


def _shared(page: Page) -> Iterator[Reading | None]:
    """Training 20 h, Betrieb 200 h im Monat: the period at the end holds for both."""
    second = _LENGTH.replace("?P<", "?P<z_")
    rule = (
        _LENGTH + r"(?P<between>(?:{!time|stop}){0,2}(?:{comma|and})(?:{!time|stop}){0,2})" + second + r"(?:{!time|stop|per}){0,2}" + _PER
    )
    for found in page.find(rule, needs="time per|rate comma|and"):
        times, _ = _often(found)
        if {found.value("unit", "time"), found.value("z_unit", "time")} - {"hour", "minute"}:
            continue
        for prefix, part in (("", "a"), ("z_", "z_a")):
            hours = (plain_number(found, part) or 0.0) * _HOURS[found.value(prefix + "unit", "time")] * times
            first = page.index[found.match.start(part)]
            last = page.index[found.match.end(prefix + "unit")]
            activity = _activity_after(page, last) or _activity(page, first, first)
            if hours <= HOURS_PER_MONTH:
                yield page.reading(first, last, "usage", {"hours_per_month": whole(rounded(hours)), **activity})


def _activity_after(page: Page, last: int) -> dict[str, str]:
    """The activity named right behind the hours: "300 hours inference"."""
    if last >= len(page.lexemes):
        return {}
    kinds = page.lexemes[last].kinds
    if kinds.get("method") == "serve" or "serving_word" in kinds:
        return {"activity": "serving"}
    return {"activity": "training"} if kinds.keys() & {"train", "adapt", "run"} else {}


def _runs(page: Page) -> Iterator[Reading | None]:
    """2 Läufe im Monat, je 4-6 h; twice a week for 3 hours; 4 runs of 5 h per month."""
    many = r"(?P<runs>{n|count|one}){.}??{run}"
    often = r"(?P<runs>(?:{often}|{n}{times}))"
    rules = (
        many + _PER + _EACH + _LENGTH,
        many + _EACH + _LENGTH + _EACH + _PER,
        often + _PER + _EACH + _LENGTH,
        r"(?P<runs>{one})" + _LENGTH + r"{run}" + _PER,
        _LENGTH + r"{times|comma}?" + often + _PER,
    )
    for rule in rules:
        for found in page.find(rule, needs="time per|rate run|often|times"):
            runs = plain_number(found, "runs") or 1.0
            times, _ = _often(found)
            low, high = _length(found)
            yield _answer(page, found, "hours_per_month", low * runs * times, high * runs * times)
    for found in page.find(many + _EACH + r"{each}?" + _LENGTH, needs="time run"):
        runs = plain_number(found, "runs") or 1.0
        low, high = _length(found)
        yield _answer(page, found, "hours_once", low * runs, high * runs)
    for found in page.find(r"{one}" + _LENGTH + r"{run}", needs="time run one"):
        yield _answer(page, found, "hours_once", *_length(found))


def _nonstop(page: Page) -> Iterator[Reading | None]:
    for rule in (_LENGTH + r"(?:{per|after})?{nonstop}", r"{nonstop}(?:{after|horizon|open|comma})?" + _LENGTH):
        for found in page.find(rule, needs="nonstop time"):
            low, high = _length(found)
            if low >= 12:
                yield _answer(page, found, "hours_once", low, high)
    for found in page.find(r"{nonstop}", needs="nonstop"):
        yield _answer(page, found, "hours_per_month", HOURS_PER_MONTH, HOURS_PER_MONTH)


def _shares(page: Page) -> Iterator[Reading | None]:
    for rule in (r"(?P<a>{n}){percent}{utilisation}", r"{utilisation}(?:{about|equals|per|to}){0,2}(?P<a>{n}){percent}"):
        for found in page.find(rule, needs="percent utilisation"):
            share = found.numbers("a", "measure")[0] / 100
            if share <= 1:
                yield _answer(page, found, "hours_per_month", share * HOURS_PER_MONTH, share * HOURS_PER_MONTH)
    for found in page.find(r"(?P<s>{share})", needs="share"):
        part = float(found.value("s", "share")) * HOURS_PER_MONTH
        yield _answer(page, found, "hours_per_month", part, part)


def _gpu_hours(page: Page) -> Iterator[Reading | None]:
    for rule in (r"(?P<a>{n})(?P<scale>{scale})?{gpu_hours}", r"(?P<a>{n})(?P<scale>{scale})?{gpu|gpu_ask}{time}"):
        for found in page.find(rule, needs="gpu_hours|gpu|gpu_ask"):
            hours = found.numbers("a", "whole")[0] * scale_of(found.part("scale"))
            yield _answer(page, found, "hours_once", hours, hours)
    if page.slot != "usage":
        return
    for found in page.find(_LENGTH + r"(?={.}{0,2}?(?P<cards>{n|count}){times}?{gpu|gpu_ask|card})", needs="time gpu|gpu_ask|card"):
        low, high = _length(found)
        cards = plain_number(found, "cards") or 1.0
        yield _answer(page, found, "hours_once", low * cards, high * cards)


def _compound(page: Page) -> Iterator[Reading | None]:
    """2d7h51m, 1 h 30 min."""
    for found in page.find(r"(?:{n}{time}){1,3}{n}(?:{time|mega})", needs="time"):
        first, last = found.span
        hours = 0.0
        for number, unit in zip(page.lexemes[first:last:2], page.lexemes[first + 1 : last : 2], strict=False):
            hours += float(number.get("n").replace(",", ".")) * _HOURS[unit.kinds.get("time", "minute")]
        if page.lexemes[first + 1].kinds.get("time") in ("day", "week"):
            yield _answer(page, found, "hours_once", hours, hours)
        elif page.lexemes[first + 1].kinds.get("time") == "hour":
            yield page.reading(first, last, "usage", ask_back=per_what(page.lang, hours))
    for found in page.find(r"(?P<h>{n}){time}(?P<m>{n})(?!{.})", needs="time"):
        if not page.lexemes[found.span[0] + 2].gap and found.numbers("m", "whole")[0] < 60:
            hours = found.numbers("h", "measure")[0] + found.numbers("m", "whole")[0] / 60
            yield page.reading(*found.span, "usage", ask_back=per_what(page.lang, hours))


def _once(page: Page) -> Iterator[Reading | None]:
    for rule in (r"{once|often}(?:{per|about|after|equals}){0,2}" + _LENGTH + r"(?!{per}|{rate})", _LENGTH + r"{.}??(?:{once}|{total})"):
        for found in page.find(rule, needs="time once|often|total"):
            low, high = _length(found)
            yield _answer(page, found, "hours_once", low, high)


def _horizon(page: Page) -> Iterator[Reading | None]:
    number = r"(?P<a>{n|count|one})(?P<unit>{time})"
    for rule in (r"{horizon}(?:{about|equals|per|horizon}){0,2}" + number, number + r"{horizon}"):
        for found in page.find(rule, needs="time horizon"):
            months = (plain_number(found, "a") or 0) * {"year": 12, "month": 1}.get(found.value("unit", "time"), 0)
            if 1 <= months <= 240 and float(months).is_integer() and not page.near(*found.span, "run", 3, 2):
                yield page.reading(*found.span, "usage", {"horizon_months": int(months)})


def _asked_lengths(page: Page) -> Iterator[Reading | None]:
    """Hours of which nobody says how often: once, or per what?"""
    for found in page.find(_LENGTH + r"(?:{or|equals|comma|open}{n}{time})?", needs="time"):
        low, high = _length(found)
        unit = found.value("unit", "time")
        if high == 0 and unit == "hour":
            yield page.reading(*found.span, "usage", {"hours_per_month": 0})
        elif unit == "year" and (page.slot == "usage" or page.offers):
            yield page.reading(*found.span, "usage", {"horizon_months": int(min(high / HOURS_PER_MONTH, 240))})
        elif unit in ("minute", "hour", "day", "workday", "week") and not (unit != "hour" and found.part("a")[0].text in ("a", "an")):
            first, last = found.span
            story = page.slot != "usage" and page.near(first, last, "after", 2)
            yield page.reading(first, last, "usage", ask_back=per_what(page.lang, (low + high) / 2), aside=story)


def per_what(lang: Language, hours: float) -> tuple[Option, ...]:
    """The ways to take a bare number of hours: once, or a month, a week, a day."""
    said = whole(rounded(hours))
    choices = [Option(label(lang, "once", hours=said), {"hours_once": said})]
    for period in ("month", "week", "day"):
        a_month = rounded(hours * _TIMES[period])
        if a_month <= HOURS_PER_MONTH:
            choices.append(Option(label(lang, period, hours=said), {"hours_per_month": whole(a_month)}))
    return tuple(choices)


_OFTEN = (4, 20, 80, 300)  # h a month: a run now and then, weekly, most nights, all nights


def _vague(page: Page) -> Iterator[Reading | None]:
    for found in page.find(
        r"(?:{n|count|one}{.}??{run}|{often}|{n}{to}?{n}?{times}|{few}{time})" + _PER, needs="per|rate run|often|times|few"
    ):
        yield page.reading(*found.span, "usage", ask_back=_steps(page.lang))
    if page.slot == "usage":
        for found in page.find(r"{never}", needs="never"):
            yield page.reading(*found.span, "usage", {"hours_per_month": 0})
        for found in page.find(r"{rate}", needs="rate"):
            yield page.reading(*found.span, "usage", ask_back=_steps(page.lang))
    for found in page.find(r"(?:{nights}{and}?){1,3}", needs="nights"):
        yield page.reading(*found.span, "usage", ask_back=_steps(page.lang))
    if page.slot == "usage":
        for found in page.find(r"{seldom}|{once}|{often}|{few}", needs="seldom|once|often|few"):
            once = not page.lexemes[found.span[0]].kinds.keys() & {"seldom", "few"}
            yield page.reading(*found.span, "usage", ask_back=_steps(page.lang, "hours_once" if once else "hours_per_month"))
        for found in page.find(r"(?P<a>{n})", needs="n") if not any(page.taken) else ():
            yield page.reading(*found.span, "usage", ask_back=per_what(page.lang, found.numbers("a", "measure")[0]))


def _steps(lang: Language, key: str = "hours_per_month") -> tuple[Option, ...]:
    name = "once" if key == "hours_once" else "month"
    return tuple(Option(label(lang, name, hours=hours), {key: hours}) for hours in _OFTEN)


def usage(page: Page) -> Iterator[Reading]:
    """Hours and horizon of a message, the most specific forms first."""
    for rule in (
        _runs,
        _days_first,
        _shared,
        _per_period,
        _nonstop,
        _shares,
        _gpu_hours,
        _compound,
        _horizon,
        _once,
        _asked_lengths,
        _vague,
    ):
        for reading in rule(page):
            if reading is not None:
                yield reading
