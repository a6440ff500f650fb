"""What was asked, field by field: enters as JSON or as readings of a message, leaves as a frozen `Request`.

Shape and limits are the machine contract's. Everything is optional; absent (None) means not said. A plain number has its
unit in its name. What a schema cannot say (hours above a month together, active above total parameters) is refused here too.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, model_validator
from pydantic_core import PydanticCustomError

Language: TypeAlias = Literal["de", "en"]
Currency: TypeAlias = Literal["EUR", "USD", "GBP", "CHF"]
Goal: TypeAlias = Literal["facts", "style", "format", "new_skill", "base_model", "serve"]
Method: TypeAlias = Literal["rag", "lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain", "serve"]
Stage: TypeAlias = Literal["sft", "dpo", "rl"]
Site: TypeAlias = Literal["office", "server_room", "colocation"]
Slot: TypeAlias = Literal[
    "goal", "model", "method", "stage", "hardware", "budget", "usage", "training", "dataset", "serving", "site", "constraints", "quotes"
]
TargetModules: TypeAlias = Literal["all", "attn", "qv", "mlp", "qvo", "qvo+mlp", "all+head", "all+embeddings"]
Optimizer: TypeAlias = Literal["adamw", "adamw8bit", "paged_adamw", "paged_adamw8bit", "adafactor", "sgd", "lion", "muon"]
Precision: TypeAlias = Literal["fp32", "fp16", "bf16", "pure_bf16", "fp8"]
GradientCheckpointing: TypeAlias = Literal["none", "selective", "full"]
Quantization: TypeAlias = Literal["none", "int8", "fp8", "nf4", "nf4-dq", "gptq4", "awq4", "q4", "q5", "q8"]
Attention: TypeAlias = Literal["flash", "sdpa", "eager"]
Loss: TypeAlias = Literal["fp32", "bf16", "chunked", "fused_ce", "fused_linear", "last_token"]
Sharding: TypeAlias = Literal["none", "ddp", "zero1", "zero2", "zero3", "fsdp", "tensor", "pipeline", "sequence"]
Offload: TypeAlias = Literal["none", "optimizer", "parameters", "nvme"]

HOURS_PER_MONTH = 730


def _no_text(value: Any) -> Any:
    """Refuse what pydantic would coerce into a number and the contract does not take."""
    if isinstance(value, str | bytes | bool):
        raise PydanticCustomError("number_type", "a number is needed, not text")
    return value


_Float: TypeAlias = Annotated[float, BeforeValidator(_no_text)]
Whole: TypeAlias = Annotated[int, BeforeValidator(_no_text)]
_HoursOfMonth: TypeAlias = Annotated[_Float, Field(ge=0, le=HOURS_PER_MONTH)]
_Amount: TypeAlias = Annotated[_Float, Field(ge=0, le=1e12)]
_Price: TypeAlias = Annotated[_Float, Field(gt=0, le=1e12)]
_Share: TypeAlias = Annotated[_Float, Field(ge=0, le=1)]


class Part(BaseModel):
    """A piece of a Request: frozen, closed, finite, never coerced from text; `null` does not occur."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _no_null(cls, value: Any) -> Any:
        if isinstance(value, dict):
            for key, entry in value.items():
                if entry is None:
                    raise PydanticCustomError("null", "null does not occur: leave out what is not known", {"key": key})
        return value

    def contract(self) -> dict[str, Any]:
        """As JSON of the machine contract: only what was said."""
        return self.model_dump(exclude_none=True, mode="json")


