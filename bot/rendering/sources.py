"""Where numbers come from, for readers: figures and titles of sources enter, what is bought or rented and titles without marks leave."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.rendering.views import money_view
from engine.catalogue import Figure, Listing, Offer, Source
from engine.recommendation import Recommendation

UNDATED = frozenset({"general-knowledge", "own-judgement"})  # nobody read them on a day
_MARKS = re.compile(r",?\s*@[0-9a-f]{7,40}\b|(?<=\d{4}-\d\d-\d\d)T\d\d:\d\dZ")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Item:
    """What a price is for: so many cards of a name, of whom, or of which kind of listing; what its source says where that is a range."""

    card: str
    count: int
    seller: str | None
    kind: str | None
    said: tuple[float, float] | None


def item(figure: Figure) -> Item | None:
    """The thing a figure is the price of; None for other figures and for prices that somebody entered."""
    price = _prices().get(figure.id)
    if price is None:
        return None
    if isinstance(price, Offer):
        return Item(_card(price.gpu), price.count, price.provider, None, None)
    return Item(_card(price.gpu), price.count, None, price.kind, (price.low, price.high))


@cache
def _prices() -> Mapping[str, Offer | Listing]:
    from engine.catalogue import catalogue

    known = catalogue()
    prices: tuple[Offer | Listing, ...] = (*known.offers, *known.listings)
    return {price.id: price for price in prices}


def _card(name: str) -> str:
    from engine.catalogue import catalogue

    known = catalogue().gpus.get(name)
    return known.name if known is not None else name.removesuffix("-any").upper()


def plain_title(title: str, _language: str = "") -> str:
    """A title without the marks of the version that was read: no hash of a commit, no hour."""
    return _MARKS.sub("", title).replace(" ()", "")


def by_source(figures: Iterable[Figure]) -> tuple[tuple[str, tuple[Figure, ...]], ...]:
    """Figures under their sources, in the order in which they are first used."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        found.setdefault(figure.source, []).append(figure)
    return tuple((source, tuple(used)) for source, used in found.items())


def sources_shown(one: Recommendation) -> tuple[Mapping[str, Any], ...]:
    """The sources behind the plans shown, each once, with the day its figure held."""
    money = money_view(one)
    used = {name for view in (*money.plans, *money.within_budget, *money.others) for name in view.plan.figures}
    known = catalogue_sources()
    found = [figure for figure in one.figures if figure.id in used and figure.source in known]
    titles = {known[figure.source].title: None if figure.source in UNDATED else figure.date for figure in found}
    return tuple({"title": title, "date": date} for title, date in titles.items())[:_SHOWN]


def catalogue_sources() -> Mapping[str, Source]:
    from engine.catalogue import catalogue

    return catalogue().sources
