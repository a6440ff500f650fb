"""Real questions from public threads, rephrased as chat messages, graded on what is taken as right. Prints the table (pytest -s)."""

import datetime

import pytest
from cases.grading import cases, graded, shares, table

from bot.answering import answer_message
from bot.contract import answer_value
from engine.catalogue import catalogue

TODAY = datetime.date(2026, 11, 30)
AT_LEAST = {"fit": 0.90, "method": 0.95, "acquisition": 0.90, "asked": 0.90, "warning recall": 0.85, "warning precision": 0.60}


@pytest.fixture(scope="module")
def answers():
    return {
        case["id"]: answer_value(answer_message(case["message"], case["lang"], catalogue(), TODAY), case["lang"], catalogue())
        for case in cases()
    }


def test_the_answers_are_taken_as_right(answers, capsys):
    grades = [graded(case, answers[case["id"]]) for case in cases()]
    figures = shares(grades, sum(len(answer["warnings"]) for answer in answers.values()))
    with capsys.disabled():
        print("\n" + "\n".join(table(grades, figures)))
    assert {name: share for name, share in figures.items() if share < AT_LEAST[name]} == {}


def test_every_answer_fits_the_contract(answers, fits_schema):
    assert {name: faults for name, answer in answers.items() if (faults := fits_schema("answer", answer))} == {}
