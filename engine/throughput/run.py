"""How long one run takes: enter model, method, cards and data, leaves hours (low, typical, high) and the energy it draws.

hours = tokens x FLOP per token / (cards x achieved FLOP per second x scaling) / 3600. What is achieved comes from measured rows of
the card, else from the utilisation of its class. Failed and trial runs are not in it: they are a factor of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.catalogue import Architecture, Catalogue, Gpu
from engine.recommendation import Run
from engine.request import Dataset, Method, Sharding, Stage, Training
from engine.throughput.flops import KINDS, flop_per_token, step_of
from engine.throughput.links import scaling, synchronisation
from engine.throughput.measured import Achieved, achieved
from engine.throughput.utilisation import utilised
from engine.units import quantity

_USUAL_LENGTH = 2048
_SECONDS = 3600.0
_CARDS_OF_A_NODE = 8
_PREFERENCE_ROWS = 2.0  # chosen and rejected


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens a run sees, over all epochs, and the defaults taken on the way (Request path -> value)."""

    seen: float
    assumed: Mapping[str, Any]


def tokens_seen(
    architecture: Architecture, method: Method, dataset: Dataset | None, stage: Stage | None, catalogue: Catalogue
) -> Tokens | None:
    """Tokens x epochs; from scratch without data 20 tokens a parameter; None where no data was named."""
    scratch = method == "pretrain"
    if dataset is None or (dataset.tokens is None and dataset.rows is None):
        if not scratch:
            return None
        seen = catalogue.figure("tokens_per_parameter").typical * architecture.active_parameters
        return Tokens(seen, {"dataset.tokens": seen})
    assumed: dict[str, Any] = {}
    epochs = dataset.epochs
    if epochs is None:
        epochs = 1.0 if scratch or method == "continued_pretrain" else catalogue.figure("epochs_default").typical
        assumed["dataset.epochs"] = epochs
    length = dataset.tokens_per_row
    if dataset.rows is not None and length is None:
        length = catalogue.figure("tokens_per_row").typical
        assumed["dataset.tokens_per_row"] = length
    once = dataset.tokens if dataset.tokens is not None else (dataset.rows or 0.0) * (length or 0.0)
    pairs = _PREFERENCE_ROWS if stage == "dpo" and dataset.rows is not None else 1.0
    return Tokens(once * epochs * pairs, assumed)


def run_of(
    architecture: Architecture,
    method: Method,
    gpu: Gpu,
    count: int,
    dataset: Dataset | None,
    training: Training | None,
    catalogue: Catalogue,
    stage: Stage | None = None,
    sharding: Sharding | None = None,
    nvlink: bool | None = None,
) -> Run | None:
    """One training run; None for serving and retrieval, for reinforcement learning (rollouts decide), without data, without a peak."""
    tokens = tokens_seen(architecture, method, dataset, stage, catalogue) if method in KINDS and stage != "rl" else None
    settings = training or Training()
    speed = None if tokens is None else speed_of(architecture, method, gpu, count, settings, catalogue, stage, sharding, nvlink)
    if tokens is None or speed is None:
        return None
    hours = [tokens.seen / (rate * count) / _SECONDS for rate in (speed.high, speed.typical, speed.low)]
    if dataset is not None and dataset.rows is not None:
        hours[2] /= catalogue.figure("packing_loss").typical  # rows padded to the longest, not packed
    used = sharding or settings.sharding or "none"
    traffic = synchronisation(architecture, KINDS[method], gpu, count, used, catalogue, nvlink)
    low, typical, high = (quantity(one, "hour") for one in hours)
    return Run(
        low,
        typical,
        high,
        tokens=quantity(tokens.seen, "token"),
        gpu=gpu,
        count=count,
        energy=_energy(gpu, count, hours[1], catalogue),
        basis="measured" if speed.rows else "utilisation",
        synchronisation=None if traffic is None else quantity(traffic, "second"),
        source=speed.source,
    )


def speed_of(
    architecture: Architecture,
    method: Method,
    gpu: Gpu,
    count: int,
    training: Training,
    catalogue: Catalogue,
    stage: Stage | None = None,
    sharding: Sharding | None = None,
    nvlink: bool | None = None,
) -> Achieved | None:
    """Tokens per second of each card: slow, typical, fast. None for a card without a printed peak."""
    step = step_of(architecture, method, training.sequence_length or _USUAL_LENGTH, training.precision == "fp8" and bool(gpu.fp8), stage)
    rate = achieved(step, gpu, catalogue, count=count) or utilised(step, gpu, catalogue)
    if rate is None:
        return None
    share = scaling(gpu, count, sharding or training.sharding or "none", step.kind, catalogue, nvlink)
    factor = share / flop_per_token(step, catalogue)
    if training.gradient_checkpointing == "none":
        factor *= catalogue.figure("checkpointing_slowdown").low
    rate = Achieved(rate.low * factor, rate.typical * factor, rate.high * factor, rate.source, rate.rows)
    return _offloaded(rate, catalogue) if training.offload not in (None, "none") else rate


def _offloaded(rate: Achieved, catalogue: Catalogue) -> Achieved:
    slower = catalogue.figure("offload_slowdown")
    return replace(rate, low=rate.low / slower.high, typical=rate.typical / slower.typical, high=rate.high / slower.low)


def power(gpu: Gpu, count: int, catalogue: Catalogue) -> float | None:
    """Watts of a machine of such cards at work: cards, processor, board and fans; None for a card without a printed power.

    Four RTX 4090: 4 x 450 + 320 = 2,120 (measured 2,080). Servers of modules take more around each card: eight H100 measured 10.2 kW.
    """
    if gpu.power is None:
        return None
    if gpu.unified:
        return gpu.power * count
    if "PCIe" not in gpu.form_factor:
        return (gpu.power + _around_a_module(catalogue)) * count
    host = catalogue.figure("host_cpu_power").typical + catalogue.figure("host_board_power").typical
    return gpu.power * count + host * -(-count // _CARDS_OF_A_NODE)


def _around_a_module(catalogue: Catalogue) -> float:
    """Watts of switches, processors, network and fans for each module of a server of eight."""
    return catalogue.figure("measured_8xh100_power").typical / _CARDS_OF_A_NODE - (catalogue.gpus["h100-sxm"].power or 0.0)


def _energy(gpu: Gpu, count: int, hours: float, catalogue: Catalogue) -> Any:
    watts = power(gpu, count, catalogue)
    return None if watts is None else quantity(watts * hours / 1000, "kW*hour")
