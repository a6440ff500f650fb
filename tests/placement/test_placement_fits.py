"""Whether it fits: cases as people ask them, with the figures worked out beforehand."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.catalogue import catalogue
from engine.placement import fit_of, holds
from engine.recommendation import Sizing
from engine.request import Request
from engine.subject import subject_of

CASES = yaml.safe_load(Path(__file__).with_name("fits.yaml").read_text(encoding="utf-8"))
WORDS = {True: "yes", False: "no"}  # yaml reads yes and no as booleans


def sizing_of(case: dict[str, Any]) -> Sizing:
    subject = subject_of(Request.model_validate(case["request"]), catalogue())
    return fit_of(subject, subject.architectures[0], case["method"])


def verdicts(expected: Any) -> list[str]:
    return [WORDS.get(one, one) for one in (expected if isinstance(expected, list) else [expected])]


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_fit(case: dict[str, Any]) -> None:
    sizing, expect = sizing_of(case), case["expect"]
    fit = sizing.fit
    assert fit.verdict in verdicts(expect["verdict"])
    if "sharding" in expect:
        assert fit.sharding == expect["sharding"]
    for name, found in (("needed", fit.needed), ("usable", fit.usable), ("needed_footprint", sizing.footprint.expected)):
        if name in expect:
            assert found is not None
            low, high = expect[name]
            assert low <= found.m_as("GB") <= high, name
    if "longest_context" in expect:
        assert fit.longest_context is not None
        low, high = expect["longest_context"]
        assert low <= fit.longest_context.m_as("token") <= high
    assert set(expect.get("knobs", ())) <= {knob.knob for knob in fit.knobs}


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_verdict_follows_need_and_memory(case: dict[str, Any]) -> None:
    """no when expected > usable, tight when high > usable, yes otherwise."""
    sizing = sizing_of(case)
    fit = sizing.fit
    if fit.usable is None or fit.needed is None:
        return
    assert fit.needed == sizing.footprint.expected
    if fit.verdict == "no":
        assert fit.needed > fit.usable
    else:
        assert fit.needed <= fit.usable
        assert (sizing.footprint.high > fit.usable) == (fit.verdict == "tight")


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_the_verdict_alone_is_the_same(case: dict[str, Any]) -> None:
    subject = subject_of(Request.model_validate(case["request"]), catalogue())
    assert holds(subject, subject.architectures[0], case["method"]) == sizing_of(case).fit.verdict


def test_a_compared_method_has_no_ladder() -> None:
    subject = subject_of(Request.model_validate({"models": [{"params_b": 13}], "hardware": [{"gpu": "T4"}]}), catalogue())
    shape = subject.architectures[0]
    brief, whole = fit_of(subject, shape, "lora", ladder=False), fit_of(subject, shape, "lora")
    assert not brief.fit.knobs
    assert whole.fit.knobs
    assert brief.footprint == whole.footprint
