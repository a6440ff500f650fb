"""What other calculators say to the measured and simulated rows: one JSON line an answer, `{"peer", "rows", "id", "gb"}`.

Runs in an environment of its own (`pip install vramcalc canifinetune fitcheck-llm hf-vram-calc`), without the product:
`python tests/benchmarks/memory_peers.py > answers.jsonl`, then `python -m tests.benchmarks.memory_table --peers answers.jsonl`.
A peer answers the rows of one card it can express. Its flat overheads are left out where torch's peak is read, as fair as it gets.
"""

import contextlib
import io
import json
from pathlib import Path

ROWS = Path(__file__).parents[1] / "memory"
GIB = 1.073741824


def config_of(given):
    """A config.json of the row's shape, Llama's where the family is not told."""
    return {
        "model_type": "llama",
        "hidden_size": given["hidden"],
        "num_hidden_layers": given["layers"],
        "num_attention_heads": given["heads"],
        "num_key_value_heads": given["kv_heads"],
        "head_dim": given["head_dim"],
        "intermediate_size": given["ffn"],
        "vocab_size": given["vocab"],
        "tie_word_embeddings": given.get("tied", False),
    }


def vramcalc(given):
    from vramcalc.arch import Arch
    from vramcalc.estimate import EstimateParams, estimate_from_params

    if given["method"] == "qlora" or given["weight_dtype"] not in ("fp32", "bf16", "fp16") or "n_experts" in given:
        return None
    lora = given["method"] == "lora"
    mixed = lora or given["weight_dtype"] == "fp32"
    return (
        estimate_from_params(
            EstimateParams(
                arch=Arch.from_config(config_of(given)),
                mode="inference" if given["method"] == "inference" else "train",
                dtype="bf16",
                batch=given["micro_batch"],
                seq_len=given["seq_len"],
                lora_rank=given.get("lora_rank", 16) if lora else None,
                grad_checkpoint=given.get("gradient_checkpointing") == "full",
                optimizer="adamw",
                precision="amp" if mixed and not lora else "pure",
                attn_impl="flash" if given.get("attention") == "flash" else given.get("attention", "sdpa"),
                overhead_gb=0,
            )
        ).total
        / 1e9
    )


def canifinetune(given):
    from canifinetune.estimator.memory import EstimateRequest, estimate

    if given["method"] == "inference":
        return None
    spec = config_of(given)
    override = {
        "family": "mixtral" if "n_experts" in given else "llama",
        **{key: spec[key] for key in spec if key != "model_type"},
        "total_params": int(given["params_b"] * 1e9),
        "num_local_experts": given.get("n_experts", 1),
        "num_experts_per_tok": given.get("top_k", 1),
    }
    override.pop("head_dim")
    optimizer = "adamw_8bit" if "8bit" in given.get("optimizer", "") else "adamw_torch_fused"
    answer = estimate(
        EstimateRequest(
            model_id="row",
            method=given["method"],
            seq_len=given["seq_len"],
            micro_batch_size=given["micro_batch"],
            base_dtype=given["weight_dtype"] if given["weight_dtype"] in ("bf16", "fp16", "fp32") else "bf16",
            quantization="nf4" if given["weight_dtype"] == "nf4" else "nf4_double_quant",
            lora_rank=given.get("lora_rank", 16),
            lora_target_scope="attention" if given.get("lora_targets") in ("attn", "qv") else "all_linear",
            optimizer=optimizer,
            gradient_checkpointing=given.get("gradient_checkpointing") == "full",
            gpu_vram_gb=80,
            override=override,
            use_network=False,
        )
    ).memory
    return (answer.total_estimated_gb - answer.cuda_overhead_gb - answer.safety_margin_gb) * GIB


def fitcheck(given):
    from fitcheck.config_parser import ModelConfig
    from fitcheck.estimator import TrainingConfig, _compute_components

    if given["method"] == "inference" or "n_experts" in given:
        return None
    four_bit = given["weight_dtype"] in ("nf4", "nf4-dq", "gptq4")
    model = ModelConfig(
        name="row",
        num_params=int(given["params_b"] * 1e9),
        hidden_size=given["hidden"],
        num_layers=given["layers"],
        num_attention_heads=given["heads"],
        num_kv_heads=given["kv_heads"],
        intermediate_size=given["ffn"],
        vocab_size=given["vocab"],
        head_dim=given["head_dim"],
        tie_word_embeddings=given.get("tied", False),
    )
    training = TrainingConfig(
        precision="bf16" if four_bit else given["weight_dtype"],
        quantization="nf4" if four_bit else "none",
        double_quant=given["weight_dtype"] == "nf4-dq",
        optimizer="adamw8bit" if "8bit" in given.get("optimizer", "") else "adamw",
        batch_size=given["micro_batch"],
        seq_len=given["seq_len"],
        lora_rank=given.get("lora_rank", 16) if given["method"] != "full" else None,
        grad_checkpoint=given.get("gradient_checkpointing") == "full",
        flash_attn=given.get("attention") != "eager",
    )
    components = _compute_components(model, training, None)
    return (components.total_mib - components.overhead_mib) * 1048576 / 1e9


def hf_vram_calc(given):
    from hf_vram_calc.calculator import VRAMCalculator
    from hf_vram_calc.config import ConfigManager
    from hf_vram_calc.models import ModelConfig

    dtype = {"nf4": "int4", "nf4-dq": "int4", "gptq4": "int4"}.get(given["weight_dtype"], given["weight_dtype"])
    spec = config_of(given)
    model = ModelConfig(
        "row",
        spec["vocab_size"],
        spec["hidden_size"],
        spec["num_hidden_layers"],
        spec["num_attention_heads"],
        num_key_value_heads=spec["num_key_value_heads"],
        intermediate_size=spec["intermediate_size"],
    )
    calculator, parameters = VRAMCalculator(ConfigManager()), int(given["params_b"] * 1e9)
    base = calculator.calculate_model_memory(parameters, dtype)
    if given["method"] == "inference":
        cache = calculator.calculate_kv_cache_memory(model, dtype, given["micro_batch"], given["seq_len"])
        return (base + cache + calculator.estimate_activation_memory(model, given["micro_batch"], given["seq_len"])) * GIB
    if given["method"] == "full":
        return calculator.calculate_training_memory(base) * GIB
    return calculator.calculate_lora_memory(base, parameters, given.get("lora_rank", 16)) * GIB


PEERS = {"vramcalc": vramcalc, "canifinetune": canifinetune, "fitcheck-llm": fitcheck, "hf-vram-calc": hf_vram_calc}


def main():
    for name in ("published", "simulated"):
        for line in (ROWS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            given = one["input"]
            if given["n_gpus"] > 1 or "seq_len" not in given:
                continue
            for peer, answer in PEERS.items():
                with contextlib.redirect_stdout(io.StringIO()):
                    try:
                        gb = answer(given)
                    except (ValueError, KeyError):  # a row the peer cannot express
                        gb = None
                if gb is not None:
                    print(json.dumps({"peer": peer, "rows": name, "id": one["id"], "gb": round(gb, 3)}))


if __name__ == "__main__":
    main()
