"""A way to get the work done, priced or ready to be priced: enters terms and hours, leaves a `Plan` with its cost and range."""

from dataclasses import dataclass, replace

from engine.catalogue import Figure
from engine.costs import Own, RentTerms, Workload, own_total, rent_total
from engine.recommendation import Plan
from engine.request import Currency
from engine.units import quantity
from engine.weighing import Limits, at_least, own_spending, rent_spending

_NO_SPREAD = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its plan without money, and either the owned side or the terms. `spread` are factors of the price, `speed_ratio` is
    the speed of this machine over the one the hours are counted on."""

    plan: Plan
    own: Own | None = None
    terms: RentTerms | None = None
    speed_ratio: float = 1.0
    spread: tuple[float, float] = _NO_SPREAD
    figures: tuple[Figure, ...] = ()
    spot: RentTerms | None = None  # the same machine, interruptible
    once: float | None = None  # hours of the project on this very machine, where they follow from the data
    speed: float | None = None  # tokens a second, of what they own

    def work(self, work: Workload) -> Workload:
        """The work as this machine does it."""
        return replace(work, speed_ratio=self.speed_ratio, once=work.once if self.once is None else self.once)


def quoted(own: Own | None, terms: RentTerms | None, ratio: float) -> tuple[Way, ...]:
    """The user's own offers as ways; they name no card and no provider."""
    found = []
    if terms is not None:
        found.append(Way(Plan("rent", None, None, None, None, None, None, None), terms=terms, speed_ratio=ratio))
    if own is not None:
        found.append(Way(Plan("buy", None, None, None, None, None, None, None), own=own))
    return tuple(found)


def planned(way: Way, work: Workload, known: bool, limits: Limits, currency: Currency) -> Plan:
    """The plan with hours and cost over the horizon and whether it holds the budget; without hours only what an hour costs, and of a
    purchase where nothing else is open whether the budget pays for it and a first hour."""
    figures = tuple(figure.id for figure in way.figures)
    if not known:
        within = holds(way, at_least(work), limits) if limits.budgets and "rent" not in limits.allowed else None
        return replace(way.plan, within_budget=within, figures=figures, details={**way.plan.details, **_hourly(way, currency)})
    work = way.work(work)
    rented = way.terms is not None
    cost = rent_total(way.terms, work) if way.terms is not None else own_total(way.own, work) if way.own is not None else 0.0
    base = cost if way.terms is not None else way.own.purchase if way.own is not None else 0.0
    ends = tuple(quantity(cost + base * (factor - 1), currency) for factor in way.spread)
    return replace(
        way.plan,
        hours=quantity(work.total / (work.speed_ratio if rented else 1), "hour"),
        cost=quantity(cost, currency),
        cost_range=None if way.spread == _NO_SPREAD else (ends[0], ends[1]),
        within_budget=holds(way, work, limits),
        figures=figures,
        details={**way.plan.details, **_hourly(way, currency)},
    )


def holds(way: Way, work: Workload, limits: Limits) -> bool:
    """Whether a way stays within every budget at these hours."""
    work = way.work(work)
    if way.terms is not None:
        return limits.hold(rent_spending(way.terms, work))
    return way.own is None or limits.hold(own_spending(way.own, work))


def _hourly(way: Way, currency: Currency) -> dict[str, object]:
    """What an hour of renting costs, or what buying takes at once; `spread`: the factors of its range, where the price is old."""
    spread = {} if way.spread == _NO_SPREAD else {"spread": way.spread}
    if way.terms is not None and way.terms.per_hour is not None:
        return {"per_hour": quantity(way.terms.per_hour, f"{currency}/hour"), "speed_ratio": way.speed_ratio, **spread}
    if way.own is not None and way.own.purchase > 0:
        return {"purchase": quantity(way.own.purchase, currency), **spread}
    return {}
