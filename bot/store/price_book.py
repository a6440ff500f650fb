"""Prices that people entered: offers and listings enter with who and when, overlays for the catalogue leave. Append-only."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from bot.store.database import Connection, Database, Row, moment
from engine.catalogue import Catalogue, Listing, Offer, catalogue
from engine.catalogue.loading import with_prices

State: TypeAlias = Literal["accepted", "quarantined"]
Price: TypeAlias = Offer | Listing
_KINDS: Mapping[str, type[Offer] | type[Listing]] = {"rent": Offer, "buy": Listing}
_DAYS = ("date", "review_by")


@dataclass(frozen=True, slots=True)
class Draft:
    """A price to be entered: what it became, or why it is held back, and the row as it was written."""

    price: Price | None
    state: State = "accepted"
    reason: str = ""
    written: Mapping[str, str] = field(default_factory=dict)
    released: int | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A price as it is kept."""

    id: int
    entered: datetime
    entered_by: str
    draft: Draft


@dataclass(frozen=True)
class PriceBook:
    """The prices of one database."""

    database: Database

    def add(self, drafts: Iterable[Draft], who: str, now: datetime) -> tuple[int, ...]:
        """Keep them all or none; their numbers."""
        with self.database.transaction() as connection:
            return enter(connection, drafts, who, now)

    def entries(self) -> tuple[Entered, ...]:
        """Everything that was ever entered, oldest first."""
        with self.database.reading() as connection:
            rows = connection.run("SELECT id, entered, entered_by, state, reason, released, price, written FROM price_entry ORDER BY id")
        return tuple(_entered(row) for row in rows)

    def quarantined(self) -> tuple[Entered, ...]:
        """What is held back and was not let through since."""
        kept = self.entries()
        released = {one.draft.released for one in kept}
        return tuple(one for one in kept if one.draft.state == "quarantined" and one.id not in released)

    def overlays(self) -> tuple[Price, ...]:
        """The accepted prices, newest entry first: of one day the later entry counts."""
        kept = (one for one in reversed(self.entries()) if one.draft.state == "accepted")
        return tuple(one.draft.price for one in kept if one.draft.price is not None)

    def catalogue(self) -> Catalogue:
        """The shipped catalogue with these prices over it; built again only when something was entered."""
        with self.database.reading() as connection:
            last = connection.run("SELECT max(id) AS last FROM price_entry")[0]["last"]
        return _known(self, last) if last else catalogue()


def enter(connection: Connection, drafts: Iterable[Draft], who: str, now: datetime) -> tuple[int, ...]:
    """Keep drafts within an open transaction; their numbers."""
    return tuple(_insert(connection, draft, who, now) for draft in drafts)


@lru_cache(maxsize=2)
def _known(book: PriceBook, last: int) -> Catalogue:  # noqa: ARG001  # `last` is what makes an old answer stale
    return with_prices(catalogue(), book.overlays())


def _insert(connection: Connection, draft: Draft, who: str, now: datetime) -> int:
    values = {
        "entered": now.astimezone(UTC),
        "entered_by": who,
        "state": draft.state,
        "reason": draft.reason,
        "released": draft.released,
        "day": None if draft.price is None else draft.price.date,
        "price": "" if draft.price is None else _written(draft.price),
        "written": json.dumps(draft.written, ensure_ascii=False),
    }
    names, places = ", ".join(values), ", ".join(f":{name}" for name in values)
    return int(connection.run(f"INSERT INTO price_entry ({names}) VALUES ({places}) RETURNING id", **values)[0]["id"])


def _entered(row: Row) -> Entered:
    by = row["entered_by"]
    price = _read(row["price"], by) if row["price"] else None
    draft = Draft(price, row["state"], row["reason"], json.loads(row["written"]), row["released"])
    return Entered(row["id"], moment(row["entered"]), by, draft)


def _written(price: Price) -> str:
    kind = "rent" if isinstance(price, Offer) else "buy"
    return json.dumps({kind: dataclasses.asdict(price)}, ensure_ascii=False, default=date.isoformat)


def _read(text: str, by: str) -> Price:
    """Fields of an older version that are gone are left out; new ones have defaults."""
    written: dict[str, dict[str, Any]] = json.loads(text)
    ((name_of_kind, kept),) = written.items()
    kind = _KINDS[name_of_kind]
    names = {one.name for one in dataclasses.fields(kind)}
    values = {name: value for name, value in kept.items() if name in names} | {"entered_by": by}
    return kind(**values | {name: date.fromisoformat(values[name]) for name in _DAYS if values[name] is not None})
