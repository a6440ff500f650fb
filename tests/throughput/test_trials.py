"""Trial and failed runs as factors of their own: what a project takes beyond its one run."""

import datetime

import pytest

from engine import Request, advise
from engine.catalogue import catalogue
from engine.trials import project_factor

TODAY = datetime.date(2026, 11, 30)
DATA = {"rows": 10_000, "tokens_per_row": 1_000, "epochs": 3}
LORA = {"models": [{"params_b": 8}], "methods": ["lora"], "dataset": DATA}


def advice(**request):
    return advise(Request.model_validate(request), catalogue(), TODAY)


@pytest.mark.parametrize(("method", "factor"), [("lora", 4 * 1.15), ("full", 4 * 1.15), ("pretrain", 1.15), ("continued_pretrain", 1.15)])
def test_four_trials_and_fifteen_percent_but_nobody_pretrains_four_times(method, factor):
    assert project_factor(method, catalogue()) == pytest.approx(factor)


def test_hours_derived_from_data_hold_the_trials_and_say_so():
    answer = advice(**LORA)
    run, best = answer.run, answer.plans[0]
    assert run.gpu is best.gpu
    assert run.project.m_as("hour") == pytest.approx(run.typical.m_as("hour") * 4.6)
    assert best.hours.m_as("hour") == pytest.approx(run.project.m_as("hour"), rel=1e-6)
    assert answer.assumed["trial_runs"] == 4
    assert answer.assumed["run_overhead"] == 0.15
    assert {"trial_runs", "run_overhead", "tariff_default"} <= {figure.id for figure in answer.figures}


def test_what_they_own_takes_its_own_time():
    """Eight H100 are done in a fraction of the hours of the card the others are counted on, and pay only for those."""
    answer = advice(**LORA, hardware=[{"gpu": "H100 SXM", "count": 8}])
    best, run = answer.plans[0], answer.run
    assert best.acquisition == "owned"
    assert best.hours.m_as("hour") == pytest.approx(run.project.m_as("hour"))
    assert best.cost.m_as("EUR") == pytest.approx(run.energy_cost.m_as("EUR") * 4.6)


def test_hours_they_said_are_taken_as_said():
    answer = advice(**LORA, usage={"hours_once": 30})
    assert answer.acquisition.hours.m_as("hour") == 30
    assert answer.run.project is None
    assert not {"trial_runs", "run_overhead"} & set(answer.assumed)
    assert "trial_runs" not in {figure.id for figure in answer.figures}


def test_power_of_a_run_in_kwh_and_money():
    """RTX 4090: 450 + 320 W; times the hours of the run, at 0.30 EUR or at their own tariff."""
    owned = {**LORA, "hardware": [{"gpu": "RTX 4090"}]}
    run = advice(**owned).run
    kwh = 0.77 * run.typical.m_as("hour")
    assert run.energy.m_as("kW*hour") == pytest.approx(kwh)
    assert run.energy_cost.m_as("EUR") == pytest.approx(kwh * 0.30)
    theirs = advice(**owned, quotes={"tariff": {"per_kwh": 0.2, "currency": "EUR"}, "pue": 1.5}).run
    assert theirs.energy_cost.m_as("EUR") == pytest.approx(kwh * 0.2 * 1.5)


def test_one_run_of_the_article_costs_eleven_euros():
    """1.2 kW x 30 h x 0.30 = 10.80 EUR; with the 1,220 W of two RTX 4090 10.98 EUR."""
    from engine.buying import energy_price
    from engine.machine_facts import load

    watts = load([(catalogue().gpus["rtx4090"], 2)], catalogue()).m_as("W")
    assert watts / 1000 * 30 * energy_price(Request(), catalogue(), "EUR") == pytest.approx(10.98)
