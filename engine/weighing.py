"""Which side the money favours: enter both sides, the hours and the limits; leaves rent, buy or none, and how near the two are.

What must not be chosen (a rule, no cloud) or breaks the budget is not advised; of what is left the cheaper one over the horizon.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.break_even import full
from engine.budget import Spending, holds_all
from engine.costs import Own, RentTerms, Workload, cumulated, own_flows, rent_flows
from engine.recommendation import AcquisitionVerdict
from engine.request import HOURS_PER_MONTH, Budget, Currency

Way: TypeAlias = Literal["owned", "rent", "buy"]
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
    """The two sides with the hours; `known` says whether any hours were said."""

    own: Own | None
    terms: RentTerms | None
    work: Workload
    known: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the money says; `verdict` None: the hours decide, or the other side."""

    verdict: AcquisitionVerdict | None
    near: bool = False
    over: bool = False


def own_cost(own: Own, work: Workload) -> float:
    """Money over the horizon, discounted."""
    return cumulated(own_flows(own, work), work.discount_rate)[-1]


def rent_cost(terms: RentTerms, work: Workload) -> float:
    """Money over the horizon, discounted."""
    return cumulated(rent_flows(terms, work), work.discount_rate)[-1]


def own_spending(own: Own, work: Workload) -> Spending:
    """What buying takes of a budget: the purchase at once, all of it over the horizon, spread over months and hours."""
    total = own_cost(own, work)
    return Spending(own.purchase, total, total / work.months, total / work.total if work.total else None)


def rent_spending(terms: RentTerms, work: Workload) -> Spending:
    """What renting takes of a budget: its dearest month, and the price of an hour."""
    flows = tuple(rent_flows(terms, work))
    total = rent_cost(terms, work)
    rented = work.total / work.speed_ratio
    hour = terms.per_hour if terms.per_hour is not None else total / rented if rented else None
    return Spending(terms.setup_fee, total, max(flows[1:]), hour)


def outcome(sides: Sides, limits: Limits) -> Outcome:
    """The verdict by the money over the horizon at the stated hours."""
    if not sides.known:
        return _whatever_the_hours(sides, limits)
    if sides.work.total <= 0:
        return Outcome("none")
    spendings = _spendings(sides)
    costs = {way: spending.total for way, spending in spendings.items()}
    over = any(not limits.hold(spending) for way, spending in spendings.items() if way in limits.allowed)
    open_ways = [way for way, spending in spendings.items() if way in limits.allowed and limits.hold(spending)]
    if not open_ways:
        return Outcome("none" if spendings else None, over=over)
    if sides.terms is None and "rent" in limits.allowed:
        return Outcome(None, over=over)  # a purchase alone says nothing: what renting costs decides
    cheapest: AcquisitionVerdict = min((costs[way], order, way) for order, way in enumerate(open_ways))[2]
    return Outcome(cheapest, near=_near(costs, limits), over=over)


def _spendings(sides: Sides) -> dict[Literal["rent", "buy"], Spending]:
    """Renting first, so that it wins where both cost the same: it commits to nothing."""
    found: dict[Literal["rent", "buy"], Spending] = {}
    if sides.terms is not None:
        found["rent"] = rent_spending(sides.terms, sides.work)
    if sides.own is not None:
        found["buy"] = own_spending(sides.own, sides.work)
    return found


def _near(costs: dict[Literal["rent", "buy"], float], limits: Limits) -> bool:
    """Whether the dearer way costs at most a fifth more than the cheaper one, both being open to choice."""
    if len(costs) < 2 or not {"rent", "buy"} <= limits.allowed:
        return False
    low, high = sorted(costs.values())
    return low > 0 and high <= low * (1 + limits.near)


def _whatever_the_hours(sides: Sides, limits: Limits) -> Outcome:
    """Without hours the verdict stands only where every number of hours leads to the same one."""
    if sides.own is None or sides.terms is None or limits.budgets:
        return _only_way(sides, limits)
    always = replace(sides, work=replace(sides.work, training=float(HOURS_PER_MONTH), serving=0.0, once=0.0), known=True)
    least = full(sides.own, sides.terms, sides.work).hours
    at_most = outcome(always, limits).verdict
    if (least is None and at_most == "rent") or (least == 0 and at_most == "buy"):
        return Outcome(at_most)
    return _only_way(sides, limits)


def _only_way(sides: Sides, limits: Limits) -> Outcome:
    """Where only one way is open, it is that one (budgets need hours)."""
    given = {way for way, side in (("rent", sides.terms), ("buy", sides.own)) if side is not None}
    ways = given & limits.allowed
    if len(ways) == 1 and not limits.budgets and (ways == {"rent"} or "rent" not in limits.allowed):
        return Outcome("rent" if "rent" in ways else "buy")
    return Outcome(None)
