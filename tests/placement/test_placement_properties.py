"""What must hold whatever is asked: memory and cards never hurt, limits are limits."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalogue import catalogue
from engine.memory import peak, setup_of
from engine.placement import candidates, default_training_method, fit_of
from engine.placement.reverse import rounded_down
from engine.recommendation import Sizing
from engine.request import Method, Request
from engine.subject import Subject, subject_of

CATALOGUE = catalogue()
RANK = {"no": 0, "tight": 1, "yes": 2}
SIZES = st.sampled_from([0.5, 1.1, 3.0, 7.0, 8.0, 13.0, 14.8, 32.0, 70.0])
METHODS: st.SearchStrategy[Method] = st.sampled_from(["lora", "qlora", "lora8", "full", "serve", "continued_pretrain"])
MEMORIES = st.sampled_from([6, 8, 12, 16, 24, 32, 40, 48, 80, 96, 141, 180])
LENGTHS = st.sampled_from([256, 1024, 2048, 8192])

FAST = settings(max_examples=40, deadline=None)


def subject(size: float, hardware: list[dict[str, Any]], length: int = 2048, **training: Any) -> Subject:
    asked = {"models": [{"params_b": size}], "hardware": hardware, "training": {"sequence_length": length, **training}}
    return subject_of(Request.model_validate(asked), CATALOGUE)


def sized(one: Subject, method: Method) -> Sizing:
    return fit_of(one, one.architectures[0], method)


@FAST
@given(size=SIZES, method=METHODS, small=MEMORIES, large=MEMORIES, count=st.sampled_from([1, 2, 4, 8]), length=LENGTHS)
def test_more_memory_never_turns_yes_into_no(size: float, method: Method, small: int, large: int, count: int, length: int) -> None:
    small, large = sorted((small, large))
    before = sized(subject(size, [{"memory_gb": small, "count": count}], length), method)
    after = sized(subject(size, [{"memory_gb": large, "count": count}], length), method)
    if before.fit.verdict != "no":
        assert after.fit.verdict != "no"
    if before.fit.sharding == after.fit.sharding:
        assert RANK[after.fit.verdict] >= RANK[before.fit.verdict]


@FAST
@given(size=SIZES, method=METHODS, memory=MEMORIES, count=st.sampled_from([1, 2, 4]), length=LENGTHS)
def test_more_cards_never_turn_yes_into_no(size: float, method: Method, memory: int, count: int, length: int) -> None:
    before = sized(subject(size, [{"memory_gb": memory, "count": count}], length), method)
    after = sized(subject(size, [{"memory_gb": memory, "count": 2 * count}], length), method)
    if before.fit.verdict != "no":
        assert after.fit.verdict != "no"


@FAST
@given(size=SIZES, method=METHODS, few=st.sampled_from([2, 4, 8]), more=st.sampled_from([2, 4, 8, 16]), length=LENGTHS)
def test_more_cards_sharded_never_need_more_of_one(size: float, method: Method, few: int, more: int, length: int) -> None:
    few, more = sorted((few, more))
    sharding = "tensor" if method == "serve" else "fsdp"
    one = subject(size, [], length)
    setups = [setup_of(one.request, one.architectures[0], method, count, sharding)[0] for count in (few, more)]
    wide, narrow = (peak(one.architectures[0], setup) for setup in setups)
    assert narrow <= wide * (1 + 1e-9)


@FAST
@given(size=SIZES, method=METHODS, memory=MEMORIES, count=st.sampled_from([1, 2, 4]))
def test_longest_context_fits_and_one_step_more_does_not(size: float, method: Method, memory: int, count: int) -> None:
    one = subject(size, [{"memory_gb": memory, "count": count}])
    sizing = sized(one, method)
    fit, shape = sizing.fit, sizing.architecture
    assert fit.usable is not None
    usable = fit.usable.m_as("byte")
    setup, _ = setup_of(one.request, shape, method, count if fit.sharding != "none" else 1, fit.sharding)
    if fit.longest_context is None:
        assert peak(shape, replace(setup, sequence_length=64)) > usable
        return
    longest = int(fit.longest_context.m_as("token"))
    assert peak(shape, replace(setup, sequence_length=longest)) <= usable
    step = 64 if longest < 1024 else 128
    assert longest == 131_072 or peak(shape, replace(setup, sequence_length=longest + step)) > usable


@FAST
@given(size=SIZES, method=METHODS, memory=MEMORIES)
def test_largest_batch_fits_and_one_more_does_not(size: float, method: Method, memory: int) -> None:
    one = subject(size, [{"memory_gb": memory}])
    sizing = sized(one, method)
    fit, shape = sizing.fit, sizing.architecture
    setup, _ = setup_of(one.request, shape, method, 1, "none")
    assert fit.usable is not None
    usable = fit.usable.m_as("byte")
    if fit.largest_batch is None:
        assert peak(shape, replace(setup, micro_batch=1)) > usable
        return
    assert peak(shape, replace(setup, micro_batch=fit.largest_batch)) <= usable
    assert fit.largest_batch == 4096 or peak(shape, replace(setup, micro_batch=fit.largest_batch + 1)) > usable


@FAST
@given(size=SIZES, method=METHODS, memory=MEMORIES, count=st.sampled_from([1, 2]), length=LENGTHS, batch=st.sampled_from([1, 4]))
def test_knobs_save_what_they_say(size: float, method: Method, memory: int, count: int, length: int, batch: int) -> None:
    """Each knob, applied to the request as a button would, gives a need that is smaller by what it promised."""
    one = subject(size, [{"memory_gb": memory, "count": count}], length, micro_batch=batch)
    sizing = sized(one, method)
    assert sizing.fit.needed is not None
    assert sizing.fit.usable is not None
    for knob in sizing.fit.knobs:
        if knob.knob in ("other_hardware", "more_cards"):
            continue
        assert knob.saves.m_as("byte") > 0
        left = sizing.fit.needed.m_as("byte") - knob.saves.m_as("byte")
        assert knob.fits == (left <= sizing.fit.usable.m_as("byte") + 1)
        turned, chosen = applied(one, method, knob.setting)
        gpus = count if sizing.fit.sharding not in ("none", "ddp") or "training.sharding" in knob.setting else 1
        said = knob.setting.get("training.sharding", sizing.fit.sharding)
        setup, _ = setup_of(turned.request, turned.architectures[0], chosen, gpus, said)
        assert abs(peak(turned.architectures[0], setup) - left) < 1e-6 * left + 1


def applied(one: Subject, method: Method, setting: Any) -> tuple[Subject, Method]:
    asked = one.request.contract()
    for path, value in setting.items():
        section, _, name = path.partition(".")
        if name:
            asked.setdefault(section, {})[name] = value
        else:
            asked[section] = value
    if "methods" in setting:
        base = {"precision", "optimizer", "offload"} - {path.partition(".")[2] for path in setting}  # of the base, unless turned as well
        asked["training"] = {name: value for name, value in asked["training"].items() if name not in base}
    return subject_of(Request.model_validate(asked), CATALOGUE), setting.get("methods", [method])[0]


@FAST
@given(size=SIZES, method=METHODS)
def test_candidates_hold_it_with_no_card_too_many(size: float, method: Method) -> None:
    one = subject(size, [])
    for candidate in candidates(one.architectures[0], method, one.request, CATALOGUE):
        assert candidate.needed <= candidate.usable
        assert candidate.verdict in ("yes", "tight")
        assert candidate.sharding == "none" if candidate.count == 1 else candidate.sharding in ("fsdp", "tensor", "pipeline")
        assert not (candidate.gpu.geforce_licence and candidate.count > 8)
        assert "laptop" not in candidate.gpu.form_factor


@FAST
@given(size=SIZES, memory=MEMORIES, count=st.sampled_from([1, 2, 4]))
def test_default_method_fits_if_any_adapter_method_does(size: float, memory: int, count: int) -> None:
    one = subject(size, [{"memory_gb": memory, "count": count}])
    chosen = default_training_method(one, one.architectures[0], CATALOGUE)
    assert chosen in ("lora", "qlora")
    if any(sized(one, method).fit.verdict != "no" for method in ("lora", "qlora")):
        assert sized(one, chosen).fit.verdict != "no"


@given(size=st.floats(0.1, 2000))
def test_rounding_down_never_promises_more(size: float) -> None:
    rounded = rounded_down(size)
    assert rounded <= size * (1 + 1e-6)
    assert rounded >= size * 0.9
