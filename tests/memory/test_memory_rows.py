"""Typed rows against the machine contract: what comes out fits the schema, what cannot be used is refused with field and reading."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.catalogue import catalogue
from engine.errors import Refusal
from engine.memory import architecture_from_config, row
from engine.memory.layer import layer_bytes
from engine.memory.naming import size_in_name
from engine.memory.setup import Setup
from engine.memory.shape import shape_of
from tests.memory.measured import answers, rows

PLAIN = {"id": "a", "model": "llama-3.1-8b", "method": "lora", "reading": "allocated"}


def test_measured_rows_and_answers_fit_the_contract(fits_schema):
    for name in ("published", "simulated"):
        for one in rows(name):
            assert fits_schema("memory_row", {"id": one["id"], **one["input"]}) == []
        for _, answer in answers(name):
            assert fits_schema("memory_out", answer) == []


def test_the_contract_s_own_example():
    answer = row({**PLAIN, "micro_batch": 1, "seq_len": 2048}, catalogue())
    assert answer["expected_gb"] == pytest.approx(20.3, rel=0.01)
    assert answer["required_gb"] == pytest.approx(22.1, rel=0.01)
    assert answer["assumed"]["lora_rank"] == 16
    assert "micro_batch" not in answer["assumed"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"surprise": 1}, "surprise"),
        ({"method": "magic"}, "method"),
        ({"micro_batch": 0}, "micro_batch"),
        ({"seq_len": "2048"}, "seq_len"),
        ({"seq_len": True}, "seq_len"),
        ({"seq_len": 2048.5}, "seq_len"),
        ({"params_b": float("nan")}, "params_b"),
        ({"params_b": float("inf")}, "params_b"),
        ({"params_b": -1.0}, "params_b"),
        ({"reading": None}, "reading"),
        ({"model": "no such model"}, "model"),
        ({"kv_heads": 64}, "kv_heads"),
        ({"n_experts": 4, "top_k": 8}, "top_k"),
        ({"lora_targets": "everything"}, "lora_targets"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(change, field):
    with pytest.raises(Refusal) as refused:
        row(PLAIN | change, catalogue())
    assert refused.value.field == field


@pytest.mark.parametrize("missing", ["id", "method", "model"])
def test_what_is_needed_is_asked_for(missing):
    with pytest.raises(Refusal):
        row({key: value for key, value in PLAIN.items() if key != missing}, catalogue())


def test_whole_numbers_may_be_written_without_a_point():
    assert row({"id": "a", "params_b": 7, "method": "lora"}, catalogue())["expected_gb"] > 10


def test_whole_numbers_may_be_written_with_a_point():
    assert row(PLAIN | {"seq_len": 1024.0, "layers": 32.0}, catalogue()) == row(PLAIN | {"seq_len": 1024, "layers": 32}, catalogue())


@pytest.mark.parametrize(
    ("change", "read"), [({"seq_len": None}, "null"), ({"tied": 1}, "1"), ({"seq_len": True}, "true"), ({"method": "x"}, "x")]
)
def test_what_was_read_is_shown_as_it_was_written(change, read):
    with pytest.raises(Refusal) as refused:
        row(PLAIN | change, catalogue())
    assert refused.value.read == read


def test_an_unknown_model_needs_only_its_size_and_says_so_by_a_wider_range():
    known = row(PLAIN, catalogue())
    guessed = row({"id": "b", "params_b": 8.03, "method": "lora", "reading": "allocated"}, catalogue())
    assert guessed["expected_gb"] == pytest.approx(known["expected_gb"], rel=0.02)
    assert guessed["high_gb"] / guessed["low_gb"] > known["high_gb"] / known["low_gb"]


def test_given_fields_win_over_the_catalogue():
    deeper = row({**PLAIN, "layers": 64, "gradient_checkpointing": "none"}, catalogue())
    assert deeper["terms"]["activations"] > 1.9 * row({**PLAIN, "gradient_checkpointing": "none"}, catalogue())["terms"]["activations"]


def test_readings_stand_in_their_order():
    read = [row(PLAIN | {"reading": name}, catalogue())["expected_gb"] for name in ("allocated", "reserved", "nvidia_smi")]
    assert read == sorted(read)


@pytest.mark.parametrize(
    ("params", "hidden", "layers", "ffn", "vocab", "gated"),
    [(6.74, 4096, 32, 11008, 32000, True), (6.86, 4096, 32, 16384, 50432, False), (2.78, 2560, 32, 10240, 51200, False)],
)
def test_the_kind_of_mlp_of_a_nameless_shape_follows_its_count(params, hidden, layers, ffn, vocab, gated):
    from engine.memory.families import family_of
    from engine.memory.naming import architecture_of

    given = {"params_b": params, "hidden": hidden, "layers": layers, "heads": 32, "kv_heads": 32, "ffn": ffn, "vocab": vocab}
    assert family_of(architecture_of(None, given, catalogue())).gated is gated


WHOLE = {
    "hidden": 1_000_000,
    "layers": 10_000,
    "heads": 10_000,
    "kv_heads": 10_000,
    "head_dim": 100_000,
    "ffn": 10_000_000,
    "vocab": 100_000_000,
    "n_experts": 100_000,
    "top_k": 100_000,
    "lora_rank": 16_384,
    "micro_batch": 65_536,
    "seq_len": 10_000_000,
    "n_gpus": 1_000_000,
}
ROWS = st.fixed_dictionaries(
    {"id": st.just("a"), "method": st.sampled_from(["full", "lora", "qlora", "inference"])},
    optional={
        "model": st.sampled_from(["llama-3.1-8b", "gemma-2-9b", "gpt-oss-20b", "deepseek-v3", "unheard-of-3b"]),
        "params_b": st.floats(1e-9, 100_000, exclude_min=True),
        "tied": st.booleans(),
        "framework": st.sampled_from(["hf", "litgpt", "torchtune", "torchtitan", "qwen", "axolotl", "fsdp_qlora", "other"]),
        "lora_targets": st.sampled_from(["all", "attn", "qv", "mlp", "qvo", "qvo+mlp", "all+head", "all+embeddings"]),
        "weight_dtype": st.sampled_from(["fp32", "bf16", "fp16", "int8", "nf4", "nf4-dq", "gptq4"]),
        "adapter_dtype": st.sampled_from(["fp32", "bf16", "fp16"]),
        "autocast": st.booleans(),
        "optimizer": st.sampled_from(["adamw", "adamw8bit", "paged_adamw8bit", "adafactor", "sgd", "lion", "muon"]),
        "optimizer_impl": st.sampled_from(["fused", "foreach"]),
        "optimizer_states": st.sampled_from(["fp32", "bf16", "parameter", "fp32_master"]),
        "fused_backward": st.booleans(),
        "gradient_checkpointing": st.sampled_from(["none", "full", "selective"]),
        "attention": st.sampled_from(["flash", "sdpa", "eager"]),
        "loss": st.sampled_from(["fp32", "bf16", "chunked", "fused_ce", "fused_linear", "last_token"]),
        "kbit_upcast": st.sampled_from(["stream", "embeddings"]),
        "sharding": st.sampled_from(["none", "ddp", "zero1", "zero2", "zero3", "fsdp", "tensor", "pipeline", "sequence"]),
        "reading": st.sampled_from(["allocated", "reserved", "nvidia_smi", "unknown"]),
        **{name: st.integers(1, most) for name, most in WHOLE.items()},
    },
)


@given(ROWS)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_row_of_the_contract_is_answered_or_refused(fits_schema, line):
    try:
        answer = row(line, catalogue())
    except Refusal:
        return
    assert fits_schema("memory_out", answer) == []
    assert sum(answer["terms"].values()) == pytest.approx(answer["expected_gb"], rel=1e-9)
    assert answer["low_gb"] <= answer["expected_gb"] <= answer["high_gb"]
    assert line.get("reading") != "allocated" or answer["required_gb"] >= answer["expected_gb"]


def test_experts_of_an_unnamed_mixture_are_no_larger_than_the_model():
    """Qwen3-30B-A3B from its size, experts and top_k alone, and from a name that states them."""
    said = {"id": "a", "method": "lora", "lora_targets": "all", "reading": "allocated"}
    known = row({**said, "model": "qwen3-30b-a3b"}, catalogue())["expected_gb"]
    assert row({**said, "params_b": 30.5, "n_experts": 128, "top_k": 8}, catalogue())["expected_gb"] == pytest.approx(known, rel=0.1)
    assert row({**said, "model": "newcomer-30b-a3b"}, catalogue())["expected_gb"] == pytest.approx(known, rel=0.1)


@pytest.mark.parametrize(
    ("name", "size"),
    [("newcomer-1T-a32b", 1000), ("newcomer-1M-context-7b", 7), ("newcomer-8x7b", 56), ("newcomer-350m", 0.35), ("newcomer:8b-q4", 8)],
)
def test_the_size_in_a_name_is_the_whole_model_s(name, size):
    assert size_in_name(name) == pytest.approx(size)


def test_a_family_is_a_whole_word_of_a_name():
    """An OPT keeps less than a Llama; "optimus" is none."""
    said = {"id": "a", "params_b": 7, "method": "full", "gradient_checkpointing": "none", "reading": "allocated"}
    plain, other = (row({**said, "model": name}, catalogue())["expected_gb"] for name in ("newcomer-7b", "optimus-7b"))
    assert plain == other != row({**said, "model": "opt-7b-mine"}, catalogue())["expected_gb"]


def test_one_rule_says_what_deepspeed_keeps():
    said = {"id": "a", "model": "llama-3.1-8b", "method": "full", "n_gpus": 4, "reading": "allocated"}
    needs = [row({**said, "sharding": how}, catalogue())["expected_gb"] for how in ("zero1", "zero2", "zero3")]
    assert needs == sorted(needs, reverse=True)
    assert row({**said, "sharding": "zero2"}, catalogue())["assumed"]["optimizer_states"] == "fp32_master"


def test_a_pure_fp32_step_keeps_twice_as_much():
    """92,232 bytes a token and layer against 50,248 in bf16: saved tensors of a Llama layer (1024, 3584, 16 heads, 4) in transformers."""
    config = {
        "model_type": "llama",
        "hidden_size": 1024,
        "intermediate_size": 3584,
        "num_hidden_layers": 4,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "vocab_size": 512,
    }
    shape = shape_of(architecture_from_config(config))
    common = {"autocast": False, "checkpointing": "none", "sequence_length": 1024}
    kept = [layer_bytes(shape, Setup("full", "full", weight_dtype=dtype, **common))[0] for dtype in ("fp32", "bf16")]
    assert kept == [pytest.approx(92_232, rel=0.002), pytest.approx(50_248, rel=0.002)]
