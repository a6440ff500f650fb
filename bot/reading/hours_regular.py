"""Hours that come round: enters as a page, leaves as readings of hours a month."""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, rounded, scale_of, whole
from bot.reading.hours import EACH, HOURS, LENGTH, PER, TIMES, activity_of, answer, answer_at, frequency, length, proper, steps
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.request import HOURS_PER_MONTH


def _runs(page: Page) -> Iterator[Reading | None]:
    """2 Läufe im Monat, je 4-6 h; twice a week for 3 hours; 4 runs of 5 h per month."""
    many = r"(?P<runs>{n|count|one}){.}??{run}"
    often = r"(?P<runs>(?:{often}|{n}{times}))"
    rules = (
        many + PER + EACH + LENGTH,
        many + EACH + LENGTH + EACH + PER,
        often + PER + EACH + LENGTH,
        r"(?P<runs>{one})" + LENGTH + r"{run}" + PER,
        LENGTH + r"(?:{equals|train|adapt|method|run|times|comma}){0,3}" + often + PER,
        LENGTH + r"{gpu|gpu_ask}(?:{!time|n|money}){0,4}" + often + PER,
        LENGTH + r"(?:{per|each}{run})(?:{comma|and}{0,2})" + many + PER,
        r"{run}{.}??" + LENGTH + r"(?:{per|each}{run})?(?:{comma|and}{0,2})" + many + PER,
    )
    for rule in rules:
        for found in page.find(rule, needs="time per|rate run|often|times"):
            if not proper(found):
                continue
            runs = plain_number(found, "runs") or 1.0
            times, _ = frequency(found)
            low, high = length(found)
            yield answer(page, found, "hours_per_month", low * runs * times, high * runs * times)
    for found in page.find(many + EACH + r"{each}?" + LENGTH, needs="time run"):
        if not proper(found):
            continue
        runs = plain_number(found, "runs") or 1.0
        low, high = length(found)
        yield answer(page, found, "hours_once", low * runs, high * runs)
    for rule in (r"{one}?" + LENGTH + r"{run}(?!{per})", r"{run}{equals}?" + LENGTH + r"(?!{per})"):
        for found in page.find(rule, needs="time run"):
            if proper(found) and found.value("unit", "time") in ("hour", "day", "week"):
                yield answer(page, found, "hours_once", *length(found))


def _days_first(page: Page) -> Iterator[Reading | None]:
    """5 days a week, 8 hours (a day); 10 hours every night; 20 hours every weekend."""
    days = r"(?P<days>{n|count}){time}{per}(?P<week>{time}){comma|for|per}?" + LENGTH + r"(?:{per}{time}|{each})?"
    for found in page.find(days, needs="time per"):
        if page.lexemes[found.span[0] + 1].kinds.get("time") != "day" or found.value("unit", "time") not in ("hour", "minute"):
            continue
        low, high = length(found)
        times = (plain_number(found, "days") or 0) * TIMES.get(found.value("week", "time"), 0.0)
        yield answer(page, found, "hours_per_month", low * times, high * times)
    for rule in (
        LENGTH + r"{train|adapt|run}?{comma|per|on}?(?P<off>{nights})(?!{comma|about}?{n}{time})",
        r"(?P<off>{nights}){comma|about}?" + LENGTH,
    ):
        for found in page.find(rule, needs="time nights"):
            period = found.value("off", "nights")
            if period in TIMES and found.value("unit", "time") in ("hour", "minute"):
                low, high = length(found)
                yield answer(page, found, "hours_per_month", low * TIMES[period], high * TIMES[period])


def _shared(page: Page) -> Iterator[Reading | None]:
    """Training 20 h, Betrieb 200 h im Monat: the period at the end holds for both."""
    second = LENGTH.replace("?P<", "?P<z_")
    rule = LENGTH + r"(?P<between>(?:{!time|stop}){0,2}(?:{comma|and})(?:{!time|stop}){0,2})" + second + r"(?:{!time|stop|per}){0,2}" + PER
    for found in page.find(rule, needs="time per|rate comma|and"):
        times, _ = frequency(found)
        if {found.value("unit", "time"), found.value("z_unit", "time")} - {"hour", "minute"}:
            continue
        for prefix, part in (("", "a"), ("z_", "z_a")):
            hours = (plain_number(found, part) or 0.0) * HOURS[found.value(prefix + "unit", "time")] * times
            first = page.index[found.match.start(part)]
            last = page.index[found.match.end(prefix + "unit")]
            activity = _activity_after(page, last) or activity_of(page, first, first)
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


