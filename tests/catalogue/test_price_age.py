"""How old a price is and which of two counts: both sides of every threshold."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from engine.catalogue import Catalogue, Listing, Offer, catalogue, load
from engine.catalogue.prices import age, due, freshness, key_of, over

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


@pytest.fixture(scope="module")
def offer(known: Catalogue) -> Offer:
    return next(one for one in known.offers if one.id == "runpod-rtx4090-secure-cloud-2026-09-25")


@pytest.fixture(scope="module")
def listing(known: Catalogue) -> Listing:
    return next(one for one in known.listings if one.gpu == "rtx6000ada" and one.kind == "street")


def _held(offer: Offer, days: int) -> Offer:
    return replace(offer, date=TODAY - timedelta(days=days))


@pytest.mark.parametrize(
    ("days", "expected"), [(0, "fresh"), (30, "fresh"), (31, "dated"), (90, "dated"), (91, "old"), (4_000, "old"), (-16, "fresh")]
)
def test_a_price_ages_at_thirty_and_ninety_days(known: Catalogue, offer: Offer, days: int, expected: str) -> None:
    assert freshness(_held(offer, days), TODAY, known) == expected
    assert age(_held(offer, days), TODAY) == max(0, days)


def test_a_price_without_a_day_is_never_fresh_and_always_due(known: Catalogue, offer: Offer) -> None:
    undated = replace(offer, date=None, date_quality="undated", review_by=None)
    assert freshness(undated, TODAY, known) == "undated"
    assert age(undated, TODAY) is None
    assert due(undated, date.min)


def test_a_price_is_due_from_its_review_day_on(offer: Offer) -> None:
    assert offer.review_by == date(2026, 10, 25)
    assert not due(offer, date(2026, 10, 24))
    assert due(offer, date(2026, 10, 25))


def test_of_the_same_thing_the_later_price_counts_and_of_one_day_the_imported_one(offer: Offer) -> None:
    later, same_day, earlier = (replace(offer, date=day, entered_by="anna") for day in (TODAY, offer.date, date(2026, 9, 24)))
    assert over([later], [offer]) == (later,)
    assert over([same_day], [offer]) == (same_day,)
    assert over([earlier], [offer]) == (earlier, offer)  # the later shipped one stays and wins by its day
    assert over([same_day, replace(same_day, per_gpu_hour=1.0)], [offer]) == (same_day,)  # of one day the first


@pytest.mark.parametrize(
    "other",
    [{"provider": "Verda"}, {"tier": "Community Cloud"}, {"gpu": "rtx3090"}, {"count": 2}, {"commitment": "spot"}, {"region": "EU"}],
)
def test_different_things_never_replace_each_other(offer: Offer, other: dict[str, str | int]) -> None:
    price = replace(offer, date=TODAY, **other)  # type: ignore[arg-type]
    assert over([price], [offer]) == (price, offer)


def test_spelling_of_the_provider_does_not_matter(offer: Offer, listing: Listing) -> None:
    assert key_of(replace(offer, provider="RUNPOD")) == key_of(offer)
    assert key_of(replace(listing, market=listing.market.upper())) == key_of(listing)
    assert key_of(offer) != key_of(listing)


def test_overlays_reach_the_catalogue_with_a_source_and_another_version(known: Catalogue, offer: Offer, listing: Listing) -> None:
    imported = replace(offer, date=TODAY, per_hour=0.5, per_gpu_hour=0.5, source="https://example.org/prices", entered_by="anna")
    dearer = replace(listing, date=TODAY, low=7_500.0, high=7_500.0, source="Händler am Telefon", entered_by="anna")
    loaded = load(overlays=[imported, dearer])
    assert loaded.version != known.version
    assert imported in loaded.offers
    assert offer not in loaded.offers
    assert dearer in loaded.listings
    assert listing not in loaded.listings
    assert len(loaded.offers) == len(known.offers)
    assert loaded.sources["https://example.org/prices"].address == "https://example.org/prices"
    assert loaded.sources["Händler am Telefon"].address is None
    assert load(overlays=()) == known


def test_a_rent_uses_the_imported_price(known: Catalogue, offer: Offer) -> None:
    from engine.renting import rented
    from engine.request import Request

    imported = replace(offer, date=TODAY, per_hour=0.2, per_gpu_hour=0.2, currency="EUR", entered_by="anna")
    chosen = rented(known.gpus["rtx4090"], 1, Request(), load(overlays=[imported]), TODAY, "EUR")
    assert chosen is not None
    assert chosen.offer == imported
