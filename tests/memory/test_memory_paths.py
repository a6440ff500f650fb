"""Each setting by its arithmetic: optimizers, precisions, checkpointing, attention, losses, sharding, DPO, servers, rules of thumb."""

from dataclasses import replace

import pytest

from engine.catalogue import catalogue
from engine.memory import allocated, footprint, peak, row, rules_of_thumb, setup_of, typical_architecture
from engine.memory.moments import moments
from engine.memory.reinforcement import reinforcement_terms
from engine.memory.shape import shape_of
from engine.memory.states import BYTES, adapter_parameters, state_width, weights
from engine.request import Request

LLAMA = catalogue().architectures["llama-3.1-8b"]
P, H, L, V, TOKENS = 8030261248, 4096, 32, 128256, 2048


def setup(method="lora", gpus=1, sharding=None, architecture=LLAMA, **request):
    training = {key: value for key, value in request.items() if key not in ("stage", "serving")}
    said = {"training": training, **{key: request[key] for key in ("stage", "serving") if key in request}}
    return setup_of(Request.model_validate(said), architecture, method, gpus, sharding)[0]


def terms(chosen, architecture=LLAMA):
    return {term.term: term.size.m_as("GB") for term in footprint(architecture, chosen, {}).terms}


def test_lora_at_the_start_of_backward():
    """16.06 + 0.17 + 0.34 + 32 x 2 x 4096 x 2048 tokens and the last norm + 12 x 128256 x 2048; x 1.06 + 0.6."""
    found = terms(setup())
    assert found["weights"] == pytest.approx(2 * P / 1e9)
    assert found["adapters"] == pytest.approx(4 * 41943040 / 1e9)
    assert found["optimizer_states"] == pytest.approx(8 * 41943040 / 1e9)
    assert found["activations"] == pytest.approx(TOKENS * (L * 2 * H + 4 * H) / 1e9)
    assert found["logits"] == pytest.approx(12 * V * TOKENS / 1e9)
    assert peak(LLAMA, setup()) / 1e9 == pytest.approx(22.09, rel=0.005)


def test_adapter_parameters_follow_rank_and_targets():
    """Rank 16: q and o 4096 + 4096, k and v 4096 + 1024, three of the MLP 4096 + 14336, 32 layers."""
    shape = shape_of(LLAMA)
    assert adapter_parameters(shape, setup()) == 16 * 32 * (2 * 8192 + 2 * 5120 + 3 * 18432)
    assert adapter_parameters(shape, setup(target_modules="qv", rank=8)) == 8 * 32 * (8192 + 5120)
    assert adapter_parameters(shape, setup(target_modules="all+head")) == adapter_parameters(shape, setup()) + 16 * (H + V)


@pytest.mark.parametrize(
    ("optimizer", "states"),
    [("adamw", 8), ("paged_adamw", 8), ("adamw8bit", 2.03), ("lion", 4), ("muon", 4), ("sgd", 0), ("adafactor", 0.02)],
)
def test_optimizer_states_in_bytes_a_parameter(optimizer, states):
    assert state_width(shape_of(LLAMA), setup("full", optimizer=optimizer, precision="bf16")) == states


def test_full_fine_tuning_in_mixed_precision_and_in_pure_bf16():
    """fp32 weights, gradients and two moments are 16 B a parameter; in bf16 all of them 8 B; 8-bit moments 2 + 2 + 2.03."""
    assert terms(setup("full"))["weights"] == pytest.approx(4 * P / 1e9)
    assert allocated(LLAMA, setup("full")) == pytest.approx(16 * P, rel=0.01)
    assert allocated(LLAMA, setup("full", precision="pure_bf16")) == pytest.approx(8 * P, rel=0.01)
    assert allocated(LLAMA, setup("full", optimizer="adamw8bit")) == pytest.approx(6.03 * P, rel=0.01)
    assert allocated(LLAMA, replace(setup("full", precision="pure_bf16"), optimizer_impl="foreach")) == pytest.approx(10 * P, rel=0.01)


@pytest.mark.parametrize(("dtype", "width"), [("nf4-dq", 0.5159), ("nf4", 0.5625), ("int8", 1.0), ("gptq4", 0.5159)])
def test_a_quantised_base_keeps_its_embeddings(dtype, width):
    shape = shape_of(LLAMA)
    embeddings = 2 * V * H
    assert weights(shape, replace(setup(), weight_dtype=dtype)) == pytest.approx((P - embeddings) * width + embeddings * 2)


