"""Requests with the user's own offers: the verdict, the break-evens and what is asked back."""

import pytest

from engine.catalogue import catalogue
from engine.money import money_of
from engine.request import Request

SERVER = {"purchase": {"amount": 10_700, "currency": "EUR", "tax": "net"}, "rent": {"per_hour": 1.4247, "currency": "EUR"}}
POWER = {"power": {"load_w": 450, "idle_w": 100}, "tariff": {"per_kwh": 0.30}}


def asked(quotes: dict, **parts: object) -> Request:
    return Request.model_validate({"quotes": quotes, **parts})


def money(quotes: dict, **parts: object):
    return money_of(asked(quotes, **parts), catalogue())


def hours(month: float) -> dict:
    return {"training_hours_per_month": month}


def variants(found) -> dict:
    return {one.id: (None if one.break_even is None else one.break_even.magnitude, one.why_null) for one in found.acquisition.variants}


def test_what_a_quote_does_not_give_counts_as_nothing():
    found = money(SERVER, usage=hours(12))
    assert found.acquisition.verdict == "rent"
    assert [value for value, _ in variants(found).values()] == pytest.approx([7_510.35] * 3, rel=1e-5)
    assert found.plans[0].acquisition == "rent"
    assert found.plans[0].cost.magnitude == pytest.approx(432 * 1.4247)


def test_what_default_power_would_change_is_said():
    """450 W and 100 W at 0.30: 8,705 h; where power was said there is nothing to add."""
    assert money(SERVER, usage=hours(12)).acquisition.default_power.magnitude == pytest.approx(8_705.3, rel=1e-4)
    assert money({**SERVER, **POWER}, usage=hours(12)).acquisition.default_power is None


def test_energy_and_cap_around_the_clock():
    quotes = {**SERVER, **POWER, "rent": {"per_hour": 1.4247, "monthly_cap": 889, "currency": "EUR"}}
    found = money(quotes, usage=hours(730))
    assert found.acquisition.verdict == "buy"
    assert found.acquisition.break_even_per_month.magnitude == pytest.approx(241.81, rel=1e-4)
    assert found.acquisition.curve[0].rent.magnitude == pytest.approx(889)
    assert found.acquisition.curve[-1].own.magnitude == pytest.approx(14_247.8)


@pytest.mark.parametrize(("month", "verdict"), [(241, "rent"), (242, "buy")])
def test_both_sides_of_the_break_even(month, verdict):
    assert money({**SERVER, **POWER}, usage=hours(month)).acquisition.verdict == verdict


@pytest.mark.parametrize(("month", "paid_back"), [(730, 14), (12, None), (242, 36), (241, 37)])
def test_the_month_in_which_buying_is_paid_back(month, paid_back):
    """Around the clock 10,700 / (889 - 98.55) = 13.5 months; 12 h a month never bring it back: 17.1 € of rent against 23.2 € of power."""
    quotes = {**SERVER, **POWER, "rent": {"per_hour": 1.4247, "monthly_cap": 889, "currency": "EUR"}}
    assert money(quotes, usage=hours(month)).acquisition.paid_back == paid_back


def test_zero_hours_need_nothing():
    found = money(SERVER, usage=hours(0))
    assert found.acquisition.verdict == "none"
    assert found.acquisition.break_even.magnitude == pytest.approx(7_510.35, rel=1e-5)


@pytest.mark.parametrize(("month", "near"), [(173, False), (174, True), (250, True), (251, False)])
def test_near_break_even_within_a_fifth(month, near):
    """10,700 against month x 36 x 1.4247: 8,916 at 173.8 h (x 1.2 = 10,700) up to 12,840 at 250.3 h."""
    found = money(SERVER, usage=hours(month))
    assert found.acquisition.near_break_even is near


def test_no_hours_are_asked_for_and_the_break_even_stands():
    found = money(SERVER)
    assert found.acquisition.verdict is None
    assert [(one.slot, one.field) for one in found.questions] == [("usage", "usage.training_hours_per_month")]
    assert found.acquisition.break_even.magnitude == pytest.approx(7_510.35, rel=1e-5)