def _per_period(page: Page) -> Iterator[Reading | None]:
    """12 h/Monat, 30 min a day, daily 3 hours; also with how many days a week."""
    days = r"{comma}?(?:{on|per|and|after})?(?P<days>{n|count})(?P<day>{time}){per}(?P<week>{time})"
    plain = LENGTH + r"(?:{equals}?{train|adapt|run|serving_word|method|goal}){0,2}{comma}?" + PER
    for found in page.find(r"{every}(?P<n>{n|count})(?P<per>{time}){comma}?" + LENGTH, needs="every time"):
        every, (low, high) = plain_number(found, "n") or 1.0, length(found)  # every 2 weeks 6 h
        times = TIMES.get(found.value("per", "time"), 0.0) / every
        yield answer(page, found, "hours_per_month", low * times, high * times)
    for found in page.find(r"(?P<a>{n})(?P<scale>{scale})?{gpu_hours}" + PER, needs="gpu_hours per|rate"):
        hours = found.numbers("a", "whole")[0] * scale_of(found.part("scale")) * frequency(found)[0]
        yield answer(page, found, "hours_per_month", hours, hours)
    for rule in (
        plain + days,
        PER + r"(?:{comma|about|equals}){0,2}" + LENGTH + days,
        plain,
        PER + r"(?:{comma|about|equals}){0,2}" + LENGTH,
        r"(?P<unit>{time}){equals}(?P<a>{n}){per}(?P<per>{time})",  # "Stunden: 20/Monat"
        LENGTH + r"(?P<per>{time})(?!{per|each|nonstop|time|rent|horizon})",  # "12h monat"
    ):
        for found in page.find(rule, needs="time"):
            times, period = frequency(found)
            low, high = length(found)
            if HOURS.get(period, 0) <= HOURS[found.value("unit", "time")] or not high:
                continue
            if found.has("days") and found.value("day", "time") not in ("day", "workday"):
                continue  # "12 h a month, 5 h a week"
            if found.has("days"):
                times = (plain_number(found, "days") or 0) * TIMES.get(found.value("week", "time"), 0.0)
            times *= _people(page, found.span[0])
            if period == "day" and high >= 24:
                times = HOURS_PER_MONTH / 24
            if period == "week" and found.value("unit", "time") in ("day", "workday") and not found.has("days"):
                yield page.reading(*found.span, "usage", ask_back=steps(page.lang))  # five days a week of how many hours?
                continue
            yield answer(page, found, "hours_per_month", low * times, high * times)


def _people(page: Page, first: int) -> float:
    """For how many the hours hold: "4 researchers, each of them 20 h a week"."""
    if not page.near(first, first, "each_person", 4):
        return 1.0
    said = next(page.find(r"(?P<c>{n|count}){.}??{users}", needs="users", free=False), None)
    return (plain_number(said, "c", "whole") or 1.0) if said is not None else 1.0


def _each_of_many(page: Page) -> Iterator[Reading | None]:
    """50 adapters per month, 1.5 h each: whatever it is, each of them is a run."""
    many = r"(?P<runs>{n|count})(?:{!time|n|stop|money}){1,4}?" + PER + r"{comma|open|equals}{0,2}"
    for rule in (many + LENGTH + r"{each}", many + r"{each|per}{about}?" + LENGTH):
        for found in page.find(rule, needs="time each|per per|rate"):
            hours = (plain_number(found, "runs") or 1.0) * frequency(found)[0]
            low, high = length(found)
            yield answer(page, found, "hours_per_month", low * hours, high * hours)


def _by_the_clock(page: Page) -> Iterator[Reading | None]:
    """Mo-Fr 9-17 Uhr: from one hour of the day to another, every day where no days are named."""
    for rule in (
        r"(?P<rate>{rate}){comma|per}?(?P<a>{n}){to}(?P<b>{n}){clock}",
        r"(?P<a>{n}){to}(?P<b>{n}){clock}(?:{comma}?(?P<rate>{rate}))?",
    ):
        for found in page.find(rule, needs="clock to"):
            start, end = plain_number(found, "a") or 0.0, plain_number(found, "b") or 0.0
            times = TIMES.get(found.value("rate", "rate"), 0.0) if found.has("rate") else TIMES["day"]
            if start != end and max(start, end) <= 24:
                hours = (end - start) % 24 or 24.0  # from 20 to 6 o'clock are 10
                yield answer(page, found, "hours_per_month", hours * times, hours * times)


def _shares(page: Page) -> Iterator[Reading | None]:
    for rule in (r"(?P<a>{n}){percent}{utilisation}", r"{utilisation}(?:{about|equals|per|to}){0,2}(?P<a>{n}){percent}"):
        for found in page.find(rule, needs="percent utilisation"):
            share = found.numbers("a", "measure")[0] / 100
            if share <= 1:
                yield answer(page, found, "hours_per_month", share * HOURS_PER_MONTH, share * HOURS_PER_MONTH)
    for found in page.find(r"{office_hours}", needs="office_hours"):
        yield answer(page, found, "hours_per_month", HOURS["workday"] * TIMES["workday"], HOURS["workday"] * TIMES["workday"])
    for found in page.find(r"(?P<s>{share})", needs="share"):
        part = float(found.value("s", "share")) * HOURS_PER_MONTH
        yield answer(page, found, "hours_per_month", part, part)


def _epochs(page: Page) -> Iterator[Reading | None]:
    """3 epochs, 12 hours each: one run has all of them; with how many runs a month where that is said."""
    link = r"(?P<epochs>{n|count}){epoch}{comma|open|equals|to}{0,2}"
    for rule in (link + r"{each|per}{about}?" + LENGTH, link + LENGTH + r"(?:{each}|{per}{epoch})"):
        for found in page.find(rule, needs="epoch time", free=False):
            first, last = page.index[found.match.start("a")], found.span[1]
            low, high = (hours * (plain_number(found, "epochs") or 1.0) for hours in length(found))
            if not any(page.taken[first:last]) and found.value("unit", "time") in ("minute", "hour", "day"):
                yield _whole_runs(page, (first, last), low, high)


def _whole_runs(page: Page, place: tuple[int, int], low: float, high: float) -> Reading:
    """Hours of one run; a month, where the message says how many runs there are in one."""
    often = next(page.find(r"(?P<runs>{n|count|one}){.}??{run}" + PER, needs="run per|rate"), None)
    if often is None:
        return answer_at(page, place, "hours_once", low, high)
    runs = (plain_number(often, "runs") or 1.0) * frequency(often)[0]
    page.take(*often.span)
    return answer_at(page, place, "hours_per_month", low * runs, high * runs)


def regular(page: Page) -> Iterator[Reading | None]:
    """Runs, days, shared and plain periods, shares of the time; the most specific forms first."""
    for rule in (_epochs, _runs, _each_of_many, _by_the_clock, _days_first, _shared, _per_period, _shares):
        yield from rule(page)