def test_measured_nf4_bases():
    """Mistral-7B 4.31 GB, Llama-3-8B 5.88 GB with nested quantisation or without."""
    for name, measured in (("mistral-7b-v0.1", 4.31), ("llama-3-8b", 5.88)):
        base = weights(shape_of(catalogue().architectures[name]), replace(setup("qlora"), weight_dtype="nf4-dq")) / 1e9
        assert base == pytest.approx(measured, rel=0.06)


def test_checkpointing_trades_activations_for_work():
    none, selective, full = (setup(gradient_checkpointing=kind, sequence_length=8192) for kind in ("none", "selective", "full"))
    needs = [allocated(LLAMA, one) for one in (none, selective, full)]
    assert needs == sorted(needs, reverse=True)
    assert terms(none)["activations"] > 20 * terms(full)["activations"]


def test_eager_attention_grows_with_the_square_of_the_length():
    """Softmax in fp32 and its 16-bit copy: 6 bytes x 32 heads x length, a token and layer."""
    at = {
        length: allocated(LLAMA, setup(attention="eager", gradient_checkpointing="none", sequence_length=length))
        - allocated(LLAMA, setup(attention="sdpa", gradient_checkpointing="none", sequence_length=length))
        for length in (2048, 4096)
    }
    assert at[2048] > 6 * 32 * 2048 * 2048 * 32
    assert at[4096] > 3.5 * at[2048]


def test_losses_by_bytes_a_logit():
    shape = shape_of(LLAMA)
    sizes = {
        loss: moments(shape, setup(loss=loss))["loss"]["logits"] / (TOKENS * V) for loss in ("fp32", "fused_ce", "chunked", "fused_linear")
    }
    assert sizes == {"fp32": 12, "fused_ce": 8, "chunked": 4, "fused_linear": pytest.approx(8 * H / V)}


def test_the_peak_is_the_largest_moment_not_their_sum():
    found = moments(shape_of(LLAMA), setup())
    assert allocated(LLAMA, setup()) == max(sum(one.values()) for one in found.values())
    assert footprint(LLAMA, setup(), {}).moment == "backward_start"
    assert footprint(LLAMA, setup("full"), {}).moment == "backward_end"


@pytest.mark.parametrize(
    ("sharding", "states"),
    [
        ("none", 16 * P),
        ("ddp", 16 * P),
        ("zero1", 4 * P + 12 * P / 4),
        ("zero2", 2 * P + 14 * P / 4),
        ("zero3", 16 * P / 4),
        ("fsdp", 16 * P / 4),
    ],
)
def test_sharding_spreads_states_gradients_weights(sharding, states):
    chosen = setup("full", 4, sharding)
    found = moments(shape_of(LLAMA), chosen)["backward_end"]
    assert sum(found[name] for name in ("weights", "optimizer_states", "gradients")) == pytest.approx(states, rel=0.001)
    assert (found["gathered"] > 0) == (sharding in ("zero3", "fsdp"))


@pytest.mark.parametrize(("sharding", "copies"), [("zero1", 6 * P / 4), ("zero2", 6 * P / 4), ("zero3", 4e9), ("fsdp", 0)])
def test_deepspeed_copies_its_gradients_for_the_step(sharding, copies):
    """Flattened in 16 bit and turned into fp32, of this card's part; ZeRO-3 takes 10^9 parameters at a time."""
    part = min(copies, 4 * P / 4) if sharding == "zero3" else copies
    assert moments(shape_of(LLAMA), setup("full", 4, sharding))["step"]["working_memory"] == pytest.approx(part)


def test_a_qwen_on_one_card_under_deepspeed_peaks_in_its_step():
    """Reported as 43.5 GB from 256 to 2,048 tokens (Qwen README): 22 bytes a parameter in the step, whatever the length."""
    one = {"id": "1", "model": "qwen-1.8b", "params_b": 1.837, "method": "full", "sharding": "zero2"}
    one |= {"framework": "qwen", "optimizer_states": "fp32_master", "reading": "nvidia_smi"}
    sizes = [row({**one, "seq_len": length}, catalogue())["expected_gb"] for length in (256, 1024)]
    assert sizes == [pytest.approx(43.5, rel=0.05)] * 2


def test_data_parallel_keeps_every_gradient_twice():
    """DistributedDataParallel reduces gradients in buckets beside them."""
    plain, copied = (moments(shape_of(LLAMA), setup("full", gpus, "ddp"))["backward_end"] for gpus in (1, 2))
    assert copied["gradient_buckets"] == copied["gradients"] == 4 * P
    assert not plain["gradient_buckets"]


