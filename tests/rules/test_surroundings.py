"""The facts around the machine: each with a case in which it must come and one in which it must not, and the numbers they carry."""

import datetime
from pathlib import Path

import pytest
import yaml

from engine import Request, advise
from engine.catalogue import catalogue
from engine.machine_facts import is_newest_generation, over_list_price
from engine.rules import surroundings

TODAY = datetime.date(2026, 11, 30)
CASES = yaml.safe_load((Path(__file__).parent / "surroundings.yaml").read_text(encoding="utf-8"))
NAMES = [case["rule"] for case in CASES]
EIGHT_4090 = {"models": [{"params_b": 7}], "methods": ["full"], "hardware": [{"gpu": "RTX 4090", "count": 8}]}
NO_CLOUD = {"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12}, "constraints": {"no_cloud": True}}


def advice(request):
    return advise(Request.model_validate(request), catalogue(), TODAY)


def facts(request):
    return {one.rule: one.facts for one in advice(request).surroundings}


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_comes_where_it_applies(case):
    assert case["rule"] in facts(case["applies"])


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_stays_away_where_it_does_not(case):
    assert case["rule"] not in facts(case["not"])


def test_each_fact_is_tested_and_has_a_source():
    assert [rule.id for rule in surroundings.RULES] == NAMES
    assert {rule.source for rule in surroundings.RULES} <= set(catalogue().sources)


def test_two_4090s_by_hand():
    """2 x 450 + 170 + 150 = 1,220 W; x 1.3 = 1,586, so 1,600 W; 1,220 of 2,944 W = 41 %; warm within the hour, a third slower."""
    known = facts({"models": [{"params_b": 8}], "methods": ["lora"], "hardware": [{"gpu": "RTX 4090", "count": 2}]})
    assert known["power-supply"]["watts"].m_as("W") == 1600
    assert known["circuit"]["share"] == pytest.approx(1220 / 2944)
    assert known["heat"]["warms"]
    assert known["heat"]["slower"] == pytest.approx(1 / 3, abs=1e-3)


def test_gradients_over_pcie_take_seconds():
    """7B in 16 bit, eight cards: fully sharded three times 7/8 of 13.5 GB; or a ring of 2 x 7/8 of it; over 25 GB/s."""
    seconds = facts(EIGHT_4090)["links"]["seconds"].m_as("s")
    weights = 2 * advice(EIGHT_4090).sizings[0].architecture.parameters / 1e9
    assert seconds == pytest.approx(3 * 7 / 8 * weights / 24.96, rel=1e-3)


def test_the_figures_behind_the_facts_are_named():
    answer = advice(NO_CLOUD)
    used = {name for one in answer.surroundings for name in one.facts.get("figures", ())}
    assert {"host_cpu_power", "socket_power_continuous", "useful_life_computers"} <= used
    assert used <= {figure.id for figure in answer.figures}


def test_the_newest_generation_is_the_one_that_came_last_and_is_out():
    known = catalogue()
    assert is_newest_generation(known.gpus["rtx5090"], known)
    assert not is_newest_generation(known.gpus["rtx4090"], known)
    assert not is_newest_generation(known.gpus["rubin"], known)  # announced


def test_the_premium_is_street_over_list_both_net():
    """RTX 5090 on 2026-02-01: 3,566 EUR and more with tax, 19 % off, in dollars, over 1,999."""
    known = catalogue()
    assert over_list_price(known.gpus["rtx5090"], known) == pytest.approx(0.68, abs=0.02)
    assert over_list_price(known.gpus["l40s"], known) is None


def test_a_purchase_that_needs_planning_is_warned_of():
    """Two cards of 300 W are 600 W, one of 575 W is below what is worth planning."""
    usage = {"training_hours_per_month": 100}
    bought = advice({"models": [{"params_b": 70}], "methods": ["qlora"], "usage": usage, "constraints": {"no_cloud": True, "ecc": True}})
    watts = (bought.plans[0].gpu.power or 0) * bought.plans[0].count
    assert ("power_heat" in [one.subject for one in bought.warnings]) == (watts >= 600)
    assert "power_heat" not in [one.subject for one in advice(NO_CLOUD).warnings]
    served = {"models": [{"params_b": 123}], "methods": ["serve"], "usage": {"serving_hours_per_month": 700}}
    answer = advice({**served, "constraints": {"no_cloud": True}})
    assert answer.acquisition.verdict == "buy"
    assert (answer.plans[0].gpu.power or 0) * answer.plans[0].count >= 600
    assert "power_heat" in [one.subject for one in answer.warnings]
