"""config.json of many families: the published count to half a percent; nonsense is refused, never guessed."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalogue import catalogue
from engine.errors import Refusal
from engine.memory import architecture_from_config, peak, setup_of
from engine.memory.calibration import spread
from engine.request import Request

FOLDER = Path(__file__).parent
COUNTS = json.loads((FOLDER / "config_counts.json").read_text(encoding="utf-8"))
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 100,
    "intermediate_size": 128,
}


def config(name):
    return json.loads((FOLDER / "configs" / f"{name}.json").read_text(encoding="utf-8"))


def test_there_are_enough_families():
    assert len({config(name)["model_type"] for name in COUNTS}) >= 20


@pytest.mark.parametrize("name", COUNTS)
def test_the_published_count_comes_out(name):
    assert architecture_from_config(config(name)).parameters == pytest.approx(COUNTS[name], rel=0.005)


def test_what_transformers_builds_is_counted():
    """The default config of every model_type listed, built by transformers 5.24 on tensors without storage."""
    built = [json.loads(line) for line in (FOLDER / "built_configs.jsonl").read_text(encoding="utf-8").splitlines()]
    read = {one["model_type"]: architecture_from_config(one["config"]) for one in built}
    off = {one["model_type"]: read[one["model_type"]].parameters / one["parameters"] - 1 for one in built}
    assert len(built) >= 120
    assert {name: share for name, share in off.items() if abs(share) > 0.005} == {}
    assert not any(one.estimated for one in read.values())


def test_an_unknown_family_is_counted_like_llama_and_says_so():
    read = architecture_from_config({**LLAMA, "model_type": "newcomer"})
    chosen, assumed = setup_of(Request(), read, "lora")
    plain, silent = setup_of(Request(), architecture_from_config(LLAMA), "lora")
    assert read.parameters == architecture_from_config(LLAMA).parameters
    assert (assumed["shape.family"], "shape.family" in silent) == ("newcomer", False)
    assert spread(read, chosen)[1] > 1.3 * spread(architecture_from_config(LLAMA), plain)[1]


def test_an_encoder_with_a_decoder_is_refused():
    with pytest.raises(Refusal) as refused:
        architecture_from_config({**LLAMA, "model_type": "t5", "is_encoder_decoder": True})
    assert (refused.value.code, refused.value.read) == ("config_two_stacks", "t5")


def test_an_audio_tower_is_counted():
    """Whisper large's encoder has 636,968,960 parameters."""
    tower = {"d_model": 1280, "encoder_ffn_dim": 5120, "encoder_layers": 32, "num_mel_bins": 128, "max_source_positions": 1500}
    heard = architecture_from_config({**LLAMA, "audio_config": tower}).parameters - architecture_from_config(LLAMA).parameters
    assert heard == 636_968_960 + 1280 * LLAMA["hidden_size"]


@pytest.mark.parametrize("name", COUNTS)
def test_a_config_sizes_like_the_catalogue(name):
    read, known = architecture_from_config(config(name)), catalogue().architectures[name]
    for method in ("lora", "qlora", "full"):
        chosen, _ = setup_of(Request.model_validate({"training": {"sequence_length": 2048, "target_modules": "attn"}}), read, method)
        assert peak(read, chosen) == pytest.approx(peak(known, chosen), rel=0.03), method
    assert read.kv_heads == known.kv_heads or read.attention.startswith("mla") or name in ("nemotron-super-49b",)
    assert (read.n_experts, read.top_k) == (known.n_experts, known.top_k)
    assert read.tied_embeddings == known.tied_embeddings


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hidden_size": None}, "config_incomplete"),
        ({"hidden_size": -4}, "config_unusable"),
        ({"hidden_size": "wide"}, "config_unusable"),
        ({"hidden_size": float("nan")}, "config_unusable"),
        ({"num_hidden_layers": 10**12}, "config_unusable"),
        ({"vocab_size": 0}, "config_incomplete"),
    ],
)
def test_nonsense_is_refused(change, code):
    with pytest.raises(Refusal) as refused:
        architecture_from_config(LLAMA | change)
    assert refused.value.code == code
    assert refused.value.facts["key"]


def test_an_empty_config_is_refused():
    with pytest.raises(Refusal):
        architecture_from_config({"anything": [1, {"else": None}]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)


@given(
    st.dictionaries(st.sampled_from(sorted({*LLAMA, *config("deepseek-v3"), *config("gemma-3-12b"), *config("nemotron-super-49b")})), JSON)
)
@settings(max_examples=300, deadline=None)
def test_whatever_stands_in_a_config_is_read_or_refused(changes):
    try:
        read = architecture_from_config(LLAMA | changes)
    except Refusal:
        return
    assert read.parameters > 0
    chosen, _ = setup_of(Request(), read, "lora")
    assert peak(read, chosen) > 0


@pytest.mark.parametrize(
    "part",
    [
        {"vision_config": {"hidden_size": 4096, "depth": -100, "intermediate_size": 16384}},
        {"vision_config": {"hidden_size": 1024, "depth": 10**300}},
        {"vision_config": {"hidden_size": 1024, "depth": 2, "mlp_ratio": 1e308}},
        {"audio_config": {"num_mel_bins": 80, "d_model": 10**300}},
        {"expansion_ratio": 10**300, "intermediate_size": None},
        {"linear_attn_config": {"kda_layers": [0], "num_heads": -(10**6), "head_dim": 64}},
        {"block_configs": [{"ffn": {"ffn_mult": 1e308}}]},
        {"per_layer_config": {"0": {"head_dim": -4096}}, "layer_types": ["full_attention"]},
        {"num_key_value_heads": 8},
        {"num_hidden_layers": 10**8, "hidden_size": 10**6},
    ],
)
def test_nested_numbers_are_bounded_too(part):
    with pytest.raises(Refusal) as refused:
        architecture_from_config({key: value for key, value in {**LLAMA, **part}.items() if value is not None})
    assert refused.value.code == "config_unusable"


def test_an_encoder_has_no_head_and_no_cache():
    """BGE-M3: 568M parameters; 250,002 tokens of vocabulary that are never predicted."""
    config = {
        "model_type": "xlm-roberta",
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "max_position_embeddings": 8194,
        "num_attention_heads": 16,
        "num_hidden_layers": 24,
        "vocab_size": 250002,
    }
    read, known = architecture_from_config(config), catalogue().architectures["bge-m3"]
    assert read.parameters == pytest.approx(known.parameters, rel=0.005)
    said = Request.model_validate({"training": {"micro_batch": 32, "sequence_length": 512}})
    assert peak(read, setup_of(said, read, "lora")[0]) == pytest.approx(peak(known, setup_of(said, known, "lora")[0]), rel=0.05)
    assert not read.kv_layers


def test_a_list_with_a_value_a_layer_is_its_mean():
    uneven = architecture_from_config({**LLAMA, "intermediate_size": [128, 256], "num_key_value_heads": [4, 2]})
    assert (uneven.ffn, uneven.kv_heads) == (192, 3)


def test_a_text_part_may_leave_out_its_class_s_defaults():
    """Gemma 3 4B's file names neither heads nor vocabulary: 4,300,079,472 parameters with its vision tower."""
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}
    tower = {"model_type": "siglip_vision_model", "hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27, "patch_size": 14}
    read = architecture_from_config({"model_type": "gemma3", "text_config": text, "vision_config": tower})
    assert read.parameters == pytest.approx(4_300_079_472, rel=0.005)
    assert (read.heads, read.kv_heads, read.head_dim, read.vocab) == (8, 4, 256, 262208)
