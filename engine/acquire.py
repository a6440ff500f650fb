"""Own, rent or buy for a case, on the ways the rules leave open: what the catalogue offers for the task, what they own. Leaves `Money`."""

from dataclasses import replace
from typing import TypeAlias

from engine.acquisition import asked_back
from engine.buying import cooling, idle_power
from engine.card_prices import ways_on
from engine.catalogue import Architecture, Gpu
from engine.costs import Own
from engine.drawing import running, usual_tariff
from engine.lesser import with_less
from engine.money import Money, limits_of, money_of
from engine.offered import Offered, offered
from engine.placement import how_many
from engine.quotes import answer_currency, hours_known, workload_of
from engine.recommendation import Approach, Plan
from engine.request import Method, Request, Training, Usage
from engine.rules.case import Case
from engine.sizing import run_for
from engine.throughput import power, speed_of
from engine.throughput.flops import KINDS
from engine.units import magnitude
from engine.ways import Way, planned
from engine.weighing import Way as Acquired

Task: TypeAlias = tuple[Architecture, Method]

_WATTS = 1000.0


def acquired(case: Case, approach: Approach | None, ways: frozenset[Acquired]) -> Money:
    """Verdict, plans and break-evens. What they own and what holds the task comes first; their own quotes win over the catalogue."""
    task, asked = _task(case, approach), _with_usual_hours(case)
    if any(question.slot == "quotes" for question in case.questions):
        return Money(asked_back(answer_currency(asked)))  # an offer read but not usable decides the money, whatever else is known
    offers = _offers(case, asked, task, ways)
    drawn = _running(case, asked, task)
    money = money_of(asked, case.catalogue, ways, offers, _owned(case), drawn)
    if asked is not case.subject.asked and asked.usage is not None:
        money = replace(money, assumed={**money.assumed, "usage.training_hours_per_month": asked.usage.training_hours_per_month})
    if approach is not None and approach.method == "none" and asked.quotes is None:
        return replace(money, acquisition=replace(money.acquisition, verdict="none"), plans=(), questions=())
    if task is None:
        return _with_theirs(case, _with_prices(case, money, ways))

    def priced(request: Request, architecture: Architecture, method: Method) -> Money:
        return money_of(request, case.catalogue, ways, _offers(case, request, (architecture, method), ways), running=drawn)

    return with_less(money, asked, *task, priced)


def _with_usual_hours(case: Case) -> Request:
    """Whether it fits was asked, and it does not: what the usual training hours would cost says more than asking for them."""
    asked = case.subject.asked
    about_money = asked.usage is not None or bool(asked.budget) or asked.quotes is not None or asked.dataset is not None
    if about_money or not (case.trains and case.sizing and case.subject.machine and case.owns_cards) or case.owned_fits:
        return asked
    hours = case.figure("training_hours_month").typical
    return asked.model_copy(update={"usage": Usage(training_hours_per_month=hours)})


def _with_prices(case: Case, money: Money, allowed: frozenset[Acquired]) -> Money:
    """What the cards in question cost, before it is known what for."""
    asked, catalogue = case.subject.asked, case.catalogue
    if money.plans or asked.quotes is not None or not case.wanted:
        return money
    currency, limits = answer_currency(asked), limits_of(asked, catalogue, allowed)
    cards = [catalogue.gpus[card] for card in sorted(case.wanted)]
    ways = [one for one in ways_on(cards, asked, catalogue, case.today, currency) if one.plan.acquisition in limits.allowed]
    plans = tuple(planned(one, workload_of(asked), hours_known(asked), limits, currency) for one in ways)
    return replace(money, plans=plans, figures=(*money.figures, *(figure for one in ways for figure in one.figures)))


def _with_theirs(case: Case, money: Money) -> Money:
    """Who asks what their hardware can do uses that hardware, whatever it turns out to hold."""
    if case.asks_what_fits and not case.in_question and money.acquisition.verdict is None and not money.questions:
        return replace(money, acquisition=replace(money.acquisition, verdict="owned"))
    return money


def _offers(case: Case, request: Request, task: Task | None, ways: frozenset[Acquired]) -> Offered | None:
    """What the catalogue rents and sells for the task; nothing where no model is known."""
    if task is None:
        return None
    return offered(*task, request, case.catalogue, case.today, answer_currency(request), workload_of(request), ways, case.wanted)


def _running(case: Case, asked: Request, task: Task | None) -> Own | None:
    """What the machine of their purchase offer draws: of the card in question where one does the task, else of the cards they named.

    How many cards in question the offer is of was not read: where the task takes several, its power is not known.
    """
    if asked.quotes is None or asked.quotes.purchase is None:
        return None
    named = [case.catalogue.gpus[card] for card in sorted(case.wanted)]
    cards = [(gpu, 1) for gpu in named if _one_does(gpu, case, task)] if named else [one for one in case.cards_with_count if one[1]]
    return running(asked, cards[0] if len(cards) == len(named or cards) == 1 else None, case.catalogue, answer_currency(asked))


def _one_does(gpu: Gpu, case: Case, task: Task | None) -> bool:
    found = None if task is None else how_many(gpu, *task, case.request, case.catalogue)
    return task is None or (found is not None and found.count == 1)


def _task(case: Case, approach: Approach | None) -> Task | None:
    """What is to be paid for: retrieval where that is advised, else what was sized."""
    if case.sizing is None:
        return None
    if approach is not None and approach.method == "rag":
        return case.sizing.architecture, "rag"
    return case.sizing.architecture, case.sizing.method


def _owned(case: Case) -> Way | None:
    """The cards they own as a way that costs only what runs them; None where they do not hold the task."""
    if not case.owned_fits or case.sizing is None:
        return None
    gpu, count = case.cards_with_count[0] if case.cards_with_count else (None, case.count)
    asked, catalogue = case.subject.asked, case.catalogue
    watts = power(gpu, count, catalogue) if gpu is not None else None
    own = Own(
        purchase=0.0,
        load=(watts or 0.0) / _WATTS,
        idle=idle_power(gpu, count, catalogue) / _WATTS if gpu is not None and watts else 0.0,
        always_powered=False,
        tariff=usual_tariff(catalogue, answer_currency(asked)),
        pue=cooling(asked, catalogue).typical,
    )
    fit = case.fit
    plan = Plan("owned", case.sizing.method, gpu, count or None, fit.sharding, None, None, None, fit=fit.verdict)
    return Way(
        plan,
        own=own,
        figures=(catalogue.figure("tariff_default"),) if watts else (),
        once=_project_hours(case, gpu),
        speed=_speed(case, gpu, count),
    )


def _speed(case: Case, gpu: Gpu | None, count: int) -> float | None:
    """Tokens a second of the cards they own; None for serving, and where nothing is known of the card."""
    sizing, training = case.sizing, case.request.training or Training()
    if sizing is None or gpu is None or sizing.method not in KINDS:
        return None
    found = speed_of(sizing.architecture, sizing.method, gpu, count, training, case.catalogue, case.request.stage, sizing.fit.sharding)
    return None if found is None else found.typical * count


def _project_hours(case: Case, gpu: Gpu | None) -> float | None:
    """Hours of the project on the cards they own, where it follows from the data."""
    run = run_for(case)
    return None if run is None or run.project is None or run.gpu is not gpu else magnitude(run.project, "hour")
