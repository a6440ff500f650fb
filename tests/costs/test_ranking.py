"""By what the first machine to buy or to rent is chosen: memory per euro where it serves, a small card for a small job, else cost."""

import dataclasses
import datetime

import pytest

from engine import Request, advise
from engine.catalogue import catalogue
from engine.rules.asked import CARD

KNOWN = catalogue()
TODAY = datetime.date(2026, 11, 30)
SERVING_70B = {
    "models": [{"params_b": 70}],
    "methods": ["qlora"],
    "usage": {"training_hours_per_month": 12, "serving_hours_per_month": 700},
}
SMALL = {"models": [{"params_b": 7}], "methods": ["qlora"], "usage": {"training_hours_per_month": 12}}


def advice(known=KNOWN, **request):
    return advise(Request.model_validate(request), known, TODAY)


def first(answer, way):
    return next(plan for plan in answer.plans if plan.acquisition == way and not plan.gives_up)


def reasons(answer):
    return [one.rule for one in answer.ways]


def with_l4_at(price):
    """The catalogue with one more offer of an L4, at a price in EUR per hour."""
    like = next(offer for offer in KNOWN.offers_by_card["l4"] if offer.provider_kind == "specialist" and offer.commitment == "on-demand")
    offers = [one for one in KNOWN.offers if one.gpu != "l4"]
    return dataclasses.replace(
        KNOWN, offers=(*offers, dataclasses.replace(like, id="l4-test", per_hour=price, per_gpu_hour=price, currency="EUR", count=1))
    )


def test_a_machine_that_serves_is_bought_by_memory_per_euro():
    """70B: an A100 80 GB costs about as little, 96 GB cost less a GB: (13,007 + 788 EUR of idle power) / 102 GB = 135 EUR."""
    answer = advice(**SERVING_70B)
    best, others = first(answer, "buy"), [plan for plan in answer.plans if plan.acquisition == "buy"][1:]
    assert "memory-per-euro" in reasons(answer)
    assert any(plan.cost < best.cost < plan.cost * 1.2 for plan in others)
    told = next(one.facts for one in answer.ways if one.rule == "memory-per-euro")
    idle = 0.1 * 0.30 * 730 * 36
    purchase = best.details["purchase"].m_as("EUR")
    assert told["per_gigabyte"].m_as("EUR") == pytest.approx((purchase + idle) / (best.gpu.usable * best.count / 1e9), rel=1e-6)
    assert told["idle"].m_as("W") == 100


def test_what_only_trains_is_bought_by_cost():
    answer = advice(models=[{"params_b": 8}], methods=["lora"], usage={"training_hours_per_month": 12})
    costs = [plan.cost for plan in answer.plans if plan.acquisition == "buy"]
    assert costs[0] == min(costs)
    assert "memory-per-euro" not in reasons(answer)


def test_a_budget_asks_for_the_cheapest():
    answer = advice(**SERVING_70B, budget=[{"amount": 100_000, "currency": "EUR"}])
    assert "memory-per-euro" not in reasons(answer)


@pytest.mark.parametrize("hours", [50, 200, 400, 600, 700])
@pytest.mark.parametrize("size", [8, 14, 32, 70])
def test_the_verdict_stays_the_moneys(size, hours):
    """Whatever comes first for its memory, it is bought only where the cheapest machine would be, too."""
    answer = advice(goal="serve", models=[{"params_b": size}], usage={"serving_hours_per_month": hours})
    bought = [plan.cost for plan in answer.plans if plan.acquisition == "buy" and plan.fit == "yes"]
    rented = first(answer, "rent").cost
    assert answer.acquisition.verdict == ("buy" if min(bought) < rented else "rent")


def test_a_small_job_takes_a_small_card_that_costs_about_as_little():
    cheapest = first(advice(**SMALL), "rent")
    alone = first(advice(known=with_l4_at(10.0), **SMALL), "rent")
    assert alone.gpu.id == cheapest.gpu.id
    answers = {price: advice(known=with_l4_at(price), **SMALL) for price in (0.10, 0.14, 0.15, 0.16, 0.17, 0.30)}
    taken = {price for price, answer in answers.items() if first(answer, "rent").gpu.id == "l4"}
    assert {0.10, 0.17} <= taken  # 0.17 is dearer than the cheapest, by less than a fifth
    assert 0.30 not in taken
    for price, answer in answers.items():
        best = first(answer, "rent")
        least = min(plan.cost for plan in answer.plans if plan.acquisition == "rent")
        assert ("small-peft-small-card" in reasons(answer)) == (price in taken)
        assert best.cost <= least * 1.2 if price in taken else best.cost == least


@pytest.mark.parametrize(
    "change",
    [{"usage": {"training_hours_per_month": 100}}, {"models": [{"params_b": 14}]}, {"methods": ["full"], "models": [{"params_b": 0.5}]}],
    ids=["many hours", "14B", "full"],
)
def test_no_small_job_no_small_card(change):
    assert "small-peft-small-card" not in reasons(advice(known=with_l4_at(0.10), **{**SMALL, **change}))


