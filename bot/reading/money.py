"""Money: enters as a page, leaves as readings of budgets and of the user's own offers (quotes).

An amount is what carries a currency, or stands where only money can stand. What it is follows from the words around it: a price
per hour or kilowatt hour, a rent per month, a purchase, or else a limit on what may be spent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from bot.reading.amounts import grouped, scale_of, whole
from bot.reading.numbers import Sort
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_PERIOD = r"(?:{per}?(?P<gpu_hour>{gpu_hours})|{per}(?P<time>{time})|(?P<rate>{rate})|{per}?(?P<kwh>{kwh}))?"
_RANGE = r"(?:(?:{to|or}){1}(?P<cur2>{money})?(?P<b>{n})(?P<scale_b>{scale|mega|mille})?)?"
_AMOUNT = (
    r"(?P<bound>(?:{most|about|least}){0,2})(?P<cur>{money|kmoney|other_money})?(?:{about})?(?P<minus>{minus})?(?P<a>{n}(?:{n}(?={money|kmoney}))?)(?P<scale_a>{scale|mega|mille})?"
    + _RANGE
    + r"(?P<post>{money|kmoney|other_money|cent})?(?P<late>{about|most})?(?P<tax>{net|gross})?"
    + _PERIOD
)
_SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}
_OFFERED = {"de": ("EUR", "CHF", "USD", "GBP"), "en": ("EUR", "USD", "GBP", "CHF")}
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


def _tokens_fit(found: Found) -> bool:
    numbers = [lexeme for lexeme in found.part("a") if lexeme.number]
    return len(numbers) == 1 or (len(numbers[1].text) == 3 and len(numbers[0].text) <= 3 and numbers[1].gap == 1 and found.has("post"))


def _currency(found: Found) -> tuple[str | None, float]:
    """The currency of an amount and what its word multiplies by (T€, ct)."""
    for name in ("cur", "cur2", "post"):
        for lexeme in found.part(name):
            for kind, factor in (("money", 1.0), ("kmoney", 1e3), ("cent", 0.01)):
                if kind in lexeme.kinds:
                    return lexeme.kinds[kind], factor
    return None, 1.0


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
    return "about" if any("about" in one.kinds for one in said) and not any("most" in one.kinds for one in said) else "max"


def _values(found: Found, period: str, factor: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    sure = found.has("scale_a") or found.has("scale_b") or period in ("hour", "kwh") or factor != 1
    sort: Sort = "measure" if sure else "money"
    scale_b = scale_of(found.part("scale_b"))
    scale_a = scale_of(found.part("scale_a")) if found.has("scale_a") else scale_b
    lows = tuple(value * scale_a * factor for value in grouped(found, "a", sort))
    highs = tuple(value * scale_b * factor for value in found.numbers("b", sort)) if found.has("b") else lows
    return lows, highs


def _amount(page: Page, found: Found) -> Amount | None:
    if not _tokens_fit(found) or _calculated(page, found):
        return None
    currency, factor = _currency(found)
    period = _period(found)
    lows, highs = _values(found, period, factor)
    mille = any("mille" in one.kinds for one in found.part("scale_a"))
    foreign = currency is None and any("other_money" in one.kinds for name in ("cur", "post") for one in found.part(name))
    if mille and currency is None:
        currency = "EUR"
    if found.has("minus") and not found.has("cur"):
        return None
    first, last = found.span
    return Amount(first, last, lows, highs, currency, period, _bound(found), mille and not found.has("post"), foreign)


def _calculated(page: Page, found: Found) -> bool:
    """Whether the number is part of a formula nobody evaluates ("9**9**9 EUR", "2e5")."""
    first, last = found.span
    number = next(place for place in range(first, last) if page.lexemes[place].number)
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
    if max(amount.highs) < _BARE or "gpu" in page.lexemes[first].kinds:
        return False
    if page.near(first, last, "budget", 3, 2):
        return True
    return (found.has("scale_a") or found.has("scale_b")) and page.has("buy")


def amounts(page: Page) -> Iterator[Amount]:
    """Every amount of money of a message nobody has read yet."""
    for found in page.find(_AMOUNT, needs="n"):
        amount = _amount(page, found)
        if amount is not None and _is_money(page, amount, found):
            yield amount


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
    value: dict[str, Any] | None = {"amount": highs[0]} if len(highs) == 1 and not amount.foreign else None
    if value and amount.currency:
        value |= {"currency": amount.currency, **rest}
    if len(highs) > 1:
        currencies = currencies[:2]
    written = len(highs) > 1 or bool(amount.currency)
    choices = tuple(
        Option(f"{high:,} {_SYMBOLS[one]}" if written else _SYMBOLS[one], {"amount": high, "currency": one, **rest})
        for high, one in product(highs, currencies)
    )
    return page.reading(amount.first, amount.last, "budget", value, ask_back=choices)


def _tax(page: Page, amount: Amount) -> dict[str, str]:
    for kind in ("net", "gross"):
        inside = any(kind in one.kinds for one in page.lexemes[amount.first : amount.last])
        if inside or page.near(amount.first, amount.last, kind, 2, 3):
            return {"tax": kind}
    return {}


def _side(page: Page, amount: Amount) -> str:
    """What an amount is, by its period and the words before it, the nearest first."""
    near = {
        kind: page.where(amount.first, amount.last, kind, 4)
        for kind in ("budget", "setup_fee", "cap", "rent", "purchase", "hosting", "machine", "gpu", "price", "most")
    }
    first = page.lexemes[amount.first : amount.last]
    if amount.period == "kwh":
        return "tariff"
    if near["budget"] is not None:
        return "budget"
    capped = near["cap"] is not None or any("cap" in one.kinds for one in first)
    if amount.period == "hour":
        return "per_hour"
    if amount.period == "month":
        if capped and page.has_price_per_hour:
            return "monthly_cap"
        if near["hosting"] is not None:
            return "colocation"
        return "per_month" if near["rent"] is not None else "budget"
    if amount.period != "once":
        return "budget"
    if near["setup_fee"] is not None:
        return "setup_fee"
    return _purchase(page, amount, near)


def _purchase(page: Page, amount: Amount, near: dict[str, int | None]) -> str:
    """An amount for a thing is an offer; an amount one has, or may spend, is a budget."""
    if page.near(amount.first, amount.last, "own", 4) or any("most" in page.lexemes[at].kinds for at in range(amount.first, amount.last)):
        return "budget"
    if near["purchase"] is not None:
        return "purchase"
    thing = near["machine"] if near["machine"] is not None else near["gpu"]
    if thing is not None and (page.has("rent") or page.has_price_per_hour or page.near(amount.first, amount.last, "price", 2)):
        return "purchase"
    return "budget"


def _as_quote(page: Page, amount: Amount, side: str) -> Reading:
    if len(amount.highs) > 1 or amount.currency is None:
        return _asked(page, amount, amount.highs, {})
    value, currency = whole(round((amount.lows[0] + amount.highs[0]) / 2, 6)), amount.currency
    sides: dict[str, dict[str, Any]] = {
        "tariff": {"tariff": {"per_kwh": value, "currency": currency}},
        "colocation": {"colocation_per_month": value},
        "purchase": {"purchase": {"amount": value, "currency": currency, **_tax(page, amount)}},
    }
    return page.reading(amount.first, amount.last, "quotes", sides.get(side, {"rent": {side: value, "currency": currency}}))


def money(page: Page) -> Iterator[Reading]:
    """Budgets and quotes of a message."""
    for amount in amounts(page):
        side = "budget" if page.slot == "budget" and amount.period != "hour" else _side(page, amount)
        yield _as_budget(page, amount) if side == "budget" else _as_quote(page, amount, side)
    yield from _bare_budget(page)
    yield from _budget_words(page)


def _bare_budget(page: Page) -> Iterator[Reading]:
    """An answer to the question for the budget may be a plain number: its currency is asked."""
    if page.slot != "budget":
        return
    for found in page.find(_AMOUNT, needs="n"):
        amount = _amount(page, found)
        if amount is not None:
            yield _as_budget(page, amount)


def _budget_words(page: Page) -> Iterator[Reading]:
    here = page.slot == "budget"
    for found in page.find(r"{few}{scale}(?P<cur>{money})?", needs="few scale"):
        currency = found.value("cur", "money") if found.has("cur") else None
        values = [whole(times * scale_of(page.lexemes[slice(*found.span)])) for times in (2, 5)]
        currencies = (currency,) if currency else _OFFERED[page.lang][:2]
        choices = tuple(
            Option(f"{value:,} {_SYMBOLS[one]}", {"amount": value, "currency": one, "period": "once", "bound": "max"})
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
        Option(f"{amount:,} {_SYMBOLS[currency]}", {"amount": amount, "currency": currency, "period": "once", "bound": "max"})
        for amount in (100, 500, 2000)
    )