class ModelChoice(Part):
    """A model asked about: by name, by size, or by its config.json. `params_b` wins over the catalogue."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    params_b: Annotated[_Float, Field(gt=0, le=100_000)] | None = None
    active_params_b: Annotated[_Float, Field(gt=0, le=100_000)] | None = None
    config: Annotated[dict[str, Any], Field(min_length=1, max_length=500)] | None = None

    @model_validator(mode="after")
    def _usable(self) -> "ModelChoice":
        if self.name is None and self.params_b is None and self.config is None:
            raise PydanticCustomError("model_unnamed", "a model needs a name, params_b or a config")
        if self.params_b is not None and self.active_params_b is not None and self.active_params_b > self.params_b:
            raise PydanticCustomError("active_above_total", "active_params_b is larger than params_b", {"key": "active_params_b"})
        return self


class Training(Part):
    """Settings of one training step."""

    sequence_length: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = None
    micro_batch: Annotated[Whole, Field(ge=1, le=65_536)] | None = None
    rank: Annotated[Whole, Field(ge=1, le=16_384)] | None = None
    target_modules: TargetModules | None = None
    optimizer: Optimizer | None = None
    precision: Precision | None = None
    gradient_checkpointing: GradientCheckpointing | None = None
    quantization: Quantization | None = None
    attention: Attention | None = None
    loss: Loss | None = None
    sharding: Sharding | None = None
    offload: Offload | None = None


class Dataset(Part):
    """How much is trained on: tokens, or rows with their length, and how often."""

    tokens: Annotated[_Float, Field(ge=1, le=1e15)] | None = None
    rows: Annotated[_Float, Field(ge=1, le=1e13)] | None = None
    tokens_per_row: Annotated[_Float, Field(ge=1, le=1e8)] | None = None
    epochs: Annotated[_Float, Field(gt=0, le=10_000)] | None = None

    @model_validator(mode="after")
    def _one_measure(self) -> "Dataset":
        if self.tokens is not None and self.rows is not None:
            raise PydanticCustomError("exclusive", "tokens and rows exclude each other", {"key": "tokens", "other": "rows"})
        return self


class Usage(Part):
    """Hours on the owned machine; `hours_once` is a run that is not repeated."""

    training_hours_per_month: _HoursOfMonth | None = None
    hours_once: Annotated[_Float, Field(ge=0, le=1e7)] | None = None
    serving_hours_per_month: _HoursOfMonth | None = None
    horizon_months: Annotated[Whole, Field(ge=1, le=240)] | None = None

    @model_validator(mode="after")
    def _within_a_month(self) -> "Usage":
        if self.training_hours_per_month is not None and self.hours_once is not None:
            raise PydanticCustomError(
                "exclusive",
                "training_hours_per_month and hours_once exclude each other",
                {"key": "training_hours_per_month", "other": "hours_once"},
            )
        together = (self.training_hours_per_month or 0) + (self.serving_hours_per_month or 0)
        if together > HOURS_PER_MONTH:
            raise PydanticCustomError(
                "hours_exceed_month",
                "training and serving together exceed the hours of a month",
                {"key": "serving_hours_per_month", "together": together, "limit": HOURS_PER_MONTH},
            )
        return self


class Serving(Part):
    """Who uses the model at once, with how many tokens each, over how many documents."""

    users: Annotated[Whole, Field(ge=1, le=100_000_000)] | None = None
    context: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = None
    documents: Annotated[Whole, Field(ge=0, le=10_000_000_000)] | None = None


class Budget(Part):
    """A limit on money. Without a currency it is asked back."""

    amount: _Amount
    currency: Currency | None = None
    period: Literal["once", "month", "day", "hour"] | None = None
    bound: Literal["max", "about"] | None = None


class Holding(Part):
    """One kind of card they own. `memory_gb` is nominal, as people say it (a 24 GB card: 24), never arithmetic."""

    gpu: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    memory_gb: Annotated[_Float, Field(gt=0, le=100_000)] | None = None
    count: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = None
    kind: Literal["vram", "ram", "unified"] | None = None
    cpu_ram_gb: Annotated[_Float, Field(ge=0, le=1e7)] | None = None
    nvlink: StrictBool | None = None
    nodes: Annotated[Whole, Field(ge=1, le=100_000)] | None = None

    @model_validator(mode="after")
    def _usable(self) -> "Holding":
        if self.gpu is None and self.memory_gb is None and self.cpu_ram_gb is None:
            raise PydanticCustomError("hardware_unnamed", "hardware needs a gpu, memory_gb or cpu_ram_gb")
        return self


class Constraints(Part):
    """What must hold whatever the money says."""

    no_cloud: StrictBool | None = None
    eu_only: StrictBool | None = None
    ecc: StrictBool | None = None


class Purchase(Part):
    """The user's own offer to buy."""

    amount: _Amount
    currency: Currency | None = None
    tax: Literal["net", "gross"] | None = None


