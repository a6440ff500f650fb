"""Cases priced by the catalogue: which cards are rented and bought, what old prices become, budgets, owned hardware."""

import dataclasses
from datetime import date, timedelta

import pytest

from engine import advise
from engine.buying import bought, host_price
from engine.catalogue import catalogue
from engine.recommendation import Question
from engine.renting import rented
from engine.request import Request

KNOWN = catalogue()
TODAY = date(2026, 11, 30)
LORA = {"models": [{"name": "Llama-3.1-8B"}], "methods": ["lora"], "goal": "style", "rag_in_production": True}


def advice(day: date = TODAY, known=KNOWN, **parts: object):
    return advise(Request.model_validate(parts), known, day)


def hours(month: float) -> dict:
    return {"training_hours_per_month": month}


def priced(card: str, count: int = 1, known=KNOWN, **constraints: bool):
    return rented(known.gpus[card], count, Request.model_validate({"constraints": constraints}), known, TODAY, "USD")


def test_few_hours_are_rented():
    found = advice(**LORA, usage=hours(12), budget=[{"amount": 5_000, "currency": "EUR"}])
    best = found.plans[0]
    assert found.acquisition.verdict == "rent"
    assert best.acquisition == "rent"
    assert best.provider is not None
    assert best.within_budget
    assert best.cost.magnitude < 1_000
    assert not found.acquisition.over_budget


def test_the_price_is_that_of_the_cheapest_comparable_offer_and_no_outlier():
    """RTX 4090: 0.29 (OpenRelay) is below half of the next specialist's 0.74 and nothing confirms it; marketplaces are no specialists."""
    found = priced("rtx4090")
    assert found is not None
    assert (found.offer.provider, found.terms.per_hour) == ("RunPod", pytest.approx(0.74))


def test_a_larger_machine_is_paid_whole():
    """One H100 is rented singly; no one pays for eight."""
    one, eight = priced("h100-sxm"), priced("h100-sxm", 8)
    assert one is not None
    assert eight is not None
    assert one.offer.count == 1
    assert eight.terms.per_hour >= 6 * one.terms.per_hour


def test_an_undated_offer_never_stands_for_a_provider_with_a_dated_one():
    """Verda's undated V100 ran in Finland, its dated one in Finland or Iceland; where it must be in the EEA both would do."""
    found = priced("v100-16", eu_only=True)
    assert found is not None
    assert (found.offer.provider, found.offer.date) == ("Verda", date(2026, 10, 3))
    elsewhere = tuple(dataclasses.replace(one, eu=False) if one.date and one.provider == "Verda" else one for one in KNOWN.offers)
    again = priced("v100-16", known=dataclasses.replace(KNOWN, offers=elsewhere), eu_only=True)
    assert again is None or again.offer.provider != "Verda"


def test_sold_out_and_reserved_offers_are_not_taken():
    assert [offer.provider for offer in KNOWN.offers_by_card["rtx4000sffada"] if offer.available is False] == ["Hetzner"]
    found = priced("rtx4000sffada")
    assert found is None or found.offer.provider != "Hetzner"


def test_in_the_eu_only_offers_that_say_so():
    found = priced("h100-sxm", eu_only=True)
    assert found is not None
    assert found.offer.eu is True


def test_the_dedicated_server_keeps_its_cap():
    found = rented(KNOWN.gpus["rtxpro6000mq"], 1, Request(), KNOWN, TODAY, "EUR")
    assert found is not None
    assert (found.terms.per_hour, found.terms.monthly_cap) == (pytest.approx(1.4247), 889)
    assert found.terms.billing_step == 1.0


def test_a_bought_machine_has_cards_host_and_energy_in_it():
    """7,106.88 gross are 5,972.17 net, and 3,600 for the platform; 300 W card + 170 + 150."""
    found = bought(KNOWN.gpus["rtx6000ada"], 1, Request(), KNOWN, TODAY, "EUR")
    assert found is not None
    assert found.own.purchase == pytest.approx(7_106.88 / 1.19 + 3_600)
    assert (found.own.load, found.own.idle, found.own.tariff) == (pytest.approx(0.62), pytest.approx(0.1), pytest.approx(0.30))


def test_the_platform_grows_with_the_cards():
    card = KNOWN.gpus["rtx4090"]
    prices = [host_price(card, count, KNOWN, "EUR") for count in (1, 2, 4, 8)]
    assert prices == sorted(prices)
    assert prices[0] == 3_600


def test_module_cards_are_bought_as_whole_servers_only():
    assert bought(KNOWN.gpus["h100-sxm"], 1, Request(), KNOWN, TODAY, "EUR") is None
    server = bought(KNOWN.gpus["h100-sxm"], 8, Request(), KNOWN, TODAY, "USD")
    assert server is not None
    assert server.own.purchase == pytest.approx(350_000)


