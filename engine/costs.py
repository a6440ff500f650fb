"""What owning and what renting cost, month by month: enter terms and hours as plain numbers, leave money.

One currency and one tax basis throughout (the caller converts); hours, kW, money per hour, month or kWh. A month has 730 hours.
The purchase and the set-up fee fall at time 0; everything else at the end of its month; the resale at the end of the last one.
A yearly discount rate i is compounded: money at the end of month m is worth (1 + i)^(-m/12) of it, so that twelve months
discount exactly as one year.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import accumulate

from engine.errors import Refusal
from engine.request import HOURS_PER_MONTH

MONTHS_PER_YEAR = 12
ROUNDING = 1e-9  # a hundredth of a step must not bill a whole one because of binary fractions


def _checked(terms: object) -> None:
    """Refuse what no price list holds: negative, infinite or undefined numbers. Errors: Refusal."""
    for part in fields(terms):  # type: ignore[arg-type]
        value = getattr(terms, part.name)
        if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
            raise Refusal("not_a_price", field=part.name, read=str(value))


@dataclass(frozen=True, slots=True)
class Own:
    """The owned side. `pue` multiplies all energy; without `always_powered` the machine is off while not working."""

    purchase: float
    load: float = 0.0  # kW
    idle: float = 0.0  # kW
    tariff: float = 0.0  # money per kWh
    pue: float = 1.0
    always_powered: bool = True
    maintenance_share: float = 0.0  # of the purchase, a year
    admin: float = 0.0  # money a month
    colocation: float = 0.0  # money a month
    resale_share: float = 0.0  # of the purchase, at the end

    def __post_init__(self) -> None:
        _checked(self)
        if self.resale_share > 1:
            raise Refusal("share_above_one", field="resale_share", read=str(self.resale_share))

    @property
    def load_rate(self) -> float:
        """Money per hour of work."""
        return self.load * self.pue * self.tariff

    @property
    def idle_rate(self) -> float:
        """Money per hour powered without work."""
        return self.idle * self.pue * self.tariff if self.always_powered else 0.0

    @property
    def fixed(self) -> float:
        """Money a month, whatever the hours, energy left out."""
        return self.purchase * self.maintenance_share / MONTHS_PER_YEAR + self.admin + self.colocation


@dataclass(frozen=True, slots=True)
class RentTerms:
    """The rented side, for the whole offer: by the hour (with a cap or not), or flat by the month.

    `overhead` is the share of rented hours that do no work (provisioning, loading, failed starts; for spot, restarts come on
    top): billed = work / (1 - overhead) x (1 + restarts). A reserved term is a flat month, see `reserved`.
    """

    per_hour: float | None = None
    per_month: float | None = None
    monthly_cap: float | None = None
    setup_fee: float = 0.0
    billing_step: float = 0.0  # hours, 0: no rounding; rounds up once a month
    minimum: float = 0.0  # hours billed at least in a month of use
    overhead: float = 0.0
    restarts: float = 0.0
    storage: float = 0.0  # money a month, whatever the hours

    def __post_init__(self) -> None:
        _checked(self)
        if (self.per_hour is None) == (self.per_month is None):
            raise Refusal("rent_needs_one_price", field="per_hour")
        if self.overhead >= 1:
            raise Refusal("share_above_one", field="overhead", read=str(self.overhead))
        if self.per_hour is not None and self.per_hour <= 0:
            raise Refusal("not_a_price", field="per_hour", read=str(self.per_hour))

    @property
    def hourly(self) -> float:
        """Money per hour of work before rounding and cap; 0 for a flat month."""
        return (self.per_hour or 0.0) * (1 + self.restarts) / (1 - self.overhead)


def reserved(per_hour: float, discount: float) -> RentTerms:
    """A reserved term: the discounted hour, paid around the clock whether used or not."""
    return RentTerms(per_month=per_hour * (1 - discount) * HOURS_PER_MONTH)


@dataclass(frozen=True, slots=True)
class Workload:
    """Hours on the owned machine, over a horizon. `once` falls in the first month; `speed_ratio` is rented over owned speed."""

    training: float = 0.0  # a month
    serving: float = 0.0  # a month
    once: float = 0.0
    months: int = 36
    speed_ratio: float = 1.0
    discount_rate: float = 0.0  # a year

    def __post_init__(self) -> None:
        _checked(self)
        if self.months < 1:
            raise Refusal("horizon_zero", field="usage.horizon_months", read=str(self.months))
        if self.speed_ratio <= 0:
            raise Refusal("not_a_price", field="quotes.speed_ratio", read=str(self.speed_ratio))
        if self.training + self.serving > HOURS_PER_MONTH:
            raise Refusal("hours_above_month", field="usage.training_hours_per_month", read=str(self.training + self.serving))

    def hours(self, month: int) -> float:
        """Hours of work in a month, counted from 1."""
        return self.training + self.serving + (self.once if month == 1 else 0.0)

    @property
    def total(self) -> float:
        """Hours of work over the horizon."""
        return self.months * (self.training + self.serving) + self.once


def discount(rate: float, month: int) -> float:
    """What money at the end of a month is worth at time 0: (1 + rate)^(-month/12)."""
    return float((1 + rate) ** (-month / MONTHS_PER_YEAR))


def billed_hours(terms: RentTerms, hours: float) -> float:
    """Hours on the bill of a month: with overhead, at least the minimum, rounded up once to the billing step."""
    if hours <= 0:
        return 0.0
    wanted = max(hours * (1 + terms.restarts) / (1 - terms.overhead), terms.minimum)
    if terms.billing_step <= 0:
        return wanted
    return max(1, math.ceil(wanted / terms.billing_step - ROUNDING)) * terms.billing_step


def rent_of_month(terms: RentTerms, hours: float) -> float:
    """The bill of a month with `hours` of work on the rented machine: flat, or hours x price, never above the cap."""
    if terms.per_month is not None:
        return terms.per_month + terms.storage
    bill = billed_hours(terms, hours) * (terms.per_hour or 0.0)
    return min(bill, terms.monthly_cap if terms.monthly_cap is not None else math.inf) + terms.storage


def running_of_month(own: Own, hours: float) -> float:
    """What the owned machine costs in a month with `hours` of work: energy under load and idle, and what is fixed."""
    idle = max(0.0, HOURS_PER_MONTH - hours)
    return own.load_rate * hours + own.idle_rate * idle + own.fixed


def own_flows(own: Own, work: Workload) -> Iterator[float]:
    """Money by month of the owned side, from time 0, not discounted; the last month includes the resale."""
    yield own.purchase
    for month in range(1, work.months + 1):
        back = own.purchase * own.resale_share if month == work.months else 0.0
        yield running_of_month(own, work.hours(month)) - back


def rent_flows(terms: RentTerms, work: Workload) -> Iterator[float]:
    """Money by month of the rented side, from time 0, not discounted."""
    yield terms.setup_fee
    for month in range(1, work.months + 1):
        yield rent_of_month(terms, work.hours(month) / work.speed_ratio)


def discounts(rate: float, months: int) -> float:
    """The sum of the discount factors of so many months."""
    each = math.log1p(rate) / MONTHS_PER_YEAR
    return math.exp(-each) * math.expm1(-months * each) / math.expm1(-each) if each > 0 else float(months)


def own_total(own: Own, work: Workload) -> float:
    """Money over the horizon, discounted: the last entry of `cumulated`, without the months between."""
    rate, later = work.discount_rate, running_of_month(own, work.training + work.serving)
    first = running_of_month(own, work.hours(1)) - later if work.once else 0.0
    back = own.purchase * own.resale_share * discount(rate, work.months)
    return own.purchase + first * discount(rate, 1) + later * discounts(rate, work.months) - back


def rent_total(terms: RentTerms, work: Workload, ratio: float | None = None) -> float:
    """Money over the horizon, discounted: the last entry of `cumulated`, without the months between; at another speed ratio if given."""
    speed_ratio = ratio or work.speed_ratio
    rate, later = work.discount_rate, rent_of_month(terms, (work.training + work.serving) / speed_ratio)
    first = rent_of_month(terms, work.hours(1) / speed_ratio) - later if work.once else 0.0
    return terms.setup_fee + first * discount(rate, 1) + later * discounts(rate, work.months)


def cumulated(flows: Iterator[float], rate: float) -> tuple[float, ...]:
    """Discounted money to the end of each month; the first entry is month 1, time 0 included."""
    return tuple(accumulate(flow * discount(rate, month) for month, flow in enumerate(flows)))[1:]
