"""Several purchases in one message: enter as the readings of its money, leave as one sum where they belong together, else as a question.

"Karte 7.100 € plus Rechner 3.600 €" are one machine; of prices side by side nobody knows whether one is meant or all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from bot.reading.amounts import whole
from bot.reading.budgets import SYMBOLS
from bot.reading.labels import figure
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.recommendation import Option

LINKS = frozenset(("zzgl", "zuzueglich"))  # also said of the tax
_REACH = 9  # lexemes between two amounts of one sum
_APART = frozenset(("stop", "or", "dealer", "budget", "rent", "rented", "alternative", "most"))
_ALL = frozenset(("plus", "+", "zzgl", "zuzueglich", "sowie", "as well as", "additionally"))  # words that never stand between choices


def summed(page: Page, readings: Sequence[Reading]) -> Iterator[Reading]:
    """The readings, their purchases as a single one; what stays open is asked."""
    readings = [_beside_offers(page, one, readings[place - 1] if place else None) for place, one in enumerate(readings)]
    chains = _chains(page, [one for one in readings if _price(one) or _could_belong(one)])
    joined = {id(one): chain for chain in chains if len(chain) > 1 for one in chain}
    found: list[Reading] = []
    for reading in readings:
        chain = joined.get(id(reading))
        if chain is None:
            found.append(reading)
        elif chain[0] is reading:
            found.append(_total(page, chain))
    yield from _asked(page, found)


def _price(reading: Reading) -> dict[str, Any] | None:
    """The purchase of a sure reading."""
    if reading.slot != "quotes" or reading.ask_back is not None or not isinstance(reading.value, dict):
        return None
    price: dict[str, Any] | None = reading.value.get("purchase")
    return price


def _could_belong(reading: Reading) -> bool:
    """An amount that may be another part of a purchase: "Karte 7.100 € plus Versand 90 €"."""
    value = reading.value
    return reading.slot == "budget" and reading.ask_back is None and isinstance(value, dict) and value.get("period") == "once"


def _beside_offers(page: Page, reading: Reading, before: Reading | None) -> Reading:
    """An amount behind a price of one of several offers is that of the next one."""
    place = page.lexeme_at(reading.span[0])
    if before is None or not _price(before) or not _could_belong(reading) or not _several_offers(page, place):
        return reading
    amount = {key: reading.value[key] for key in ("amount", "currency") if key in reading.value}
    return replace(reading, slot="quotes", value={"purchase": amount})


def _chains(page: Page, readings: Sequence[Reading]) -> list[list[Reading]]:
    """Runs of amounts joined by "plus" or "and"; the first of a run is a purchase."""
    chains: list[list[Reading]] = [[one] for one in readings[:1]]
    for before, reading in pairwise(readings):
        if _price(chains[-1][0]) and _joined(page, before, reading):
            chains[-1].append(reading)
        else:
            chains.append([reading])
    return chains


def _joined(page: Page, before: Reading, reading: Reading) -> bool:
    """Whether the words between two amounts add the second to the first."""
    first, last = page.lexeme_at(before.span[1]), page.lexeme_at(reading.span[0])
    between = page.lexemes[first:last]
    added = page.lexemes[max(0, first - 1) : last + 1]  # "7.100 € zzgl." and "+ 3.600 €" take the word into the amount
    kinds = {kind for one in between for kind in one.kinds}
    if "part" in kinds and not kinds & _APART and _currency(before) == _currency(reading):
        return True  # "Karte 7.100 €, Netzteil 300 €"
    if len(between) > _REACH or kinds & _APART or _currency(before) != _currency(reading):
        return False
    if any(one.text in _ALL for one in added):
        return True
    cards = [page.near(place, place, kind, 4) for place in (first - 1, last) for kind in ("gpu", "gpu_ask")]
    return "and" in kinds and not _several_offers(page, first) and not (any(cards[:2]) and any(cards[2:]))  # two cards may be two offers


def _several_offers(page: Page, place: int) -> bool:
    """ "zwei Angebote: 8.900 € von Dell und 9.400 € von Lenovo"."""
    return page.near(place, place, "several_offers", place)


def _currency(reading: Reading) -> str | None:
    return (_price(reading) or reading.value).get("currency")


def _linked(page: Page, reading: Reading) -> bool:
    """Whether what was taken for its tax only leads on to the next amount."""
    return page.lexemes[page.lexeme_at(reading.span[1]) - 1].text in LINKS


def _total(page: Page, chain: Sequence[Reading]) -> Reading:
    """One purchase of its parts; asked where their taxes differ."""
    start, end = chain[0].span[0], chain[-1].span[1]
    page.take(page.lexeme_at(start), page.lexeme_at(end))
    prices = [_price(one) or {} for one in chain]
    taxes = {price["tax"] for price, one in zip(prices, chain, strict=True) if "tax" in price and not _linked(page, one)}
    amount = whole(round(sum((price or one.value)["amount"] for price, one in zip(prices, chain, strict=True)), 2))
    value = {"purchase": {"amount": amount, "currency": _currency(chain[0]), **({"tax": taxes.pop()} if len(taxes) == 1 else {})}}
    open_tax = () if taxes else None
    return Reading("quotes", page.text[start:end], (start, end), None if taxes else value, ask_back=open_tax)


def _asked(page: Page, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Several purchases that are no sum: which of them, or all together?"""
    prices = [_price(one) for one in readings]
    named = [price for place, price in enumerate(prices) if price and price not in prices[:place]]
    if len(named) < 2:
        yield from readings
        return
    places = [page.lexeme_at(one.span[0]) for one, price in zip(readings, prices, strict=True) if price]
    chosen = any("or" in one.kinds for one in page.lexemes[places[0] : places[-1]])
    together = None if chosen or page.has("several_offers") else _together(named)
    choices = tuple(_option(page, price) for price in (*named, *([together] if together else [])))
    for reading, price in zip(readings, prices, strict=True):
        yield replace(reading, value=None, ask_back=choices) if price else reading


def _together(prices: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """All of them, where their currency and tax are the same."""
    if len({(price["currency"], price.get("tax")) for price in prices}) > 1:
        return None
    return {**prices[0], "amount": whole(round(sum(price["amount"] for price in prices), 2))}


def _option(page: Page, price: dict[str, Any]) -> Option:
    return Option(f"{figure(page.lang, price['amount'])} {SYMBOLS[price['currency']]}", {"purchase": price})