def test_hours_they_said_are_hours_of_what_they_own():
    """Four cards do four times the work of one in the same hours, so renting beside them costs about four times as much."""
    request = {"models": [{"params_b": 8}], "methods": ["qlora"], "usage": {"training_hours_per_month": 40}}
    one, four = (advice(**request, hardware=[{"gpu": "RTX 4090", "count": count}]) for count in (1, 4))
    assert four.acquisition.verdict == one.acquisition.verdict == "owned"
    rented = {answer.plans[0].count: min(plan.cost for plan in answer.plans if plan.acquisition == "rent") for answer in (one, four)}
    assert 3 < (rented[4] / rented[1]).m_as("") < 4.1
    same = next(plan for plan in one.plans if plan.acquisition == "rent" and plan.gpu.id == "rtx4090")
    assert same.hours.m_as("hour") == pytest.approx(40 * 36)


def with_price(card, price, **parts):
    """The catalogue with one offer alone for a card, at a price in EUR an hour."""
    like = next(one for one in KNOWN.offers if one.provider_kind == "specialist" and one.commitment == "on-demand" and one.per_hour)
    made = {"id": f"{card}-test", "gpu": card, "count": 1, "per_hour": price, "per_gpu_hour": price, "currency": "EUR", **parts}
    return dataclasses.replace(
        KNOWN, offers=(*(one for one in KNOWN.offers if one.gpu not in (card, "b200")), dataclasses.replace(like, **made))
    )


@pytest.mark.parametrize(("factor", "fewer"), [(1.2, True), (1.3, False)])
def test_fewer_cards_come_first_where_they_cost_little_more(factor, fewer):
    """70B in 4 bit: two A40 are the cheapest that hold it; one H100 for a fifth more comes first, for a third more it does not."""
    request = {"goal": "serve", "models": [{"params_b": 70}], "usage": {"serving_hours_per_month": 50}}
    cheapest = min(
        (plan for plan in advice(with_price("h100-sxm", 9.0), **request).plans if plan.acquisition == "rent"), key=lambda one: one.cost
    )
    assert cheapest.count == 2
    answer = advice(with_price("h100-sxm", factor * cheapest.cost.m_as("EUR") / (50 * 36)), **request)
    assert (first(answer, "rent").count == 1) is fewer
    assert ("fewer-cards" in reasons(answer)) is fewer


def test_cards_without_bf16_are_rented_last():
    answer = advice(with_price("v100-32", 0.01), goal="serve", models=[{"params_b": 8}], usage={"serving_hours_per_month": 50})
    assert all(plan.gpu.bf16_support == "y" for plan in answer.plans if plan.acquisition == "rent")


def test_single_offers_of_consumer_cards_are_no_machine_of_eight():
    """104 GB for 70B and 20 users: eight RTX 3090 offered one by one stand in no machine; an offer of eight together does."""
    request = {"goal": "serve", "models": [{"params_b": 70}], "serving": {"users": 20}, "usage": {"serving_hours_per_month": 50}}
    single, together = (
        [
            plan
            for plan in advice(with_price("rtx3090", count * 0.05, count=count, per_gpu_hour=0.05), **request).plans
            if plan.acquisition == "rent"
        ]
        for count in (1, 8)
    )
    assert not any(plan.gpu.id == "rtx3090" for plan in single)
    assert together[0].gpu.id == "rtx3090"
    assert "offered_together" not in together[0].details


def test_cards_offered_one_by_one_say_so():
    plans = advice(**SERVING_70B, serving={"users": 20}).plans
    several = [plan for plan in plans if plan.acquisition == "rent" and plan.count > 1]
    assert several
    assert all(plan.details["offered_together"] == 1 for plan in several if plan.provider == "RunPod")


@pytest.mark.parametrize(
    ("card", "bought"),
    [("A100 80GB SXM4", "a100-80-pcie"), ("RTX PRO 6000 Blackwell Max-Q", "rtxpro6000ws"), ("RTX 6000 Ada Generation", "rtx6000ada")],
)
def test_renting_a_card_is_compared_with_buying_its_chip(card, bought):
    """A module cannot be bought singly, and some cards have no price to buy: the same chip on another card does."""
    request = {"models": [{"params_b": 13}], "methods": ["lora"], "usage": {"training_hours_per_month": 200}}
    answer = advise(Request.model_validate(request), KNOWN, TODAY, symptoms=frozenset({CARD + card}))
    assert first(answer, "rent").gpu.name == card
    assert first(answer, "buy").gpu.id == bought
    assert answer.acquisition.break_even is not None


def test_a_chip_that_is_sold_by_the_node_alone_is_rented():
    request = {"models": [{"params_b": 70}], "methods": ["lora"], "usage": {"serving_hours_per_month": 200}}
    answer = advise(Request.model_validate(request), KNOWN, TODAY, symptoms=frozenset({CARD + "B200 180GB SXM"}))
    assert {plan.acquisition for plan in answer.plans} == {"rent"}


def test_what_is_rented_nowhere_is_compared_with_what_is():
    """No one rents out a DGX Spark: the question is what else would serve the model by the hour."""
    request = {"goal": "serve", "models": [{"params_b": 8}], "serving": {"users": 5}, "usage": {"serving_hours_per_month": 160}}
    answer = advise(Request.model_validate(request), KNOWN, TODAY, symptoms=frozenset({CARD + "DGX Spark (GB10)"}))
    assert {plan.gpu.id for plan in answer.plans if plan.acquisition == "buy"} == {"dgxspark"}
    assert first(answer, "rent").provider is not None
    assert answer.acquisition.verdict is not None
