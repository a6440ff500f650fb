"""From a typed row to a `Setup`: what is given wins, the rest takes the commonest default of the framework, named in `assumed`.

Without a framework it is Hugging Face Trainer with PEFT, full fine-tuning of the 16-bit weights as they load. The other frameworks'
defaults are those of their own recipes.
"""

from typing import Any, Literal

from engine.catalogue import Architecture
from engine.memory.defaults import keeps_fp32_copy
from engine.memory.row_schema import Row
from engine.memory.setup import AdapterDtype, Dtype, KbitUpcast, Kind, OptimizerStates, Setup
from engine.request import Method, Sharding

_HF: dict[str, Any] = {
    "adapter_dtype": "fp32",
    "lora_rank": 16,
    "lora_targets": "all",
    "optimizer": "adamw",
    "gradient_checkpointing": "full",
    "attention": "sdpa",
    "loss": "fp32",
    "sharding": "fsdp",  # of several cards: one that names their number means one run over them
    "seq_len": 2048,
    "micro_batch": 1,
}
_ALPACA = 1304  # tokens of the longest sample of the recipes' own data (source key: litgpt, resource tables)
_FRAMEWORKS: dict[str, dict[str, Any]] = {
    "litgpt": {"adapter_dtype": "bf16", "lora_rank": 8, "lora_targets": "qv", "gradient_checkpointing": "none", "loss": "chunked"},
    "torchtune": {"adapter_dtype": "bf16", "lora_rank": 8, "lora_targets": "qvo+mlp", "loss": "chunked", "seq_len": _ALPACA},
    "torchtitan": {"gradient_checkpointing": "selective", "seq_len": 8192},
    "qwen": {"lora_rank": 64, "loss": "bf16", "attention": "flash"},
    "axolotl": {"lora_rank": 32, "attention": "flash", "optimizer": "adamw8bit"},
    "fsdp_qlora": {"adapter_dtype": "bf16", "lora_rank": 64},
}
_ANSWERED = 512  # tokens of an inference row that does not say
_METHODS: dict[str, Method] = {"full": "full", "lora": "lora", "qlora": "qlora", "inference": "serve"}
_KINDS: dict[str, Kind] = {"full": "full", "lora": "adapters", "qlora": "adapters", "inference": "inference"}


class Taken:
    """Fields of a row; `of` takes what is given or the framework's default, and notes the default."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._defaults = {**_HF, **_FRAMEWORKS.get(row.framework or "hf", {})}
        if row.framework == "litgpt" and (row.n_gpus or 1) > 1:  # its FSDP strategy checkpoints every block
            self._defaults["gradient_checkpointing"] = "full"
        self.assumed: dict[str, Any] = {}

    def of(self, name: str, default: Any = None) -> Any:
        value = getattr(self._row, name)
        if value is None:
            value = self.assumed[name] = self._defaults[name] if default is None else default
        return value


def _autocast(kind: Kind, weight: Dtype, adapter: AdapterDtype, framework: str) -> bool:
    """Mixed precision where weights or adapters are fp32; LitGPT's mixed mode also generates under it."""
    if kind == "inference":
        return weight == "fp32" and framework == "litgpt"
    return weight == "fp32" or (kind == "adapters" and adapter == "fp32")


def _upcast(row: Row, adapter: AdapterDtype, sharding: str) -> KbitUpcast:
    """Transformers' Trainer upcasts what FSDP does not quantise."""
    if row.kbit_upcast is not None:
        return row.kbit_upcast
    sharded = sharding == "fsdp" and row.framework in (None, "hf") and adapter == "fp32"
    return "stream" if sharded and row.method in ("lora", "qlora") else "none"


def setup_of_row(row: Row, architecture: Architecture) -> tuple[Setup, dict[str, Any]]:
    """Resolve a row about an architecture. `assumed`: field -> default taken."""
    taken, kind = Taken(row), _KINDS[row.method]
    weight: Dtype = taken.of("weight_dtype", _weight_dtype(row))
    adapter: AdapterDtype = taken.of("adapter_dtype") if kind == "adapters" else "fp32"
    framework = taken.of("framework", "hf")
    cards = row.n_gpus or 1
    sharding = _sharding(taken.of("sharding")) if cards > 1 else "none"
    setup = Setup(
        method=_METHODS[row.method],
        kind=kind,
        weight_dtype=weight,
        adapter_dtype=adapter,
        autocast=taken.of("autocast", _autocast(kind, weight, adapter, framework)),
        optimizer_impl=row.optimizer_impl or "fused",
        optimizer_states=_states(row, taken, kind, weight),
        fused_backward=row.fused_backward or False,
        micro_batch=taken.of("micro_batch"),
        accumulation=framework == "litgpt" and (kind == "full" or cards > 1),  # its recipes accumulate over micro-batches
        attention=taken.of("attention"),
        kbit_upcast=_upcast(row, adapter, sharding),
        framework=framework,
        gpus=cards,
        sharding=sharding,
        **_of_kind(row, taken, kind, architecture),
    )
    return setup, taken.assumed


def _states(row: Row, taken: Taken, kind: Kind, weight: Dtype) -> OptimizerStates:
    """What a row says, else the parameter's dtype, with ZeRO an fp32 copy of 16-bit weights."""
    if row.optimizer_states is not None:
        return row.optimizer_states
    copied = kind == "full" and weight in ("bf16", "fp16") and keeps_fp32_copy(row.sharding, row.optimizer or "adamw")
    states: OptimizerStates = "fp32_master" if copied else "parameter"
    if kind != "inference":
        taken.assumed["optimizer_states"] = states
    return states


def _sharding(said: Sharding) -> Sharding:
    """One run over several cards that splits nothing copies the model to each."""
    return "ddp" if said == "none" else said


def _weight_dtype(row: Row) -> Literal["nf4", "nf4-dq", "fp32", "bf16"]:
    if row.method == "qlora":
        return "nf4" if row.framework in ("litgpt", "fsdp_qlora") else "nf4-dq"
    return "fp32" if row.framework == "torchtitan" and row.method == "full" else "bf16"


def _of_kind(row: Row, taken: Taken, kind: Kind, architecture: Architecture) -> dict[str, Any]:
    """Settings only training or only adapters have."""
    if kind == "inference":
        return {"sequence_length": taken.of("seq_len", _ANSWERED), "checkpointing": "none", "loss": row.loss or "last_token"}
    chosen = {
        "sequence_length": taken.of("seq_len"),
        "optimizer": taken.of("optimizer"),
        "checkpointing": taken.of("gradient_checkpointing"),
        "loss": taken.of("loss"),
    }
    if kind == "full":
        return chosen
    mixture = (architecture.n_experts or 1) > 1
    return {**chosen, "rank": taken.of("lora_rank"), "targets": taken.of("lora_targets", "attn" if mixture else None)}
