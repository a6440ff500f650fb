"""Sums of money as people write them: enters as a page, leaves as amounts with currency, period and bound.

An amount is what carries a currency, or stands where only money can stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.reading.amounts import scale_of, written
from bot.reading.numbers import Sort
from bot.reading.page import Found, Page

_NUMBER = r"{n|number_word}|{count|half}(?={scale|mille})|{one|count}(?={money}{per}{time})"
_PERIOD = r"(?:{per}?(?P<gpu_hour>{gpu_hours})|(?:(?:{per}{card}|{each})?{per}|{each}{minus}?)(?P<time>{time})"
_PERIOD += r"|(?P<rate>{rate})|{per}?(?P<kwh>{kwh}))?"
_CURRENCY = "{money|kmoney|other_money}"
_FIRST = r"(?P<bound>(?:{most|about|least}){0,2})(?P<cur>" + _CURRENCY + r")?{about}?(?P<minus>{minus})?"
_FIRST += r"(?P<a>" + _NUMBER + r")(?P<scale_a>{scale|mega|mille})?"
_SECOND = r"(?P<cur2>{money})?(?P<b>" + _NUMBER + r")(?P<scale_b>{scale|mega|mille})?"
_REST = r"(?P<post>" + _CURRENCY + r"|{cent})?(?P<late>{about|most})?(?P<tax>{net|gross})?" + _PERIOD
_BETWEEN = r"{between}" + _FIRST + r"{money}?{and}" + _SECOND + _REST
AMOUNT = _FIRST + r"(?:(?:{to}|{or}(?!{money}))" + _SECOND + ")?" + _REST
_ANY_CENT = "?"  # cents of any currency
_MOST = 1e12
_THINGS = ("machine", "purchase", "buy", "dealer", "gpu", "gpu_ask")
_NO_RANGE = 100  # a rent by the hour does not vary this much
BARE = 100  # amounts below this without a currency are hardly money


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money as written: `lows` and `highs` hold every value the signs allow."""

    first: int
    last: int
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    currency: str | None
    period: str
    bound: str
    confirm: bool = False
    foreign: bool = False


def _currency(found: Found) -> tuple[str | None, float]:
    """The currency of an amount and what its word multiplies by (T€, ct)."""
    for name in ("cur", "cur2", "post"):
        for lexeme in found.part(name):
            for kind, factor in (("money", 1.0), ("kmoney", 1e3), ("cent", 0.01)):
                if kind in lexeme.kinds:
                    named = lexeme.kinds[kind]
                    return (None if named == _ANY_CENT else named), factor
    return None, 1.0


def _only_currency(page: Page) -> str | None:
    """The currency of the message, where it names a single one."""
    named = {lexeme.kinds["money"] for lexeme in page.lexemes if "money" in lexeme.kinds}
    return named.pop() if len(named) == 1 else None


def _period(found: Found) -> str:
    if found.has("kwh"):
        return "kwh"
    if found.has("gpu_hour"):
        return "hour"
    if found.has("time"):
        return found.value("time", "time")
    return found.value("rate", "rate") if found.has("rate") else "once"


def _bound(found: Found) -> str:
    said = (*found.part("bound"), *found.part("late"))
    return "about" if any(one.kinds.keys() & {"about", "least"} for one in said) and not any("most" in one.kinds for one in said) else "max"


