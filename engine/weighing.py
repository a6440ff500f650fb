"""Which side the money favours: enter both sides, the hours and the limits; leaves rent, buy or none, and how near the two are.

What must not be chosen (a rule, no cloud) or breaks the budget is not advised; of what is left the cheaper one over the horizon.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.break_even import full
from engine.budget import Spending, holds_all
from engine.costs import Own, RentTerms, Workload, own_total, rent_of_month, rent_total
from engine.recommendation import AcquisitionVerdict
from engine.request import HOURS_PER_MONTH, Budget, Currency

Way: TypeAlias = Literal["owned", "rent", "buy"]
BoughtOrRented: TypeAlias = Literal["rent", "buy"]
_BOUGHT_OR_RENTED: tuple[BoughtOrRented, ...] = ("rent", "buy")
EVERY_WAY: frozenset[Way] = frozenset({"owned", "rent", "buy"})


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds whatever the money says: the ways allowed, the budgets, how a budget becomes money of the answer."""

    allowed: frozenset[Way]
    budgets: tuple[Budget, ...]
    tolerance: float
    near: float
    convert: Callable[[float, Currency], float]

    def hold(self, spending: Spending) -> bool:
        return holds_all(spending, self.budgets, self.tolerance, self.convert)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides with the hours; `known` says whether there are any hours, `quoted` which sides are the user's own offers."""

    own: Own | None
    terms: RentTerms | None
    work: Workload
    known: bool
    quoted: frozenset[Way] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the money says; `verdict` None: the hours decide, or the other side."""

    verdict: AcquisitionVerdict | None
    near: bool = False
    over: bool = False


def own_spending(own: Own, work: Workload) -> Spending:
    """What buying takes of a budget: the purchase at once, all of it over the horizon, spread over months and hours."""
    total = own_total(own, work)
    return Spending(own.purchase, total, total / work.months, total / work.total if work.total else None)


def rent_spending(terms: RentTerms, work: Workload) -> Spending:
    """What renting takes of a budget: its dearest month, and the price of an hour."""
    total = rent_total(terms, work)
    rented = work.total / work.speed_ratio
    hour = terms.per_hour if terms.per_hour is not None else total / rented if rented else None
    return Spending(terms.setup_fee, total, rent_of_month(terms, work.hours(1) / work.speed_ratio), hour)


def outcome(sides: Sides, limits: Limits) -> Outcome:
    """The verdict by the money over the horizon at the stated hours."""
    if not sides.known:
        return _whatever_the_hours(sides, limits)
    if sides.work.total <= 0:
        return Outcome("none")
    spendings = {way: spending for way, spending in _spendings(sides).items() if way in limits.allowed}
    if not spendings:
        return _only_way(sides, limits)
    ordered = sorted(spendings, key=lambda way: spendings[way].total)  # renting stays first where both cost the same
    within = [way for way in ordered if limits.hold(spendings[way])]
    over = ordered[0] not in within or any(way in sides.quoted and way not in within for way in ordered)
    if not within:
        return Outcome("none", over=over)
    if sides.terms is None and "rent" in limits.allowed:
        return Outcome(None, over=over)  # a purchase alone says nothing: what renting costs decides
    return Outcome(within[0], near=_near(spendings, limits), over=over)


def at_least(work: Workload) -> Workload:
    """The least that will be done where nobody said how much: one hour."""
    return replace(work, training=0.0, serving=0.0, once=1.0)


def _spendings(sides: Sides) -> dict[BoughtOrRented, Spending]:
    """Renting first, so that it wins where both cost the same: it commits to nothing."""
    found: dict[BoughtOrRented, Spending] = {}
    if sides.terms is not None:
        found["rent"] = rent_spending(sides.terms, sides.work)
    if sides.own is not None:
        found["buy"] = own_spending(sides.own, sides.work)
    return found


def _near(spendings: Mapping[BoughtOrRented, Spending], limits: Limits) -> bool:
    """Whether the dearer way costs at most a fifth more than the cheaper one, both being open to choice."""
    low, *more = sorted(spending.total for spending in spendings.values())
    return bool(more) and low > 0 and more[0] <= low * (1 + limits.near)


def _whatever_the_hours(sides: Sides, limits: Limits) -> Outcome:
    """Without hours the verdict stands only where every number of hours leads to the same one."""
    if sides.own is None or sides.terms is None or limits.budgets or not {"rent", "buy"} <= limits.allowed:
        return _only_way(sides, limits)
    always = replace(sides, work=replace(sides.work, training=float(HOURS_PER_MONTH), serving=0.0, once=0.0), known=True)
    least = full(sides.own, sides.terms, sides.work).hours
    at_most = outcome(always, limits).verdict
    if (least is None and at_most == "rent") or (least == 0 and at_most == "buy"):
        return Outcome(at_most)
    return Outcome(None)


def _only_way(sides: Sides, limits: Limits) -> Outcome:
    """Where rules and budget leave one way, it is that one; a purchase alone never is, while renting is open and not priced."""
    least = replace(sides, work=at_least(sides.work))
    spendings = {way: spending for way, spending in _spendings(least).items() if way in limits.allowed}
    if not spendings:
        ways = [way for way in _BOUGHT_OR_RENTED if way in limits.allowed]
        return Outcome(ways[0] if len(ways) == 1 else None)
    within = [way for way in spendings if limits.hold(spendings[way])]
    over = any(way in sides.quoted and way not in within for way in spendings)
    if not within:
        return Outcome("none", over=True)
    unpriced_rent = sides.terms is None and "rent" in limits.allowed
    return Outcome(within[0] if len(within) == 1 and not unpriced_rent else None, over=over)
