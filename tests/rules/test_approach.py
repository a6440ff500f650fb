"""The ladder of approaches, table by table, and what a person who insists is told."""

import datetime
from pathlib import Path

import pytest
import yaml

from engine import Request, advise
from engine.catalogue import catalogue

TODAY = datetime.date(2026, 11, 30)
CASES = yaml.safe_load((Path(__file__).parent / "approach.yaml").read_text(encoding="utf-8"))


def advice(request, symptoms=()):
    return advise(Request.model_validate(request), catalogue(), TODAY, symptoms=frozenset(symptoms))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_ladder(case):
    approach = advice(case["request"], case.get("symptoms", ())).approach
    assert (approach and approach.method) == case["method"]
    assert (approach and approach.reasons[0].rule) == case["rule"]


def test_who_insists_gets_the_sizing_and_the_objection():
    answer = advice({"goal": "style", "methods": ["full"], "models": [{"params_b": 13}]})
    assert answer.approach.method == "lora"
    assert answer.footprint.method == "full"
    assert answer.fit.method == "full"


def test_a_calculation_needs_no_model_and_no_money():
    answer = advice({"goal": "new_skill"}, ["calculation"])
    assert (answer.approach.method, answer.acquisition.verdict, answer.plans, answer.questions) == ("none", "none", (), ())
    assert [one.subject for one in answer.warnings][:1] == ["not_a_training_problem"]
    assert [question.slot for question in advice({"goal": "new_skill"}).questions] == ["model"]


def test_overruled_preferences_are_kept():
    reasons = advice({"goal": "facts", "methods": ["full"], "models": [{"params_b": 8}]}).approach.reasons
    assert [(one.rule, one.overruled) for one in reasons if one.outcome == "prefer"] == [
        ("facts-are-retrieved", False),
        ("full-needs-baseline", True),
    ]


@pytest.mark.parametrize(("goal", "noted"), [(None, True), ("style", False), ("serve", False)])
def test_an_unknown_goal_is_a_note_not_a_refusal(goal, noted):
    request = {"models": [{"params_b": 8}]} | ({"goal": goal} if goal else {})
    answer = advice(request)
    assert any(one.rule == "goal-unknown" for one in answer.approach.reasons) is noted
    assert all(question.slot != "goal" for question in answer.questions)


def test_every_rule_has_a_source_and_an_id_of_its_own():
    from engine.rules import approach, cautions, surroundings, ways

    rules = [*approach.RULES, *approach.NOTES, *cautions.RULES, *ways.RULES, *ways.CHOICES, *surroundings.RULES]
    assert len({rule.id for rule in rules}) == len(rules)
    assert {rule.source for rule in rules} <= set(catalogue().sources)