def _values(found: Found, period: str, factor: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    sure = found.has("scale_a") or found.has("scale_b") or period in ("hour", "kwh") or factor != 1
    sort: Sort = "measure" if sure else "money"
    scale_b = scale_of(found.part("scale_b"))
    scale_a = scale_of(found.part("scale_a")) if found.has("scale_a") else scale_b
    lows = tuple(value * scale_a * factor for value in written(found, "a", sort))
    highs = tuple(value * scale_b * factor for value in written(found, "b", sort)) if found.has("b") else lows
    return (lows, highs) if lows[0] <= highs[0] else (highs, lows)


def amount_of(page: Page, found: Found) -> Amount | None:
    if _calculated(page, found):
        return None
    currency, factor = _currency(found)
    period = _period(found)
    lows, highs = _values(found, period, factor)
    mille = any("mille" in one.kinds for one in found.part("scale_a"))
    foreign = currency is None and any("other_money" in one.kinds for name in ("cur", "post") for one in found.part(name))
    if mille and currency is None:
        currency = "EUR"
    pence = any(one.text == "p" for one in found.part("post"))
    if pence and max(highs) >= 1 and period not in ("hour", "kwh"):
        return None  # "1080p" is no money
    if currency is None and not foreign and period in ("hour", "kwh"):
        currency = _only_currency(page)
    if (found.has("minus") and not found.has("cur")) or max(*lows, *highs) > _MOST:
        return None
    first, last = found.span
    return Amount(first, last, lows, highs, currency, period, _bound(found), mille and not found.has("post"), foreign)


def _calculated(page: Page, found: Found) -> bool:
    """Whether the number is part of a formula nobody evaluates ("9**9**9 EUR", "2e5")."""
    first, last = found.span
    number = next(place for place in range(first, last) if page.lexemes[place] in found.part("a"))
    before = page.lexemes[number - 1] if number else None
    after = page.lexemes[number + 1] if number + 1 < len(page.lexemes) else None
    return bool(
        (before and not page.lexemes[number].gap and before.text in ("*", "^", "e", "**", "\\", "_"))
        or (after and not after.gap and after.text in ("*", "^", "e", "_"))
    )


def _is_money(page: Page, amount: Amount, found: Found) -> bool:
    if amount.currency or amount.foreign:
        return True
    first, last = amount.first, amount.last
    if amount.period == "kwh":
        return True
    if amount.period == "hour" and found.match.group("post"):
        return True
    if amount.period == "hour":
        return page.near(first, last, "rent", 6) or page.near(first, last, "provider", 4) or page.near(first, last, "price", 2)
    if amount.period == "month" and page.near(first, last, "rent", 2) and page.has("money"):
        return True
    if max(amount.highs) < BARE or "gpu" in page.lexemes[first].kinds:
        return False
    if page.near(first, last, "budget", 3, 2):
        return True
    counted = any("mega" in one.kinds for one in (*found.part("scale_a"), *found.part("scale_b")))  # "a 350M model"
    if last < len(page.lexemes) and page.lexemes[last].kinds.keys() & {"docs", "facts_noun", "rows", "users"}:
        return False
    priced = page.prices_hours and (page.near(first, last, "gpu", 3) or page.near(first, last, "machine", 3))
    if (found.has("scale_a") or found.has("scale_b")) and not counted and (page.has("buy") or priced):
        return True
    return not counted and amount.period == "once" and _offered_beside(page, first, last)


def _offered_beside(page: Page, first: int, last: int) -> bool:
    """Whether it is what something costs where a rent is priced as well: "Server 10.700, Miete 1,42 €/h"."""
    rent_priced = page.prices_hours or (page.has("rent") and bool(page.kinds & {"time", "rate"}))
    if not rent_priced or not (ends(page, last) or page.lexemes[last].kinds.keys() & {"or", "and", "open", "close", *_THINGS}):
        return False
    place = max((at for kind in _THINGS if (at := page.where(first, first, kind, 3)) is not None), default=None)
    return place is not None and not any(one.kinds.keys() & {"n", "comma"} for one in page.lexemes[place + 1 : first])


def amounts(page: Page) -> Iterator[Amount]:
    """Every amount of money of a message nobody has read yet."""
    for rule in (_BETWEEN, AMOUNT):
        for found in page.find(rule, needs="n|number_word|count|half money|kmoney|mille|kwh|cent|other_money|budget|buy|rent|provider"):
            if _could_be(page, found):
                amount = amount_of(page, found)
                if amount is not None and _is_money(page, amount, found):
                    known = amount if amount.currency or amount.foreign else replace(amount, currency=_only_currency(page))
                    yield from _apart(page, known, found)


def _apart(page: Page, amount: Amount, found: Found) -> Iterator[Amount]:
    """What no range can be is a price and a rent: "for 1,800 or 0.40 €/h"."""
    if amount.period != "hour" or not found.has("b") or min(amount.highs) < _NO_RANGE * max(amount.lows):
        yield amount
        return
    ended = page.index[found.match.end("scale_a") if found.has("scale_a") else found.match.end("a")]
    yield replace(amount, last=ended, lows=amount.highs, period="once")
    yield replace(amount, first=ended + 1, highs=amount.lows)


def _could_be(page: Page, found: Found) -> bool:
    """A quick look, before anything is computed: a currency, or a place where money stands without one."""
    named = ("cur", "cur2", "post", "kwh", "scale_a", "scale_b", "time")
    return (
        any(found.match.group(name) for name in named)
        or "budget" in page.kinds
        or (not found.has("gpu_hour") and ("rent" in page.kinds or page.prices_hours))
    )


def ends(page: Page, place: int) -> bool:
    """Whether a clause ends at a place: a comma, a full stop, or nothing any more."""
    return not 0 <= place < len(page.lexemes) or bool(page.lexemes[place].kinds.keys() & {"comma", "stop"})
