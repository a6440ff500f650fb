"""Dated prices: what enters are offers.csv and listings.csv, what leaves is checked, with the day to look again.

A price without a day of its own is `undated`; one that is dated by month or year holds from the first day of it, so that its
age is never understated.
"""

import datetime
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, cast

from engine.catalogue import plausible
from engine.catalogue.knowledge import source_of
from engine.catalogue.tables import Row, rows
from engine.catalogue.things import DateQuality, Figure, Listing, Offer, Source
from engine.request import Currency
from engine.units import CURRENCIES

_OFFER_COLUMNS = (
    "id provider provider_kind tier instance gpu_id gpu_count per_hour per_gpu_hour spot_per_gpu_hour per_month monthly_cap setup_fee"
    " billing_step_minutes currency region eu date date_quality commitment tax available source note"
)
_LISTING_COLUMNS = "id gpu_id item count low high currency kind market date date_quality tax source note"
_PROVIDER_KINDS = ("hyperscaler", "specialist", "marketplace", "dedicated", "article", "index")
_COMMITMENTS = ("on-demand", "reserved", "spot", "monthly")
_KINDS = ("msrp", "street", "used", "host", "system", "article", "estimate", "derived", "launch", "node", "opex")
_QUALITIES = ("exact", "article", "undated")
_TAXES = ("net", "gross", "unknown")
_Tax = Literal["net", "gross", "unknown"]


def offers(folder: Path, known: Mapping[str, Source], cards: Collection[str], figures: Mapping[str, Figure]) -> tuple[Offer, ...]:
    """All offers to rent. Errors: CatalogueError: duplicates, unknown cards, prices that cannot be."""
    days = figures["price_review_rental_days"].typical
    found: dict[str, Offer] = {}
    for row in rows(folder / "offers.csv", _OFFER_COLUMNS):
        offer = _offer(row, known, cards, days)
        if offer.id in found:
            row.wrong(f"offer {offer.id!r} stands there twice")
        plausible.check_offer(row, offer)
        found[offer.id] = offer
    return tuple(found.values())


def _offer(row: Row, known: Mapping[str, Source], cards: Collection[str], review_days: float) -> Offer:
    date, quality = _dated(row)
    return Offer(
        id=row.needed("id"),
        provider=row.needed("provider"),
        provider_kind=row.word("provider_kind", _PROVIDER_KINDS),
        tier=row.text("tier"),
        instance=row.text("instance"),
        gpu=plausible.known_card(row, row.needed("gpu_id"), cards, any_variant=True),
        count=row.needed_whole("gpu_count"),
        per_hour=row.number("per_hour"),
        per_gpu_hour=row.needed_number("per_gpu_hour"),
        spot_per_gpu_hour=row.number("spot_per_gpu_hour"),
        per_month=row.number("per_month"),
        monthly_cap=row.number("monthly_cap"),
        setup_fee=row.number("setup_fee"),
        billing_step_minutes=row.number("billing_step_minutes"),
        currency=cast(Currency, row.word("currency", CURRENCIES)),
        region=row.text("region"),
        eu=row.flag("eu"),
        date=date,
        date_quality=quality,
        review_by=_review(date, review_days),
        commitment=row.word("commitment", _COMMITMENTS),
        tax=cast(_Tax, row.word("tax", _TAXES)),
        available=row.flag("available"),
        source=source_of(row, known).key,
        note=row.text("note"),
    )


def listings(folder: Path, known: Mapping[str, Source], cards: Collection[str], figures: Mapping[str, Figure]) -> tuple[Listing, ...]:
    """All prices to buy. Errors: CatalogueError: duplicates, unknown cards, prices that cannot be."""
    days = figures["price_review_listing_days"].typical
    found: dict[str, Listing] = {}
    for row in rows(folder / "listings.csv", _LISTING_COLUMNS):
        listing = _listing(row, known, cards, days)
        if listing.id in found:
            row.wrong(f"listing {listing.id!r} stands there twice")
        if not 0 < listing.low <= listing.high or listing.count < 1:
            row.wrong("a price is above zero, low is not above high, and count is at least 1")
        found[listing.id] = listing
    return tuple(found.values())


def _listing(row: Row, known: Mapping[str, Source], cards: Collection[str], review_days: float) -> Listing:
    date, quality = _dated(row)
    gpu = row.text("gpu_id")
    return Listing(
        id=row.needed("id"),
        gpu=plausible.known_card(row, gpu, cards, any_variant=True) if gpu else "",
        item=row.needed("item"),
        low=row.needed_number("low"),
        high=row.needed_number("high"),
        currency=cast(Currency, row.word("currency", CURRENCIES)),
        kind=row.word("kind", _KINDS),
        market=row.text("market"),
        date=date,
        date_quality=quality,
        review_by=_review(date, review_days),
        tax=cast(_Tax, row.word("tax", _TAXES)),
        source=source_of(row, known).key,
        note=row.text("note"),
        count=row.needed_whole("count"),
    )


def _dated(row: Row) -> tuple[datetime.date | None, DateQuality]:
    date = row.day("date")
    quality = cast(DateQuality, row.word("date_quality", _QUALITIES))
    if (date is None) != (quality == "undated"):
        row.wrong("undated prices have no date, all others have one")
    return date, quality


def _review(date: datetime.date | None, days: float) -> datetime.date | None:
    """None: due at once, a price without a date is never trusted."""
    return date + datetime.timedelta(days=days) if date else None