def test_offloading_moves_states_to_the_computer():
    """Mixed precision: 2 + 2 bytes a parameter stay on the card, 18 lie in CPU memory; with the parameters gone a few layers stay."""
    off, streamed = setup("full", offload="optimizer"), setup("full", offload="parameters")
    assert allocated(LLAMA, off) == pytest.approx(4 * P, rel=0.02)
    assert footprint(LLAMA, off, {}).cpu_ram.m_as("byte") == pytest.approx(18 * P)
    assert allocated(LLAMA, streamed) < 10e9
    assert footprint(LLAMA, streamed, {}).cpu_ram.m_as("byte") == pytest.approx(18 * P)


def test_offloading_in_pure_bf16_moves_the_moments():
    on, off = setup("full", precision="pure_bf16"), setup("full", precision="pure_bf16", offload="optimizer")
    assert allocated(LLAMA, on) - allocated(LLAMA, off) == pytest.approx(4 * P, rel=0.05)
    assert footprint(LLAMA, off, {}).cpu_ram.m_as("byte") == pytest.approx(6 * P)


def test_dpo_doubles_the_rows_and_full_keeps_a_reference():
    """LoRA switches its adapters off for the reference; full fine-tuning holds a second copy of the weights."""
    assert setup(stage="dpo").tokens == 2 * setup().tokens
    assert terms(setup(stage="dpo"))["weights"] == terms(setup())["weights"]
    assert terms(setup("full", stage="dpo"))["weights"] == pytest.approx(2 * terms(setup("full"))["weights"])


def test_a_server_holds_weights_and_a_cache():
    """8B at Q4 is about 6 GB with a short context; two vectors of 1,024 in 16 bit, 32 layers: 131,072 B a token."""
    chosen = setup("serve", serving={"users": 4, "context": 8192})
    found = terms(chosen)
    assert found["weights"] == pytest.approx(P * BYTES["q4"] / 1e9)
    assert found["kv_cache"] == pytest.approx(131072 * 4 * 8192 / 1e9)
    assert 5.5 < peak(LLAMA, setup("serve", serving={"users": 1, "context": 2048})) / 1e9 < 7
    assert terms(setup("serve", 2, "tensor", serving={"users": 4, "context": 8192}))["kv_cache"] == pytest.approx(found["kv_cache"] / 2)


def test_caches_of_windows_and_latents_are_smaller():
    gemma, deepseek = (catalogue().architectures[name] for name in ("gemma-3-12b", "deepseek-v3"))
    long = {"users": 1, "context": 32768}
    windowed = terms(setup("serve", architecture=gemma, serving=long), gemma)["kv_cache"]
    whole = terms(setup("serve", architecture=gemma, serving=long), replace(gemma, window_layers=None))["kv_cache"]
    assert windowed < 0.3 * whole
    latent = terms(setup("serve", architecture=deepseek, serving=long), deepseek)["kv_cache"]
    assert latent == pytest.approx(2 * (512 + 64) * 61 * 32768 / 1e9)


def test_a_mixture_holds_all_experts_and_works_with_few():
    mixtral = catalogue().architectures["mixtral-8x7b"]
    chosen = setup(architecture=mixtral, target_modules="attn")
    found = terms(chosen, mixtral)
    assert found["weights"] == pytest.approx(2 * mixtral.parameters / 1e9)
    assert shape_of(mixtral).routed == 2 * 14336


@pytest.mark.parametrize("size", [0.1, 0.5, 1, 3, 7, 8, 12, 13, 20, 34, 70, 120, 405, 700, 2000])
def test_a_bare_size_becomes_a_shape_of_that_size(size):
    shape = typical_architecture(size)
    assert shape.estimated
    assert shape.parameters == size * 1e9
    assert shape.heads % shape.kv_heads == 0
    counted = shape.vocab * shape.hidden * (1 if shape.tied_embeddings else 2)
    counted += shape.layers * shape.hidden * (2 * shape.head_dim * (shape.heads + shape.kv_heads) + 3 * shape.ffn)
    assert counted == pytest.approx(size * 1e9, rel=0.02)


def test_a_bare_mixture_has_both_sizes():
    shape = typical_architecture(30, 3)
    assert (shape.parameters, shape.active_parameters) == (30e9, 3e9)
    assert shape.n_experts > shape.top_k


