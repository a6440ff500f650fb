"""How old a price is and which of two counts: enter dated offers and listings, leave their age, what is said of it, and the later ones.

Up to 30 days a price is taken as it is, up to 90 its age is said, beyond that it is a range (`engine.pricing`), and so is a price without
a day: never a point (figures `price_*`). Which offer compares is decided in `engine.renting`.
"""

from collections.abc import Iterable
from datetime import date
from typing import Literal, TypeAlias, TypeVar

from engine.catalogue.things import Listing, Offer
from engine.catalogue.whole import Catalogue

Freshness: TypeAlias = Literal["fresh", "dated", "old", "undated"]
Price: TypeAlias = Offer | Listing
OneKind = TypeVar("OneKind", Offer, Listing)
Key: TypeAlias = tuple[str, ...]


def age(price: Price, today: date) -> int | None:
    """Days since the price held; None for a price without a day. A price announced for later is as fresh as today's."""
    return None if price.date is None else max(0, (today - price.date).days)


def freshness(price: Price, today: date, catalogue: Catalogue) -> Freshness:
    """fresh, dated (its age must be said), old (a range), undated (a range)."""
    days = age(price, today)
    if days is None:
        return "undated"
    if days > catalogue.figure("price_dated_days").typical:
        return "old"
    return "dated" if days > catalogue.figure("price_fresh_days").typical else "fresh"


def due(price: Price, today: date) -> bool:
    """Whether it is time to look again: after its review day, always where there is no day."""
    return price.review_by is None or price.review_by <= today


def key_of(price: Price) -> Key:
    """What two prices must share for the later one to replace the earlier."""
    if isinstance(price, Listing):
        return ("buy", price.gpu, price.item.lower(), str(price.count), price.kind, price.market.lower(), price.currency)
    named = (price.provider.lower(), price.tier.lower(), price.instance.lower(), price.gpu, str(price.count))
    return ("rent", *named, price.commitment, price.region.lower())


def over(imported: Iterable[OneKind], shipped: Iterable[OneKind]) -> tuple[OneKind, ...]:
    """Imported prices (of one day the first counts) before the shipped ones that no later or equal import replaces."""
    newest: dict[Key, OneKind] = {}
    for price in imported:
        before = newest.get(key_of(price))
        if before is None or _day(price) > _day(before):
            newest[key_of(price)] = price
    kept = [price for price in shipped if key_of(price) not in newest or _day(price) > _day(newest[key_of(price)])]
    return tuple(newest.values()) + tuple(kept)


def _day(price: Price) -> date:
    return price.date or date.min
