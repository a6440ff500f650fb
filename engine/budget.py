"""Whether a plan holds the budget: enters what a plan spends and the limits, leaves yes or no for each.

A limit `once` must cover the purchase as well as everything spent over the horizon; `month` the dearest month of renting, or
owning spread over the horizon; `day` a thirtieth of that (730 h / 24 h); `hour` the price of an hour of work. All of them hold
together. `about` gives a tolerance, which is a figure.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.request import HOURS_PER_MONTH, Budget, Currency

DAYS_PER_MONTH = HOURS_PER_MONTH / 24


@dataclass(frozen=True, slots=True)
class Spending:
    """What a plan takes, in one currency: at the start, over the horizon, in its dearest month, for an hour of work."""

    upfront: float
    total: float
    month: float
    hour: float | None


def holds(spending: Spending, budget: Budget, tolerance: float, convert: Callable[[float, Currency], float]) -> bool:
    """Whether the plan stays within one limit. A limit without a currency is taken to be in the plan's."""
    amount = convert(budget.amount, budget.currency) if budget.currency else budget.amount
    limit = amount * (1 + tolerance) if budget.bound == "about" else amount
    needed = {
        "once": max(spending.upfront, spending.total),
        "month": spending.month,
        "day": spending.month / DAYS_PER_MONTH,
        "hour": spending.hour or 0.0,
    }[budget.period or "once"]
    return needed <= limit + 1e-9 * max(1.0, limit)


def holds_all(spending: Spending, budgets: tuple[Budget, ...], tolerance: float, convert: Callable[[float, Currency], float]) -> bool:
    """Whether the plan stays within every limit; without a limit, always."""
    return all(holds(spending, budget, tolerance, convert) for budget in budgets)
