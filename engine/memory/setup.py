"""All settings of one training step or of a server, resolved: what the terms are computed from.

`Setup` is what the physics reads; `engine.memory.defaults` makes it from a Request, `engine.memory.row_setup` from a typed row.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.request import Attention, GradientCheckpointing, Loss, Method, Offload, Optimizer, Sharding, TargetModules

Kind: TypeAlias = Literal["full", "adapters", "inference"]
Dtype: TypeAlias = Literal["fp32", "bf16", "fp16", "int8", "fp8", "nf4", "nf4-dq", "gptq4", "awq4", "q4", "q5", "q8"]
AdapterDtype: TypeAlias = Literal["fp32", "bf16", "fp16"]
OptimizerStates: TypeAlias = Literal["fp32", "bf16", "parameter", "fp32_master"]
Framework: TypeAlias = Literal["hf", "litgpt", "torchtune", "torchtitan", "qwen", "axolotl", "fsdp_qlora", "other"]
KbitUpcast: TypeAlias = Literal["none", "stream", "embeddings"]


@dataclass(frozen=True, slots=True)
class Setup:
    """One step on one card of `gpus`. `micro_batch` x `sequence_length` are users x context where a server is sized."""

    method: Method
    kind: Kind
    weight_dtype: Dtype = "bf16"
    adapter_dtype: AdapterDtype = "fp32"
    autocast: bool = True
    rank: int = 16
    targets: TargetModules = "all"
    optimizer: Optimizer = "adamw"
    optimizer_impl: Literal["fused", "foreach"] = "fused"
    optimizer_states: OptimizerStates = "parameter"
    fused_backward: bool = False
    micro_batch: int = 1
    sequence_length: int = 2048
    accumulation: bool = False  # gradients of an earlier micro-batch are there when the next backward starts
    checkpointing: GradientCheckpointing = "full"
    attention: Attention = "sdpa"
    loss: Loss = "fp32"
    kbit_upcast: KbitUpcast = "none"
    framework: Framework = "hf"
    gpus: int = 1
    sharding: Sharding = "none"
    offload: Offload = "none"
    rows_per_example: int = 1  # DPO: chosen and rejected
    reference_model: bool = False  # DPO with trained base weights keeps a frozen copy
    serving: bool = False  # a server with paged cache and chunked prefill, not one forward pass

    @property
    def tokens(self) -> int:
        """Tokens of one micro-batch on one card; sequence parallelism gives each card its part."""
        whole = self.micro_batch * self.sequence_length * self.rows_per_example
        return -(-whole // self.gpus) if self.sharding == "sequence" and self.gpus > 1 else whole

    @property
    def trains_base(self) -> bool:
        return self.kind == "full"

    @property
    def wide_stream(self) -> bool:
        """The residual stream is fp32: fp32 weights, or a k-bit base prepared by PEFT; what is gathered comes in 16 bit."""
        return not self.split_weights and ((self.weight_dtype == "fp32" and not self.master_in_ram) or self.kbit_upcast == "stream")

    @property
    def keeps_recomputed(self) -> bool:
        """Adapters under transformers' FSDP: what is recomputed leaves a second copy of each layer's input until backward ends."""
        return (
            self.kind == "adapters"
            and self.gpus > 1
            and self.sharding == "fsdp"
            and self.kbit_upcast == "stream"
            and self.checkpointing == "full"
        )

    @property
    def wide(self) -> float:
        """How much wider activations are than 16 bit: twice in pure fp32, where nothing casts them."""
        return 2.0 if self.weight_dtype == "fp32" and not self.autocast else 1.0

    @property
    def keeps_master(self) -> bool:
        """DeepSpeed's mixed precision: 16-bit weights in the model, an fp32 copy with the optimizer."""
        return self.optimizer_states == "fp32_master"

    @property
    def copies_model(self) -> bool:
        """Each of several cards trains the whole model (DistributedDataParallel)."""
        return self.gpus > 1 and self.sharding == "ddp" and self.kind != "inference"

    @property
    def split_weights(self) -> bool:
        """Weights are spread over the cards; sequence parallelism runs on top of ZeRO-3 (Ulysses)."""
        return self.gpus > 1 and self.sharding in ("zero3", "fsdp", "tensor", "pipeline", "sequence")

    @property
    def streams_weights(self) -> bool:
        """Weights lie in CPU memory or on disk and come to the card layer by layer."""
        return self.offload in ("parameters", "nvme") and self.kind != "inference"

    @property
    def master_in_ram(self) -> bool:
        """Mixed-precision training with offloaded states: the fp32 weights are the optimizer's, the card works on 16-bit ones."""
        return self.offload != "none" and self.kind == "full" and self.weight_dtype == "fp32" and self.autocast