def test_old_prices_are_a_range_and_change_nothing_else():
    """The same catalogue read a year later: same verdict, same plans, the money as ranges."""
    now, later = (advice(day, **LORA, usage=hours(12)) for day in (TODAY, TODAY + timedelta(days=365)))
    assert now.acquisition.verdict == later.acquisition.verdict
    assert [(plan.gpu.id, plan.provider) for plan in now.plans] == [(plan.gpu.id, plan.provider) for plan in later.plans]
    assert [plan.cost for plan in now.plans] == [plan.cost for plan in later.plans]
    assert all(plan.cost_range is not None for plan in later.plans if plan.acquisition != "owned")
    low, high = later.plans[0].cost_range
    assert (low.magnitude, high.magnitude) == (
        pytest.approx(0.6 * later.plans[0].cost.magnitude),
        pytest.approx(1.4 * later.plans[0].cost.magnitude),
    )


def test_changing_only_the_date_of_the_only_price_keeps_the_verdict():
    offers = [dataclasses.replace(offer, date=date(2026, 1, 1)) for offer in KNOWN.offers]
    aged = dataclasses.replace(KNOWN, offers=tuple(offers))
    assert advice(known=aged, **LORA, usage=hours(12)).acquisition.verdict == advice(**LORA, usage=hours(12)).acquisition.verdict


def test_an_imported_price_of_today_is_the_one_taken():
    offer = next(one for one in KNOWN.offers_by_card["rtx4090"] if one.provider == "RunPod" and one.tier == "Secure Cloud")
    imported = dataclasses.replace(offer, id="imported", per_hour=0.65, per_gpu_hour=0.65, date=TODAY)
    known = dataclasses.replace(KNOWN, offers=(imported, *KNOWN.offers))
    found = priced("rtx4090", known=known)
    assert found is not None
    assert found.offer.id == "imported"


def test_owned_hardware_that_fits_is_used():
    found = advice(**LORA, usage=hours(12), hardware=[{"gpu": "RTX 4090", "count": 1}])
    assert found.acquisition.verdict == "owned"
    assert found.plans[0].acquisition == "owned"
    assert found.plans[0].cost.magnitude == pytest.approx(432 * 0.77 * 0.30)
    assert not found.acquisition.near_break_even


def test_nothing_to_do_needs_nothing():
    found = advice(**LORA, usage=hours(0), hardware=[{"gpu": "RTX 4090", "count": 1}])
    assert found.acquisition.verdict == "none"


def test_full_fine_tuning_without_a_baseline_is_never_bought():
    for month in (1, 20, 300, 730):
        found = advice(models=[{"params_b": 13}], methods=["full"], lora_baseline="none", usage=hours(month))
        assert found.acquisition.verdict == "rent"
        assert all(plan.acquisition != "buy" for plan in found.plans)


def test_from_scratch_is_rented_on_whole_nodes():
    found = advice(models=[{"params_b": 100}], methods=["pretrain"])
    assert found.acquisition.verdict == "rent"
    assert found.plans[0].count >= 16
    assert found.plans[0].count % 8 == 0
    assert found.assumed["usage.hours_once"] <= 1.15 * 720
    assert found.acquisition.variants[0].why_null == "no_purchase"


def test_a_budget_that_excludes_buying_leaves_renting_without_hours():
    found = advice(models=[{"params_b": 13}], methods=["full"], budget=[{"amount": 300, "currency": "USD"}])
    assert found.acquisition.verdict == "rent"
    assert found.acquisition.currency == "USD"
    found = advice(**LORA, budget=[{"amount": 2_000, "currency": "EUR"}])
    assert found.acquisition.verdict == "rent"


def test_without_the_cloud_it_is_bought():
    found = advice(**LORA, usage=hours(12), constraints={"no_cloud": True})
    assert found.acquisition.verdict == "buy"
    assert {plan.acquisition for plan in found.plans} == {"buy"}


def test_what_fits_is_named_where_the_budget_breaks_every_plan():
    found = advice(**LORA, usage=hours(300), budget=[{"amount": 25, "currency": "EUR", "period": "month"}])
    assert found.acquisition.verdict == "none"
    assert found.acquisition.over_budget
    best = found.plans[0]
    assert best.within_budget
    assert best.gives_up
    fewer = next(plan for plan in found.plans if plan.gives_up == ("fewer_hours",))
    assert fewer.cost.magnitude == pytest.approx(25 * 36, rel=1e-3)


def test_the_hours_of_a_known_run_stand_in_for_hours_not_said():
    found = advice(models=[{"params_b": 70}], methods=["qlora"], dataset={"tokens": 3e7, "epochs": 1})
    assert found.acquisition.verdict == "rent"
    assert found.acquisition.hours.magnitude == pytest.approx(found.assumed["usage.hours_once"], rel=0.01)
    assert found.plans[0].hours is not None


