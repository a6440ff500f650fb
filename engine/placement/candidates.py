"""Which cards of the catalogue hold a step, and how many: what to rent or buy is chosen from these.

Enters: a shape, a method, what was asked, the catalogue. Leaves: for each card the smallest usual count that holds it, smallest
machine first. The need of one card depends on the count and the sharding only, so it is computed once a count.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.catalogue import Architecture, Catalogue, Gpu
from engine.memory import Setup, peak, setup_of
from engine.placement.spread import COPIES, Answered, default_sharding, tensor_ways, verdict_of
from engine.request import Method, Request, Sharding

_USUAL = (1, 2, 4, 8)
_OF_A_NODE = 8
_NODES = (2, 4, 8, 16, 32, 64, 128, 256)
_TRAINING_VENDORS = ("NVIDIA", "AMD")
_LAPTOP = "laptop"
_NOT_YET = "announced"
_LEAST_RATE = 20e12  # FLOP/s in 16 bit: older and smaller chips train nothing in useful time


@dataclass(frozen=True, slots=True)
class Candidate:
    """`count` cards over `nodes` machines that hold it: what one card needs [byte], what it gives [byte], and the verdict."""

    gpu: Gpu
    count: int
    nodes: int
    sharding: Sharding
    needed: float
    usable: float
    verdict: Answered


Need: TypeAlias = tuple[Sharding, Setup, float]


@dataclass(slots=True)
class _Needs:
    """What one card needs at each count, computed when first asked for."""

    request: Request
    architecture: Architecture
    method: Method
    known: dict[int, Need]

    def of(self, count: int) -> Need:
        """Sharding, setup and expected need [byte] at a count."""
        if count not in self.known:
            self.known[count] = self._computed(count)
        return self.known[count]

    def _computed(self, count: int) -> Need:
        sharding: Sharding = "none" if count == 1 else self._sharding()
        setup, _ = setup_of(self.request, self.architecture, self.method, count, sharding)
        return sharding, setup, peak(self.architecture, setup)

    def _sharding(self) -> Sharding:
        said = self.request.training.sharding if self.request.training else None
        return said if said in ("zero2", "zero3", "fsdp", "tensor", "pipeline") else default_sharding(self.method, self.request)


def candidates(architecture: Architecture, method: Method, request: Request, catalogue: Catalogue) -> tuple[Candidate, ...]:
    """Every suitable card with the smallest usual count that holds it, the smallest machine first."""
    needs = _Needs(request, architecture, method, {})
    found = [next(_counted(card, needs, catalogue), None) for card in suitable(method, request, catalogue)]
    held = sorted((one for one in found if one), key=_size)
    alone = [one for one in held if one.count == 1]
    return tuple(alone if alone and _copies(request) else held)


def _copies(request: Request) -> bool:
    """They want no sharding: several cards do not help where one will do."""
    return request.training is not None and request.training.sharding in COPIES


def smallest_card(architecture: Architecture, method: Method, request: Request, catalogue: Catalogue) -> Candidate | None:
    """The smallest single card that holds it; None where no card does."""
    needs = _Needs(request, architecture, method, {})
    found = (_at(card, 1, needs) for card in suitable(method, request, catalogue))
    return min((one for one in found if one), key=_modesty, default=None)


def how_many(card: Gpu, architecture: Architecture, method: Method, request: Request, catalogue: Catalogue) -> Candidate | None:
    """The smallest usual count of one kind of card that holds it; None where no usual machine of it does."""
    return next(_counted(card, _Needs(request, architecture, method, {}), catalogue), None)


def _modesty(one: Candidate) -> tuple[float, bool, bool, str]:
    """Small first; of one size those with bf16, then those most tools are written for."""
    return one.gpu.memory_nominal, one.gpu.bf16_support != "y", one.gpu.vendor != "NVIDIA", one.gpu.id


def _size(one: Candidate) -> tuple[float, int, str]:
    return one.gpu.memory_nominal * one.count, one.count, one.gpu.id


def suitable(method: Method, request: Request, catalogue: Catalogue) -> Iterator[Gpu]:
    """Cards that can do the work and have a price: no laptop or module, no chip without its own 16-bit rate, ECC where it must be."""
    priced = {offer.gpu for offer in catalogue.offers} | {listing.gpu for listing in catalogue.listings}
    must_correct = bool(request.constraints and request.constraints.ecc)
    for card in catalogue.gpus.values():
        sold = card.id in priced or card.msrp_usd is not None
        if sold and _able(card, method) and not (must_correct and not card.corrects_errors):
            yield card


def _able(card: Gpu, method: Method) -> bool:
    rate = max(card.bf16 or 0.0, card.fp16 or 0.0)
    if not card.usable or rate < _LEAST_RATE or _LAPTOP in card.form_factor.lower() or card.release.startswith(_NOT_YET):
        return False
    serves = method in ("serve", "rag")
    return card.unified if serves and card.unified else card.vendor in _TRAINING_VENDORS and not card.unified


def _counted(card: Gpu, needs: _Needs, catalogue: Catalogue) -> Iterator[Candidate]:
    """The usual counts of a card that hold it, the smallest first."""
    for count in counts(card, catalogue):
        divides = needs.method not in ("serve", "rag") or tensor_ways(needs.architecture, count) == count
        if divides and (found := _at(card, count, needs)) is not None:
            yield found


def _at(card: Gpu, count: int, needs: _Needs) -> Candidate | None:
    """The candidate of a count; None where one card of it does not hold its part."""
    sharding, setup, needed = needs.of(count)
    if needed > card.usable:
        return None
    nodes = -(-count // max(_OF_A_NODE, card.nvlink_max_cards))
    verdict = verdict_of(needs.architecture, setup, needed, card.usable)
    return Candidate(card, count, nodes, sharding, needed, card.usable, verdict)


def counts(card: Gpu, catalogue: Catalogue) -> Iterator[int]:
    """Usual counts: one of unified memory, a consumer build of GeForce cards, one server of PCIe cards, whole nodes of the others."""
    if card.unified:
        yield 1
        return
    most = int(catalogue.figure("consumer_cards_max").high if card.geforce_licence else _OF_A_NODE)
    yield from (count for count in _USUAL if count <= most)
    if "PCIe" not in card.form_factor and not card.geforce_licence:
        yield from (nodes * _OF_A_NODE for nodes in _NODES)
