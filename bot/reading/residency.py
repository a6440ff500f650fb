"""Data residency: enters as a page, leaves as what must stay in the EU and what must stay with them.

"Nicht verlassen" alone means the house; what must not be left is said beside it, and where that is the EU or one of its countries
any cloud there will do.
"""

from collections.abc import Iterator
from itertools import chain

from bot.reading.lexemes import Lexeme
from bot.reading.page import Found, Page
from bot.reading.readings import Reading

_CLAUSE = r"(?:{!stop|comma}){0,4}?"
_LEAVING = (r"{union|country}" + _CLAUSE + "{leaving}", "{leaving}" + _CLAUSE + "{union|country}")
_ABROAD = r"{not}" + _CLAUSE + "{abroad}"
_STAYING = r"{staying}(?:{!stop|comma}){0,2}?{union|country}|{union}{to}?{staying}"
_WITHIN = r"{only}{on|equals}?{union|country}|{union|country}{only}"
_ALONE = r"(?:^|{comma|stop|and}|{equals}){union}(?:{comma|stop|and}|$)"
_OWN = r"{own}?{own_word}{node|machine}"
_HOUSE = (
    r"{only}(?:{on|equals|one}){0,2}" + _OWN,
    r"{only}{on}{own}{node}",
    _OWN + "{only}",
    r"{must}" + _CLAUSE + "{on}" + _OWN,
    r"{on}" + _OWN + r"(?:{!stop|comma}){0,2}{must}",
    r"{only|must}" + _CLAUSE + "{own_site|with_us}",
    r"{own_site|with_us}(?:{!stop|comma}){0,1}{must}",
)


def residency(page: Page) -> Iterator[Reading]:
    """Where the data may be, said in so many words, as constraints; `circumstances.settings` reads the rest."""
    if page.kinds & {"union", "country"}:
        yield from _europe(page)
    for found in page.find(_ABROAD, needs="not abroad", free=False):
        yield page.reading(*found.span, "constraints", {"eu_only": True})
    if page.kinds & {"only", "must"}:
        for found in chain.from_iterable(page.find(rule, free=False) for rule in _HOUSE):
            if not page.near(*found.span, "having", 3, 2) and not page.near(*found.span, "not", 1):
                yield page.reading(*found.span, "constraints", {"no_cloud": True})


def _europe(page: Page) -> Iterator[Reading]:
    for found in chain.from_iterable(page.find(rule, needs="leaving", free=False) for rule in _LEAVING):
        if _forbidden(page, found):
            yield page.reading(_denial(page, found.span[0]), found.span[1], "constraints", {"eu_only": True})
    for rule in (_WITHIN, _STAYING, _ALONE):
        for found in page.find(rule):
            place = next(place for place in range(*found.span) if page.lexemes[place].kinds.keys() & {"union", "country"})
            yield page.reading(place, place + 1, "constraints", {"eu_only": True}, aside=page.near(*found.span, "not", 1))


def _forbidden(page: Page, found: Found) -> bool:
    """Whether leaving is what must not be: "dürfen die EU nicht verlassen", "no data outside Europe", "keine Cloud außerhalb der EU"."""
    first, last = found.span
    said = any(one.kinds.keys() & {"not", "never"} or _denies(one) for one in page.lexemes[first:last])
    return said or page.near(first, last, "not", 3, 2) or _denial(page, first) < first


def _denial(page: Page, first: int) -> int:
    """Where a "no cloud" right before begins, which then only means none elsewhere; else the place itself."""
    before = page.where(first, first, "constraints", 2)
    return before if before is not None and _denies(page.lexemes[before]) else first


def _denies(lexeme: Lexeme) -> bool:
    return lexeme.kinds.get("constraints") == "no_cloud"