def test_no_hours_need_no_question_where_every_number_of_hours_says_the_same():
    dear = {**SERVER, "purchase": {"amount": 100_000, "currency": "EUR", "tax": "net"}}
    found = money(dear)
    assert found.acquisition.verdict == "rent"
    assert not found.questions
    assert variants(found)["full"] == (None, "beyond_horizon")


@pytest.mark.parametrize(
    ("month", "asks"),
    [(12, False), (174, False), (176, True), (208, True), (210, False), (400, False)],
)
def test_an_unknown_tax_basis_is_asked_back_only_where_it_decides(month, asks):
    """Net 10,700 / 1.4247 / 36 = 208.6 h a month; gross 8,991.6 / 1.4247 / 36 = 175.3 h a month."""
    quotes = {**SERVER, "purchase": {"amount": 10_700, "currency": "EUR"}}
    found = money(quotes, usage=hours(month))
    if asks:
        assert found.acquisition.verdict is None
        assert variants(found) == dict.fromkeys(("price_only", "with_energy", "full"), (None, "asked_back"))
        assert [one.field for one in found.questions] == ["quotes.purchase.tax"]
        assert [one.value["purchase"]["tax"] for one in found.questions[0].options] == ["net", "gross"]
    else:
        assert found.acquisition.verdict == ("rent" if month < 200 else "buy")
        assert found.assumed["quotes.purchase.tax"] == "net"
        assert not found.questions


def test_a_gross_purchase_is_compared_net():
    quotes = {**SERVER, "purchase": {"amount": 10_700, "currency": "EUR", "tax": "gross"}}
    assert variants(money(quotes, usage=hours(12)))["full"][0] == pytest.approx(6_311.2, rel=1e-4)


@pytest.mark.parametrize("currency", ["EUR", "USD", "GBP", "CHF"])
@pytest.mark.parametrize("month", [12, 208, 209, 730])
def test_currency_never_changes_the_verdict(currency, month):
    quotes = {
        "purchase": {"amount": 10_700, "currency": currency, "tax": "net"},
        "rent": {"per_hour": 1.4247, "currency": currency},
        **POWER,
    }
    found = money(quotes, usage=hours(month))
    euros = money({**SERVER, **POWER}, usage=hours(month))
    assert found.acquisition.verdict == euros.acquisition.verdict
    assert variants(found) == variants(euros)
    assert found.plans[0].cost.units == found.acquisition.curve[0].own.units
    assert found.acquisition.currency == currency


def test_mixed_currencies_convert_at_a_dated_rate_that_is_shown():
    quotes = {**SERVER, "rent": {"per_hour": 1.4247, "currency": "USD"}}
    found = money(quotes, usage=hours(12))
    rate = catalogue().figure("exchange_rate_eur_usd")
    assert variants(found)["price_only"][0] == pytest.approx(10_700 / (1.4247 / rate.typical))
    assert [one.id for one in found.figures] == ["exchange_rate_eur_usd"]
    assert rate.date is not None


def test_an_amount_without_a_currency_takes_that_of_the_rent():
    quotes = {"purchase": {"amount": 10_700, "tax": "net"}, "rent": {"per_hour": 1.4247, "currency": "USD"}}
    found = money(quotes, usage=hours(12))
    assert found.acquisition.currency == "USD"
    assert variants(found)["price_only"][0] == pytest.approx(7_510.35, rel=1e-5)


def test_no_currency_at_all_is_asked_back():
    found = money({"purchase": {"amount": 10_700, "tax": "net"}, "rent": {"per_hour": 1.4247}}, usage=hours(12))
    assert found.acquisition.verdict is None
    assert variants(found)["price_only"] == (None, "asked_back")
    assert [one.field for one in found.questions] == ["quotes.purchase.currency"]


def test_a_cap_without_an_hourly_price_is_asked_back():
    found = money({**SERVER, "rent": {"monthly_cap": 889, "currency": "EUR"}}, usage=hours(12))
    assert found.acquisition.verdict is None
    assert variants(found)["full"] == (None, "asked_back")
    assert [one.field for one in found.questions] == ["quotes.rent.per_hour"]


