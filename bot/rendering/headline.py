"""Which headline an answer gets: a Recommendation enters, a code with its facts leaves (words: templates/headline.j2)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.rendering.asked import questions_shown
from engine.recommendation import AcquisitionVerdict, FitVerdict, Largest, Plan, Recommendation
from engine.request import Holding, Method
from engine.units import Quantity

Code: TypeAlias = Literal[
    "asking",
    "not_needed",
    "rag_instead",
    "rag_improve",
    "rag",
    "serve",
    "not_from_scratch",
    "pretrain",
    "baseline_first",
    "capacity",
    "money",
    "money_open",
    "sized",
    "open",
]
Because: TypeAlias = Literal["cheaper", "always", "budget", "only"]
TRAINING = frozenset({"lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain"})


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict of an answer, ready for its words."""

    code: Code
    method: str | None = None
    model: str | None = None
    fit: FitVerdict | None = None
    acquisition: AcquisitionVerdict | None = None
    hardware: Holding | None = None
    plan: Plan | None = None
    largest: tuple[Largest, ...] = ()
    instead: str | None = None  # the method that would fit
    need: Quantity | None = None
    questions: int = 0
    compares: bool = False  # several models: the headline names the first
    over_budget: bool = False
    idle: bool = False  # no hours of work are planned
    because: Because | None = None  # why to rent rather than buy, or to buy rather than rent
    offers: bool = False  # they quoted a price of their own
    theirs: bool = True  # the cards are theirs, not only asked about
    either: bool = False  # which card is asked back, and each of them comes to the same fit


def headline(recommendation: Recommendation) -> Headline:
    """The verdict in the order that helps to decide: the method's objection, then fit, then money."""
    one = recommendation
    fit = one.fit
    hardware = fit.hardware or (one.request.hardware[0] if one.request.hardware else None)
    if hardware is not None and hardware.kind == "ram":
        hardware = None  # the computer's memory is no card: a warning says so
    code = _code(one)
    either = hardware is None and code in ("sized", "serve") and _cards_asked_back(one) and fit.verdict != "unknown"
    return Headline(
        code=code,
        method=fit.method or (one.sizings[0].method if one.sizings else None) or (one.approach.method if one.approach else None),
        model=_model(one),
        fit=fit.verdict if hardware or either else "unknown",
        acquisition=one.acquisition.verdict,
        hardware=hardware,
        plan=_plan(one),
        instead=next((other.method for other in one.sizings[1:] if other.fit.verdict in ("yes", "tight")), None),
        need=one.footprint.expected if one.footprint else None,
        largest=_largest(one),
        questions=len(questions_shown(one)),
        compares=len({sizing.architecture.name for sizing in one.sizings}) > 1,
        over_budget=one.acquisition.over_budget,
        idle=one.acquisition.hours is not None and one.acquisition.hours.magnitude == 0,
        because=_because(one),
        offers=one.request.quotes is not None,
        theirs=not one.in_question,
        either=either,
    )


def _cards_asked_back(one: Recommendation) -> bool:
    return any(question.slot == "hardware" and question.options for question in one.questions)


def _code(one: Recommendation) -> Code:
    if one.approach is None:
        return _without_approach(one)
    advised, asked = one.approach.method, set(one.request.methods or ())
    if advised == "none":
        return "not_needed"
    if advised == "rag":
        if one.request.rag_in_production:
            return "rag_improve"
        return "rag" if asked and not asked & TRAINING else "rag_instead"
    if advised == "serve":
        return "serve"
    if advised == "pretrain":
        return "pretrain"
    if "pretrain" in asked or one.request.goal == "base_model":
        return "not_from_scratch"
    if "full" in asked and advised != "full" and len(asked & TRAINING) == 1:
        return "baseline_first"
    return _sized(one)


def _without_approach(one: Recommendation) -> Code:
    if one.largest:
        return "capacity"
    if one.request.quotes is not None:
        return "money" if one.acquisition.verdict is not None else "money_open"
    return "asking" if one.questions else "open"


def _sized(one: Recommendation) -> Code:
    if one.largest and not one.request.models:
        return "capacity"
    if one.sizings:
        return "sized"
    return "asking" if one.questions else "open"


def _plan(one: Recommendation) -> Plan | None:
    """The plan the verdict points at, where it names cards and is for the method that was sized."""
    wanted = one.acquisition.verdict
    return next((plan for plan in one.plans if plan.acquisition == wanted and plan.gpu and plan.count), None)


def _because(one: Recommendation) -> Because | None:
    """Why to rent rather than buy, or to buy rather than rent: by the cost of the best plan of each, as far as there are two."""
    best: dict[str, Plan] = {}
    for plan in one.plans:
        if not plan.gives_up:
            best.setdefault(plan.acquisition, plan)
    advised = best.pop(one.acquisition.verdict or "", None)
    other = next((plan for way, plan in best.items() if way != "owned"), None)
    if advised is None or advised.acquisition == "owned":
        return None
    if other is None:
        return "only"
    if advised.cost is None or other.cost is None:
        return "budget" if one.request.budget else "always"
    return "cheaper" if advised.cost <= other.cost else "budget"


def _model(one: Recommendation) -> str | None:
    return one.sizings[0].architecture.name if one.sizings else None


def _largest(one: Recommendation) -> tuple[Largest, ...]:
    """The largest model of the two training methods people mean: what a capacity answer leads with."""
    order: tuple[Method, ...] = ("lora", "qlora", "lora8", "full")
    best = {method: [largest for largest in one.largest if largest.method == method] for method in order}
    return tuple(max(found, key=_parameters) for found in best.values() if found)[:2]


def _parameters(one: Largest) -> float:
    return one.model.params_b or 0.0