def test_one_quoted_side_and_one_of_the_catalogue():
    found = advice(**LORA, usage=hours(12), quotes={"rent": {"per_hour": 1.4, "currency": "EUR"}})
    quoted, bought_one = (next(plan for plan in found.plans if plan.acquisition == way) for way in ("rent", "buy"))
    assert (quoted.provider, quoted.gpu) == (None, None)
    assert bought_one.gpu is not None
    assert found.acquisition.break_even is not None


def test_serving_hours_are_hours_by_the_clock():
    """A faster machine serves no fewer hours."""
    found = advice(models=[{"params_b": 8}], methods=["serve"], usage={"serving_hours_per_month": 730})
    assert {plan.hours.magnitude for plan in found.plans} == {26_280}


def test_every_figure_of_a_plan_is_among_the_figures():
    found = advice(**LORA, usage=hours(12))
    known = {figure.id for figure in found.figures}
    for plan in found.plans:
        assert set(plan.figures) <= known
    assert "exchange_rate_eur_usd" in known


def test_an_offer_that_could_not_be_read_keeps_the_money_open():
    """`5k` in no currency is left out of the request and asked back: the other side alone is no verdict."""
    request = Request.model_validate({"quotes": {"rent": {"per_hour": 1.42, "currency": "EUR"}}, "usage": hours(12)})
    found = advise(request, KNOWN, TODAY, (Question("quotes", "5k", (), "quotes.purchase.currency"),))
    assert found.acquisition.verdict is None
    assert {one.why_null for one in found.acquisition.variants} == {"asked_back"}
    assert found.plans == ()


def test_a_smaller_model_is_named_where_the_budget_breaks_every_plan():
    """70B for 300 h a month: QLoRA, and 32B or less with hours in proportion to the size."""
    found = advice(
        models=[{"params_b": 70}], methods=["lora"], usage=hours(300), budget=[{"amount": 200, "currency": "EUR", "period": "month"}]
    )
    assert found.acquisition.verdict == "none"
    less = {plan.gives_up: plan for plan in found.plans if plan.gives_up}
    smaller = less["smaller_model",]
    assert smaller.details["params_b"] < 70
    assert smaller.within_budget
    assert smaller.hours.magnitude < 300 * 36
    assert all(plan.within_budget for plan in less.values())


def test_a_reserved_term_is_taken_where_every_month_is_full():
    """A term paid around the clock beats the hour by the hour only near full use."""
    on_demand = priced("rtxa6000")
    assert on_demand is not None
    assert on_demand.term is not None
    assert on_demand.term.terms.per_month == pytest.approx(0.35 * 730)
    committed = {offer.id for offer in KNOWN.offers if offer.commitment in ("reserved", "monthly")}
    busy, idle = (
        advice(models=[{"params_b": 32}], methods=["serve"], usage={"serving_hours_per_month": month}).plans[0] for month in (730, 100)
    )
    assert set(busy.figures) & committed
    assert not set(idle.figures) & committed
    assert busy.hours.magnitude == 26_280


def test_no_machine_works_more_hours_than_a_month_has():
    """A flat price for a slower card would hide that it cannot do the work."""
    for size in (3, 8, 14, 32):
        found = advice(models=[{"params_b": size}], methods=["full"], lora_baseline="insufficient", usage=hours(730))
        assert all(plan.hours.magnitude <= 26_280 * 1.0001 for plan in found.plans)


def test_a_new_list_price_takes_the_place_of_the_old_one():
    """DGX Spark: 4,699 USD since February 2026, 3,999 before; after 302 days plus and minus a fifth, not two fifths."""
    found = bought(KNOWN.gpus["dgxspark"], 1, Request(), KNOWN, TODAY, "USD")
    assert found is not None
    assert found.own.purchase == pytest.approx(4_699)
    assert (found.low, found.high) == pytest.approx((0.8, 1.2))


def test_what_is_paid_in_the_street_moves_more_than_a_list_price():
    street = bought(KNOWN.gpus["rtx4090"], 1, Request(), KNOWN, TODAY, "USD")
    assert street is not None
    cards = street.own.purchase - host_price(KNOWN.gpus["rtx4090"], 1, KNOWN, "USD")
    assert street.low == pytest.approx(1 - 0.4 * cards / street.own.purchase)


def test_a_machine_of_unified_memory_idles_on_little():
    """25 W against 100 W of a server with a card."""
    spark, card = (bought(KNOWN.gpus[name], 1, Request(), KNOWN, TODAY, "EUR") for name in ("dgxspark", "rtx4090"))
    assert spark is not None
    assert card is not None
    assert (spark.own.idle, card.own.idle) == pytest.approx((0.025, 0.1))
