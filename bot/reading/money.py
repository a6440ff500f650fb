"""Money: enters as a page, leaves as readings of budgets and of the user's own offers (quotes).

An amount is what carries a currency, or stands where only money can stand. What it is follows from the words around it: a price
per hour or kilowatt hour, a rent per month, a purchase, or else a limit on what may be spent.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from bot.reading.amounts import plain_number, spelled, whole
from bot.reading.budgets import OFFERED, SYMBOLS, as_budget, budget_words
from bot.reading.labels import figure
from bot.reading.lexemes import Lexeme
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.sums import Amount, amounts
from engine.recommendation import Option

_DEAREST_KWH = 2  # an amount behind "electricity" below this is a price of a kilowatt hour
_HOURLY = 20  # beside a price per hour an amount below this is another one
_MANY = 64  # cards somebody buys at once


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

    if near("paid", 2):
        return "paid"
    if amount.period == "kwh" or (near("tariff", 2) and amount.period == "once" and max(amount.highs) < _DEAREST_KWH):
        return "tariff"
    if near("budget"):
        return "budget"
    if amount.period == "hour":
        return "budget" if "most" in inside else "per_hour"
    if amount.period == "month":
        return _monthly(page, near, "cap" in inside or near("cap"))
    if amount.period != "once":
        return "budget"
    if near("rent_bill", 3, 2):
        return "per_month"
    if max(amount.highs) < _HOURLY and (page.prices_hours or near("time", 2)):
        return "per_hour"  # "$0.34/h spot vs $0.69 on demand", "100 hours at $2.40"
    if page.prices_hours and _explicitly_capped(page, amount):
        return "monthly_cap"
    return "setup_fee" if _for_setting_up(page, amount) else _purchase(page, near, inside)


def _explicitly_capped(page: Page, amount: Amount) -> bool:
    """A ceiling of a price ("with a monthly cap of 900"), not a limit on what may be spent ("max 900")."""
    place = page.where(amount.first, amount.last, "cap", 3)
    return place is not None and "most" not in page.lexemes[place].kinds


def _for_setting_up(page: Page, amount: Amount) -> bool:
    """The word stands right behind the amount, or before it with no machine or purchase nearer to the amount."""
    if page.near(amount.first, amount.last, "setup_fee", 0, 1):
        return True
    place = page.where(amount.first, amount.last, "setup_fee", 4)
    nearer = [page.where(amount.first, amount.last, kind, 4) for kind in ("machine", "gpu", "purchase")]
    return place is not None and all(one is None or one < place for one in nearer)


def _monthly(page: Page, near: Callable[..., bool], capped: bool) -> str:
    if capped and page.prices_hours:
        return "monthly_cap"
    if near("hosting"):
        return "colocation"
    return "per_month" if near("rent") or near("provider", 6, 6) or near("instance") or page.slot == "quotes" else "budget"


def _purchase(page: Page, near: Callable[..., bool], inside: set[str]) -> str:
    """An amount for a thing is an offer; an amount one has, or may spend, is a budget."""
    thing = near("machine") or near("gpu") or near("gpu_ask")
    compared = page.prices_hours or page.has("rent") or page.has("rent_bill")
    if compared and near("price", 0, 1) and (near("machine", 0, 7) or near("gpu", 0, 6)):
        return "purchase"  # "$9,000 for a dual-4090 box"
    if near("dealer", 3) or (thing and (inside & {"net", "gross"} or near("price", 2) or near("equals", 1))):
        return "purchase"  # "Angebot: 7.500 €", "eigener Server für 8.990 € netto", "a workstation is $8,000"
    if thing and (near("open", 1) or near("each", 1)) and "most" not in inside:
        return "purchase"  # "eine H100 (28.000 €)"
    if compared and (near("machine", 1) or near("machine", 0, 2) or near("buy", 0, 2)):
        return "purchase"  # "a $2,400 pc", "für 7.500 € kaufen oder mieten"
    if (near("own") and not inside & {"net", "gross"}) or ("most" in inside and not near("price", 2)):
        return "budget"
    if near("purchase") or page.slot == "quotes":
        return "purchase"
    asked_for = near("price", 2) and (near("machine", 0, 5) or near("gpu", 0, 5) or near("gpu_ask", 0, 5))
    if asked_for or (thing and compared):
        return "purchase"
    return "budget"


def as_quote(page: Page, amount: Amount, side: str) -> Reading:
    """An amount as a piece of an offer; what is open is asked."""
    page.offers.append(amount.first)
    if len(amount.highs) > 1 or amount.currency is None:
        return _asked_quote(page, amount, side)
    many = _cards_priced(page, amount) if side == "per_hour" else _each(page, amount, side)
    value = whole(round((amount.lows[0] + amount.highs[0]) / 2 * many, 6))
    return page.reading(amount.first, amount.last, "quotes", _quote(page, amount, side, value, amount.currency))


def _each(page: Page, amount: Amount, side: str) -> float:
    """How many an amount is for: "2 used 3090 (700 € each)"."""
    for_each = page.near(amount.last, amount.last, "each", 0, 1) or page.near(amount.first, amount.first, "each", 1)
    if side != "purchase" or not for_each:
        return 1
    for place in range(amount.first - 1, max(-1, amount.first - 8), -1):
        lexeme = page.lexemes[place]
        if lexeme.kinds.keys() & {"gpu", "gpu_ask", "card"} and place:
            counted = next((one for one in (page.lexemes[place - 1], page.lexemes[place - 2]) if one.number or "count" in one.kinds), None)
            count = spelled(counted) if counted is not None and not counted.number else float(counted.get("n")) if counted else None
            return count if count and 1 <= count <= _MANY else 1
    return 1


def _cards_priced(page: Page, amount: Amount) -> float:
    """How many cards a price of one holds for: "8x H100 at 2.50 €/h per GPU"; hours of GPUs are priced as they are."""
    inside = page.lexemes[amount.first : amount.last]
    behind = page.lexemes[amount.last : amount.last + 2]
    of_one = any("gpu_hours" in one.kinds or "card" in one.kinds or _each_card(one) for one in (*inside, *behind[:1]))
    of_one = of_one or (len(behind) == 2 and "per" in behind[0].kinds and bool(behind[1].kinds.keys() & {"card", "gpu", "gpu_ask"}))
    in_gpu_hours = any("gpu_hours" in one.kinds for one in page.lexemes if one not in inside)
    if not of_one or in_gpu_hours:
        return 1
    named = next(page.find(r"(?P<c>{n|count}){times}?(?:{gpu|gpu_ask}|{card})", needs="gpu|gpu_ask|card", free=False), None)
    count = plain_number(named, "c", "whole") if named is not None else None
    return count if count and 1 <= count <= _MANY else 1


def _each_card(lexeme: Lexeme) -> bool:
    """ "per GPU", "je Karte", said as one."""
    return "each" in lexeme.kinds and any(word in lexeme.text for word in ("gpu", "card", "karte"))


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
    currencies: tuple[str, ...] = (amount.currency,) if amount.currency else OFFERED[page.lang][:2]
    choices = tuple(
        Option(f"{figure(page.lang, high)} {SYMBOLS[one]}", _quote(page, amount, side, whole(high), one))
        for high, one in product(amount.highs, currencies)
    )
    return page.reading(amount.first, amount.last, "quotes", ask_back=choices)


def money(page: Page) -> Iterator[Reading]:
    """Budgets and quotes of a message."""
    yield from _one_currency(list(_priced(page)))
    yield from budget_words(page)


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
        side = "budget" if page.slot == "budget" and amount.period != "hour" else _side(page, amount)
        if side == "paid":
            page.take(amount.first, amount.last)  # what something has cost is neither a limit nor an offer
            continue
        if side == "budget" and amount.period == "hour":
            page.offers.append(amount.first)  # "an A100 for less than a dollar per hour": a card to be had at that price
        yield as_budget(page, amount) if side == "budget" else as_quote(page, amount, side)
