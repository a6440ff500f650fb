"""Money in words: net everywhere, where an offer runs, why its hours differ, and only lines that say something."""

import datetime
from dataclasses import replace

import pytest
from made_recommendations import money, plans, rate, shape_a

from bot.answering import answer_message
from bot.rendering import answer, explanation
from engine import advise
from engine.catalogue import catalogue
from engine.recommendation import Recommendation, Sensitivity
from engine.request import Request
from engine.units import quantity as q

TODAY = datetime.date(2026, 11, 30)


def said(message: str) -> Recommendation:
    return answer_message(message, "de", catalogue(), TODAY)


def lines(made: Recommendation) -> list[str]:
    return answer(made, "de").split("\n")


def rents(of: Recommendation, **changed: object) -> Recommendation:
    """The same answer with its rented way changed."""
    rent, buy = of.plans
    return replace(of, plans=(replace(rent, **changed), buy))


def test_what_would_keep_the_budget_stands_on_a_line_of_its_own() -> None:
    found = lines(said("8B LoRA, 12 h im Monat, 3 Jahre Leasing für 200 € im Monat, 5000 €"))
    place = next(place for place, line in enumerate(found) if line.startswith("• Mieten"))
    assert found[place].endswith("€")
    assert found[place + 1].startswith("Kaufen lohnt")


@pytest.mark.parametrize("language", ["de", "en"])
def test_money_says_that_it_is_net(language: str) -> None:
    word = {"de": "netto", "en": "net"}[language]
    made = shape_a()
    heading = next(line for line in answer(made, language).split("\n") if "36" in line)
    assert word in heading
    assert word in explanation(made, "money", language).split("\n")[0]


def test_an_offer_with_tax_is_shown_as_it_was_made() -> None:
    found = answer(said("Server für 9600 € brutto oder 1,50 €/h mieten, 100 h im Monat"), "de")
    assert "(Ihr Angebot, 9.600 € brutto)" in found
    assert "Mieten: rund 5.400 € (Ihr Angebot)" in found


@pytest.mark.parametrize(("eu", "words"), [(True, "EU"), (False, "außerhalb der EU"), (None, "Ort nicht genannt")])
def test_an_offer_says_where_it_runs(eu: bool | None, words: str) -> None:
    offer = next(one for one in catalogue().offers if one.eu is eu and one.commitment == "on-demand")
    made = rents(replace(shape_a(), figures=(rate(offer.id),)), figures=(offer.id,))
    assert f"RunPod Secure, {words}, 25.09.2026" in answer(made, "de")


@pytest.mark.parametrize(("commitment", "words"), [("reserved", "reserviert"), ("spot", "Spot")])
def test_an_offer_says_how_it_binds(commitment: str, words: str) -> None:
    offer = next(one for one in catalogue().offers if one.commitment == commitment)
    made = rents(replace(shape_a(), figures=(rate(offer.id),)), figures=(offer.id,))
    assert f", {words}, 25.09.2026" in answer(made, "de")


def test_a_price_somebody_entered_claims_no_place() -> None:
    assert "(0,66 €/h, RunPod Secure, 25.09.2026" in answer(shape_a(), "de")


def test_other_hours_say_why() -> None:
    made = shape_a()
    other = replace(made.plans[1].gpu, name="RTX 5090")
    slower = replace(made, plans=(replace(made.plans[0], hours=q(547, "hour")), replace(made.plans[1], gpu=other)))
    assert "Mieten, RTX 4090, 550 h, weil langsamer als RTX 5090: rund 285 €" in answer(slower, "de")
    assert "Rent, RTX 4090, 300 h, as it is faster than the RTX 5090" in answer(rents(slower, hours=q(301.4, "hour")), "en")
    assert "Mieten, RTX 4090: rund 285 €" in answer(rents(slower, hours=q(436, "hour")), "de")


