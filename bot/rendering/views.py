"""What an answer shows of a Recommendation, chosen and ordered; the words come later, in the templates."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias

from bot.rendering.numbers import rounded
from bot.rendering.plan_views import PlanView, plan_views
from engine.recommendation import (
    AcquisitionVerdict,
    Footprint,
    Knob,
    Largest,
    Plan,
    Recommendation,
    Sensitivity,
    Verdict,
    WhyNull,
)
from engine.request import HOURS_PER_MONTH, Method
from engine.units import Quantity, quantity

Change: TypeAlias = Literal["rag", "baseline", "base_model", "hardware", "usage"]
Picture: TypeAlias = Literal["memory", "money"]
WARNINGS_SHOWN = 4
_SHORT_OF_MEMORY = frozenset({"headroom_spikes", "eval_oom"})
PLANS_SHOWN = 3
LESSER_SHOWN = 2
OTHERS_SHOWN = 4
LISTED = 8
KNOBS_SHOWN = 4
_SILENT = frozenset({"asked-method", "lora-default", "continued-pretrain-asked"})
_CHECKS = frozenset({"goal-unknown", "format-prompt-first", "base-model-check", "measure-your-baseline"})
_SAID_BY_REASON = {"facts_need_rag": "facts-are-retrieved", "not_a_training_problem": "not-a-training-problem"}
_SHOWN_ASSUMPTIONS = (
    "serving.people",
    "shape.family",
    "shape.size",
    "training.sequence_length",
    "training.micro_batch",
    "training.gradient_checkpointing",
    "training.rank",
    "training.optimizer",
    "training.quantization",
    "serving.users",
    "serving.context",
)
_RESERVES = ("reserve", "context")


@dataclass(frozen=True, slots=True)
class MoneyView:
    """The money of an answer: ways, hours, break-even in their own hours."""

    plans: tuple[PlanView, ...]
    within_budget: tuple[PlanView, ...]  # what would fit a budget the others break
    others: tuple[PlanView, ...]  # further ways, for the details
    listed: tuple[PlanView, ...]  # the best of all, for the page of the money
    priced: bool  # over the horizon, not only by the hour
    months: int
    hours: Quantity | None
    break_even: Quantity | None
    weekly: Quantity | None
    planned: Quantity | None
    break_even_range: tuple[Quantity, Quantity | None] | None  # no upper end: it may never pay within the horizon
    why_null: WhyNull | None
    verdict: AcquisitionVerdict | None
    tells_break_even: bool  # rent against buy is what was asked or advised
    utilisation: float | None  # share of all hours at the break-even
    paid_back: date | None  # at their hours


def reasons_shown(one: Recommendation) -> tuple[Verdict, ...]:
    """The reason that decided the approach, where it is more than "as asked"."""
    if one.approach is None:
        return ()
    deciding = [reason for reason in one.approach.reasons if reason.outcome == "prefer" and not reason.overruled]
    return tuple(reason for reason in deciding[:1] if reason.rule not in _SILENT)


def ways_shown(one: Recommendation) -> tuple[Verdict, ...]:
    """Why buying is left out although it has a price; what they own needs no words, a cloud they exclude said so themselves."""
    prices = {plan.acquisition for plan in one.plans if not plan.gives_up}
    if "buy" in prices or one.request.quotes is not None or not _plans_shown(one):
        return ()
    return tuple(reason for reason in one.ways if reason.outcome == "exclude" and reason.subject == "buy")[:1]


def checks_shown(one: Recommendation) -> tuple[Verdict, ...]:
    """What to check before spending: the notes beside the decision, most decisive first."""
    if one.approach is None:
        return ()
    if one.footprint is None and not one.largest and one.acquisition.verdict is None:
        return ()  # nothing was decided yet that could be checked
    return tuple(reason for reason in one.approach.reasons if reason.rule in _CHECKS)[:1]


def warnings_shown(one: Recommendation, most: int = WARNINGS_SHOWN) -> tuple[Verdict, ...]:
    """The most important warnings, without those a reason already says."""
    said = {reason.rule for reason in one.approach.reasons} if one.approach else set()
    fresh = [warning for warning in one.warnings if _SAID_BY_REASON.get(warning.subject) not in said]
    return tuple(fresh[:most])


def money_view(one: Recommendation) -> MoneyView:
    """The money of an answer; nothing where nothing is priced."""
    bought = one.acquisition
    months = (one.request.usage.horizon_months if one.request.usage else None) or len(bought.curve) or 36
    full = next((variant for variant in bought.variants if variant.id == "full"), None)
    return MoneyView(
        plans=plan_views(_plans_shown(one), one),
        within_budget=plan_views([plan for plan in one.plans if plan.gives_up][:LESSER_SHOWN], one),
        others=_others(one),
        listed=plan_views(one.plans[:LISTED], one),
        priced=any(plan.cost is not None for plan in one.plans),
        months=months,
        hours=bought.hours,
        break_even=bought.break_even,
        weekly=_a_week(bought.break_even, bought.break_even_per_month),
        planned=_planned(bought.hours, months),
        break_even_range=_range(bought.sensitivity),
        why_null=full.why_null if full else None,
        verdict=bought.verdict,
        tells_break_even=bought.verdict in ("rent", "buy") or one.request.quotes is not None,
        utilisation=None if bought.break_even_per_month is None else bought.break_even_per_month.magnitude / HOURS_PER_MONTH,
        paid_back=None if bought.paid_back is None else _after(one.today, bought.paid_back),
    )


def _a_week(hours: Quantity | None, a_month: Quantity | None) -> Quantity | None:
    """Hours a month of a break-even as it is shown, in two digits, so that a reader who divides finds the same."""
    if hours is None or a_month is None or not hours.magnitude:
        return a_month
    shown: Quantity = a_month * (rounded(hours.magnitude, 2) / hours.magnitude)
    return shown


def _after(today: date, months: int) -> date:
    """The first day of the month so many months on."""
    years, month = divmod(today.month - 1 + months, 12)
    return date(today.year + years, month + 1, 1)


def _planned(hours: Quantity | None, months: int) -> Quantity | None:
    """Hours a month; None where nobody said any, or one machine could not work them."""
    a_month = None if hours is None else hours / quantity(months, "month")
    return a_month if a_month is not None and a_month <= quantity(HOURS_PER_MONTH, "hour/month") else None


def _range(moved: tuple[Sensitivity, ...]) -> tuple[Quantity, Quantity | None] | None:
    """The break-even with rent and purchase at their ends: the widest of each side; an end beyond the horizon leaves it open above."""
    ends = [end for one in moved if one.input in ("rent", "purchase") for end in (one.low, one.high)]
    known = [end for end in ends if end is not None]
    return (min(known), max(known) if len(known) == len(ends) else None) if known else None


def _others(one: Recommendation) -> tuple[PlanView, ...]:
    """The next best ways that name a card and are not among those shown."""
    shown = _plans_shown(one)
    rest = [plan for plan in one.plans if plan.gpu and not plan.gives_up and plan not in shown] if shown else []
    return plan_views(rest[:OTHERS_SHOWN], one)


def _plans_shown(one: Recommendation) -> tuple[Plan, ...]:
    """The best plan of each way, in the engine's order."""
    if one.acquisition.verdict == "owned" and not any(plan.cost is not None for plan in one.plans):
        return ()  # what they own does it; prices by the hour would only distract
    if one.acquisition.hours is not None and one.acquisition.hours.magnitude == 0:
        return ()  # nothing is to be done
    best: dict[str, Plan] = {}
    for plan in one.plans:
        if not plan.gives_up and (plan.cost is not None or plan.details.keys() & {"per_hour", "purchase"}):
            best.setdefault(plan.acquisition, plan)
    return tuple(best.values())[:PLANS_SHOWN]


