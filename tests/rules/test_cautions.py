"""Every warning with a case in which it must come and one in which it must not; the codes are those of the stable vocabulary."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from engine import Request, advise
from engine.catalogue import catalogue
from engine.rules import cautions

TODAY = datetime.date(2026, 11, 30)
CASES = yaml.safe_load((Path(__file__).parent / "cautions.yaml").read_text(encoding="utf-8"))


def warned(request, symptoms=()):
    answer = advise(Request.model_validate(request), catalogue(), TODAY, symptoms=frozenset(symptoms))
    return [verdict.subject for verdict in answer.warnings]


@pytest.mark.parametrize("case", CASES, ids=[case["code"] for case in CASES])
def test_it_comes_where_it_applies(case):
    assert case["code"] in warned(case["applies"], case.get("symptoms", ()))


@pytest.mark.parametrize("case", [case for case in CASES if "not" in case], ids=[case["code"] for case in CASES if "not" in case])
def test_it_stays_away_where_it_does_not(case):
    assert case["code"] not in warned(case["not"], case.get("symptoms", ()))


def test_a_calculation_is_told_apart_from_facts():
    assert "not_a_training_problem" not in warned({"goal": "facts"})
    assert "facts_need_rag" not in warned({"goal": "facts"}, ["calculation"])


def test_a_symptom_alone_warns_only_where_it_was_reported():
    request = {"models": [{"params_b": 7}], "methods": ["lora"], "hardware": [{"gpu": "RTX 4090"}]}
    assert "eval_oom" not in warned(request)
    assert "eval_oom" in warned(request, ["evaluation"])


def test_each_code_is_given_once_and_tested():
    codes = [rule.outcome.subject for rule in cautions.RULES]
    assert len(set(codes)) == len(codes)
    assert set(codes) - {case["code"] for case in CASES} == {"offer_unavailable"}  # tested below


def test_an_offer_that_was_gone_when_read_is_said_for_the_card_advised():
    request = Request.model_validate({"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12}})
    shipped = catalogue()
    card = advise(request, shipped, TODAY).plans[0].gpu
    gone = replace(shipped.offers_by_card[card.id][0], id="gone", available=False)
    told = advise(request, replace(shipped, offers=(*shipped.offers, gone)), TODAY).warnings
    assert "offer_unavailable" in [verdict.subject for verdict in told]
    assert "offer_unavailable" not in [verdict.subject for verdict in advise(request, shipped, TODAY).warnings]
