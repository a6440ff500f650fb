"""From a Request to a `Setup`: what was said wins, the rest takes the commonest default, each named in `assumed`.

Defaults are those of Hugging Face Trainer with PEFT as people run it: 2,048 tokens, micro-batch 1, gradient checkpointing, rank 16
on all projections (of a mixture on attention's), AdamW, bf16, sdpa attention, logits in fp32. Full fine-tuning trains fp32 weights
under autocast, with an 8-bit optimizer pure bf16 weights, with ZeRO 16-bit weights and DeepSpeed's fp32 copy of them where it has
that optimizer. QLoRA is nf4, double quantised, prepared by PEFT (fp32 residual stream); adapters under FSDP keep more
of what is recomputed (`Setup.keeps_recomputed`).
"""

from typing import Any

from engine.catalogue import Architecture
from engine.memory.setup import Setup
from engine.request import Method, Optimizer, Request, Sharding, TargetModules

SEQUENCE = 2048
SERVED_CONTEXT = 8192
SERVING: tuple[Method, ...] = ("serve", "rag")
ADAPTERS: tuple[Method, ...] = ("lora", "qlora", "lora8")
_ZERO: tuple[Sharding, ...] = ("zero1", "zero2", "zero3")
_OF_DEEPSPEED: tuple[Optimizer, ...] = ("adamw", "lion")  # that its mixed precision is made for
EIGHT_BIT = ("adamw8bit", "paged_adamw8bit")
_BASE = {"lora": "bf16", "qlora": "nf4-dq", "lora8": "int8"}
_QUANTISED = ("int8", "fp8", "nf4", "nf4-dq", "gptq4", "awq4")


def keeps_fp32_copy(sharding: Sharding | None, optimizer: Optimizer) -> bool:
    """DeepSpeed's mixed precision: 16-bit weights in the model and an fp32 copy with the optimizer, where ZeRO has that optimizer."""
    return sharding in _ZERO and optimizer in _OF_DEEPSPEED


class Chosen:
    """What was said in one section of a Request; `of` takes it or the default and notes the default."""

    def __init__(self, section: str, said: object) -> None:
        self._section, self._said = section, said
        self.assumed: dict[str, Any] = {}

    def said(self, name: str) -> Any:
        """What was said, or None."""
        return getattr(self._said, name, None)

    def of(self, name: str, default: Any) -> Any:
        """What was said, or the default, which is noted."""
        value = getattr(self._said, name, None)
        if value is None:
            self.assumed[f"{self._section}.{name}"] = default
            return default
        return value


def setup_of(
    request: Request, architecture: Architecture, method: Method, gpus: int = 1, sharding: Sharding | None = None
) -> tuple[Setup, dict[str, Any]]:
    """Resolve every setting of a step of `method` on each of `gpus` cards. `assumed`: Request path -> default taken."""
    resolve = _server if method in SERVING else _step
    setup, assumed = resolve(request, architecture, method, gpus, sharding)
    return setup, {**_shape(architecture), **assumed}


def _shape(architecture: Architecture) -> dict[str, Any]:
    """What a shape was taken from where nobody gave it: its size, or a config.json whose model_type nobody here knows."""
    if not architecture.estimated:
        return {}
    unknown = architecture.extra.get("model_type")
    return {"shape.family": unknown} if unknown else {"shape.size": architecture.name}


def _length(architecture: Architecture, wanted: int) -> int:
    return min(wanted, architecture.context) if architecture.context else wanted


def _server(
    request: Request, architecture: Architecture, method: Method, gpus: int, sharding: Sharding | None
) -> tuple[Setup, dict[str, Any]]:
    serving, training = Chosen("serving", request.serving), Chosen("training", request.training)
    quantization = training.of("quantization", "q4")
    setup = Setup(
        method=method,
        kind="inference",
        weight_dtype="bf16" if quantization == "none" else quantization,
        autocast=False,
        micro_batch=serving.of("users", 1),
        sequence_length=serving.of("context", _length(architecture, SERVED_CONTEXT)),
        checkpointing="none",
        loss="last_token",
        gpus=gpus,
        sharding=sharding or ("tensor" if gpus > 1 else "none"),
        serving=True,
    )
    return setup, {**serving.assumed, **training.assumed}


def _base_dtype(method: Method, training: Chosen, precision: str) -> Any:
    if method in ADAPTERS:
        base = "fp32" if method == "lora" and precision == "fp32" else _BASE[method]
        if method == "lora":  # on a quantised base it is what others call QLoRA
            return said if (said := training.said("quantization")) in _QUANTISED else base
        wanted = training.of("quantization", base)
        return wanted if wanted in _QUANTISED else base
    return "bf16" if precision == "pure_bf16" else "fp32"


def default_targets(architecture: Architecture) -> TargetModules:
    """All projections; of a mixture of experts only attention's, as its experts are mostly left alone: adapters for each cost much."""
    return "attn" if (architecture.n_experts or 1) > 1 else "all"


def _step(
    request: Request, architecture: Architecture, method: Method, gpus: int, sharding: Sharding | None
) -> tuple[Setup, dict[str, Any]]:
    training = Chosen("training", request.training)
    adapters, dpo = method in ADAPTERS, request.stage == "dpo"
    optimizer = training.of("optimizer", "adamw")
    precision = training.of("precision", "pure_bf16" if optimizer in EIGHT_BIT and not adapters else "bf16")
    chosen_sharding = sharding or (training.of("sharding", "none") if gpus > 1 else "none")
    deepspeed = not adapters and precision in ("bf16", "fp16") and keeps_fp32_copy(chosen_sharding, optimizer)
    setup = Setup(
        method=method,
        kind="adapters" if adapters else "full",
        weight_dtype=precision if deepspeed else _base_dtype(method, training, precision),
        adapter_dtype="bf16" if precision == "pure_bf16" else "fp32",
        autocast=precision in ("fp16", "bf16", "fp8") and not deepspeed,
        rank=training.of("rank", 16) if adapters else 16,
        targets=training.of("target_modules", default_targets(architecture)) if adapters else "all",
        optimizer=optimizer,
        optimizer_states="fp32_master" if deepspeed else "parameter",
        micro_batch=training.of("micro_batch", 1),
        sequence_length=training.of("sequence_length", _length(architecture, SEQUENCE)),
        checkpointing=training.of("gradient_checkpointing", "full"),
        attention=training.of("attention", "sdpa"),
        loss=training.of("loss", "fp32"),
        kbit_upcast="stream" if method == "qlora" or (adapters and gpus > 1 and chosen_sharding == "fsdp") else "none",
        gpus=gpus,
        sharding=chosen_sharding,
        offload=training.of("offload", "none"),
        rows_per_example=2 if dpo else 1,
        reference_model=dpo and not adapters,
    )
    return setup, training.assumed
