"""The things the catalogue holds: figures, cards, architectures, cloud instances, offers to rent, listings to buy, measured speeds.

All frozen; plain numbers here are in the base unit their comment names (bytes, FLOP/s, W, GB/s of the tables are converted at
loading), so that inner loops need no unit arithmetic; the properties give quantities.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engine.request import Currency
from engine.units import Quantity, quantity

DateQuality: TypeAlias = Literal["exact", "article", "undated"]


@dataclass(frozen=True)
class Source:
    """Where a figure was read: key of sources.csv, title, address, date read."""

    key: str
    title: str
    address: str | None
    read: datetime.date | None
    review_by: datetime.date | None = None


@dataclass(frozen=True)
class Figure:
    """A number that is not the user's: value or (low, high), unit, source key, the date it held, when to look again."""

    id: str
    value: float | tuple[float, float]
    unit: str
    source: str
    date: datetime.date | None
    review_by: datetime.date | None = None
    verified: bool = True
    note: str = ""
    middle: float | None = None  # the typical value of a range, where it is not its middle

    @property
    def low(self) -> float:
        return self.value[0] if isinstance(self.value, tuple) else self.value

    @property
    def high(self) -> float:
        return self.value[1] if isinstance(self.value, tuple) else self.value

    @property
    def typical(self) -> float:
        """The value, or the typical value of the range, or its middle."""
        return (self.low + self.high) / 2 if self.middle is None else self.middle

    @property
    def quantity(self) -> Quantity:
        return quantity(self.typical, self.unit)


@dataclass(frozen=True)
class Gpu:
    """An accelerator. Memory: `memory_nominal` GB as marketed, `usable` bytes a process can get before its own context."""

    id: str
    name: str
    vendor: str
    architecture: str
    memory_nominal: float  # GB as marketed, never arithmetic
    usable: float  # bytes
    driver_total: float | None  # bytes the driver prints
    memory_type: str
    bandwidth: float | None  # bytes/s
    bf16: float | None  # FLOP/s, dense
    fp16: float | None  # FLOP/s, dense
    fp8: float | None  # FLOP/s, dense
    power: float | None  # W, board
    nvlink: bool
    nvlink_bandwidth: float | None  # bytes/s, both directions
    nvlink_max_cards: int
    pcie_generation: int | None
    pcie_lanes: int | None
    ecc: Literal["none", "optional", "always", "unknown"]
    cooling: str
    form_factor: str
    msrp_usd: float | None
    release: str
    geforce_licence: bool  # driver licence bars data-centre deployment
    compute_capability: str
    bf16_support: Literal["y", "n", "part"]
    flash_attention: Literal["y", "n", "part"]
    unified: bool
    unified_share: float | None
    memory_options: tuple[float, ...]  # GB, where one name is sold with several memories
    aliases: tuple[str, ...]
    verified_fields: frozenset[str]
    source: str  # the first of `cited`
    note: str = ""
    fp32: float | None = None  # FLOP/s
    measured_bf16: float | None = None  # FLOP/s, best public figure of a large matrix multiplication
    scaleup_link: str = ""
    usable_source: str = ""  # how the driver's total was read
    cited: tuple[str, ...] = ()  # keys of all sources

    @property
    def corrects_errors(self) -> bool:
        """Whether memory errors are corrected as people run the card: GeForce cards that could switch it on come and run without."""
        return self.ecc == "always" or (self.ecc == "optional" and not self.geforce_licence)

    @property
    def usable_memory(self) -> Quantity:
        return quantity(self.usable, "byte")


@dataclass(frozen=True)
class Architecture:
    """A model's shape. `parameters` counts all weights that load; memory follows it, speed follows `active_parameters`."""

    id: str
    name: str
    family: str
    hf_id: str | None
    parameters: float
    active_parameters: float
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int  # of a dense layer; where every layer is MoE, that of one expert
    moe_ffn: int | None
    n_experts: int | None
    top_k: int | None
    shared_experts: int | None
    dense_layers: int | None
    vocab: int
    tied_embeddings: bool
    attention: str  # mha, gqa, mqa, mla … as in the table
    context: int | None
    kv_layers: int | None
    window_layers: int | None
    window: int | None
    native_dtype: str = "bf16"
    licence: str = ""
    gated: bool = False
    release: str = ""
    aliases: tuple[str, ...] = ()
    verified_fields: frozenset[str] = frozenset()
    source: str = ""
    note: str = ""
    estimated: bool = False  # shape guessed from a bare size: the range is wider and says so
    extra: Mapping[str, Any] = field(default_factory=dict)  # kv_lora, rope, nope, v, q_lora, global_head_dim, global_kv_heads where known
    cited: tuple[str, ...] = ()  # source keys with what was read there: "llmfit: Qwen/Qwen2.5-7B"
    published_parameters: float | None = None


@dataclass(frozen=True)
class Instance:
    """A cloud machine, marketplace GPU name or notebook tier."""

    provider: str
    name: str
    gpu: str
    count: int
    memory_each: float  # GB nominal
    vcpu: float | None
    ram: float | None  # bytes
    interconnect: str
    gpu_link: str
    verified: bool
    source: str
    note: str = ""
    cited: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offer:
    """A dated price to rent, per GPU hour and of the whole instance."""

    id: str
    provider: str
    provider_kind: str  # hyperscaler, specialist, marketplace, dedicated …
    tier: str
    instance: str
    gpu: str  # id of the card; h100-any where the source does not name the variant
    count: int
    per_hour: float | None  # whole instance; None where it is sold by the month
    per_gpu_hour: float  # the spot price where commitment is spot; per_month / 730 where it is sold by the month
    spot_per_gpu_hour: float | None
    per_month: float | None
    monthly_cap: float | None
    setup_fee: float | None
    billing_step_minutes: float | None
    currency: Currency
    region: str
    eu: bool | None  # runs in the EU; None: not stated
    date: datetime.date | None
    date_quality: DateQuality
    review_by: datetime.date | None
    commitment: str
    tax: Literal["net", "gross", "unknown"]
    available: bool | None  # when read; None: not stated
    source: str
    note: str = ""
    entered_by: str = ""  # who imported it; empty: shipped with the catalogue


@dataclass(frozen=True)
class Listing:
    """A dated price to buy a card or a machine."""

    id: str
    gpu: str
    item: str
    low: float  # of all `count` together
    high: float
    currency: Currency
    kind: str  # msrp, street, used, host, system, article, estimate, derived, launch, node, opex
    market: str
    date: datetime.date | None
    date_quality: DateQuality
    review_by: datetime.date | None
    tax: Literal["net", "gross", "unknown"]
    source: str
    note: str = ""
    count: int = 1
    entered_by: str = ""  # who imported it; empty: shipped with the catalogue


@dataclass(frozen=True)
class Speed:
    """A measured training speed."""

    model: str
    parameters: float
    active_parameters: float
    method: str
    gpu: str
    count: int
    sequence_length: int | None
    micro_batch: int | None
    grad_accumulation: int | None
    precision: str
    framework: str
    tokens_per_second_per_gpu: float
    flop_factor: float
    utilisation: float | None
    date: str
    source: str
    quality: str
    note: str = ""
