"""What must hold for any model and any setting: more never needs less, terms add up, units survive, formulas can be redone."""

import ast
import operator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalogue import catalogue
from engine.memory import allocated, footprint, peak, setup_of, typical_architecture
from engine.memory.states import BYTES
from engine.request import Request

NAMES = (
    "llama-3.1-8b",
    "qwen3-4b",
    "gemma-2-9b",
    "phi-3-mini",
    "gpt-oss-20b",
    "mixtral-8x7b",
    "deepseek-v2-lite",
    "pythia-6.9b",
    "olmo-2-7b",
)
METHODS = ("full", "lora", "qlora", "lora8", "serve", "rag", "continued_pretrain", "pretrain")
ORDER = {"adamw": 4, "lion": 3, "adamw8bit": 2, "sgd": 1}
architectures = st.sampled_from([catalogue().architectures[name] for name in NAMES]) | st.builds(
    typical_architecture, st.floats(0.1, 500, allow_nan=False)
)
trainings = st.fixed_dictionaries(
    {},
    optional={
        "sequence_length": st.integers(1, 100_000),
        "micro_batch": st.integers(1, 64),
        "rank": st.integers(1, 256),
        "target_modules": st.sampled_from(["all", "attn", "qv", "mlp", "qvo", "qvo+mlp", "all+head", "all+embeddings"]),
        "optimizer": st.sampled_from(["adamw", "adamw8bit", "paged_adamw", "paged_adamw8bit", "adafactor", "sgd", "lion", "muon"]),
        "precision": st.sampled_from(["fp32", "fp16", "bf16", "pure_bf16", "fp8"]),
        "gradient_checkpointing": st.sampled_from(["none", "selective", "full"]),
        "attention": st.sampled_from(["flash", "sdpa", "eager"]),
        "loss": st.sampled_from(["fp32", "bf16", "chunked", "fused_ce", "fused_linear"]),
        "offload": st.sampled_from(["none", "optimizer", "parameters", "nvme"]),
    },
)
stages = st.sampled_from([None, "sft", "dpo"])
shardings = st.sampled_from(["none", "ddp", "zero1", "zero2", "zero3", "fsdp", "tensor", "pipeline"])


def setup(architecture, method, training, stage=None, gpus=1, sharding=None):
    request = Request.model_validate({"training": training, **({"stage": stage} if stage else {})})
    return setup_of(request, architecture, method, gpus, sharding)[0]


@given(architectures, st.sampled_from(METHODS), trainings, stages, st.integers(1, 16), shardings)
@settings(max_examples=300, deadline=None)
def test_terms_are_there_and_add_up_to_what_must_be_free(architecture, method, training, stage, gpus, sharding):
    chosen = setup(architecture, method, training, stage, gpus, sharding)
    found = footprint(architecture, chosen, {})
    sizes = [term.size.m_as("byte") for term in found.terms]
    assert all(size > 0 for size in sizes)
    assert sum(sizes) == pytest.approx(found.expected.m_as("byte"), rel=1e-9)
    assert found.expected.m_as("byte") == pytest.approx(peak(architecture, chosen), rel=1e-9)
    assert found.low <= found.expected <= found.high
    assert found.cpu_ram.check("[data]")
    assert found.expected.check("[data]")


@given(
    architectures,
    st.sampled_from(METHODS),
    trainings,
    stages,
    st.sampled_from(["sequence_length", "micro_batch", "rank", "rows_per_example"]),
)
@settings(max_examples=300, deadline=None)
def test_more_of_anything_never_needs_less(architecture, method, training, stage, grows):
    less = setup(architecture, method, training, stage)
    more = replace(less, **{grows: getattr(less, grows) * 2})
    assert allocated(architecture, more) >= allocated(architecture, less) * (1 - 1e-12)


@given(architectures, st.sampled_from(METHODS), trainings)
@settings(max_examples=200, deadline=None)
def test_more_parameters_never_need_less(architecture, method, training):
    larger = replace(architecture, parameters=architecture.parameters * 1.5)
    chosen = setup(architecture, method, training)
    assert allocated(larger, chosen) >= allocated(architecture, chosen)


@given(architectures, st.sampled_from(["full", "lora", "qlora"]), trainings, st.integers(2, 64))
@settings(max_examples=200, deadline=None)
def test_less_sharding_never_needs_less_in_states(architecture, method, training, gpus):
    needs = [
        allocated(architecture, setup(architecture, method, training | {"offload": "none"}, gpus=gpus, sharding=how))
        for how in ("none", "zero1", "zero2")
    ]
    assert needs == sorted(needs, reverse=True)
    few, many = (setup(architecture, method, training | {"offload": "none"}, gpus=count, sharding="zero3") for count in (gpus, 2 * gpus))
    assert allocated(architecture, few) >= allocated(architecture, many)


