"""The ladder of knobs: its order, what belongs on it, and what fits together."""

from typing import Any

import pytest

from engine.catalogue import catalogue
from engine.placement import fit_of
from engine.placement.turns import LADDER
from engine.recommendation import Fit, Knob
from engine.request import Method, Request
from engine.subject import subject_of

ORDER = [name for name, _ in LADDER] + ["combination", "more_cards", "smaller_model", "other_hardware"]


def fit(method: Method, model: dict[str, Any], hardware: list[dict[str, Any]], **asked: Any) -> Fit:
    request = Request.model_validate({"models": [model], "hardware": hardware, **asked})
    subject = subject_of(request, catalogue())
    return fit_of(subject, subject.architectures[0], method).fit


def knob(fit: Fit, name: str) -> Knob:
    return next(one for one in fit.knobs if one.knob == name)


def names(fit: Fit) -> list[str]:
    return [one.knob for one in fit.knobs]


EAGER = {
    "sequence_length": 8192,
    "micro_batch": 4,
    "gradient_checkpointing": "none",
    "attention": "eager",
}


def test_the_ladder_keeps_its_order() -> None:
    found = names(fit("lora", {"params_b": 8}, [{"gpu": "RTX 4090"}], training=EAGER))
    assert found == sorted(found, key=ORDER.index)
    assert found[:3] == ["sequence_length", "micro_batch", "gradient_checkpointing"]
    assert "flash_attention" in found


def test_knobs_that_do_nothing_are_left_out() -> None:
    """Already short, one row, checkpointed, fused, in 4 bit: none of these stands on the ladder again."""
    lean = {"sequence_length": 512, "micro_batch": 1, "gradient_checkpointing": "full", "loss": "fused_linear", "attention": "flash"}
    found = names(fit("qlora", {"params_b": 32}, [{"gpu": "RTX 3060", "memory_gb": 12}], training=lean))
    assert not {"sequence_length", "micro_batch", "gradient_checkpointing", "fused_loss", "flash_attention", "qlora", "sharding"} & set(
        found
    )


def test_checkpointing_costs_a_quarter_more_time() -> None:
    found = knob(fit("lora", {"params_b": 8}, [{"gpu": "RTX 4090"}], training=EAGER), "gradient_checkpointing")
    assert found.slowdown == pytest.approx(1.25, abs=0.02)
    assert found.setting == {"training.gradient_checkpointing": "full"}


def test_the_length_is_cut_to_the_longest_usual_one_that_fits() -> None:
    """8B LoRA on 25.3 GB: 22.1 GB at 2,048, 26 GB at 4,096."""
    found = knob(fit("lora", {"name": "llama-3.1-8b"}, [{"gpu": "RTX 4090"}], training={"sequence_length": 8192}), "sequence_length")
    assert found.setting == {"training.sequence_length": 2048}
    assert found.fits


def test_the_length_is_halved_where_no_length_is_enough() -> None:
    found = knob(fit("lora", {"params_b": 32}, [{"gpu": "RTX 4090"}], training={"sequence_length": 8192}), "sequence_length")
    assert found.setting == {"training.sequence_length": 4096}
    assert not found.fits


def test_where_no_knob_is_enough_the_first_of_them_together_are() -> None:
    """13B LoRA at 8k on 12 GB: nothing alone, but shorter rows, a fused loss and 4 bit together."""
    found = fit("lora", {"params_b": 13}, [{"gpu": "RTX 4070"}], training={"sequence_length": 8192, "micro_batch": 2})
    assert found.verdict == "no"
    together = knob(found, "combination")
    assert together.fits
    assert len(together.setting) > 1
    assert not any(one.fits for one in found.knobs if one.knob not in ("combination", "more_cards", "smaller_model", "other_hardware"))


def test_one_knob_that_is_enough_needs_no_combination() -> None:
    assert "combination" not in names(fit("lora", {"params_b": 7}, [{"gpu": "T4"}]))


def test_what_fits_is_offered_no_smaller_model() -> None:
    assert "smaller_model" not in names(fit("lora", {"params_b": 7}, [{"gpu": "RTX 4090"}]))


def test_the_smaller_model_is_the_largest_of_the_family_that_fits() -> None:
    found = knob(fit("qlora", {"name": "qwen2.5 72b"}, [{"gpu": "RTX 5090"}]), "smaller_model")
    assert found.setting["models"] == [{"name": "Qwen2.5 32B"}]
    assert found.fits


def test_a_bare_size_steps_down_to_a_bare_size() -> None:
    found = knob(fit("lora", {"params_b": 13}, [{"gpu": "RTX 4090"}]), "smaller_model")
    assert found.setting["models"] == [{"params_b": 8.0}]


