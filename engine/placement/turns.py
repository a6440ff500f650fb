"""The knobs one by one: what enters is how a step stands, what leaves is how it stands with one knob turned, and the setting that does it.

A knob that has nothing to turn gives None. Settings are Request path -> value, so that an answer can offer them as a button.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engine.catalogue import Architecture
from engine.memory import Setup, peak, setup_of
from engine.memory.footprint import cpu_ram
from engine.placement.limits import longest_context
from engine.placement.spread import COPIES, Spread, default_sharding
from engine.request import Method, Offload, Request, Serving, Training

SHORTEST = 512  # tokens: shorter rows are rarely useful
_LENGTHS = tuple(2**power for power in range(20, 8, -1))
OF_THE_BASE = ("training.precision", "training.optimizer", "training.offload", "training.quantization")  # not of adapters
_LOW_RANK = 8
_ADAPTERS = ("lora", "qlora", "lora8")
_SERVED = ("serve", "rag")
_EIGHT_BIT = {"adamw": "adamw8bit", "paged_adamw": "paged_adamw8bit"}
_WIDE_SERVED = ("fp32", "bf16", "fp16", "int8", "fp8", "q8", "q5")


@dataclass(frozen=True, slots=True)
class Stand:
    """How a step stands: what was asked, on which shape, laid onto which cards."""

    request: Request
    architecture: Architecture
    method: Method
    spread: Spread
    cpu_ram: float | None = None  # bytes, where they said it

    @property
    def training(self) -> Training:
        return self.request.training or Training()

    @property
    def trains(self) -> bool:
        return self.method not in _SERVED

    @property
    def adapts(self) -> bool:
        return self.method in _ADAPTERS

    @property
    def trains_base(self) -> bool:
        return self.trains and not self.adapts

    @property
    def setup(self) -> Setup:
        return setup_of(self.request, self.architecture, self.method, self.spread.gpus, self.spread.sharding)[0]

    @property
    def needed(self) -> float:
        """Bytes one card must have free."""
        return peak(self.architecture, self.setup)

    @property
    def fits(self) -> bool:
        return self.needed <= self.spread.usable

    def with_training(self, **fields: Any) -> "Stand":
        """The same with other training settings."""
        return replace(self, request=self.request.model_copy(update={"training": self.training.model_copy(update=fields)}))

    def with_serving(self, **fields: Any) -> "Stand":
        """The same with other users or context."""
        serving = (self.request.serving or Serving()).model_copy(update=fields)
        return replace(self, request=self.request.model_copy(update={"serving": serving}))


Turned: TypeAlias = tuple[Stand, Mapping[str, Any]] | None
Turn: TypeAlias = Callable[[Stand, Setup], Turned]


def _training(stand: Stand, **fields: Any) -> Turned:
    return stand.with_training(**fields), {f"training.{name}": value for name, value in fields.items()}


def shorter(stand: Stand, setup: Setup) -> Turned:
    """Rows cut to the longest usual length that fits, or to half where none does."""
    if setup.sequence_length <= SHORTEST:
        return None
    fitting = longest_context(stand.architecture, setup, stand.spread.usable) or 0
    usual = (length for length in _LENGTHS if SHORTEST <= length < setup.sequence_length)
    chosen = next((length for length in usual if length <= fitting), max(setup.sequence_length // 2, SHORTEST))
    if stand.trains:
        return _training(stand, sequence_length=chosen)
    return stand.with_serving(context=chosen), {"serving.context": chosen}


def one_row(stand: Stand, setup: Setup) -> Turned:
    """One row at a time, the rest by accumulation."""
    return _training(stand, micro_batch=1) if stand.trains and setup.micro_batch > 1 else None


def checkpointed(stand: Stand, setup: Setup) -> Turned:
    return _training(stand, gradient_checkpointing="full") if stand.trains and setup.checkpointing != "full" else None


def fused_loss(stand: Stand, setup: Setup) -> Turned:
    """The loss without a copy of the logits."""
    return _training(stand, loss="fused_linear") if stand.trains and setup.loss != "fused_linear" else None


def flash_attention(stand: Stand, setup: Setup) -> Turned:
    """Attention that never stores the score matrix: flash where the card has it, sdpa elsewhere."""
    if not stand.trains or setup.attention != "eager":
        return None
    gpu = stand.spread.cards.gpu
    return _training(stand, attention="flash" if gpu and gpu.flash_attention == "y" else "sdpa")


def four_bit_base(stand: Stand, setup: Setup) -> Turned:
    """LoRA over a 4-bit base; QLoRA with double quantisation."""
    if stand.method in ("lora", "lora8"):
        return replace(stand.with_training(quantization=None), method="qlora"), {"methods": ["qlora"]}
    return _training(stand, quantization="nf4-dq") if stand.trains and setup.weight_dtype == "nf4" else None


def quantised(stand: Stand, setup: Setup) -> Turned:
    """Served weights in 4 bit."""
    return _training(stand, quantization="q4") if not stand.trains and setup.weight_dtype in _WIDE_SERVED else None


def eight_bit_optimizer(stand: Stand, setup: Setup) -> Turned:
    """Optimizer states in 8 bit; the trained weights of a full run go to pure bf16 with it unless a precision was named."""
    smaller = _EIGHT_BIT.get(setup.optimizer)
    return _training(stand, optimizer=smaller) if stand.trains and smaller else None


def pure_bf16(stand: Stand, setup: Setup) -> Turned:
    """No fp32 copy of the trained weights."""
    return _training(stand, precision="pure_bf16") if stand.trains_base and setup.weight_dtype == "fp32" else None


def lower_rank(stand: Stand, setup: Setup) -> Turned:
    return _training(stand, rank=_LOW_RANK) if stand.adapts and setup.rank > _LOW_RANK else None


def fewer_targets(stand: Stand, setup: Setup) -> Turned:
    """Adapters on the attention projections only."""
    return _training(stand, target_modules="attn") if stand.adapts and setup.targets not in ("attn", "qv", "qvo") else None


def sharded(stand: Stand, _: Setup) -> Turned:
    """Spread over the equal cards that are there."""
    cards = stand.spread.cards
    if not cards.shardable or stand.spread.sharding not in COPIES:
        return None
    sharding = default_sharding(stand.method, stand.request)
    spread = replace(stand.spread, gpus=cards.count, sharding=sharding)
    return replace(stand.with_training(sharding=sharding), spread=spread), {"training.sharding": sharding}


def optimizer_offloaded(stand: Stand, setup: Setup) -> Turned:
    """Optimizer states in CPU memory; pointless where CPU and GPU share theirs."""
    return _offloaded(stand, "optimizer") if stand.trains_base and setup.offload == "none" else None


def parameters_offloaded(stand: Stand, setup: Setup) -> Turned:
    """Weights and optimizer states in CPU memory."""
    return _offloaded(stand, "parameters") if stand.trains_base and setup.offload in ("none", "optimizer") else None


def _offloaded(stand: Stand, what: Offload) -> Turned:
    """Only where CPU memory is apart from the GPU's, and large enough where they said how much there is."""
    if stand.spread.cards.unified:
        return None
    after = stand.with_training(offload=what)
    if stand.cpu_ram is not None and cpu_ram(after.architecture, after.setup) > stand.cpu_ram:
        return None
    return after, {"training.offload": what}


def adapters_instead(stand: Stand, _: Setup) -> Turned:
    """Adapters instead of the whole model: on a 16-bit base where that fits, else on a 4-bit base."""
    if not stand.trains_base:
        return None
    plain = stand.with_training(**dict.fromkeys(name.partition(".")[2] for name in OF_THE_BASE))
    lora = replace(plain, method="lora")
    chosen = lora if lora.fits else replace(plain, method="qlora")
    return chosen, {"methods": [chosen.method]}


LADDER: tuple[tuple[str, Turn], ...] = (
    ("sequence_length", shorter),
    ("micro_batch", one_row),
    ("gradient_checkpointing", checkpointed),
    ("fused_loss", fused_loss),
    ("flash_attention", flash_attention),
    ("qlora", four_bit_base),
    ("quantization", quantised),
    ("optimizer_8bit", eight_bit_optimizer),
    ("pure_bf16", pure_bf16),
    ("rank", lower_rank),
    ("target_modules", fewer_targets),
    ("sharding", sharded),
    ("offload_optimizer", optimizer_offloaded),
    ("offload_parameters", parameters_offloaded),
    ("lora", adapters_instead),
)
