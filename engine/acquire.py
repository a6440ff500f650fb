"""Own, rent or buy for a case: the ways the rules leave open, the money of quotes and catalogue. Leaves the money stage's result."""

from dataclasses import replace

from engine.buying import running
from engine.catalogue import Architecture
from engine.money import Money, money_of
from engine.offered import Offered, offered
from engine.quotes import answer_currency, workload_of
from engine.recommendation import Approach, Plan
from engine.request import Method
from engine.rules.case import Case
from engine.rules.ways import ways_of
from engine.ways import Way

_HEAVIER: tuple[Method, ...] = ("lora", "lora8", "full", "continued_pretrain")


def acquired(case: Case, approach: Approach | None) -> Money:
    """Verdict, plans and break-evens. What they own and what holds the task is used, unless they ask about buying an offer of their own."""
    ways, _ = ways_of(case, approach)
    sizing = case.sizing
    offers = _offered(case, sizing.architecture, sizing.method) if sizing else Offered()
    money = money_of(case.subject.asked, case.catalogue, ways, offers, _owned(case) if case.owned_fits else None)
    if money.acquisition.verdict == "none" and money.acquisition.over_budget and sizing and sizing.method in _HEAVIER:
        return _with_lighter(money, money_of(case.subject.asked, case.catalogue, ways, _offered(case, sizing.architecture, "qlora")))
    return money


def _with_lighter(money: Money, lighter: Money) -> Money:
    """Where the budget breaks every plan: first the same hours with QLoRA, if those hold it."""
    found = [replace(plan, gives_up=("qlora",)) for plan in lighter.plans if plan.within_budget and not plan.gives_up]
    return replace(money, plans=(*found[:1], *money.plans), figures=(*money.figures, *lighter.figures)) if found else money


def _offered(case: Case, architecture: Architecture, method: Method) -> Offered:
    """What the catalogue would rent or sell for a method on a model."""
    asked = case.subject.asked
    return offered(architecture, method, case.request, case.catalogue, case.today, answer_currency(asked), workload_of(asked))


def _owned(case: Case) -> Way:
    """The machine they have, as a way: what its work draws."""
    sizing, cards = case.sizing, case.cards_with_count
    plan = Plan(
        "owned",
        sizing.method if sizing else None,
        cards[0][0] if cards else None,
        case.count or None,
        sizing.fit.sharding if sizing else None,
        None,
        None,
        None,
        fit=case.fits,
    )
    figures = (case.figure("tariff_default"),) if cards else ()
    return Way(plan, own=running(cards, case.request, case.catalogue, answer_currency(case.subject.asked)), figures=figures)