def terms_shown(footprint: Footprint) -> tuple[tuple[str, Quantity], ...]:
    """The terms worth a place in one line: reserves as one, nothing below 0.05 GB, in the order of the sum."""
    least = quantity(0.05, "GB")
    reserve = sum((term.size for term in footprint.terms if term.term in _RESERVES), quantity(0, "GB"))
    shown = [(term.term, term.size) for term in footprint.terms if term.term not in _RESERVES]
    return tuple((name, size) for name, size in [*shown, ("reserve", reserve)] if size >= least)


def change_shown(one: Recommendation) -> Change | None:
    """What would change the answer most, where it is not a number shown anyway."""
    if one.approach is None or one.approach.method == "none":
        return None
    asked = one.request.methods or ()
    if one.approach.method == "rag" and one.request.goal != "serve":
        return "rag"
    if "full" in asked and one.approach.method != "full":
        return "baseline"
    if "pretrain" in asked and one.approach.method != "pretrain":
        return "base_model"
    if one.footprint is None or one.plans or one.questions:
        return None
    if one.request.hardware is None:
        return "hardware"
    return "usage" if one.acquisition.verdict is None else None


def largest_by_method(one: Recommendation) -> tuple[tuple[Method, tuple[Largest, ...]], ...]:
    """The largest models, methods in the engine's order, the one-card size before the sharded one."""
    methods = dict.fromkeys(largest.method for largest in one.largest)
    return tuple((method, tuple(sorted((two for two in one.largest if two.method == method), key=_sharded))) for method in methods)


def _sharded(one: Largest) -> bool:
    return one.sharding not in (None, "none", "ddp")


def knobs_shown(one: Recommendation, most: int = KNOBS_SHOWN) -> tuple[Knob, ...]:
    """The first knobs to turn where memory is short or a run fails; where it does not fit, also the first that makes it fit."""
    fit = one.fit
    if fit.verdict == "unknown" or (fit.verdict == "yes" and not any(warning.subject in _SHORT_OF_MEMORY for warning in one.warnings)):
        return ()
    first = list(fit.knobs[:most])
    helps = next((knob for knob in fit.knobs if knob.fits), None)
    if fit.verdict == "no" and helps is not None and helps not in first:
        first[-1] = helps
    return tuple(first)


def assumptions_shown(one: Recommendation, footprint: Footprint) -> tuple[tuple[str, Any], ...]:
    """The defaults that move the result, in a fixed order: those of the memory, and whose share the users are."""
    assumed = {path: value for path, value in one.assumed.items() if path == "serving.people"} | dict(footprint.assumed)
    return tuple((path, assumed[path]) for path in _SHOWN_ASSUMPTIONS if path in assumed)[:6]


def drawable(one: Recommendation) -> tuple[Picture, ...]:
    """The kinds of picture there is something to see on."""
    curve = one.acquisition.curve
    found: list[Picture] = ["memory"] if one.footprint is not None else []
    if curve and (curve[-1].own is not None or curve[-1].rent is not None):
        found.append("money")
    return tuple(found)


def picture_shown(one: Recommendation, wanted: Picture) -> Picture | None:
    """The kind that was asked for, else the one there is; None where nothing can be drawn."""
    possible = drawable(one)
    return wanted if wanted in possible else next(iter(possible), None)