class Rent(Part):
    """The user's own offer to rent; the price is of the whole offer, not per GPU."""

    per_hour: Annotated[_Float, Field(gt=0, le=1e9)] | None = None
    monthly_cap: _Price | None = None
    per_month: _Price | None = None
    setup_fee: _Amount | None = None
    currency: Currency | None = None
    billing_step_minutes: Annotated[_Float, Field(ge=0, le=44_640)] | None = None
    spot: StrictBool | None = None

    @model_validator(mode="after")
    def _one_price(self) -> "Rent":
        if self.per_hour is not None and self.per_month is not None:
            raise PydanticCustomError("exclusive", "per_hour and per_month exclude each other", {"key": "per_hour", "other": "per_month"})
        return self


class Power(Part):
    """What the owned machine draws."""

    load_w: Annotated[_Float, Field(ge=0, le=1e8)] | None = None
    idle_w: Annotated[_Float, Field(ge=0, le=1e8)] | None = None
    powered: Literal["always", "when_used"] | None = None


class Tariff(Part):
    """Price of electricity."""

    per_kwh: Annotated[_Float, Field(ge=0, le=100)]
    currency: Currency | None = None


class Admin(Part):
    """Staff time for the owned machine."""

    hours_per_month: Annotated[_Float, Field(ge=0, le=10_000)]
    rate: Annotated[_Float, Field(ge=0, le=100_000)]
    currency: Currency | None = None


class Quotes(Part):
    """The user's own offers. Amounts without a currency of their own are in that of the purchase, else of the rent."""

    purchase: Purchase | None = None
    rent: Rent | None = None
    power: Power | None = None
    tariff: Tariff | None = None
    pue: Annotated[_Float, Field(ge=1, le=10)] | None = None
    maintenance_share_per_year: _Share | None = None
    admin: Admin | None = None
    colocation_per_month: _Amount | None = None
    resale_share: _Share | None = None
    discount_rate: _Share | None = None
    speed_ratio: Annotated[_Float, Field(gt=0, le=1_000)] | None = None


class Request(Part):
    """What was asked. `hardware=()` means nothing is owned, `budget=()` no limit; None means not said."""

    lang: Language | None = None
    goal: Goal | None = None
    rag_in_production: StrictBool | None = None
    lora_baseline: Literal["none", "insufficient", "good"] | None = None
    models: Annotated[tuple[ModelChoice, ...], Field(max_length=20)] | None = None
    methods: tuple[Method, ...] | None = None
    stage: Stage | None = None
    training: Training | None = None
    dataset: Dataset | None = None
    usage: Usage | None = None
    serving: Serving | None = None
    budget: Annotated[tuple[Budget, ...], Field(max_length=10)] | None = None
    hardware: Annotated[tuple[Holding, ...], Field(max_length=100)] | None = None
    site: Site | None = None
    constraints: Constraints | None = None
    quotes: Quotes | None = None

    @model_validator(mode="after")
    def _distinct_methods(self) -> "Request":
        if self.methods is not None and len(set(self.methods)) < len(self.methods):
            raise PydanticCustomError("duplicate", "methods names one method twice", {"key": "methods"})
        return self

    @classmethod
    def from_json(cls, text: str | bytes) -> "Request":
        """Read the contract's JSON. Errors: pydantic.ValidationError, also for NaN and Infinity."""
        return cls.model_validate_json(text)