def test_rules_of_thumb_stand_beside_ours():
    """7B full: 112 GB by 16 bytes, 67 by the table; LoRA 15, QLoRA 5, inference 14."""
    seven = typical_architecture(7)
    full = {rule.id: rule.size.m_as("GB") for rule in rules_of_thumb(seven, "full")}
    assert full == {"sixteen_bytes": pytest.approx(112), "table": pytest.approx(67)}
    for method, told in (("lora", 15), ("qlora", 5), ("serve", 14)):
        (rule,) = rules_of_thumb(seven, method)
        assert rule.size.m_as("GB") == pytest.approx(told)
        assert rule.source in catalogue().sources
    assert {rule.size.m_as("GB") for rule in rules_of_thumb(typical_architecture(30), "full")} == {480, 288}


@pytest.mark.parametrize(
    ("name", "method", "training", "gpus", "free"),
    [
        ("llama-2-7b", "lora", {}, 1, 16.8),
        ("llama-2-7b", "lora8", {}, 1, 9.9),
        ("llama-2-13b", "lora", {}, 1, 30.9),
        ("llama-3.1-8b", "lora", {"sequence_length": 4096}, 1, 26.0),
        ("llama-3.1-8b", "lora", {"sequence_length": 8192}, 1, 33.9),
        ("llama-3.1-8b", "lora", {"sequence_length": 8192, "micro_batch": 4}, 1, 81),
        ("phi-3.5-mini", "lora", {}, 1, 10.4),
        ("tinyllama-1.1b", "lora", {}, 1, 4.1),
        ("llava-1.5-7b", "full", {}, 1, 121),
        ("llama-3-70b", "full", {"precision": "pure_bf16", "optimizer": "paged_adamw8bit"}, 8, 72.6),
        ("qwen2.5-32b", "full", {"optimizer": "adamw8bit"}, 4, 63.8),
    ],
)
def test_figures_people_can_check(name, method, training, gpus, free):
    """Figures worked out by hand for real questions; within 3 %."""
    one = catalogue().architectures[name]
    chosen = setup(method, gpus, "fsdp" if gpus > 1 else None, one, **training)
    assert peak(one, chosen) / 1e9 == pytest.approx(free, rel=0.03)


def test_reinforcement_comes_on_top():
    """8B: 16 GB for generation, 8 x 2,048 tokens of cache, 16 GB more for the reference of full fine-tuning."""
    lora = {term.term: term.size.m_as("GB") for term in reinforcement_terms(LLAMA, setup(stage="rl"))}
    assert lora == {"rollout_weights": pytest.approx(16.06, rel=0.01), "rollout_cache": pytest.approx(131072 * 8 * 2048 / 1e9)}
    assert "reference" in {term.term for term in reinforcement_terms(LLAMA, setup("full", stage="rl"))}


def test_lora_on_a_quantised_base_is_sized_as_that():
    assert setup(quantization="nf4").weight_dtype == "nf4"
    assert setup(quantization="none").weight_dtype == "bf16"
    assert setup("qlora", quantization="gptq4").weight_dtype == "gptq4"
    assert setup("qlora", quantization="int8").weight_dtype == "int8"
    assert setup("qlora", quantization="q5").weight_dtype == "nf4-dq"


def test_sequence_parallelism_gives_each_card_its_tokens():
    assert setup("lora", 4, "sequence", sequence_length=8190).tokens == 2048


def test_what_is_not_said_is_named():
    _, assumed = setup_of(Request.model_validate({"training": {"rank": 8}}), LLAMA, "lora")
    assert assumed["training.sequence_length"] == 2048
    assert assumed["training.gradient_checkpointing"] == "full"
    assert "training.rank" not in assumed


def test_an_embedding_model_has_no_logits_and_its_own_length():
    bge = catalogue().architectures["bge-large-en-v1.5"]
    chosen = setup("full", architecture=bge)
    assert chosen.sequence_length == 512
    assert "logits" not in terms(chosen, bge)
    assert allocated(bge, chosen) == pytest.approx(16 * bge.parameters, rel=0.1)


def test_adapters_of_a_mixture_sit_on_attention_unless_told_otherwise():
    mixtral = catalogue().architectures["mixtral-8x7b"]
    chosen, assumed = setup_of(Request(), mixtral, "lora")
    assert assumed["training.target_modules"] == chosen.targets == "attn"
    assert adapter_parameters(shape_of(mixtral), setup(architecture=mixtral, target_modules="all")) > 10 * adapter_parameters(
        shape_of(mixtral), chosen
    )