@pytest.mark.parametrize(("model", "method", "memory", "count"), [(8, "lora", 24, 1), (13, "lora", 32, 1), (70, "full", 180, 8)])
def test_the_other_card_is_the_smallest_that_holds_it(model: float, method: Method, memory: float, count: int) -> None:
    found = knob(fit(method, {"params_b": model}, [{"gpu": "T4"}]), "other_hardware")
    ((holding),) = found.setting["hardware"]
    subject = subject_of(Request.model_validate({"models": [{"params_b": model}], "hardware": [holding]}), catalogue())
    assert fit_of(subject, subject.architectures[0], method).fit.verdict != "no"
    assert subject.machine is not None
    assert subject.machine.groups[0].gpu is not None
    assert (subject.machine.groups[0].gpu.memory_nominal, holding["count"]) == (memory, count)


def test_sharding_is_offered_where_they_copy_the_model_instead() -> None:
    found = knob(fit("lora", {"params_b": 13}, [{"gpu": "RTX 3090", "count": 2}], training={"sharding": "ddp"}), "sharding")
    assert found.fits
    assert found.setting == {"training.sharding": "fsdp"}
    assert found.slowdown == pytest.approx(1 / 0.82)


def test_full_fine_tuning_is_offered_adapters_and_offload() -> None:
    found = fit("full", {"params_b": 7}, [{"gpu": "RTX 4090"}])
    assert {"optimizer_8bit", "pure_bf16", "offload_optimizer", "lora"} <= set(names(found))
    assert knob(found, "lora").setting == {"methods": ["lora"]}
    assert "qlora" not in names(found)


def test_adapters_over_a_4_bit_base_where_16_bit_is_too_much() -> None:
    assert knob(fit("full", {"params_b": 7}, [{"gpu": "RTX 4070"}]), "lora").setting == {"methods": ["qlora"]}


def test_adapters_have_no_offload_and_unified_memory_neither() -> None:
    assert not any(name.startswith("offload") for name in names(fit("lora", {"params_b": 32}, [{"gpu": "RTX 4090"}])))
    assert not any(name.startswith("offload") for name in names(fit("full", {"params_b": 32}, [{"gpu": "M2 Ultra", "memory_gb": 64}])))


def test_rank_hardly_saves_anything() -> None:
    """8B: rank 16 on all projections is 42 million numbers, 12 B each in training; half of them are 0.25 GB of 22."""
    found = knob(fit("lora", {"name": "llama-3.1-8b"}, [{"gpu": "RTX 4090"}], training={"rank": 16}), "rank")
    assert found.saves.m_as("GB") < 0.5


def test_a_server_is_offered_context_and_4_bit() -> None:
    serving = {"users": 20, "context": 32768}
    found = fit("serve", {"name": "llama-3.1-8b"}, [{"gpu": "RTX 4070"}], serving=serving, training={"quantization": "none"})
    assert found.verdict == "no"
    assert {"sequence_length", "quantization"} <= set(names(found))
    assert knob(found, "sequence_length").setting.keys() == {"serving.context"}


@pytest.mark.parametrize(
    ("model", "method", "hardware", "count"),
    [
        (32.5, "full", {"gpu": "A100 80GB", "count": 4}, 8),
        (70, "full", {"gpu": "A100 80GB", "count": 8}, 16),
        (13, "lora", {"gpu": "RTX 3090"}, 2),
        (405, "full", {"gpu": "RTX 4090", "count": 2}, None),
        (200, "lora", {"gpu": "M2 Ultra", "memory_gb": 64}, None),
    ],
)
def test_more_of_the_same_card(model: float, method: Method, hardware: dict[str, Any], count: int | None) -> None:
    """32.5B x 16 B = 520 GB: 65 GB a card over eight; 70B: 1.1 TB, 70 GB a card over sixteen; a consumer build ends at eight."""
    found = fit(method, {"params_b": model}, [hardware])
    assert found.verdict == "no"
    if count is None:
        assert "more_cards" not in names(found)
        return
    more = knob(found, "more_cards")
    assert more.setting["hardware"][0]["count"] >= count
    assert more.saves.m_as("GB") > 0
    grown = fit(method, {"params_b": model}, [{**hardware, "count": more.setting["hardware"][0]["count"]}])
    assert grown.verdict != "no"


def test_offload_needs_cpu_memory() -> None:
    """7B full: 56 GB of AdamW states in fp32 and the weights while loading; 32 GB are too little, 256 GB are enough."""
    little = names(fit("full", {"params_b": 7}, [{"gpu": "RTX 4090", "cpu_ram_gb": 32}]))
    enough = names(fit("full", {"params_b": 7}, [{"gpu": "RTX 4090", "cpu_ram_gb": 256}]))
    assert "offload_optimizer" not in little
    assert "offload_optimizer" in enough
