"""From one line of a price list to an offer or a listing: cells enter with what holds for the whole file, a price leaves, or the reason
why the line is held back (`Held`)."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, cast

from bot.prices.cells import Cells, count, currency, day, flag, hold, not_below_zero, number, word
from bot.prices.regions import in_eu
from engine.catalogue import Catalogue, Gpu, Listing, Offer
from engine.catalogue.names import Ambiguity, gpu_named
from engine.catalogue.plausible import ANY_VARIANT
from engine.request import Currency

_COMMITMENTS = ("on-demand", "reserved", "spot", "monthly")
_LISTING_KINDS = ("msrp", "street", "used", "host", "system", "node")
_TAXES = ("net", "gross", "unknown")
_SIZE_IN_MIB = re.compile(r"SizeInMiB['\"]?:\s*(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What holds for every line that does not say otherwise; `entered_by` is who imports it, on `today`: no price holds later."""

    provider: str = ""
    day: date | None = None
    source: str = ""
    currency: Currency | None = None
    tax: str = "unknown"
    entered_by: str = ""
    today: date | None = None


def price_of(cells: Cells, sheet: Sheet, catalogue: Catalogue) -> Offer | Listing:
    """The line as an offer to rent, or as a listing where it has a purchase price. Errors: Held."""
    card = _card(cells, catalogue)
    if "instance" in cells and not cells["instance"] and cells.get("per_hour"):
        hold("without_host")  # some catalogues list the card and its machine in two rows that must be added
    return _listing(cells, sheet, catalogue, card) if cells.get("low") else _offer(cells, sheet, catalogue, card)


def _card(cells: Cells, catalogue: Catalogue) -> str:
    if cells["gpu"] in ANY_VARIANT:
        return cells["gpu"]
    found = gpu_named(cells["gpu"], catalogue, _memory(cells))
    if isinstance(found, Ambiguity):
        hold("card_ambiguous")
    return found.id if isinstance(found, Gpu) else hold("card_unknown")


def _memory(cells: Cells) -> float | None:
    """Memory of one card in GB as marketed, from a column of its own or from GpuInfo in MiB."""
    mib = _SIZE_IN_MIB.search(cells.get("memory_text", ""))
    if mib is not None:
        return float(round(int(mib[1]) / 1024))
    memory = cells.get("memory", "").lower().removesuffix("gb").strip()
    return float(memory) if re.fullmatch(r"\d{1,9}(?:\.\d+)?", memory) else None


def _offer(cells: Cells, sheet: Sheet, catalogue: Catalogue, card: str) -> Offer:
    cards, per_month = count(cells), number(cells, "per_month")
    spot = _is_spot(cells)
    per_hour, per_gpu_hour = _hourly(cells, cards, spot, (per_month or 0.0) / catalogue.figure("hours_per_month").typical)
    held, provider, region = (
        _day(cells, sheet),
        cells.get("provider") or sheet.provider or hold("provider_missing"),
        cells.get("region", ""),
    )
    spot_beside = None if spot else number(cells, "spot_price")
    return Offer(
        id=_id(provider, card, cards, held),
        provider=provider,
        provider_kind=_provider_kind(provider, catalogue),
        tier=cells.get("tier", ""),
        instance=cells.get("instance", ""),
        gpu=card,
        count=cards,
        per_hour=per_hour,
        per_gpu_hour=per_gpu_hour,
        spot_per_gpu_hour=spot_beside / cards if spot_beside and spot_beside > 0 else None,
        per_month=per_month,
        monthly_cap=(not_below_zero(cells, "monthly_cap") or None) if per_hour is not None else None,
        setup_fee=not_below_zero(cells, "setup_fee"),
        billing_step_minutes=None,
        currency=currency(cells, sheet.currency),
        region=region,
        eu=flag(cells, "eu") if cells.get("eu") else in_eu(region),
        date=held,
        date_quality="exact",
        review_by=held + timedelta(days=catalogue.figure("price_review_rental_days").typical),
        commitment="spot" if spot else word(cells, "commitment", _COMMITMENTS, "monthly" if per_month else "on-demand"),
        tax=_tax(cells, sheet),
        available=flag(cells, "available"),
        source=cells.get("source") or sheet.source or hold("source_missing"),
        note=cells.get("note", ""),
        entered_by=sheet.entered_by,
    )


def _is_spot(cells: Cells) -> bool:
    """Whether the line is a spot price: marked as such, or with no other price."""
    others = any(cells.get(field) for field in ("per_hour", "per_gpu_hour", "per_month"))
    return flag(cells, "spot") is True or cells.get("commitment", "").lower() == "spot" or bool(cells.get("spot_price") and not others)


def _hourly(cells: Cells, cards: int, spot: bool, monthly: float) -> tuple[float | None, float]:
    """Price of the machine and of one card an hour; one sold by the month has no hourly price of the machine. Errors: Held."""
    per_hour, per_gpu = number(cells, "per_hour"), number(cells, "per_gpu_hour")
    if spot and per_hour is None and per_gpu is None:
        per_hour = number(cells, "spot_price")
    if per_hour is None and per_gpu is not None:
        per_hour = per_gpu * cards
    price = monthly if per_hour is None else per_hour
    if price <= 0 or monthly < 0:
        hold("price_not_positive")
    return (None if monthly else per_hour), price / cards


def _listing(cells: Cells, sheet: Sheet, catalogue: Catalogue, card: str) -> Listing:
    low = number(cells, "low") or 0.0
    high = number(cells, "high") or low
    if not 0 < low <= high:
        hold("price_not_positive")
    held, cards = _day(cells, sheet), count(cells)
    return Listing(
        id=_id("buy", card, cards, held),
        gpu=card,
        item=cells.get("item") or cells["gpu"],
        low=low,
        high=high,
        currency=currency(cells, sheet.currency),
        kind=word(cells, "kind", _LISTING_KINDS, "street"),
        market=cells.get("market", ""),
        date=held,
        date_quality="exact",
        review_by=held + timedelta(days=catalogue.figure("price_review_listing_days").typical),
        tax=_tax(cells, sheet),
        source=cells.get("source") or sheet.source or hold("source_missing"),
        note=cells.get("note", ""),
        count=cards,
        entered_by=sheet.entered_by,
    )


def _day(cells: Cells, sheet: Sheet) -> date:
    """The day the price held. Errors: Held, also for a day that is still to come."""
    held = day(cells, sheet.day)
    return hold("date_future") if sheet.today is not None and held > sheet.today else held


def _tax(cells: Cells, sheet: Sheet) -> Literal["net", "gross", "unknown"]:
    return cast(Literal["net", "gross", "unknown"], word(cells, "tax", _TAXES, sheet.tax))


def _provider_kind(provider: str, catalogue: Catalogue) -> str:
    """As the catalogue knows the provider; a new one is taken for a specialist."""
    kinds = Counter(offer.provider_kind for offer in catalogue.offers if offer.provider.lower() == provider.lower())
    return kinds.most_common(1)[0][0] if kinds else "specialist"


def _id(seller: str, card: str, cards: int, held: date) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{seller} {card} {f'x{cards} ' if cards > 1 else ''}".lower()).strip("-")
    return f"{words}-{held}-imported"
