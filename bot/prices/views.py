"""What the price commands show: enter the catalogue, filters and the day, leave rows for templates and JSON. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal, TypeAlias

from engine.catalogue import Catalogue, Gpu, Offer, Source
from engine.catalogue.names import spoken
from engine.catalogue.plausible import ANY_VARIANT
from engine.catalogue.prices import Freshness, Price, age, due, freshness, over
from engine.pricing import priced

Kind: TypeAlias = Literal["rent", "buy"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A price as it is shown. Amounts are per card: low and high differ for ranges and for what is too old to be a point."""

    price: Price
    kind: Kind
    card: str
    seller: str
    low: float
    high: float
    days: int | None
    freshness: Freshness
    source: Source

    def json(self) -> dict[str, Any]:
        """For other programs."""
        price = self.price
        return {
            "id": price.id,
            "kind": self.kind,
            "gpu": price.gpu,
            "count": price.count,
            "seller": self.seller,
            "low": self.low,
            "high": self.high,
            "unit": f"{price.currency}/h" if self.kind == "rent" else price.currency,
            "tax": price.tax,
            "date": price.date.isoformat() if price.date else None,
            "age_days": self.days,
            "freshness": self.freshness,
            "review_by": price.review_by.isoformat() if price.review_by else None,
            "source": {"key": self.source.key, "title": self.source.title, "address": self.source.address},
            "entered_by": price.entered_by or None,
            **(_of_offer(price) if isinstance(price, Offer) else {"item": price.item, "listing": price.kind, "market": price.market}),
        }


def _of_offer(offer: Offer) -> dict[str, Any]:
    names = ("tier", "instance", "region", "eu", "available", "commitment", "per_hour", "per_month", "monthly_cap", "setup_fee")
    return {name: getattr(offer, name) for name in names}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which prices to list; empty means all."""

    card: Gpu | None = None
    kind: Kind | None = None
    eu_only: bool = False


def listed(catalogue: Catalogue, wanted: Wanted, today: date) -> tuple[Shown, ...]:
    """The newest price of each thing: of one card cheapest first, of all cards newest first."""
    prices: list[Price] = []
    if wanted.kind != "buy":
        prices += [one for one in over(catalogue.offers, ()) if _wanted(one, wanted) and (one.eu is True or not wanted.eu_only)]
    if wanted.kind != "rent":
        prices += [one for one in over(catalogue.listings, ()) if _wanted(one, wanted)]
    rows = [shown(one, catalogue, today) for one in prices]
    if wanted.card is not None:
        return tuple(sorted(rows, key=lambda row: (row.kind == "buy", row.low, row.price.id)))
    return tuple(sorted(rows, key=lambda row: (-_ordinal(row.price), row.card, row.low, row.price.id)))


def shown(price: Price, catalogue: Catalogue, today: date) -> Shown:
    """One price per card, as a point or as the range its age allows."""
    rent = isinstance(price, Offer)
    low, high = (price.per_gpu_hour,) * 2 if isinstance(price, Offer) else (price.low / price.count, price.high / price.count)
    allowed = priced(price.id, 1.0, "dimensionless", price.source, price.date, today, catalogue)
    return Shown(
        price,
        "rent" if rent else "buy",
        card_name(price.gpu, catalogue),
        price.provider if isinstance(price, Offer) else price.market,
        low * allowed.low,
        high * allowed.high,
        age(price, today),
        freshness(price, today, catalogue),
        catalogue.sources.get(price.source) or Source(price.source, price.source, None, price.date),
    )


def card_name(card: str, catalogue: Catalogue) -> str:
    """A card's name for people; empty where a price is of no card (a host machine)."""
    if card in ANY_VARIANT:
        return card.removesuffix("-any").upper()
    return spoken(catalogue.gpus[card]) if card in catalogue.gpus else ""


def _wanted(price: Price, wanted: Wanted) -> bool:
    if wanted.card is None:
        return True
    variants = wanted.card.id.split("-")[0] + "-any"
    return price.gpu in (wanted.card.id, variants)


def _ordinal(price: Price) -> int:
    return price.date.toordinal() if price.date else 0


@dataclass(frozen=True, slots=True)
class Move:
    """How the price of one seller moved: its readings, oldest first."""

    seller: str
    tier: str
    rows: tuple[Shown, ...]


def moved(catalogue: Catalogue, card: Gpu, today: date) -> tuple[Move, ...]:
    """Sellers of a card of whom several dated prices are known, the readings of each in order."""
    readings: dict[tuple[str, str, str, str], dict[date, Offer]] = defaultdict(dict)
    for offer in catalogue.offers:
        if _wanted(offer, Wanted(card)) and offer.date is not None:
            readings[offer.provider, offer.tier, offer.commitment, offer.gpu].setdefault(offer.date, offer)
    moves = (
        Move(seller, tier, tuple(shown(by_day[one], catalogue, today) for one in sorted(by_day)))
        for (seller, tier, _, _), by_day in readings.items()
        if len({offer.per_gpu_hour for offer in by_day.values()}) > 1
    )
    return tuple(sorted(moves, key=lambda one: (one.seller, one.tier)))


@dataclass(frozen=True, slots=True)
class DuePrices:
    """Prices of one source that should be read again."""

    kind: Kind
    source: Source
    sellers: tuple[str, ...]
    count: int
    oldest: date | None
    undated: int


@dataclass(frozen=True, slots=True)
class Due:
    """All that should be read again by a day."""

    by: date
    prices: tuple[DuePrices, ...]
    figures: tuple[Any, ...]
    sources: tuple[Source, ...]
    total: int


def due_for_review(catalogue: Catalogue, today: date, within: int = 0) -> Due:
    """What is due today or within some days: prices by source, most of them first; figures, rates and sources by their day."""
    by = today + timedelta(days=within)
    groups: dict[tuple[Kind, str], list[Price]] = defaultdict(list)
    for offer in over(catalogue.offers, ()):
        if due(offer, by):
            groups["rent", offer.source].append(offer)
    for listing in over(catalogue.listings, ()):
        if due(listing, by):
            groups["buy", listing.source].append(listing)
    prices = sorted(
        (_due(kind, source, ones, catalogue) for (kind, source), ones in groups.items()), key=lambda one: (-one.count, one.source.key)
    )
    figures = sorted(
        (one for one in catalogue.figures.values() if one.review_by is not None and one.review_by <= by),
        key=lambda one: (one.review_by, one.id),
    )
    sources = sorted(
        (one for one in catalogue.sources.values() if one.review_by is not None and one.review_by <= by), key=lambda one: one.key
    )
    total = sum(one.count for one in prices) + len(figures) + len(sources)
    return Due(by, tuple(prices), tuple(figures), tuple(sources), total)


def _due(kind: Kind, source: str, prices: Iterable[Price], catalogue: Catalogue) -> DuePrices:
    ones = list(prices)
    days = [one.date for one in ones if one.date is not None]
    sellers = dict.fromkeys(one.provider if isinstance(one, Offer) else one.market for one in ones)
    known = catalogue.sources.get(source) or Source(source, source, None, None)
    return DuePrices(kind, known, tuple(sellers), len(ones), min(days, default=None), len(ones) - len(days))
