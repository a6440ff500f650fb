"""Money: enters as a page, leaves as readings of budgets and of the user's own offers (quotes).

An amount is what carries a currency, or stands where only money can stand. What it is follows from the words around it: a price
per hour or kilowatt hour, a rent per month, a purchase, or else a limit on what may be spent.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from bot.reading.amounts import scale_of, whole, written
from bot.reading.labels import figure
from bot.reading.numbers import Sort
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_NUMBER = r"{n|number_word}|{count}(?={scale|mille})"
_PERIOD = r"(?:{per}?(?P<gpu_hour>{gpu_hours})|{per}(?P<time>{time})|(?P<rate>{rate})|{per}?(?P<kwh>{kwh}))?"
_CURRENCY = "{money|kmoney|other_money}"
_FIRST = r"(?P<bound>(?:{most|about|least}){0,2})(?P<cur>" + _CURRENCY + r")?{about}?(?P<minus>{minus})?"
_FIRST += r"(?P<a>" + _NUMBER + r")(?P<scale_a>{scale|mega|mille})?"
_SECOND = r"(?P<cur2>{money})?(?P<b>" + _NUMBER + r")(?P<scale_b>{scale|mega|mille})?"
_REST = r"(?P<post>" + _CURRENCY + r"|{cent})?(?P<late>{about|most})?(?P<tax>{net|gross})?" + _PERIOD
_BETWEEN = r"{between}" + _FIRST + r"{money}?{and}" + _SECOND + _REST
_AMOUNT = _FIRST + r"(?:(?:{to|or})" + _SECOND + ")?" + _REST
_SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}
_OFFERED = {"de": ("EUR", "CHF", "USD", "GBP"), "en": ("EUR", "USD", "GBP", "CHF")}
_MOST = 1e12
_BARE = 100  # amounts below this without a currency are hardly money


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
                    return lexeme.kinds[kind], factor
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
    highs = tuple(value * scale_b * factor for value in found.numbers("b", sort)) if found.has("b") else lows
    return lows, highs


def _amount(page: Page, found: Found) -> Amount | None:
    if _calculated(page, found):
        return None
    currency, factor = _currency(found)
    period = _period(found)
    lows, highs = _values(found, period, factor)
    mille = any("mille" in one.kinds for one in found.part("scale_a"))
    foreign = currency is None and any("other_money" in one.kinds for name in ("cur", "post") for one in found.part(name))
    if mille and currency is None:
        currency = "EUR"
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
    if amount.period == "hour":
        return page.near(first, last, "rent", 4) or page.near(first, last, "provider", 4) or page.near(first, last, "price", 2)
    if max(amount.highs) < _BARE or "gpu" in page.lexemes[first].kinds:
        return False
    if page.near(first, last, "budget", 3, 2):
        return True
    return (found.has("scale_a") or found.has("scale_b")) and page.has("buy")


def amounts(page: Page) -> Iterator[Amount]:
    """Every amount of money of a message nobody has read yet."""
    for rule in (_BETWEEN, _AMOUNT):
        for found in page.find(rule, needs="n|number_word|count money|kmoney|mille|kwh|cent|other_money|budget|buy|rent|provider"):
            if _could_be(page, found):
                amount = _amount(page, found)
                if amount is not None and _is_money(page, amount, found):
                    yield amount


def _could_be(page: Page, found: Found) -> bool:
    """A quick look, before anything is computed: a currency, or a place where money stands without one."""
    named = ("cur", "cur2", "post", "kwh", "scale_a", "scale_b", "time")
    return any(found.match.group(name) for name in named) or "budget" in page.kinds


def _as_budget(page: Page, amount: Amount) -> Reading:
    rest = {"period": amount.period if amount.period in ("hour", "day", "month") else "once", "bound": amount.bound}
    factor = {"year": 1 / 12, "week": 52 / 12}.get(amount.period, 1.0)
    if factor != 1.0:
        rest["period"] = "month"
    lows, highs = [tuple(whole(round(value * factor, 2)) for value in side) for side in (amount.lows, amount.highs)]
    place = (amount.first, amount.last)
    if amount.currency and len(highs) == 1 and not amount.confirm:
        values = [{"amount": value, "currency": amount.currency, **rest} for value in (lows[0], highs[0])]
        if lows == highs:
            return page.reading(*place, "budget", values[1])
        return page.reading(*place, "budget", range=(values[0], values[1]))
    return _asked(page, amount, highs, rest)


def _asked(page: Page, amount: Amount, highs: tuple[float, ...], rest: dict[str, Any]) -> Reading:
    """A budget whose currency or whose sign must be asked; its sure part beside."""
    currencies: tuple[str, ...] = (amount.currency,) if amount.currency else _OFFERED[page.lang]
    if max(highs) == 0:
        return page.reading(amount.first, amount.last, "budget", {"amount": 0, "currency": currencies[0], **rest})
    value: dict[str, Any] | None = {"amount": highs[0]} if len(highs) == 1 and not amount.foreign else None
    if value and amount.currency:
        value |= {"currency": amount.currency, **rest}
    if len(highs) > 1:
        currencies = currencies[:2]
    written = len(highs) > 1 or bool(amount.currency)
    choices = tuple(
        Option(f"{figure(page.lang, high)} {_SYMBOLS[one]}" if written else _SYMBOLS[one], {"amount": high, "currency": one, **rest})
        for high, one in product(highs, currencies)
    )
    if len(highs) == 1 and amount.lows != amount.highs and not amount.foreign:
        low = {**(value or {}), "amount": whole(amount.lows[0])}
        return page.reading(amount.first, amount.last, "budget", range=(low, value), ask_back=choices)
    return page.reading(amount.first, amount.last, "budget", value, ask_back=choices)


def _tax(page: Page, amount: Amount) -> dict[str, str]:
    for kind in ("net", "gross"):
        inside = any(kind in one.kinds for one in page.lexemes[amount.first : amount.last])
        if inside or page.near(amount.first, amount.last, kind, 2, 3):
            return {"tax": kind}
    return {}


def _side(page: Page, amount: Amount) -> str:
    """What an amount is, by its period and the words before it."""
    inside = {kind for one in page.lexemes[amount.first : amount.last] for kind in one.kinds}

    def near(kind: str, before: int = 4, after: int = 0) -> bool:
        return page.near(amount.first, amount.last, kind, before, after)

    if amount.period == "kwh":
        return "tariff"
    if near("budget"):
        return "budget"
    if amount.period == "hour":
        return "budget" if "most" in inside else "per_hour"
    if amount.period == "month":
        return _monthly(page, near, "cap" in inside or near("cap"))
    if amount.period != "once":
        return "budget"
    return "setup_fee" if near("setup_fee") else _purchase(page, near, inside)


def _monthly(page: Page, near: Callable[..., bool], capped: bool) -> str:
    if capped and page.prices_hours:
        return "monthly_cap"
    if near("hosting"):
        return "colocation"
    return "per_month" if near("rent") or near("provider", 6) or near("instance") or page.slot == "quotes" else "budget"


def _purchase(page: Page, near: Callable[..., bool], inside: set[str]) -> str:
    """An amount for a thing is an offer; an amount one has, or may spend, is a budget."""
    if near("own") or ("most" in inside and not near("price", 2)):
        return "budget"
    if near("purchase") or page.slot == "quotes":
        return "purchase"
    thing = near("machine") or near("gpu") or near("gpu_ask")
    asked_for = near("price", 2) and (near("machine", 0, 5) or near("gpu", 0, 5) or near("gpu_ask", 0, 5))
    if asked_for or (thing and (page.has("rent") or page.prices_hours or near("price", 2) or inside & {"net", "gross"})):
        return "purchase"
    return "budget"


def _as_quote(page: Page, amount: Amount, side: str) -> Reading:
    page.offers.append(amount.first)
    if len(amount.highs) > 1 or amount.currency is None:
        return _asked_quote(page, amount, side)
    value = whole(round((amount.lows[0] + amount.highs[0]) / 2, 6))
    return page.reading(amount.first, amount.last, "quotes", _quote(page, amount, side, value, amount.currency))


def _quote(page: Page, amount: Amount, side: str, value: float, currency: str) -> dict[str, Any]:
    """One piece of the quotes."""
    if side == "tariff":
        return {"tariff": {"per_kwh": value, "currency": currency}}
    if side == "colocation":
        return {"colocation_per_month": value}
    if side == "purchase":
        return {"purchase": {"amount": value, "currency": currency, **_tax(page, amount)}}
    spot = {"spot": True} if page.near(amount.first, amount.last, "spot", 3, 2) else {}
    return {"rent": {side: value, "currency": currency, **spot}}


def _asked_quote(page: Page, amount: Amount, side: str) -> Reading:
    currencies: tuple[str, ...] = (amount.currency,) if amount.currency else _OFFERED[page.lang][:2]
    choices = tuple(
        Option(f"{figure(page.lang, high)} {_SYMBOLS[one]}", _quote(page, amount, side, whole(high), one))
        for high, one in product(amount.highs, currencies)
    )
    return page.reading(amount.first, amount.last, "quotes", ask_back=choices)


def money(page: Page) -> Iterator[Reading]:
    """Budgets and quotes of a message."""
    for amount in amounts(page):
        side = "budget" if page.slot == "budget" and amount.period != "hour" else _side(page, amount)
        yield _as_budget(page, amount) if side == "budget" else _as_quote(page, amount, side)
    yield from _bare_budget(page)
    yield from _budget_words(page)


def _bare_budget(page: Page) -> Iterator[Reading]:
    """An answer to the question for the budget or an offer may be a plain number: its currency is asked."""
    if page.slot not in ("budget", "quotes"):
        return
    for found in page.find(_AMOUNT, needs="n|number_word|count"):
        amount = _amount(page, found)
        if amount is None:
            continue
        if page.slot == "budget":
            yield _as_budget(page, amount)
        else:
            small = amount.period == "hour" or max(amount.highs) < _BARE
            yield _as_quote(page, amount, "per_hour" if small else "purchase")


def _budget_words(page: Page) -> Iterator[Reading]:
    here = page.slot == "budget"
    for found in page.find(r"{few}{scale}(?P<cur>{money})?(?!{rows|docs|users|token|time|epoch})", needs="few scale"):
        currency = found.value("cur", "money") if found.has("cur") else None
        values = [whole(times * scale_of(page.lexemes[slice(*found.span)])) for times in (2, 5)]
        currencies = (currency,) if currency else _OFFERED[page.lang][:2]
        choices = tuple(
            Option(f"{figure(page.lang, value)} {_SYMBOLS[one]}", {"amount": value, "currency": one, "period": "once", "bound": "max"})
            for value, one in product(values, currencies)
        )
        yield page.reading(*found.span, "budget", ask_back=choices)
    nothing = {"amount": 0, "currency": _OFFERED[page.lang][0], "period": "once", "bound": "max"}
    kinds: tuple[tuple[str, Any], ...] = (("no_limit", []), ("free", nothing))
    for kind, value in kinds:
        for found in page.find("{" + kind + "}", needs=kind):
            if here or page.near(*found.span, "budget", 3, 3) or page.near(*found.span, "price", 2, 2):
                yield page.reading(*found.span, "budget", value)
    for found in page.find(r"{low_budget}", needs="low_budget"):
        yield page.reading(*found.span, "budget", ask_back=_steps(page))


def _steps(page: Page) -> tuple[Option, ...]:
    currency = _OFFERED[page.lang][0]
    return tuple(
        Option(
            f"{figure(page.lang, amount)} {_SYMBOLS[currency]}", {"amount": amount, "currency": currency, "period": "once", "bound": "max"}
        )
        for amount in (100, 500, 2000)
    )
