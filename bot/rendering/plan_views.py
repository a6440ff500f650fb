"""What an answer shows of one way to get it done: a Plan and its Recommendation enter, a PlanView with the price it stands on leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.catalogue import Figure, Offer
from engine.recommendation import Plan, Recommendation
from engine.request import Budget, Currency
from engine.units import CURRENCIES, Quantity, magnitude

Place: TypeAlias = Literal["eu", "outside", "unstated"]
_SAME_PACE = 0.05  # hours of a machine within this share of the others' are told as the same


@dataclass(frozen=True, slots=True)
class Pace:
    """Why a way takes other hours than those counted: it is slower or faster than the card they were counted on."""

    slower: bool
    card: str


@dataclass(frozen=True, slots=True)
class PlanView:
    """One way to get it done, with the price it stands on."""

    plan: Plan
    card: str | None
    price: Figure | None
    own_offer: bool  # the price is the user's own quote
    gross: tuple[float, Currency] | None  # what that quote says with tax
    per_hour: Quantity | None  # of the whole rented machine
    purchase: Quantity | None
    spread: tuple[float, float] | None  # factors of both, where the price is too old for a point
    hours_per_month: Quantity | None  # where fewer hours are what it gives up
    pace: Pace | None
    place: Place | None  # where the offer runs; None for what is not rented, or not in the shipped catalogue
    commitment: str | None
    whole: bool  # the price is of a device, not of a card
    may_exceed: bool  # the low end of its range keeps the budget, the high end does not


def plan_views(plans: Sequence[Plan], one: Recommendation) -> tuple[PlanView, ...]:
    """The views of plans, their hours told against the card the hours were counted on: theirs, else that of the first purchase."""
    whole = [plan for plan in one.plans if plan.gpu and not plan.gives_up]
    named = (plan.gpu.name for way in ("owned", "buy") for plan in whole if plan.gpu and plan.acquisition == way)
    counted_on = next(named, None)
    return tuple(_plan_view(plan, one, counted_on) for plan in plans)


def _plan_view(plan: Plan, one: Recommendation, counted_on: str | None) -> PlanView:
    used = [figure for figure in one.figures if figure.id in plan.figures]
    wanted = tuple(f"{unit}/h" for unit in CURRENCIES) if plan.acquisition == "rent" else CURRENCIES
    price = next((figure for figure in used if figure.unit in wanted), None)
    offer = _offer(price) if plan.acquisition == "rent" and price is not None else None
    own_offer = _quoted(plan, one)
    return PlanView(
        plan=plan,
        card=plan.gpu.name if plan.gpu else None,
        price=price,
        own_offer=own_offer,
        gross=_gross(plan, one) if own_offer else None,
        per_hour=plan.details.get("per_hour"),
        purchase=plan.details.get("purchase"),
        spread=plan.details.get("spread"),
        hours_per_month=plan.details.get("hours_per_month"),
        pace=_pace(plan, one, counted_on),
        place=None if offer is None else {True: "eu", False: "outside", None: "unstated"}[offer.eu],  # type: ignore[arg-type]
        commitment=None if offer is None else offer.commitment,
        whole=plan.gpu is not None and (plan.gpu.unified or "PCIe" not in plan.gpu.form_factor),
        may_exceed=_may_exceed(plan, one),
    )


def _offer(price: Figure) -> Offer | None:
    """The offer behind a price; None for one that somebody imported."""
    from engine.catalogue import catalogue

    return next((offer for offer in catalogue().offers if offer.id == price.id), None)


def _quoted(plan: Plan, one: Recommendation) -> bool:
    quotes = one.request.quotes
    side = None if quotes is None else quotes.rent if plan.acquisition == "rent" else quotes.purchase
    return side is not None and plan.provider is None


def _gross(plan: Plan, one: Recommendation) -> tuple[float, Currency] | None:
    """What they were offered with tax; the answer counts it without."""
    quotes = one.request.quotes
    purchase = quotes.purchase if quotes is not None and plan.acquisition == "buy" else None
    if purchase is None or purchase.tax != "gross":
        return None
    return purchase.amount, purchase.currency or "EUR"


def _pace(plan: Plan, one: Recommendation, counted_on: str | None) -> Pace | None:
    counted = one.acquisition.hours
    if plan.acquisition != "rent" or plan.hours is None or not counted or plan.gives_up or counted_on is None:
        return None
    ratio = magnitude(plan.hours / counted, "")
    same = abs(ratio - 1) <= _SAME_PACE or plan.gpu is None or plan.gpu.name == counted_on
    return None if same else Pace(ratio > 1, counted_on)


def _may_exceed(plan: Plan, one: Recommendation) -> bool:
    """Whether some of its range keeps within every budget and some does not."""
    if plan.within_budget is None or plan.cost_range is None:
        return False
    low, high = (all(_holds(plan, end, budget, one) for budget in one.request.budget or ()) for end in plan.cost_range)
    return low and not high


def _holds(plan: Plan, cost: Quantity, budget: Budget, one: Recommendation) -> bool:
    """A limit once is compared with all that is spent, one a month with an even part of it; others stand as the engine says."""
    currency, usage = one.acquisition.currency, one.request.usage
    if budget.currency not in (None, currency) or budget.period not in (None, "once", "month"):
        return bool(plan.within_budget)
    even = budget.period == "month" and not (plan.acquisition == "rent" and usage and usage.hours_once)
    months = ((usage.horizon_months if usage else None) or len(one.acquisition.curve) or 1) if even else 1
    return magnitude(cost, currency) / months <= budget.amount
