"""Typed rows of `memory --batch`: a row enters as a dict, an answer leaves as a dict, both of the machine contract.

Fields given win over the catalogue; the rest takes the commonest default of Hugging Face Trainer with PEFT and is named in
`assumed`. Errors: `Refusal` with a code, the field and what was read.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from engine.catalogue import Architecture, Catalogue
from engine.errors import Refusal
from engine.memory.calibration import Reading, expected_reading, spread
from engine.memory.footprint import peak
from engine.memory.moments import peak_moment
from engine.memory.naming import architecture_of
from engine.memory.setup import AdapterDtype, Dtype, Framework, KbitUpcast, OptimizerStates, Setup
from engine.memory.shape import shape_of
from engine.request import Attention, GradientCheckpointing, Loss, Optimizer, Part, Sharding, TargetModules

_GB = 1e9


class Row(Part):
    """A line in: shape, method and settings of one measured or planned run."""

    id: Annotated[str, Field(min_length=1)]
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    params_b: Annotated[float, Field(gt=0, le=100_000, strict=True)] | None = None
    hidden: Annotated[StrictInt, Field(ge=1, le=1_000_000)] | None = None
    layers: Annotated[StrictInt, Field(ge=1, le=10_000)] | None = None
    heads: Annotated[StrictInt, Field(ge=1, le=10_000)] | None = None
    kv_heads: Annotated[StrictInt, Field(ge=1, le=10_000)] | None = None
    head_dim: Annotated[StrictInt, Field(ge=1, le=100_000)] | None = None
    ffn: Annotated[StrictInt, Field(ge=1, le=10_000_000)] | None = None
    vocab: Annotated[StrictInt, Field(ge=1, le=100_000_000)] | None = None
    tied: StrictBool | None = None
    n_experts: Annotated[StrictInt, Field(ge=1, le=100_000)] | None = None
    top_k: Annotated[StrictInt, Field(ge=1, le=100_000)] | None = None
    method: Literal["full", "lora", "qlora", "inference"]
    framework: Framework | None = None
    lora_rank: Annotated[StrictInt, Field(ge=1, le=16_384)] | None = None
    lora_targets: TargetModules | None = None
    weight_dtype: Literal["fp32", "bf16", "fp16", "int8", "nf4", "nf4-dq", "gptq4"] | None = None
    adapter_dtype: Literal["fp32", "bf16", "fp16"] | None = None
    autocast: StrictBool | None = None
    optimizer: Optimizer | None = None
    optimizer_impl: Literal["fused", "foreach"] | None = None
    optimizer_states: OptimizerStates | None = None
    fused_backward: StrictBool | None = None
    micro_batch: Annotated[StrictInt, Field(ge=1, le=65_536)] | None = None
    seq_len: Annotated[StrictInt, Field(ge=1, le=10_000_000)] | None = None
    n_gpus: Annotated[StrictInt, Field(ge=1, le=1_000_000)] | None = None
    gradient_checkpointing: GradientCheckpointing | None = None
    attention: Attention | None = None
    loss: Loss | None = None
    kbit_upcast: Literal["stream", "embeddings"] | None = None
    sharding: Sharding | None = None
    reading: Reading | None = None

    @model_validator(mode="after")
    def _sized(self) -> "Row":
        if self.model is None and self.params_b is None:
            raise PydanticCustomError("model_unnamed", "a row needs a model or params_b", {"key": "model"})
        return self


SHAPE = ("params_b", "hidden", "layers", "heads", "kv_heads", "head_dim", "ffn", "vocab", "tied", "n_experts", "top_k")


class _Taken:
    """Fields of a row; `of` returns what was given or the default, and notes the default."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self.assumed: dict[str, Any] = {}

    def of(self, name: str, default: Any) -> Any:
        value = getattr(self._row, name)
        if value is None:
            self.assumed[name] = default
            return default
        return value


def _read(line: Mapping[str, Any]) -> Row:
    """Check a row. Errors: Refusal with pydantic's or our own code, the key and what was read."""
    try:
        return Row.model_validate(dict(line))
    except ValidationError as refused:
        first = refused.errors()[0]
        facts = dict(first.get("ctx", {}))
        field = ".".join(str(part) for part in first["loc"]) or facts.get("key")
        read = None if first["type"] == "missing" else str(first["input"])[:200]
        raise Refusal(first["type"], field, read, facts) from None


