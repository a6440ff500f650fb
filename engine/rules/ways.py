"""Own, rent or buy: which ways are open whatever the money says, and why. What they own comes first."""

from collections.abc import Mapping
from typing import Any

from engine.quotes import answer_currency
from engine.recommendation import Approach, Verdict
from engine.rules.case import Case
from engine.rules.rule import Rule, exclude, fired, prefer
from engine.units import quantity
from engine.weighing import EVERY_WAY, Way

MITTELSTAND = "mittelstand-training-server"
GPU_ARTICLE = "cost-effective-gpu"

RULES: tuple[Rule, ...] = (
    Rule("no-cloud-buys", lambda case: bool(case.request.constraints and case.request.constraints.no_cloud), exclude("rent"), MITTELSTAND),
    Rule("rent-from-scratch", lambda case: case.wants("pretrain"), exclude("buy"), MITTELSTAND),
    Rule(
        "rent-first-full",
        lambda case: case.wants("full") and not case.serves_too,
        exclude("buy"),
        MITTELSTAND,
    ),
    Rule(
        "cloud-before-large-build",
        lambda case: case.is_large and case.trains and not case.serves_too,
        exclude("buy"),
        GPU_ARTICLE,
        lambda case: {"limit": case.figure("cloud_before_build").quantity},
    ),
    Rule("own-what-fits", lambda case: case.owned_fits, prefer("owned"), MITTELSTAND),
)

CHOICES: tuple[Rule, ...] = (
    Rule(
        "memory-per-euro",
        lambda case: _favourite(case, "buy").get("favourite") == "memory-per-euro",
        prefer("buy"),
        MITTELSTAND,
        lambda case: _price_of_memory(case),
    ),
    Rule(
        "small-peft-small-card",
        lambda case: _favourite(case, "rent").get("favourite") == "small-peft-small-card",
        prefer("rent"),
        GPU_ARTICLE,
    ),
    Rule(
        "fewer-cards",
        lambda case: _favourite(case, "rent").get("favourite") == "fewer-cards",
        prefer("rent"),
        "own-judgement",
        lambda case: {"share": case.figure("fewer_cards_worth").typical},
    ),
)


def _favourite(case: Case, acquisition: str) -> Mapping[str, Any]:
    """What the best plan of a way was chosen by."""
    return next((plan.details for plan in case.plans if plan.acquisition == acquisition and not plan.gives_up), {})


def _price_of_memory(case: Case) -> Mapping[str, Any]:
    found = _favourite(case, "buy")
    per_gigabyte = quantity(found["price_of_memory"], answer_currency(case.request))
    return {"per_gigabyte": per_gigabyte, "idle": quantity(found["idle"], "W")}


def choices_of(case: Case) -> tuple[Verdict, ...]:
    """By what the first machine to buy or to rent was chosen, where it is not its cost alone."""
    return () if case.acquisition is not None and case.acquisition.verdict == "owned" else fired(CHOICES, case)


def ways_of(case: Case, approach: Approach | None) -> tuple[frozenset[Way], tuple[Verdict, ...]]:
    """The ways that stay open, with the rules that closed the others. An offer of their own is compared whatever the rules say."""
    verdicts = () if case.money_only or approach is None else fired(RULES, case)
    if case.request.quotes is not None and case.request.quotes.purchase is not None:
        verdicts = tuple(verdict for verdict in verdicts if verdict.subject != "buy")
    closed = {verdict.subject for verdict in verdicts if verdict.outcome == "exclude"}
    if {"rent", "buy"} <= closed:
        closed.discard("buy")  # who may not rent and should not buy can only buy
    return frozenset(way for way in EVERY_WAY if way not in closed), verdicts
