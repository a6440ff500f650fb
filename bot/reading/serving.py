"""Who will use a model, and on what: enters as a page, leaves as readings of users, documents, and of the load they make.

A rate of requests is no number of users at once: that many are being answered as arrive while one answer is written (Little's
law, users = requests a second x seconds an answer), so it is asked how long an answer takes.
"""

import math
from collections.abc import Iterator
from typing import Any

from bot.reading.amounts import plain_number
from bot.reading.hours import HOURS
from bot.reading.labels import label
from bot.reading.page import Found, Page
from bot.reading.readings import Reading, option
from bot.reading.training import OTHER_UNITS, amount_of
from engine.people import PEOPLE, at_once_of

_ANSWER = (5, 10, 30)  # seconds: a sentence, a paragraph, a page
_SAID_BESIDE = 8  # lexemes
_MOST_USERS = 10_000_000
_RATES = (
    r"(?P<a>{n})(?P<scale>{scale|mega|mio})?{about}?(?:{concurrent|users}{0,1}){requests}{per}(?P<unit>{second|time})",
    r"(?P<a>{n})(?P<scale>{scale|mega|mio})?(?P<unit>{request_rate})",
)
_GROUP = r"(?P<many>{n|count})(?:{!n|count|time|money|gpu|gpu_ask|card|node|stop|comma|users|docs|rows|b}){1,2}?"
_USERS = r"(?P<each>{n|count}){concurrent}?(?:{!n|stop|comma})??{users}"
_GROUPS = (
    r"{each|per}(?:{!n|count|stop|comma|time|users})"
    + _USERS
    + r"{comma|equals|on|and|times|open}{0,2}"
    + _GROUP
    + r"(?={close|comma|stop}|$)",
    r"{each|every}(?:{!n|count|stop|comma}){0,2}" + _GROUP + r"(?:{!n|count|stop|comma}){1,2}?" + _USERS,
    _GROUP + r"(?:{equals|open|on|comma|per}){0,2}{each|per}" + _USERS,
    _GROUP + r"(?:{equals|open|on|comma|minus}){1,2}" + _USERS + r"(?:{each}|{per}{.})",
    _USERS + r"{per}(?:{!n|stop|comma|time})(?:{comma|equals|and|on|times|open}){0,2}" + _GROUP + r"(?={close|comma|stop}|$)",
    r"{each}" + _USERS + r"(?:{on|per|equals}){1,2}" + _GROUP + r"(?={close|comma|stop}|$)",
)


def load(page: Page) -> Iterator[Reading]:
    """Requests a second, a minute or a day: the users at once they come to, to choose from."""
    for rule in _RATES:
        for found in page.find(rule, needs="requests|request_rate"):
            a_second = _a_second(found)
            users = dict.fromkeys(min(max(1, math.ceil(a_second * seconds)), _MOST_USERS) for seconds in _ANSWER)
            yield page.reading(
                *found.span, "serving", ask_back=tuple(option(label(page.lang, "users", users=one), users=one) for one in users)
            )


def _a_second(found: Found) -> float:
    """Requests a second; those of a day come in working hours."""
    unit = found.part("unit")[0].kinds
    if unit.keys() & {"request_rate", "second"}:
        return amount_of(found)
    hours = HOURS["workday" if unit["time"] == "day" else unit["time"]]
    return amount_of(found) / (hours * 3600)


def _negative(page: Page) -> Iterator[Reading]:
    """ "-5 users": asked again, never taken without its sign."""
    for found in page.find(r"{minus}(?P<a>{n})(?P<scale>{scale|mega|mio})?{.}??{users|docs}", needs="minus users|docs"):
        first, last = found.span
        tight = not page.lexemes[first + 1].gap and (first == 0 or page.lexemes[first].gap)
        if tight and (first == 0 or not page.lexemes[first - 1].number):
            yield page.reading(first, last, "serving", ask_back=())


def serving(page: Page) -> Iterator[Reading]:
    """Users and documents."""
    yield from _negative(page)
    for found in page.find(r"{team}(?P<a>{n|count})", needs="team"):
        yield page.reading(*found.span, "serving", {"users": int(plain_number(found, "a", "whole") or 1)})
    for found in page.find(r"(?P<a>{n|count}){concurrent}", needs="concurrent"):
        yield page.reading(*found.span, "serving", {"users": int(plain_number(found, "a", "whole") or 1)})
    yield from _of_groups(page)
    if page.slot == "serving":
        yield from _bare_users(page)
    at_once = any(page.taken[place] for place, lexeme in enumerate(page.lexemes) if "concurrent" in lexeme.kinds)
    for kind, field in (("users", "users"), ("docs", "documents")):
        for found in page.find(r"(?P<a>{n})(?P<scale>{scale|mega|mio})?(?:{least})?{.}??(?P<w>{" + kind + "})", needs=kind):
            number = amount_of(found)
            between = page.lexemes[found.span[0] : found.span[1]]
            if number >= 1 and float(number).is_integer() and not any(one.kinds.keys() & OTHER_UNITS for one in between):
                value: dict[str, Any] = {field: int(number)}
                if field == "users" and _of_a_staff(page, *found.span):
                    text, span = page.place(*found.span)
                    yield Reading("serving", text, span, {}, aside=at_once, says=(PEOPLE, int(number)))
                    value = {field: at_once_of(int(number), page.catalogue)}
                yield page.reading(*found.span, "serving", value, aside=at_once and field == "users")


def _of_a_staff(page: Page, first: int, last: int) -> bool:
    """Whether people of a company are counted: unless they say so, not all of them write at once."""
    staff = any("staff" in one.kinds for one in page.lexemes[first:last])
    return staff and page.slot != "serving" and not page.near(first, last, "concurrent", _SAID_BESIDE, _SAID_BESIDE)


def _of_groups(page: Page) -> Iterator[Reading]:
    """3 Abteilungen mit je 10 Nutzern, 3 teams of 10 users each: all of them; those of a shift are there one after the other."""
    for rule in _GROUPS:
        for found in page.find(rule, needs="users each|per"):
            many, each = (plain_number(found, part, "whole") or 0.0 for part in ("many", "each"))
            in_turn = any("shift" in one.kinds for one in page.lexemes[slice(*found.span)])
            users = each if in_turn else many * each
            if 1 <= users <= _MOST_USERS and float(users).is_integer():
                yield page.reading(*found.span, "serving", {"users": int(users)})


def _bare_users(page: Page) -> Iterator[Reading]:
    for found in page.find(r"{alone}", needs="alone"):
        yield page.reading(*found.span, "serving", {"users": 1})
    for found in page.find(r"(?P<a>{n})(?!{.})", needs="n"):
        number = plain_number(found, "a", "whole")
        if number and number >= 1 and found.span[0] == 0:
            users, documents = (label(page.lang, name, **{name: number}) for name in ("users", "documents"))
            choices = (option(users, users=int(number)), option(documents, documents=int(number)))
            yield page.reading(*found.span, "serving", ask_back=choices)
