"""How old a price is and what that does to it: enters a price with its day, leaves a factor range and the figure shown for it.

Up to 30 days a price is taken as it is; up to 90 its age is said; beyond that it is a range of plus and minus 40 %, never a point,
and so is a price without a day; a maker's list price moves less than the market (figures `price_*`).
"""

from dataclasses import dataclass
from datetime import date

from engine.catalogue import Catalogue, Figure


@dataclass(frozen=True, slots=True)
class Priced:
    """A price as it can be used today: `low` and `high` as factors of the price, and the figure with its source and day."""

    low: float
    high: float
    figure: Figure

    @property
    def dated(self) -> bool:
        """Too old for a point."""
        return self.low < self.high


def priced(
    name: str,
    price: float,
    unit: str,
    source: str,
    day: date | None,
    today: date,
    catalogue: Catalogue,
    spread_by: str = "price_old_spread",
) -> Priced:
    """The factors of a price on a day, and its figure; old and undated prices as a range, of plus and minus the figure `spread_by`."""
    old = day is None or (today - day).days > catalogue.figure("price_dated_days").typical
    spread = catalogue.figure(spread_by).typical if old else 0.0
    value: float | tuple[float, float] = (price * (1 - spread), price * (1 + spread)) if old else price
    return Priced(1 - spread, 1 + spread, Figure(name, value, unit, source, day))
