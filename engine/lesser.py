"""What a budget still pays for where it breaks every plan for the task: enters the task, leaves plans for less of it.

Less is QLoRA instead of a heavier method, and the same method on the next smaller usual size; of a smaller model the same data take
proportionally fewer hours.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.catalogue import Architecture
from engine.memory import typical_architecture
from engine.money import Money
from engine.recommendation import Plan
from engine.request import Method, Request

Priced = Callable[[Request, Architecture, Method], Money]

_HEAVIER: tuple[Method, ...] = ("lora", "lora8", "full", "continued_pretrain")
_USUAL_SIZES = (32.0, 14.0, 8.0, 3.0, 1.0)  # billions
_SMALLER = 0.8  # of the size asked about: what is nearer is the same size
_MOST_TRIED = 3


def with_less(money: Money, request: Request, architecture: Architecture, method: Method, priced: Priced) -> Money:
    """The money of a task, with plans for less of it where the budget breaks every plan for all of it."""
    if money.acquisition.verdict != "none" or not money.acquisition.over_budget:
        return money
    found = [*_lighter(request, architecture, method, priced), *_smaller(request, architecture, method, priced)]
    plans = tuple(plan for plan, _ in found)
    figures = tuple(figure for _, other in found for figure in other.figures)
    return replace(money, plans=(*plans, *money.plans), figures=(*money.figures, *figures)) if found else money


def _lighter(request: Request, architecture: Architecture, method: Method, priced: Priced) -> Iterator[tuple[Plan, Money]]:
    """The same hours with QLoRA."""
    if method in _HEAVIER:
        money = priced(request, architecture, "qlora")
        plan = _first_within(money)
        if plan is not None:
            yield replace(plan, gives_up=("qlora",)), money


def _smaller(request: Request, architecture: Architecture, method: Method, priced: Priced) -> Iterator[tuple[Plan, Money]]:
    """The largest usual size that the budget pays for, of the next three below."""
    asked = architecture.parameters / 1e9
    sizes = [size for size in _USUAL_SIZES if size <= asked * _SMALLER][:_MOST_TRIED]
    for size in sizes:
        money = priced(_with_hours(request, size * 1e9 / architecture.active_parameters), typical_architecture(size), method)
        plan = _first_within(money)
        if plan is not None:
            yield replace(plan, gives_up=("smaller_model",), details={**plan.details, "params_b": size}), money
            return


def _first_within(money: Money) -> Plan | None:
    return next((plan for plan in money.plans if plan.within_budget and not plan.gives_up), None)


def _with_hours(request: Request, share: float) -> Request:
    """Training hours in proportion to the size; hours of serving are hours by the clock."""
    usage = request.usage
    if usage is None or share >= 1:
        return request
    scaled = {name: getattr(usage, name) * share for name in ("training_hours_per_month", "hours_once") if getattr(usage, name) is not None}
    return request.model_copy(update={"usage": usage.model_copy(update=scaled)})
