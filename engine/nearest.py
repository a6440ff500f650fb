"""What would fit a budget that every plan breaks: enters the ways and the limits, leaves the nearest plans and what they give up.

Fewer hours, a single month of renting, or spot capacity; a smaller model and a lighter method are priced like any other task.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.costs import Workload
from engine.recommendation import Plan
from engine.request import Currency
from engine.units import quantity
from engine.ways import Way, holds, planned
from engine.weighing import Limits

_STEPS = 40  # halvings: to the second
_LEAST_HOURS = 1.0  # over the horizon; less is no plan


def nearest(ways: Sequence[Way], work: Workload, limits: Limits, currency: Currency) -> tuple[Plan, ...]:
    """The plans that fit, one for each thing given up."""
    rents = [way for way in ways if way.plan.acquisition == "rent"]
    return (*_interruptible(rents, work, limits, currency), *(plan for way in rents[:1] for plan in _of_rent(way, work, limits, currency)))


def _interruptible(rents: Sequence[Way], work: Workload, limits: Limits, currency: Currency) -> Iterator[Plan]:
    """The same hours on spot capacity: for runs that take up where they stopped, never for serving."""
    spots = [replace(way, terms=way.spot) for way in rents if way.spot is not None and not work.serving]
    held = next((way for way in spots if holds(way, work, limits)), None)
    if held is not None:
        yield replace(planned(held, work, True, limits, currency), gives_up=("spot",))


def _of_rent(way: Way, work: Workload, limits: Limits, currency: Currency) -> Iterator[Plan]:
    month = replace(work, months=1)
    if work.months > 1 and holds(way, month, limits):
        yield replace(planned(way, month, True, limits, currency), gives_up=("rent_a_month",))
    fewer = fewer_hours(way, work, limits)
    if fewer is not None:
        yield replace(planned(way, fewer, True, limits, currency), gives_up=("fewer_hours",), details=_hours(fewer))


def fewer_hours(way: Way, work: Workload, limits: Limits) -> Workload | None:
    """The same work in the largest share that still holds the budget; None where hardly an hour does."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(way, _share(work, middle), limits) else (low, middle)
    found = _share(work, low)
    return found if found.total >= _LEAST_HOURS and holds(way, found, limits) else None


def _share(work: Workload, share: float) -> Workload:
    return replace(work, training=work.training * share, serving=work.serving * share, once=work.once * share)


def _hours(work: Workload) -> dict[str, object]:
    return {"hours_per_month": quantity((work.training + work.serving), "hour/month")} if work.once == 0 else {}