@given(architectures, trainings)
@settings(max_examples=200, deadline=None)
def test_fewer_bits_and_fewer_trained_parameters_need_less(architecture, training):
    common = {"optimizer": "adamw", "gradient_checkpointing": "full", "offload": "none", "target_modules": "attn", "rank": 8}
    lora = setup(architecture, "lora", training | common | {"precision": "bf16"})
    qlora = replace(lora, method="qlora", weight_dtype="nf4-dq")
    full = setup(architecture, "full", training | common | {"precision": "bf16"})
    unpacked = 2.0 * architecture.hidden * max(architecture.ffn, architecture.moe_ffn or 0, architecture.heads * architecture.head_dim) * 2
    assert allocated(architecture, qlora) <= allocated(architecture, lora) + unpacked
    assert allocated(architecture, lora) <= allocated(architecture, full)


@given(architectures, st.sampled_from(["full", "lora"]), trainings)
@settings(max_examples=150, deadline=None)
def test_knobs_turn_the_right_way(architecture, method, training):
    chosen = setup(architecture, method, training)
    chosen = replace(chosen, sequence_length=max(128, chosen.sequence_length))  # below, scores are smaller than what a kernel keeps
    by_optimizer = [
        allocated(architecture, replace(chosen, optimizer=name, weight_dtype="fp32", adapter_dtype="fp32"))
        for name in sorted(ORDER, key=ORDER.get)
    ]
    assert by_optimizer == sorted(by_optimizer)
    by_attention = [allocated(architecture, replace(chosen, attention=name)) for name in ("flash", "sdpa", "eager")]
    assert by_attention[0] == by_attention[1] <= by_attention[2]
    by_loss = [allocated(architecture, replace(chosen, loss=name)) for name in ("fused_linear", "chunked", "fused_ce", "fp32")]
    assert by_loss == sorted(by_loss)
    for name in ("optimizer", "parameters"):
        assert allocated(architecture, replace(chosen, offload=name)) <= allocated(architecture, replace(chosen, offload="none")) * 1.35


@given(architectures, st.integers(1, 64), st.integers(1, 100_000))
@settings(max_examples=100, deadline=None)
def test_a_server_grows_with_users_context_and_bits(architecture, users, context):
    request = Request.model_validate({"serving": {"users": users, "context": context}})
    chosen, _ = setup_of(request, architecture, "serve")
    assert allocated(architecture, replace(chosen, micro_batch=users + 1)) >= allocated(architecture, chosen)
    widths = sorted(("q4", "q5", "q8", "bf16", "fp32"), key=BYTES.get)
    needs = [allocated(architecture, replace(chosen, weight_dtype=width)) for width in widths]
    assert needs == sorted(needs)


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def by_hand(formula, inputs):
    """The value of a formula, computed from nothing but its text and its inputs."""

    def value(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        return inputs[node.id]

    return value(ast.parse(formula, mode="eval").body)


@given(architectures, st.sampled_from(METHODS), trainings, stages, st.integers(1, 8), shardings)
@settings(max_examples=200, deadline=None)
def test_each_term_can_be_redone_by_hand(architecture, method, training, stage, gpus, sharding):
    chosen = setup(architecture, method, training, stage, gpus, sharding)
    for term in footprint(architecture, chosen, {}).terms:
        assert by_hand(term.formula, term.inputs) == pytest.approx(term.size.m_as("byte"), rel=1e-6), term.term
        assert term.source in catalogue().sources


@pytest.mark.parametrize("method", ["qlora", "lora", "full", "serve"])
@pytest.mark.parametrize("training", [{}, {"sequence_length": 8192, "micro_batch": 4}, {"gradient_checkpointing": "none"}])
def test_a_larger_bare_size_never_needs_less(method, training):
    """Beside 13B, which is taken as a Llama 2 with its small vocabulary, and what rounding widths costs below 1B."""
    sizes = [0.15 * 1.03**step for step in range(270)]
    said = Request.model_validate({"training": training} if method != "serve" else {"serving": {"users": 4}})
    needs = []
    for size in sizes:
        if not 12.3 < size < 13.7:
            shape = typical_architecture(size)
            needs.append(peak(shape, setup_of(said, shape, method)[0]))
    assert all(after >= before * 0.985 for before, after in pairwise(needs))


@pytest.mark.parametrize(
    ("method", "gpus", "sharding", "serving"),
    [("lora", 1, None, {}), ("qlora", 1, None, {}), ("qlora", 4, "fsdp", {}), ("full", 4, "fsdp", {}), ("serve", 1, None, {"users": 10})],
)
def test_what_grows_with_tokens_is_told_apart_from_what_does_not(method, gpus, sharding, serving):
    """The same bytes a token and the same rest at another length, so that the sum can be redone for it."""
    shape, inputs = catalogue().architectures["llama-3.1-8b"], []
    for length in (16384, 32768):
        said = {"training": {"sequence_length": length}, "serving": {**serving, "context": length}}
        made = footprint(shape, setup_of(Request.model_validate(said), shape, method, gpus, sharding)[0], {})
        inputs.append(
            {term.term: {key: value for key, value in term.inputs.items() if key not in ("tokens", "in_use")} for term in made.terms}
        )
    assert inputs[0] == inputs[1]
