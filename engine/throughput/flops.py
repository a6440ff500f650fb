"""The arithmetic of one trained token: enter the method, the size, the row length; leaves FLOP per token.

Factors per active parameter: 6 where all weights train (2 forward, 4 backward), 4 where the base is frozen; preference training
adds the forward of the reference. Attention adds 12 x layers x width x row length.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.catalogue import Architecture, Catalogue
from engine.request import Method, Stage

Kind: TypeAlias = Literal["full", "lora", "qlora"]

KINDS: dict[Method, Kind] = {
    "lora": "lora",
    "lora8": "qlora",  # the base is dequantised on the way, as with 4 bit
    "qlora": "qlora",
    "full": "full",
    "continued_pretrain": "full",
    "pretrain": "full",
}

_ATTENTION = 12
# layers x width of dense models grows with parameters to the power 0.66; a 6.66B has 32 x 4,096 (catalogue of architectures)
_WIDTH_OF_7B = 131_072.0
_SIZE_OF_7B = 6.66e9
_WIDTH_POWER = 0.66


@dataclass(frozen=True, slots=True)
class Step:
    """What decides the arithmetic of a token. `width` is layers x hidden size."""

    kind: Kind
    active: float  # parameters
    width: float
    sequence_length: int
    mixture: bool = False  # of experts
    fp8: bool = False
    pretraining: bool = False
    reference: bool = False  # preference training against a reference model


def typical_width(active: float) -> float:
    """Layers x hidden size of a dense model of that size, where only the size is known."""
    return float(_WIDTH_OF_7B * (active / _SIZE_OF_7B) ** _WIDTH_POWER)


def step_of(architecture: Architecture, method: Method, sequence_length: int, fp8: bool = False, stage: Stage | None = None) -> Step:
    """The step of a method on a model."""
    return Step(
        kind=KINDS[method],
        active=architecture.active_parameters,
        width=float(architecture.layers * architecture.hidden),
        sequence_length=sequence_length,
        mixture=architecture.n_experts is not None and architecture.active_parameters < architecture.parameters,
        fp8=fp8,
        pretraining=method in ("pretrain", "continued_pretrain"),
        reference=stage == "dpo",
    )


def flop_per_token(step: Step, catalogue: Catalogue) -> float:
    """Factor x active parameters + attention; without the recomputation of checkpointing, as utilisation is defined."""
    factor = catalogue.figure("flop_factor_full" if step.kind == "full" else "flop_factor_lora").typical
    if step.reference:
        factor += catalogue.figure("flop_factor_forward").typical
    return factor * step.active + _ATTENTION * step.width * step.sequence_length
