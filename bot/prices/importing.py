"""From a price list to drafts: CSV text enters with what holds for all of it, accepted and quarantined drafts leave.

Pure: no clock, no database. A price is per machine unless its column says per GPU; the count divides it. Held back is what cannot be
right or would move a known price too far; nothing is dropped silently.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import median
from typing import Any, TypeAlias

from bot.prices.cells import Cells, Held
from bot.prices.columns import DECIDING, fields_of, known_headers
from bot.prices.lines import Sheet, price_of
from bot.store.price_book import Draft
from engine.catalogue import Catalogue, Listing, Offer
from engine.catalogue.prices import Price, key_of
from engine.currency import converted
from engine.errors import Refusal
from engine.request import Currency

LARGEST_FILE = 20_000_000  # characters; the largest public list of one provider has about 2 million
_ROUNDING = 1 + 1e-9  # exactly ten times is no jump, whatever the last bit says
_Seen: TypeAlias = dict[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Import:
    """What a price list gave: the drafts, how many lines had a card, how many dearer ones of the same thing were left out."""

    drafts: tuple[Draft, ...]
    lines: int
    merged: int


def read_list(text: str, sheet: Sheet, catalogue: Catalogue) -> Import:
    """Every line of a price list that names a card. Errors: Refusal: no such columns, nothing in it, too large."""
    if len(text) > LARGEST_FILE:
        raise Refusal("too_long", "file", None, {"limit": LARGEST_FILE})
    lines = [cells for cells in _lines(text.removeprefix("\ufeff")) if cells["gpu"]]
    if not lines:
        raise Refusal("price_list_empty", "file")
    made = [draft_of(cells, sheet, catalogue) for cells in lines]
    kept = _cheapest(made)
    return Import(tuple(jumps_held(draft, catalogue) for draft in kept), len(lines), len(made) - len(kept))


def draft_of(cells: Cells, sheet: Sheet, catalogue: Catalogue) -> Draft:
    """One line as a draft; what cannot be a price is quarantined with the reason."""
    try:
        return Draft(price_of(cells, sheet, catalogue), written=cells)
    except Held as held:
        return Draft(None, "quarantined", held.reason, cells)


def _lines(text: str) -> Iterable[Mapping[str, str]]:
    """Each line by field. Errors: Refusal price_columns: no card or no price among the columns, or no table at all."""
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    header: list[str] = []
    try:
        header = list(reader.fieldnames or [])
        fields = fields_of(header)
        if "gpu" not in fields or not any(name in fields for name in DECIDING):
            raise _no_columns(header)
        for line in reader:
            yield {field: (line.get(name) or "").strip() for field, name in fields.items()}
    except csv.Error:
        raise _no_columns(header) from None


def _no_columns(header: Iterable[str]) -> Refusal:
    return Refusal("price_columns", "file", ", ".join(header)[:200], {"limit": ", ".join(known_headers())})


def _cheapest(drafts: Iterable[Draft]) -> list[Draft]:
    """Of several lines for the same thing on the same day (zones of one region) the cheapest; what is held back stays, line by line."""
    kept: list[Draft] = []
    seen: _Seen = {}
    for draft in drafts:
        if draft.price is None:
            kept.append(draft)
            continue
        key = (*key_of(draft.price), str(draft.price.date))
        place = seen.setdefault(key, len(kept))
        if place == len(kept):
            kept.append(draft)
        elif _worth(draft.price) < _worth(kept[place].price):
            kept[place] = draft
    return kept


def jumps_held(draft: Draft, catalogue: Catalogue) -> Draft:
    """The draft, quarantined if it moves a known price more than tenfold or below a fifth."""
    if draft.price is None:
        return draft
    before = known_worth(draft.price, catalogue)
    if before is None:
        return draft
    moved = _worth(draft.price) / before
    if moved > catalogue.figure("price_jump_up").typical * _ROUNDING:
        return replace(draft, state="quarantined", reason="jump_up")
    if moved < catalogue.figure("price_jump_down").typical / _ROUNDING:
        return replace(draft, state="quarantined", reason="jump_down")
    return draft


def known_worth(price: Price, catalogue: Catalogue) -> float | None:
    """What such a price is known to be, per card in its currency: the latest of this seller (and tier), else the middle of all."""
    known: list[Price] = [*catalogue.offers, *catalogue.listings]
    others = [one for one in known if _alike(one, price)]
    same = [one for one in others if _seller(one) == _seller(price)]
    latest = max([one for one in same if _tier(one) == _tier(price)] or same, key=_day, default=None)
    if latest is not None:
        return _in(price.currency, latest, catalogue)
    return median(_in(price.currency, one, catalogue) for one in others) if others else None


def _alike(one: Price, price: Price) -> bool:
    if isinstance(one, Offer) and isinstance(price, Offer):
        return one.gpu == price.gpu and (one.commitment == "spot") == (price.commitment == "spot")
    return isinstance(one, Listing) and isinstance(price, Listing) and one.gpu == price.gpu and one.kind == price.kind


def _seller(price: Price) -> str:
    return (price.provider if isinstance(price, Offer) else price.market).lower()


def _tier(price: Price) -> str:
    return price.tier.lower() if isinstance(price, Offer) else ""


def _day(price: Price) -> date:
    return price.date or date.min


def sorted_out(drafts: Sequence[Draft], numbers: Sequence[int], lines: int = 1, merged: int = 0) -> dict[str, Any]:
    """What the words and the JSON say of drafts: how many were kept, what was held back and why, under which number."""
    held = [
        {"number": number, "reason": draft.reason, "written": dict(draft.written), "price": draft.price}
        for number, draft in zip(numbers or [0] * len(drafts), drafts, strict=True)  # 0: not kept
        if draft.state == "quarantined"
    ]
    reasons = Counter(one["reason"] for one in held)
    return {
        "accepted": len(drafts) - len(held),
        "held": held,
        "reasons": dict(reasons.most_common()),
        "lines": lines,
        "merged": merged,
        "kept": bool(numbers),
    }


def _worth(price: Price | None) -> float:
    """Price of one card, per hour or to buy."""
    if price is None:
        return float("inf")
    return price.per_gpu_hour if isinstance(price, Offer) else (price.low + price.high) / 2 / price.count


def _in(currency: Currency, price: Price, catalogue: Catalogue) -> float:
    return converted(_worth(price), price.currency, currency, catalogue)
