"""Measured speeds as a yardstick: enter a step and a card, leaves what the nearest measured rows say, if there are any.

A row counts when it is of the same card, kind and precision and is possible at all: arithmetic above what the card can multiply
is a mistake in the table. Rows carry over by the arithmetic they achieved per second, not by tokens, so that size and row length
scale out.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from engine.catalogue import Catalogue, Gpu, Speed
from engine.request import Sharding
from engine.throughput.flops import Kind, Step, flop_per_token, typical_width
from engine.throughput.links import scaling

_KINDS: dict[str, Kind] = {"full": "full", "pretrain/full": "full", "lora": "lora", "qlora": "qlora"}
_NEAREST = 5
_USUAL_LENGTH = 2048
_LEAST_SPREAD = 0.15  # two runs of one job on one card differ by that much between frameworks


@dataclass(frozen=True, slots=True)
class Achieved:
    """FLOP per second of one card: slow, typical, fast; where it was read."""

    low: float
    typical: float
    high: float
    source: str
    rows: int


def achieved(step: Step, gpu: Gpu, catalogue: Catalogue, rows: Iterable[Speed] | None = None, count: int = 1) -> Achieved | None:
    """What the nearest measured rows of the card achieved on one card; None without any."""
    usable = [
        row
        for row in (catalogue.speeds_by_card.get(gpu.id, ()) if rows is None else rows)
        if _matches(row, step, gpu) and plausible(row, catalogue)
    ]
    nearest = sorted(usable, key=lambda row: _distance(row, step, count))[:_NEAREST]
    if not nearest:
        return None
    values = [_achieved(row, gpu, catalogue) for row in nearest]
    typical = median(values)
    return Achieved(
        low=min(min(values), typical * (1 - _LEAST_SPREAD)),
        typical=typical,
        high=max(max(values), typical * (1 + _LEAST_SPREAD)),
        source=nearest[0].source,
        rows=len(nearest),
    )


def plausible(row: Speed, catalogue: Catalogue) -> bool:
    """Whether a card could have done it: the arithmetic stays below the share of the peak a large multiplication reaches."""
    card = catalogue.gpus.get(row.gpu)
    if card is None or row.quality.lower().startswith("implausible"):
        return False
    peak = (card.fp8 if is_fp8(row) else card.bf16) or 0.0
    return bool(peak) and row.flop_factor * row.active_parameters * row.tokens_per_second_per_gpu <= _ceiling(card, catalogue) * peak


def implausible_rows(catalogue: Catalogue) -> Iterator[Speed]:
    """Rows of the table that are not used, for the check of the catalogue."""
    return (row for row in catalogue.speeds if not plausible(row, catalogue))


def _ceiling(card: Gpu, catalogue: Catalogue) -> float:
    """Measured over printed multiplication rate where it was read, but never above the figure."""
    limit = catalogue.figure("implausible_utilisation").typical
    return min(limit, card.measured_bf16 / card.bf16) if card.measured_bf16 and card.bf16 else limit


def is_fp8(row: Speed) -> bool:
    return row.precision.startswith("fp8")


def kind_of(row: Speed) -> Kind | None:
    return _KINDS.get(row.method.lower())


def step_of_row(row: Speed) -> Step:
    """The step a row measured, its width taken from its size."""
    return Step(
        kind=kind_of(row) or "full",
        active=row.active_parameters,
        width=typical_width(row.active_parameters),
        sequence_length=row.sequence_length or _USUAL_LENGTH,
        mixture=row.active_parameters < row.parameters,
        fp8=is_fp8(row),
        pretraining=row.method.startswith("pretrain"),
    )


def sharding_of(row: Speed) -> Sharding:
    """How a row of several cards shared the work: whole replicas where the note says so."""
    return "none" if row.count == 1 else "ddp" if "DDP" in row.note else "fsdp"


def _matches(row: Speed, step: Step, gpu: Gpu) -> bool:
    mixture = row.active_parameters < row.parameters
    return row.gpu == gpu.id and kind_of(row) == step.kind and is_fp8(row) == step.fp8 and mixture == step.mixture


def _distance(row: Speed, step: Step, count: int) -> float:
    """How unlike: size first, then row length, then how many cards; pre-training stacks are tuned further than fine-tuning ones."""
    return (
        abs(math.log(row.active_parameters / step.active))
        + 0.5 * abs(math.log((row.sequence_length or _USUAL_LENGTH) / step.sequence_length))
        + 0.1 * abs(math.log(row.count / count))
        + (1.0 if row.method.startswith("pretrain") != step.pretraining and step.kind == "full" else 0.0)
    )


def _achieved(row: Speed, gpu: Gpu, catalogue: Catalogue) -> float:
    """FLOP per second of a row, as on a single card."""
    step = step_of_row(row)
    alone = scaling(gpu, row.count, sharding_of(row), step.kind, catalogue)
    return row.tokens_per_second_per_gpu * flop_per_token(step, catalogue) / alone
