"""From how many hours on owning is the cheaper way: enter the two sides and the horizon, leaves hours or the reason there are none.

Hours are the owned machine's, over the horizon, spread evenly over its months. Both sides are linear in the hours of a month but
for the billing step (a staircase) and the cap (a ceiling), so each break-even has a closed form; the tests hold it against
a month-by-month simulation.
"""

import math
from dataclasses import dataclass, replace

from engine.costs import ROUNDING, Own, RentTerms, Workload, billed_hours, discount, discounts
from engine.recommendation import WhyNull
from engine.request import HOURS_PER_MONTH

_LEAST = 1e-12  # any hours at all: what the first minute bills


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Hours over the horizon, or why there are none."""

    hours: float | None
    why_null: WhyNull | None = None


def price_only(own: Own | None, terms: RentTerms | None) -> BreakEven:
    """Purchase / hourly rent: plain division, whatever the horizon, nothing else in it."""
    missing = _missing(own, terms)
    if missing or own is None or terms is None or terms.per_hour is None:
        return BreakEven(None, missing or "no_rent")
    return BreakEven(own.purchase / terms.per_hour)


def with_energy(own: Own | None, terms: RentTerms | None, months: int) -> BreakEven:
    """(C + Pi p T) / (r - Pl p + Pi p): energy under load and while idle, nothing else."""
    missing = _missing(own, terms)
    if missing or own is None or terms is None or terms.per_hour is None:
        return BreakEven(None, missing or "no_rent")
    horizon = float(months * HOURS_PER_MONTH)
    saved = terms.per_hour - own.load_rate + own.idle_rate
    if saved <= 0:
        return BreakEven(None, "rent_cheaper_than_running")
    hours = (own.purchase + own.idle_rate * horizon) / saved
    return BreakEven(hours) if hours <= horizon else BreakEven(None, "beyond_horizon")


def with_idle_always(own: Own | None, terms: RentTerms | None, months: int) -> float | None:
    """What published calculations get that charge idle power while the machine works, too: (C + Pi p T) / (r - Pl p), 8,908 for 8,705 h."""
    if own is None or terms is None or terms.per_hour is None or not own.idle_rate or terms.per_hour <= own.load_rate:
        return None
    return (own.purchase + own.idle_rate * months * HOURS_PER_MONTH) / (terms.per_hour - own.load_rate)


def full(own: Own | None, terms: RentTerms | None, work: Workload) -> BreakEven:
    """The fewest hours, spread evenly over the horizon, at which owning costs no more: everything included.

    In a month: k + b h <= bill(h / speed_ratio), where k is all that does not depend on the hours, brought to one month by the
    sum of the discount factors, and b the running cost of one hour of work.
    """
    missing = _missing(own, terms)
    if missing or own is None or terms is None:
        return BreakEven(None, missing)
    months = discounts(work.discount_rate, work.months)
    resale = own.purchase * own.resale_share * discount(work.discount_rate, work.months)
    constant = (own.purchase - resale - terms.setup_fee) / months + own.fixed + own.idle_rate * HOURS_PER_MONTH - terms.storage
    hours = _crossing(constant, own.load_rate - own.idle_rate, terms, work.speed_ratio)
    if hours is not None and hours <= HOURS_PER_MONTH:
        return BreakEven(hours * work.months)
    running = own.fixed + own.idle_rate * HOURS_PER_MONTH - terms.storage
    return BreakEven(None, _why_never(constant, own.load_rate - own.idle_rate, running, terms, work.speed_ratio))


def _missing(own: Own | None, terms: RentTerms | None) -> WhyNull | None:
    return "no_purchase" if own is None else "no_rent" if terms is None else None


def _crossing(constant: float, slope: float, terms: RentTerms, ratio: float) -> float | None:
    """The smallest h >= 0 with constant + slope h <= the bill of h / ratio rented hours."""
    if terms.per_month is not None:
        return _below(constant, slope, terms.per_month)
    if constant <= 0:
        return 0.0
    price, cap = terms.per_hour or 0.0, math.inf if terms.monthly_cap is None else terms.monthly_cap
    work = ratio * (1 - terms.overhead) / (1 + terms.restarts)  # hours of the owned machine per billed hour
    first = billed_hours(terms, _LEAST)
    early = _below(constant, slope, min(cap, price * first))
    if early is not None and early <= first * work:
        return early
    if terms.billing_step > 0:
        return _on_stairs(constant, slope, price, terms.billing_step, work, cap)
    return _on_line(constant, slope, price / work, cap)


def _below(constant: float, slope: float, ceiling: float, since: float = 0.0) -> float | None:
    """The smallest h >= since with constant + slope h <= ceiling: where the bill does not depend on the hours."""
    if constant + slope * since <= ceiling + ROUNDING * abs(ceiling):
        return since
    return (ceiling - constant) / slope if slope < 0 else None


def _on_line(constant: float, slope: float, price: float, cap: float) -> float | None:
    """Where every hour is billed as it is, up to the cap."""
    hours = constant / (price - slope) if price > slope else math.inf
    reached = cap / price
    if hours <= reached:
        return hours if math.isfinite(hours) else None
    return _below(constant, slope, cap, since=reached)


def _on_stairs(constant: float, slope: float, price: float, step: float, work: float, cap: float) -> float | None:
    """Where bills rise in steps up to the cap: within a step the bill is flat, so its best end decides."""
    gained = step * (price - slope * work)
    capped = cap / (price * step)
    last = max(1, math.ceil(capped - ROUNDING)) if math.isfinite(capped) else math.inf
    number = max(1, math.ceil((constant - max(0.0, slope) * work * step) / gained - ROUNDING)) if gained > 0 else math.inf
    reached = min(number, last)
    if not math.isfinite(reached):
        return None
    return _below(constant, slope, min(cap, price * step * reached), since=(reached - 1) * step * work)


def _why_never(constant: float, slope: float, running: float, terms: RentTerms, ratio: float) -> WhyNull:
    """Each hour saves nothing; or the ceiling is what keeps renting cheap; or only a longer horizon would pay it back."""
    if terms.per_month is not None:  # hours do not move a flat month: either running alone costs more, or the purchase on top of it
        return "rent_cheaper_than_running" if terms.per_month <= running else "cap"
    if terms.hourly / ratio <= slope:
        return "rent_cheaper_than_running"
    uncapped = _crossing(constant, slope, replace(terms, monthly_cap=None), ratio)
    return "cap" if uncapped is not None and uncapped <= HOURS_PER_MONTH else "beyond_horizon"
