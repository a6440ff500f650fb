"""Whatever a valid request holds, it is resolved and sized: no error, no number that is none."""

import math
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.catalogue import catalogue
from engine.placement import candidates, default_training_method, fit_of, largest
from engine.request import (
    Attention,
    GradientCheckpointing,
    Loss,
    Method,
    Offload,
    Optimizer,
    Precision,
    Quantization,
    Request,
    Sharding,
    TargetModules,
)
from engine.subject import subject_of

CATALOGUE = catalogue()


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def words(of: Any) -> st.SearchStrategy[str]:
    return st.sampled_from(get_args(of))


MODEL_NAMES = st.sampled_from([*CATALOGUE.architectures, "mistral", "gpt-4o", "frobnicator", "x-7b", "8x7b", "r1", "", "  ", "💥"]).filter(
    bool
)
CARD_NAMES = st.sampled_from([*CATALOGUE.gpus, "A100", "RTX 6000", "M2 Ultra", "colab", "g5.12xlarge", "frobnicator", "4090er", "💥"])
SIZES = st.sampled_from([1e-6, 0.01, 0.135, 1.1, 7, 8, 70, 405, 2000, 100_000])
MODELS = st.one_of(
    st.fixed_dictionaries({"name": MODEL_NAMES}),
    st.fixed_dictionaries({"params_b": SIZES}),
    st.fixed_dictionaries({"name": MODEL_NAMES, "params_b": SIZES}),
    st.fixed_dictionaries({"params_b": st.just(1000.0), "active_params_b": SIZES.filter(lambda size: size <= 1000)}),
)
HOLDINGS = st.one_of(
    st.fixed_dictionaries({"gpu": CARD_NAMES}, optional={"count": st.sampled_from([1, 2, 3, 8, 24, 768, 1_000_000])}),
    st.fixed_dictionaries(
        {"memory_gb": st.sampled_from([0.001, 4, 8, 24, 48, 80, 128, 100_000])},
        optional={
            "gpu": CARD_NAMES,
            "count": st.sampled_from([1, 2, 7, 1_000_000]),
            "kind": st.sampled_from(["vram", "ram", "unified"]),
            "nvlink": st.booleans(),
            "nodes": st.sampled_from([1, 3, 100_000]),
        },
    ),
    st.fixed_dictionaries({"cpu_ram_gb": st.sampled_from([0, 32, 1e7])}),
)
TRAINING = optional(
    sequence_length=st.sampled_from([1, 127, 2048, 131_072, 10_000_000]),
    micro_batch=st.sampled_from([1, 2, 65_536]),
    rank=st.sampled_from([1, 16, 16_384]),
    target_modules=words(TargetModules),
    optimizer=words(Optimizer),
    precision=words(Precision),
    gradient_checkpointing=words(GradientCheckpointing),
    quantization=words(Quantization),
    attention=words(Attention),
    loss=words(Loss),
    sharding=words(Sharding),
    offload=words(Offload),
)
REQUESTS = optional(
    models=st.lists(MODELS, max_size=2),
    methods=st.lists(words(Method), max_size=2, unique=True),
    stage=st.sampled_from(["sft", "dpo", "rl"]),
    training=TRAINING,
    hardware=st.lists(HOLDINGS, max_size=3),
    serving=optional(users=st.sampled_from([1, 10, 100_000_000]), context=st.sampled_from([1, 8192, 10_000_000])),
    constraints=optional(ecc=st.booleans()),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(asked=REQUESTS, method=words(Method))
def test_any_request_is_sized(asked: dict[str, Any], method: Method) -> None:
    subject = subject_of(Request.model_validate(asked), CATALOGUE)
    assert Request.model_validate(subject.request.contract()).contract() == subject.request.contract()
    for shape in subject.architectures:
        fit = fit_of(subject, shape, method).fit
        assert fit.verdict in ("yes", "tight", "no", "unknown")
        for size in (fit.needed, fit.usable, *(knob.saves for knob in fit.knobs)):
            assert size is None or (math.isfinite(size.m_as("GB")) and size.m_as("GB") >= 0)
        assert default_training_method(subject, shape, CATALOGUE) in ("lora", "qlora", "lora8")
        assert all(one.needed <= one.usable for one in candidates(shape, method, subject.request, CATALOGUE))
    assert all((one.model.params_b or 0) > 0 for one in largest(subject))
