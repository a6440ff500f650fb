"""The closed forms of the engine against a month-by-month loop written separately, on random inputs."""

import math

import pytest
from costs_oracle import pays, simulate
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.break_even import full
from engine.costs import Own, RentTerms, Workload, cumulated, own_flows, own_total, rent_flows, rent_total

amounts = st.floats(0, 50_000).map(lambda value: round(value, 2))
shares = st.one_of(st.just(0.0), st.floats(0, 1).map(lambda value: round(value, 3)))

owns = st.fixed_dictionaries(
    {"price": amounts},
    optional={
        "load": st.floats(0, 3),
        "idle": st.floats(0, 0.5),
        "tariff": st.floats(0, 0.6),
        "pue": st.floats(1, 2),
        "always": st.booleans(),
        "maintenance": st.floats(0, 0.2),
        "admin": st.floats(0, 300),
        "colocation": st.floats(0, 300),
        "resale": shares,
    },
)
hourly = st.fixed_dictionaries(
    {"per_hour": st.floats(0.05, 60).map(lambda value: round(value, 4))},
    optional={"cap": st.floats(1, 5_000), "setup": st.floats(0, 500), "step": st.sampled_from([1 / 3600, 1 / 60, 0.25, 1.0, 24.0, 168.0])},
)
monthly = st.fixed_dictionaries({"per_month": st.floats(1, 5_000)}, optional={"setup": st.floats(0, 500)})
rents = st.one_of(hourly, monthly)


def hours_up_to(most: float) -> st.SearchStrategy[float]:
    return st.floats(0, most).map(lambda value: round(value, 2))


ratios = st.one_of(st.just(1.0), st.floats(0.2, 5))
rates = st.one_of(st.just(0.0), st.floats(0, 0.3))
horizons = st.integers(1, 84)


def engine_sides(own: dict, rent: dict) -> tuple[Own, RentTerms]:
    return (
        Own(
            own["price"],
            load=own.get("load", 0.0),
            idle=own.get("idle", 0.0),
            tariff=own.get("tariff", 0.0),
            pue=own.get("pue", 1.0),
            always_powered=own.get("always", True),
            maintenance_share=own.get("maintenance", 0.0),
            admin=own.get("admin", 0.0),
            colocation=own.get("colocation", 0.0),
            resale_share=own.get("resale", 0.0),
        ),
        RentTerms(
            per_hour=rent.get("per_hour"),
            per_month=rent.get("per_month"),
            monthly_cap=rent.get("cap"),
            setup_fee=rent.get("setup", 0.0),
            billing_step=rent.get("step", 0.0),
        ),
    )


@settings(max_examples=150, deadline=None)
@given(own=owns, rent=rents, hours=hours_up_to(365), serving=hours_up_to(365), months=horizons, ratio=ratios, rate=rates)
def test_every_month_agrees_to_the_cent(own, rent, hours, serving, months, ratio, rate):
    machine, terms = engine_sides(own, rent)
    work = Workload(training=hours, serving=serving, months=months, speed_ratio=ratio, discount_rate=rate)
    expected = simulate(own, rent, [hours + serving] * months, ratio, rate)
    assert cumulated(own_flows(machine, work), rate) == pytest.approx([one for one, _ in expected], abs=0.005)
    assert cumulated(rent_flows(terms, work), rate) == pytest.approx([one for _, one in expected], abs=0.005)


@settings(max_examples=75, deadline=None)
@given(own=owns, rent=rents, once=hours_up_to(5_000), serving=hours_up_to(730), months=horizons, ratio=ratios, rate=rates)
def test_hours_of_a_single_run_fall_in_the_first_month(own, rent, once, serving, months, ratio, rate):
    machine, terms = engine_sides(own, rent)
    work = Workload(once=once, serving=serving, months=months, speed_ratio=ratio, discount_rate=rate)
    expected = simulate(own, rent, [once + serving] + [serving] * (months - 1), ratio, rate)
    assert cumulated(own_flows(machine, work), rate) == pytest.approx([one for one, _ in expected], abs=0.005)
    assert cumulated(rent_flows(terms, work), rate) == pytest.approx([one for _, one in expected], abs=0.005)
    assert (own_total(machine, work), rent_total(terms, work)) == pytest.approx(expected[-1], abs=0.005)


@settings(max_examples=150, deadline=None)
@given(own=owns, rent=rents, months=horizons, ratio=ratios, rate=rates)
def test_owning_pays_from_the_break_even_on_and_nowhere_below(own, rent, months, ratio, rate):
    machine, terms = engine_sides(own, rent)
    found = full(machine, terms, Workload(months=months, speed_ratio=ratio, discount_rate=rate))
    probes = [730 * step / 400 for step in range(1, 401)]
    if found.hours is None:
        assert not any(pays(own, rent, hours, months, ratio, rate) for hours in probes)
        return
    monthly = found.hours / months
    just_above = min(730.0, monthly + 1e-6)
    assert 0 <= monthly <= 730
    assert pays(own, rent, just_above, months, ratio, rate) or pays(own, rent, monthly, months, ratio, rate)
    assert not any(pays(own, rent, hours, months, ratio, rate) for hours in probes if hours < monthly - 1e-6)


@settings(max_examples=100, deadline=None)
@given(own=owns, rent=hourly, low=st.floats(0, 730), more=st.floats(0, 730), months=horizons, ratio=ratios, rate=rates)
def test_more_hours_never_make_renting_look_better(own, rent, low, more, months, ratio, rate):
    """Without a cap or a step, where an hour rented costs more than an hour run, the gap only closes."""
    rent = {key: value for key, value in rent.items() if key in ("per_hour", "setup")}
    machine, terms = engine_sides(own, rent)
    assume(terms.hourly / ratio >= machine.load_rate)
    high = min(730.0, low + more)

    def gap(hours: float) -> float:
        work = Workload(training=hours, months=months, speed_ratio=ratio, discount_rate=rate)
        return cumulated(own_flows(machine, work), rate)[-1] - cumulated(rent_flows(terms, work), rate)[-1]

    assert gap(high) <= gap(low) + 1e-6 * (1 + math.fabs(gap(low)))
