"""A line into `memory --batch`: closed, finite, typed as the machine contract says. Errors: `Refusal` with the field and what was read."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from engine.errors import Refusal
from engine.memory.calibration import Reading
from engine.memory.setup import Framework, OptimizerStates
from engine.request import Attention, GradientCheckpointing, Loss, Optimizer, Part, Sharding, TargetModules, Whole


class Row(Part):
    """A line in: shape, method and settings of one measured or planned run."""

    id: Annotated[str, Field(min_length=1)]
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    params_b: Annotated[float, Field(gt=0, le=100_000, strict=True)] | None = None
    hidden: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = None
    layers: Annotated[Whole, Field(ge=1, le=10_000)] | None = None
    heads: Annotated[Whole, Field(ge=1, le=10_000)] | None = None
    kv_heads: Annotated[Whole, Field(ge=1, le=10_000)] | None = None
    head_dim: Annotated[Whole, Field(ge=1, le=100_000)] | None = None
    ffn: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = None
    vocab: Annotated[Whole, Field(ge=1, le=100_000_000)] | None = None
    tied: StrictBool | None = None
    n_experts: Annotated[Whole, Field(ge=1, le=100_000)] | None = None
    top_k: Annotated[Whole, Field(ge=1, le=100_000)] | None = None
    method: Literal["full", "lora", "qlora", "inference"]
    framework: Framework | None = None
    lora_rank: Annotated[Whole, Field(ge=1, le=16_384)] | None = None
    lora_targets: TargetModules | None = None
    weight_dtype: Literal["fp32", "bf16", "fp16", "int8", "nf4", "nf4-dq", "gptq4"] | None = None
    adapter_dtype: Literal["fp32", "bf16", "fp16"] | None = None
    autocast: StrictBool | None = None
    optimizer: Optimizer | None = None
    optimizer_impl: Literal["fused", "foreach"] | None = None
    optimizer_states: OptimizerStates | None = None
    fused_backward: StrictBool | None = None
    micro_batch: Annotated[Whole, Field(ge=1, le=65_536)] | None = None
    seq_len: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = None
    n_gpus: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = None
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


def checked(line: Mapping[str, Any]) -> Row:
    """A row from a line. Errors: Refusal with pydantic's or our own code, the key and what was read."""
    try:
        return Row.model_validate(dict(line))
    except ValidationError as refused:
        first = refused.errors()[0]
        facts = dict(first.get("ctx", {}))
        field = ".".join(str(part) for part in first["loc"]) or facts.get("key")
        read = None if first["type"] == "missing" else _as_written(first["input"], facts.get("key"))
        raise Refusal(first["type"], field, read, facts) from None


def _as_written(value: Any, key: str | None) -> str:
    """A value as it stood in the line; of a whole line the key that is at fault."""
    at_fault = value.get(key, value) if key is not None and isinstance(value, Mapping) else value
    return (at_fault if isinstance(at_fault, str) else json.dumps(at_fault, ensure_ascii=False, default=str))[:200]
