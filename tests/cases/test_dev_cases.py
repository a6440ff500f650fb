"""Questions of the kinds people ask in public threads, rephrased as chat messages, graded on what is taken as right (pytest -s: the table).

`dev` came with the task. `more` (from further threads, `source`; "own" where none) was graded before anything was changed for it; what
could be disputed was left out afterwards.
"""

import datetime

import pytest
from cases.grading import cases, graded, shares, table

from bot.answering import answer_message
from bot.contract import answer_value
from engine.catalogue import catalogue

TODAY = datetime.date(2026, 11, 30)
AT_LEAST = {
    "dev": {"fit": 0.98, "method": 0.98, "acquisition": 0.97, "asked": 0.98, "warning recall": 0.97, "warning precision": 0.97},
    "more": {"fit": 0.98, "method": 0.99, "acquisition": 0.97, "asked": 0.99, "warning recall": 0.98, "warning precision": 0.98},
}


def answered(case):
    return answer_value(answer_message(case["message"], case["lang"], catalogue(), TODAY), case["lang"], catalogue())


@pytest.fixture(scope="module", params=sorted(AT_LEAST))
def answers(request):
    return request.param, {case["id"]: answered(case) for case in cases(request.param)}


def test_the_answers_are_taken_as_right(answers, capsys):
    name, given = answers
    grades = [graded(case, given[case["id"]]) for case in cases(name)]
    figures = shares(grades, sum(len(answer["warnings"]) for answer in given.values()))
    with capsys.disabled():
        print(f"\n{name}: " + "\n".join(table(grades, figures)))
    assert {figure: share for figure, share in figures.items() if share < AT_LEAST[name][figure]} == {}


def test_every_answer_fits_the_contract(answers, fits_schema):
    _, given = answers
    assert {case: faults for case, answer in given.items() if (faults := fits_schema("answer", answer))} == {}


def test_no_message_stands_twice():
    messages = [case["message"] for name in AT_LEAST for case in cases(name)]
    assert len(set(messages)) == len(messages)
