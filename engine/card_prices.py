"""What a card costs either way where no task was named for it: enter the cards in question, leave ways to rent and to buy one of each.

No task means no verdict: how many hours, and whether it holds the model, is asked back; the prices do not wait for that.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TypeAlias, TypeVar

from engine.buying import Bought, bought
from engine.catalogue import Catalogue, Gpu
from engine.offered import chip_of
from engine.recommendation import Plan
from engine.renting import Rented, rented
from engine.request import Currency, Request
from engine.ways import Way

Priced = TypeVar("Priced", Rented, Bought)
Found: TypeAlias = list[tuple[Gpu, Priced]]


def ways_on(cards: Sequence[Gpu], request: Request, catalogue: Catalogue, today: date, currency: Currency) -> tuple[Way, ...]:
    """Ways to rent and to buy one of each card; where none of them is rented or sold, one of the same chip."""
    rents = _found(cards, catalogue, lambda card: rented(card, 1, request, catalogue, today, currency))
    buys = _found(cards, catalogue, lambda card: bought(card, 1, request, catalogue, today, currency))
    return (*(_rent(card, found) for card, found in rents), *(_buy(card, found) for card, found in buys))


def _found(cards: Sequence[Gpu], catalogue: Catalogue, price: Callable[[Gpu], Priced | None]) -> Found[Priced]:
    """The cards with their price, else the others of their chip."""
    named = [(card, found) for card in cards if (found := price(card)) is not None]
    chips = {chip_of(card) for card in cards}
    alike = [card for card in catalogue.gpus.values() if chip_of(card) in chips and card not in cards]
    return named or [(card, found) for card in alike if (found := price(card)) is not None]


def _rent(card: Gpu, found: Rented) -> Way:
    plan = Plan("rent", None, card, 1, None, found.offer.provider, None, None)
    return Way(plan, terms=found.terms, spread=(found.price.low, found.price.high), figures=(found.price.figure,))


def _buy(card: Gpu, found: Bought) -> Way:
    plan = Plan("buy", None, card, 1, None, None, None, None)
    return Way(plan, own=found.own, spread=(found.low, found.high), figures=found.figures)
