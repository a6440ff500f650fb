"""Money: enters as a page, leaves as readings of budgets and of the user's own offers (quotes).

An amount is what carries a currency, or stands where only money can stand. What it is follows from the words around it: a price
per hour or kilowatt hour, a rent per month, a purchase, or else a limit on what may be spent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from bot.reading.amounts import whole
from bot.reading.budgets import OFFERED, SYMBOLS, as_budget, budget_words
from bot.reading.labels import figure, label
from bot.reading.page import Page
from bot.reading.pieces import counts_of
from bot.reading.purchases import LINKS, summed
from bot.reading.readings import Reading
from bot.reading.sides import side_of
from bot.reading.sums import Amount, amounts
from engine.currency import converted
from engine.recommendation import Option


def _tax(page: Page, amount: Amount) -> dict[str, str]:
    """Net or gross, in the amount or beside it; "zzgl." before an amount only adds it to another."""
    for kind in ("net", "gross"):
        inside = any(kind in one.kinds for one in page.lexemes[amount.first : amount.last])
        before = page.where(amount.first, amount.first, kind, 2)
        said = before is not None and page.lexemes[before].text not in LINKS
        if inside or said or page.near(amount.last, amount.last, kind, 0, 3):
            return {"tax": kind}
    return {}


def as_quote(page: Page, amount: Amount, side: str) -> Reading:
    """An amount as a piece of an offer; what is open is asked."""
    if side not in ("colocation", "tariff"):  # neither is the price of a card
        page.offers.append(amount.first)
    if len(amount.highs) > 1 or amount.currency is None:
        return _asked_quote(page, amount, side)
    price, counts = (amount.lows[0] + amount.highs[0]) / 2, counts_of(page, amount, side)
    values = [whole(round(price * count, 6)) for count in counts]
    if len(values) > 1:
        return _asked_count(page, amount, side, dict(zip(counts, values, strict=True)))
    return page.reading(amount.first, amount.last, "quotes", _quote(page, amount, side, values[0], amount.currency))


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
    """An offer whose currency or whose sign is open."""
    currencies: tuple[str, ...] = (amount.currency,) if amount.currency else OFFERED[page.lang][:2]
    choices = tuple(
        Option(f"{figure(page.lang, high)} {SYMBOLS[one]}", _quote(page, amount, side, whole(high), one))
        for high, one in product(amount.highs, currencies)
    )
    return page.reading(amount.first, amount.last, "quotes", ask_back=choices)


def _asked_count(page: Page, amount: Amount, side: str, prices: Mapping[float, float]) -> Reading:
    """The price of one of which nobody says how many."""
    currency = amount.currency or OFFERED[page.lang][0]
    choices = tuple(
        Option(
            label(page.lang, "for_count", count=count, amount=f"{figure(page.lang, price)} {SYMBOLS[currency]}"),
            _quote(page, amount, side, price, currency),
        )
        for count, price in prices.items()
    )
    return page.reading(amount.first, amount.last, "quotes", ask_back=choices)


def money(page: Page) -> Iterator[Reading]:
    """Budgets and quotes of a message."""
    readings = sorted(_one_currency(list(_priced(page))), key=lambda one: one.span)
    yield from _beside_its_currency(page, list(summed(page, readings)))
    yield from budget_words(page)


def _beside_its_currency(page: Page, readings: list[Reading]) -> Iterator[Reading]:
    """A place in a rack is an amount without a currency of its own: it is told in that of the purchase, the rent, or the answer."""
    prices = [one.value.get(side) for side in ("purchase", "rent") for one in readings if one.slot == "quotes" and one.value]
    limits = [one.value for one in readings if one.slot == "budget" and isinstance(one.value, dict)]
    target = next((price["currency"] for price in (*prices, *limits) if price and price.get("currency")), "EUR")
    for one in readings:
        said = page.lexemes[page.lexeme_at(one.span[0]) : page.lexeme_at(one.span[1])]
        source = next((lexeme.get("money") for lexeme in said if "money" in lexeme.kinds), target)
        if not isinstance(one.value, dict) or "colocation_per_month" not in one.value or source == target:
            yield one
            continue
        told = converted(one.value["colocation_per_month"], source, target, page.catalogue)  # type: ignore[arg-type]
        yield replace(one, value={"colocation_per_month": round(told, 2)})


def _one_currency(readings: list[Reading]) -> Iterator[Reading]:
    """Offers that all lack their currency are asked about together: what is true of one is true of all."""
    unknown = [one for one in readings if one.slot == "quotes" and one.ask_back]
    asked = [one.ask_back or () for one in unknown]
    if len(unknown) < 2 or len({len(options) for options in asked}) > 1:
        yield from readings
        return
    together = tuple(_both(options) for options in zip(*asked, strict=True))
    yield from (replace(one, ask_back=together) if one in unknown else one for one in readings)


def _both(options: tuple[Option, ...]) -> Option:
    """One choice for several offers in the same currency."""
    value: dict[str, Any] = {}
    for option in options:
        for side, entry in option.value.items():
            value[side] = {**value.get(side, {}), **entry} if isinstance(entry, dict) else entry
    return Option(" · ".join(option.label for option in options), value)


def _priced(page: Page) -> Iterator[Reading]:
    """Each amount as what it is."""
    for amount in amounts(page):
        side = "budget" if page.slot == "budget" and amount.period != "hour" else side_of(page, amount)
        if side == "paid":
            page.take(amount.first, amount.last)  # what something has cost is neither a limit nor an offer
            continue
        if side == "budget" and amount.period == "hour":
            page.offers.append(amount.first)  # "an A100 for less than a dollar per hour": a card to be had at that price
        yield as_budget(page, amount) if side == "budget" else as_quote(page, amount, side)
