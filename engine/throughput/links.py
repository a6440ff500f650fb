"""How cards share the work: enter a card, how many and how they share; leave the efficiency and the seconds of gradient traffic.

Ring all-reduce moves 2 (n - 1) / n of the gradients per step and card; sharded training about three times the parameters. The
bandwidth is one direction of the link as printed, so the seconds are the least there can be, before any overlap.
"""

import math

from engine.catalogue import Architecture, Catalogue, Gpu
from engine.request import Sharding
from engine.throughput.flops import Kind

_GRADIENT_BYTES = 2.0  # bf16
_DEFAULT_RANK = 16
_BRIDGED = 2  # a bridge joins two cards and has to be bought; more in one domain means a switch on the board
SHARDED: tuple[Sharding, ...] = ("zero2", "zero3", "fsdp", "tensor", "pipeline", "sequence")


def linked(gpu: Gpu, count: int, nvlink: bool | None) -> bool:
    """Whether the cards talk over NVLink or its like: as said, else where it is on the board."""
    possible = gpu.nvlink and count <= max(gpu.nvlink_max_cards, 8 if gpu.nvlink_max_cards > _BRIDGED else 0)
    return possible and (nvlink if nvlink is not None else gpu.nvlink_max_cards > _BRIDGED)


def scaling(gpu: Gpu, count: int, sharding: Sharding, kind: Kind, catalogue: Catalogue, nvlink: bool | None = None) -> float:
    """Share of a single card's speed each of `count` cards keeps; falls with each doubling over PCIe, never below the floor."""
    if count <= 1:
        return 1.0
    board = gpu.nvlink and gpu.nvlink_max_cards > _BRIDGED
    if linked(gpu, count, nvlink) or board:
        return catalogue.figure("scaling_nvlink").typical
    shared = sharding in SHARDED and not (kind != "full" and sharding == "zero2")
    each = catalogue.figure("scaling_sharded" if shared else "scaling_ddp").typical
    return float(max(catalogue.figure("scaling_floor").typical, each ** math.log2(count)))


def bandwidth(gpu: Gpu, count: int, catalogue: Catalogue, nvlink: bool | None = None) -> float:
    """Bytes per second in one direction between two of the cards."""
    if linked(gpu, count, nvlink) and gpu.nvlink_bandwidth:
        return gpu.nvlink_bandwidth / 2
    generation = min(max(gpu.pcie_generation or 4, 3), 5)
    lanes = (gpu.pcie_lanes or 16) / 16
    return catalogue.figure(f"pcie{generation}_bandwidth").typical * 1e9 * lanes


def synchronisation(
    architecture: Architecture, kind: Kind, gpu: Gpu, count: int, sharding: Sharding, catalogue: Catalogue, nvlink: bool | None = None
) -> float | None:
    """Seconds of gradient (or parameter) traffic per step: 7B in 16 bit over PCIe 4.0 x16 and two cards 14 GB / 32 GB/s = 0.44 s."""
    if count <= 1:
        return None
    trained = architecture.parameters if kind == "full" else _adapter_parameters(architecture)
    moved = 2 * (count - 1) / count * trained * _GRADIENT_BYTES
    if sharding in ("zero3", "fsdp"):
        moved = catalogue.figure("sharded_traffic").typical * architecture.parameters * _GRADIENT_BYTES
    return moved / bandwidth(gpu, count, catalogue, nvlink)


def _adapter_parameters(architecture: Architecture) -> float:
    """Adapters of rank 16 on every linear layer, roughly: seven pairs of rank x width a layer."""
    return 7.0 * 2 * _DEFAULT_RANK * architecture.hidden * architecture.layers