def test_a_range_partly_below_the_budget_is_not_called_over_it() -> None:
    limits = [{"amount": 100, "currency": "EUR", "period": "once", "bound": "max"}]
    made = replace(shape_a(), request=Request.model_validate({**shape_a().request.contract(), "budget": limits}))
    partly = rents(made, cost_range=(q(43, "EUR"), q(120, "EUR")), within_budget=False)
    assert "43–120 €, kann das Budget überschreiten" in answer(partly, "de")
    held = rents(partly, within_budget=True)
    assert "43–120 €, kann das Budget überschreiten" in answer(held, "de")
    wholly = rents(made, cost_range=(q(143, "EUR"), q(320, "EUR")), within_budget=False)
    assert "143–320 €, über dem Budget" in answer(wholly, "de")


def test_a_monthly_limit_is_held_against_a_month() -> None:
    limits = [{"amount": 10, "currency": "EUR", "period": "month", "bound": "max"}]
    made = replace(shape_a(), request=Request.model_validate({**shape_a().request.contract(), "budget": limits}))
    over = rents(made, cost_range=(q(300, "EUR"), q(500, "EUR")), within_budget=False)
    assert "kann das Budget überschreiten" in answer(over, "de")
    far = rents(made, cost_range=(q(370, "EUR"), q(500, "EUR")), within_budget=False)
    assert "370–500 €, über dem Budget" in answer(far, "de")


def test_a_device_has_no_card_price() -> None:
    rent, buy = plans()
    spark = catalogue().gpus["dgxspark"]
    price = replace(rate("listing:4090", 4000), unit="EUR")
    made = replace(shape_a(), plans=(rent, replace(buy, gpu=spark)), figures=(price,))
    assert "Gerätepreis" in answer(made, "de")
    assert "Kartenpreis" not in answer(made, "de")


def test_hours_a_week_are_those_of_the_hours_shown() -> None:
    """19,480 h are shown as 19,000 h: 19,000 / 36 / 4.345 = 121 a week, not 125."""
    made = replace(shape_a(), acquisition=money(break_even=19_480))
    assert "ab 19.000 h, das sind 121 h pro Woche" in answer(made, "de")


def test_a_purchase_paid_back_after_the_period_says_so() -> None:
    late = replace(shape_a(), acquisition=replace(money(), paid_back=62))
    assert "erst nach 62 Monaten bezahlt gemacht, also nicht in 36." in explanation(late, "money", "de")
    early = replace(shape_a(), acquisition=replace(money(), paid_back=20))
    assert "im Juli 2028 bezahlt gemacht" in explanation(early, "money", "de")


def test_what_moves_nothing_has_no_line() -> None:
    rows = (Sensitivity("rent", q(6200, "hour"), q(13100, "hour")), Sensitivity("tariff", q(8490, "hour"), q(8510, "hour")))
    found = explanation(replace(shape_a(), acquisition=replace(money(), sensitivity=rows)), "money", "de")
    assert "Miete 30 % niedriger oder höher: 6.200 h / 13.000 h" in found
    assert "Strompreis niedriger" not in found


def test_memory_of_several_cards_is_not_said_to_lie_on_one() -> None:
    found = answer(said("70B für 20 Nutzer betreiben"), "de")
    assert "insgesamt, auf mehrere Karten verteilt" in found
    assert "auf einer Karte frei" not in found


def test_a_device_is_no_card_in_german_either() -> None:
    found = answer(said("gpt-oss-120b betreiben, Gerät kaufen, keine Cloud, 700 h im Monat"), "de")
    assert "genügt ein DGX Spark." in found
    assert "Gerätepreis" in found


def test_a_server_is_spread_by_its_own_means() -> None:
    """No training framework shards a model that only runs."""
    found = answer(said("Llama 3.1 70B betreiben auf 4x A100 80GB für 50 Nutzer, 300 h im Monat"), "de")
    assert "mit Tensor-Parallelität" in found
    assert "FSDP" not in found


def test_hours_are_those_of_the_card_they_own() -> None:
    own = {"models": [{"params_b": 8}], "methods": ["lora"], "hardware": [{"gpu": "RTX 4090"}], "usage": {"training_hours_per_month": 12}}
    found = answer(advise(Request.model_validate(own), catalogue(), TODAY), "de")
    assert "weil langsamer als RTX 4090" in found
    assert "als RTX 5090" not in found
