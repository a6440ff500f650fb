"""Budgets: enters as a page with an amount of money, leaves as readings of what may be spent, once or in a period."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from bot.reading.amounts import scale_of, whole
from bot.reading.labels import figure
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.sums import Amount
from engine.recommendation import Option

SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}
OFFERED = {"de": ("EUR", "CHF", "USD", "GBP"), "en": ("EUR", "USD", "GBP", "CHF")}


def as_budget(page: Page, amount: Amount) -> Reading:
    """An amount as a limit: a year or a week becomes months; what is open is asked."""
    period = amount.period if amount.period != "once" else _rate_before(page, amount) or "once"
    rest = {"period": period if period in ("hour", "day", "month") else "once", "bound": amount.bound}
    factor = {"year": 1 / 12, "week": 52 / 12}.get(period, 1.0)
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


def _rate_before(page: Page, amount: Amount) -> str | None:
    """How often a budget comes round, where the word stands before it: "monthly budget 200 USD"."""
    place = page.where(amount.first, amount.first, "rate", 4)
    if place is None:
        return None
    between = {kind for one in page.lexemes[place + 1 : amount.first] for kind in one.kinds}
    limits = {kind for one in page.lexemes[max(0, place - 1) : amount.last + 1] for kind in one.kinds} & {"budget", "most", "cap"}
    return page.lexemes[place].get("rate") if (limits or page.slot == "budget") and not between & {"n", "time", "comma"} else None


def _asked(page: Page, amount: Amount, highs: tuple[float, ...], rest: dict[str, Any]) -> Reading:
    """A budget whose currency or whose sign must be asked; its sure part beside."""
    currencies: tuple[str, ...] = (amount.currency,) if amount.currency else OFFERED[page.lang]
    if max(highs) == 0:
        return page.reading(amount.first, amount.last, "budget", {"amount": 0, "currency": currencies[0], **rest})
    value: dict[str, Any] | None = {"amount": highs[0]} if len(highs) == 1 and not amount.foreign else None
    if value and amount.currency:
        value |= {"currency": amount.currency, **rest}
    if len(highs) > 1:
        currencies = currencies[:2]
    written = len(highs) > 1 or bool(amount.currency)
    choices = tuple(
        Option(f"{figure(page.lang, high)} {SYMBOLS[one]}" if written else SYMBOLS[one], {"amount": high, "currency": one, **rest})
        for high, one in product(highs, currencies)
    )
    if len(highs) == 1 and amount.lows != amount.highs and not amount.foreign:
        low = {**(value or {}), "amount": whole(amount.lows[0])}
        return page.reading(amount.first, amount.last, "budget", range=(low, value), ask_back=choices)
    return page.reading(amount.first, amount.last, "budget", value, ask_back=choices)


def budget_words(page: Page) -> Iterator[Reading]:
    """Budgets without a number: a few thousand, no limit, five figures, as little as possible."""
    here = page.slot == "budget"
    for found in page.find(r"{few}{scale}(?P<cur>{money})?(?!{rows|docs|users|token|time|epoch})", needs="few scale"):
        if not (here or found.has("cur") or page.near(*found.span, "budget", 4, 2)):
            continue
        currency = found.value("cur", "money") if found.has("cur") else None
        values = [whole(times * scale_of(page.lexemes[slice(*found.span)])) for times in (2, 5)]
        currencies = (currency,) if currency else OFFERED[page.lang][:2]
        choices = tuple(
            Option(f"{figure(page.lang, value)} {SYMBOLS[one]}", {"amount": value, "currency": one, "period": "once", "bound": "max"})
            for value, one in product(values, currencies)
        )
        yield page.reading(*found.span, "budget", ask_back=choices)
    nothing = {"amount": 0, "currency": OFFERED[page.lang][0], "period": "once", "bound": "max"}
    kinds: tuple[tuple[str, Any], ...] = (("no_limit", []), ("free", nothing))
    for kind, value in kinds:
        rule = "{" + kind + "}" if here else r"(?:{budget|price}{equals}?){" + kind + "}|{" + kind + "}{budget|price}"
        for found in page.find(rule, needs=kind):
            yield page.reading(*found.span, "budget", value)
    for found in page.find("{unlimited}", needs="unlimited"):
        if not any(page.near(*found.span, kind, 2, 2) for kind in ("ctx", "token", "time", "users", "docs")):
            yield page.reading(*found.span, "budget", [])
    for found in page.find(r"(?P<w>{figures})", needs="figures"):
        yield page.reading(*found.span, "budget", ask_back=_steps(page, int(found.value("w", "figures"))))
    for found in page.find(r"{low_budget}", needs="low_budget"):
        yield page.reading(*found.span, "budget", ask_back=_steps(page))


def _steps(page: Page, digits: int | None = None) -> tuple[Option, ...]:
    """Amounts to choose from, where a budget is only "low" or "five figures"."""
    currency, unit = OFFERED[page.lang][0], 10 ** ((digits or 3) - 1)
    return tuple(
        Option(
            f"{figure(page.lang, amount)} {SYMBOLS[currency]}", {"amount": amount, "currency": currency, "period": "once", "bound": "max"}
        )
        for amount in ((100, 500, 2000) if digits is None else (unit, 2 * unit, 5 * unit))
    )
