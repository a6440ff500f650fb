"""What the engine answers: the values each stage hands to the next, and the Recommendation that holds them all.

Everything here is frozen and typed; sizes, times and money are quantities (`engine.units`), never bare numbers. No sentence
for people: reasons are rule ids with the facts they saw, words live in templates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, TypeAlias

from engine.catalogue import Architecture, Figure, Gpu
from engine.request import Holding, Method, ModelChoice, Request, Sharding, Slot
from engine.units import Quantity

Advice: TypeAlias = Literal["rag", "lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain", "serve", "none"]
FitVerdict: TypeAlias = Literal["yes", "tight", "no", "unknown"]
AcquisitionVerdict: TypeAlias = Literal["owned", "rent", "buy", "none"]
WhyNull: TypeAlias = Literal["rent_cheaper_than_running", "cap", "beyond_horizon", "no_purchase", "no_rent", "asked_back"]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to answer a question: what a button shows, and what the slot becomes (in the form of the readings)."""

    label: str
    value: Any


@dataclass(frozen=True, slots=True)
class Question:
    """Something that must be asked back. `read` is what of the message was not usable, None where nothing was said."""

    slot: Slot
    read: str | None
    options: tuple[Option, ...]
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule that fired: its id, what it says, the facts it saw (for the words), where it comes from, whether it lost."""

    rule: str
    outcome: Literal["prefer", "exclude", "warn", "ask"]
    subject: str  # the method preferred or excluded, the warning code, or the slot to ask
    facts: Mapping[str, Any]
    source: str  # key of sources.yaml
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class Approach:
    """The method we advise, with the rules that led there; the overruled ones are kept."""

    method: Advice
    reasons: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a memory need at the moment of the peak [bytes]: the formula in words, its inputs, its source key."""

    term: str
    size: Quantity
    formula: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one card must have free [bytes]; the terms add up to `expected`."""

    method: Method
    low: Quantity
    expected: Quantity
    high: Quantity
    terms: tuple[Term, ...]
    moment: str  # which moment of the step is the peak: forward, backward, step, serve
    cpu_ram: Quantity  # what offloading and loading need in CPU memory
    assumed: Mapping[str, Any] = field(default_factory=dict)  # Request path -> default taken


@dataclass(frozen=True, slots=True)
class Knob:
    """One change that makes it smaller: what it saves per card, what it costs in time (factor, None unknown), whether it then fits."""

    knob: str
    saves: Quantity
    slowdown: float | None
    fits: bool
    setting: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether the hardware at hand holds it; `needed` and `usable` are of one card."""

    verdict: FitVerdict
    method: Method | None
    hardware: Holding | None
    needed: Quantity | None
    usable: Quantity | None
    sharding: Sharding | None
    longest_context: Quantity | None  # [token]
    largest_batch: int | None
    knobs: tuple[Knob, ...]


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest model per method that the hardware holds."""

    method: Method
    model: ModelChoice
    sharding: Sharding | None
    example: str | None = None  # a well-known model of the catalogue that fits the same way


@dataclass(frozen=True, slots=True)
class Run:
    """How long one training run takes [hour] on `gpu` x `count`, and the energy it draws [kW*h]."""

    low: Quantity
    typical: Quantity
    high: Quantity
    tokens: Quantity
    gpu: Gpu
    count: int
    energy: Quantity | None
    basis: str  # measured, or utilisation
    synchronisation: Quantity | None  # seconds per step
    source: str
    energy_cost: Quantity | None = None  # on a machine of one's own
    project: Quantity | None = None  # [hour] with trial and failed runs, where the hours were not said
    trials: Figure | None = None  # full runs in it
    overhead: Figure | None = None  # share of failed runs, evaluation and checkpoints in it


@dataclass(frozen=True, slots=True)
class Serving:
    """What a server gives and needs on `gpu` x `count`: tokens a second of one user and of all, the index of the documents [byte]."""

    gpu: Gpu
    count: int
    users: int
    context: int
    weights: Quantity  # [byte] over all cards
    cache: Quantity  # [byte] of all users
    embedding: Quantity | None  # [byte] of the model that looks documents up, on the card too
    index: Quantity | None  # [byte] of CPU memory
    low: Quantity  # [token/second] of one user while all are served
    typical: Quantity
    high: Quantity
    alone: Quantity  # [token/second] of one user while nobody else is served
    team: int = 1  # cards that work on one token together; further ones serve further users


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to get it done: where, on what, for how much over the horizon."""

    acquisition: Literal["owned", "rent", "buy"]
    method: Method | None
    gpu: Gpu | None
    count: int | None
    sharding: Sharding | None
    provider: str | None
    hours: Quantity | None
    cost: Quantity | None
    cost_range: tuple[Quantity, Quantity] | None = None  # where the price is old or undated
    fit: FitVerdict = "unknown"
    within_budget: bool | None = None
    gives_up: tuple[str, ...] = ()  # codes: smaller_model, qlora, fewer_hours, spot, rent_a_month
    figures: tuple[str, ...] = ()  # ids of the figures used
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Variant:
    """One break-even and what is in it."""

    id: Literal["price_only", "with_energy", "full"]
    break_even: Quantity | None  # [hour]
    why_null: WhyNull | None
    contains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Month:
    """Cumulated money at the end of a month."""

    month: int
    own: Quantity | None
    rent: Quantity | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The full break-even with one input at its low and at its high end [hour]."""

    input: str
    low: Quantity | None
    high: Quantity | None


@dataclass(frozen=True, slots=True)
class Acquisition:
    """Own, rent, buy or none, and the break-even that stands behind it. Money is in the request's currency."""

    verdict: AcquisitionVerdict | None
    break_even: Quantity | None  # [hour]
    break_even_per_month: Quantity | None  # [hour/month]
    variants: tuple[Variant, ...]
    curve: tuple[Month, ...]
    sensitivity: tuple[Sensitivity, ...]
    hours: Quantity | None = None  # of work over the horizon
    currency: str = "EUR"
    near_break_even: bool = False  # owning and renting are within 20 % at the stated hours
    over_budget: bool = False  # what was asked for costs more than the budget
    paid_back: int | None = None  # month in which owning has cost no more than renting, at the stated hours, resale left out
    with_idle_always: Quantity | None = None  # [hour] with energy, if idle power were charged while working, too
    default_power: Quantity | None = None  # [hour] the full break-even if the quoted machine drew what such machines draw


@dataclass(frozen=True, slots=True)
class Sizing:
    """One method on one model: what it needs and whether it fits what they own."""

    method: Method
    architecture: Architecture
    footprint: Footprint
    fit: Fit


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The whole answer. The same request, catalogue and date give the same bytes."""

    request: Request
    questions: tuple[Question, ...]
    approach: Approach | None
    sizings: tuple[Sizing, ...]  # the first is the one answered; further ones where several were compared
    fit: Fit
    largest: tuple[Largest, ...]
    run: Run | None
    plans: tuple[Plan, ...]
    acquisition: Acquisition
    warnings: tuple[Verdict, ...]
    figures: tuple[Figure, ...]
    assumed: Mapping[str, Any]
    engine_version: str
    catalogue_version: str
    today: date
    serving: Serving | None = None
    ways: tuple[Verdict, ...] = ()  # why renting or buying is left out, or what they own comes first
    surroundings: tuple[Verdict, ...] = ()  # facts around the machine they own or would buy
    in_question: bool = False  # the cards of the request are asked about, and not theirs

    @property
    def footprint(self) -> Footprint | None:
        return self.sizings[0].footprint if self.sizings else None