def test_one_side_alone():
    rented = money({"rent": SERVER["rent"]}, usage=hours(12))
    assert rented.acquisition.verdict == "rent"
    assert variants(rented)["full"] == (None, "no_purchase")
    assert rented.acquisition.curve[0].own is None
    bought = money({"purchase": SERVER["purchase"]}, usage=hours(12))
    assert bought.acquisition.verdict is None
    assert variants(bought)["full"] == (None, "no_rent")
    assert [one.field for one in bought.questions] == ["quotes.rent.per_hour"]


def test_without_the_cloud_nothing_is_rented():
    found = money(SERVER, usage=hours(12), constraints={"no_cloud": True})
    assert found.acquisition.verdict == "buy"
    assert [plan.acquisition for plan in found.plans] == ["buy"]


def test_a_flat_month_costs_the_same_whatever_the_hours():
    quotes = {**SERVER, "rent": {"per_month": 300, "setup_fee": 79, "currency": "EUR"}}
    found = money(quotes, usage=hours(1))
    assert found.acquisition.curve[-1].rent.magnitude == 36 * 300 + 79
    assert found.acquisition.verdict == "buy"
    assert variants(found) == {"price_only": (None, "no_rent"), "with_energy": (None, "no_rent"), "full": (0.0, None)}


def test_a_run_of_its_own_is_billed_in_the_first_month():
    quotes = {**SERVER, "rent": {"per_hour": 1.4247, "monthly_cap": 889, "currency": "EUR"}}
    found = money(quotes, usage={"hours_once": 700})
    assert [found.acquisition.curve[month].rent.magnitude for month in (0, 35)] == [889, 889]


def test_speed_ratio_compares_work_and_not_time():
    """A rented card twice as fast needs half the hours: 10,700 / (1.4247 / 2) = 15,021 h of the owned machine."""
    quotes = {**SERVER, "speed_ratio": 2.0}
    found = money(quotes, usage=hours(100))
    assert variants(found)["full"][0] == pytest.approx(15_020.7, rel=1e-4)
    assert found.acquisition.curve[-1].rent.magnitude == pytest.approx(36 * 50 * 1.4247)


@pytest.mark.parametrize(
    ("budget", "verdict", "over"),
    [
        ({"amount": 11_000}, "buy", True),
        ({"amount": 10_699}, "none", True),
        ({"amount": 30_000}, "buy", False),
        ({"amount": 298, "period": "month"}, "buy", True),
        ({"amount": 297, "period": "month"}, "none", True),
        ({"amount": 10, "period": "day"}, "buy", True),
        ({"amount": 1, "period": "hour"}, "buy", True),
        ({"amount": 10_500, "bound": "about"}, "buy", True),
    ],
)
def test_what_breaks_the_budget_is_never_advised(budget, verdict, over):
    """400 h a month: renting 36 x 569.88 = 20,515.68; buying 10,700, that is 297.22 a month and 0.74 an hour of work."""
    found = money(SERVER, usage=hours(400), budget=[{"currency": "EUR", **budget}])
    assert (found.acquisition.verdict, found.acquisition.over_budget) == (verdict, over)


def test_over_budget_the_other_way_is_taken_if_it_fits():
    """60 h a month: renting 3,077 in all; at 300 h renting breaks 11,000 (15,387) where buying does not."""
    assert money(SERVER, usage=hours(60), budget=[{"amount": 5_000, "currency": "EUR"}]).acquisition.verdict == "rent"
    found = money(SERVER, usage=hours(200), budget=[{"amount": 10_800, "currency": "EUR"}])
    assert found.acquisition.verdict == "rent"
    found = money({**SERVER, **POWER}, usage=hours(240), budget=[{"amount": 12_400, "currency": "EUR"}])
    assert found.acquisition.verdict == "rent"


def test_a_budget_without_a_currency_is_asked_back_only_where_it_decides():
    fine = money(SERVER, usage=hours(12), budget=[{"amount": 5_000}])
    assert fine.acquisition.verdict == "rent"
    edge = money(SERVER, usage=hours(12), budget=[{"amount": 620}])
    assert edge.acquisition.verdict is None
    assert [one.field for one in edge.questions] == ["budget.0.currency"]
    assert variants(edge)["full"] == (None, "asked_back")