def _autocast(kind: str, weight: str, adapter: str, framework: str) -> bool:
    """Mixed precision where weights or adapters are fp32; LitGPT's mixed mode also generates under it."""
    if kind == "inference":
        return weight == "fp32" and framework == "litgpt"
    return weight == "fp32" or (kind == "adapters" and adapter == "fp32")


def _upcast(row: Row, wide_adapters: bool) -> KbitUpcast:
    """Transformers' Trainer upcasts what FSDP does not quantise, so that the residual stream is fp32."""
    return "stream" if row.sharding == "fsdp" and row.framework in (None, "hf") and wide_adapters else "none"


def _setup(row: Row, kind: Literal["full", "adapters", "inference"]) -> tuple[Setup, dict[str, Any]]:
    taken = _Taken(row)
    weight: Dtype = taken.of("weight_dtype", {"qlora": "nf4-dq"}.get(row.method, "bf16"))
    adapters = kind == "adapters"
    framework = taken.of("framework", "hf")
    adapter_dtype: AdapterDtype = taken.of("adapter_dtype", "fp32") if adapters else "fp32"
    setup = Setup(
        method={"inference": "serve"}.get(row.method, row.method),  # type: ignore[arg-type]
        kind=kind,
        weight_dtype=weight,
        adapter_dtype=adapter_dtype,
        autocast=taken.of("autocast", _autocast(kind, weight, adapter_dtype, framework)),
        rank=taken.of("lora_rank", 16) if adapters else 16,
        targets=taken.of("lora_targets", "all") if adapters else "all",
        optimizer=taken.of("optimizer", "adamw") if kind != "inference" else "adamw",
        optimizer_impl=row.optimizer_impl or "fused",
        optimizer_states=row.optimizer_states or "parameter",
        fused_backward=row.fused_backward or False,
        micro_batch=taken.of("micro_batch", 1),
        sequence_length=taken.of("seq_len", 2048 if kind != "inference" else 512),
        accumulation=framework == "litgpt" and kind == "full",  # its recipes accumulate gradients over micro-batches
        checkpointing=taken.of("gradient_checkpointing", "full") if kind != "inference" else "none",
        attention=taken.of("attention", "sdpa"),
        loss=taken.of("loss", "fp32") if kind != "inference" else row.loss or "last_token",
        kbit_upcast=row.kbit_upcast or _upcast(row, adapters and adapter_dtype == "fp32"),
        framework=framework,
        gpus=row.n_gpus or 1,
        sharding=taken.of("sharding", "none") if (row.n_gpus or 1) > 1 else "none",
    )
    return setup, taken.assumed


def resolved(line: Mapping[str, Any], catalogue: Catalogue) -> tuple[Architecture, Setup, Reading, dict[str, Any]]:
    """Architecture, setup, reading asked for and defaults taken of a row. Errors: Refusal."""
    row = _read(line)
    kind: Literal["full", "adapters", "inference"] = "adapters" if row.method in ("lora", "qlora") else row.method  # type: ignore[assignment]
    architecture = architecture_of(row.model, {name: getattr(row, name) for name in SHAPE}, catalogue)
    setup, assumed = _setup(row, kind)
    reading: Reading = row.reading or "nvidia_smi"
    if row.reading is None:
        assumed["reading"] = reading
    return architecture, setup, reading, assumed


def row(line: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Answer one row: expected, low and high of the reading asked for, what must be free, the terms [GB]. Errors: Refusal."""
    architecture, setup, reading, assumed = resolved(line, catalogue)
    _, terms = peak_moment(shape_of(architecture), setup)
    expected = expected_reading(terms, reading)
    low, high = spread(architecture, setup, reading)
    shown = {name: size / _GB for name, size in terms.items() if size > 0}
    overhead = expected - sum(terms.values())
    if overhead > 0:
        shown["overhead"] = overhead / _GB
    return {
        "id": line["id"],
        "expected_gb": expected / _GB,
        "low_gb": min(low, 1.0) * expected / _GB,
        "high_gb": max(high, 1.0) * expected / _GB,
        "required_gb": peak(architecture, setup) / _GB,
        "terms": shown,
        "assumed": assumed,
    }
