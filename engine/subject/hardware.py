"""The cards at hand: what enters is a `Holding` and the card it names, what leaves is `Cards` with the bytes one card can give.

A size is nominal, as people say it (a "24 GB" card), never arithmetic: what a process can get is the driver's figure of the
catalogue; a card without a name gives what cards of that size typically give; of unified memory the system keeps its share.
"""

from dataclasses import dataclass
from statistics import median_low

from engine.catalogue import Catalogue, Gpu
from engine.request import Holding

GIB = 2.0**30

# Share of the nominal size a process can get, by nominal GB, where no card of that size is catalogued (data tables, gpus: usable memory).
_SHARES = ((16.0, 0.97), (32.0, 0.98), (48.0, 0.985))
_SHARE_ABOVE = 0.99

# Apple's default share for the GPU: two thirds up to 36 GB, three quarters above (data tables, gpus: unified memory).
_UNIFIED_SMALL = 36.0
_UNIFIED_SHARE_SMALL = 0.667
_UNIFIED_SHARE = 0.75

# A stated size names the same card within this ratio: 15 for a T4, 192 for a B200 of 180.
_SAME_SIZE = (0.9, 1.08)

_CARDS_OF_A_NODE = 8
_SWITCHED_LINK = 4  # more cards than this in one domain means a switch on the board, fewer a bridge that has to be bought


@dataclass(frozen=True, slots=True)
class Cards:
    """Equal cards: `usable` bytes of one before its own context; `gpu` is None where only a size is known."""

    holding: Holding
    gpu: Gpu | None
    count: int
    usable: float
    unified: bool = False
    nvlink: bool | None = None  # None: possible with a bridge, or not known
    nodes: int = 1

    @property
    def shardable(self) -> bool:
        """Whether work can be spread over these cards: unified memory is one device."""
        return self.count > 1 and not self.unified


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything they own or ask about. Without groups there is no GPU; `cpu_ram` in bytes where it was said."""

    groups: tuple[Cards, ...]
    cpu_ram: float | None = None
    ram_only: bool = False  # the only memory they named is CPU RAM

    @property
    def count(self) -> int:
        """Cards in all."""
        return sum(group.count for group in self.groups)

    @property
    def nodes(self) -> int:
        """Machines the cards are spread over."""
        return max((group.nodes for group in self.groups), default=1)

    @property
    def mixed(self) -> bool:
        """Unequal cards together."""
        return len({round(group.usable) for group in self.groups}) > 1 or len({group.gpu.id for group in self.groups if group.gpu}) > 1

    @property
    def total(self) -> float:
        """Usable bytes of all cards, which only sharding can use together."""
        return sum(group.usable * group.count for group in self.groups)

    @property
    def largest(self) -> Cards | None:
        """The group with the largest card."""
        return max(self.groups, key=lambda group: group.usable, default=None)

    @property
    def smallest(self) -> Cards | None:
        """The group whose card limits all others."""
        return min(self.groups, key=lambda group: group.usable, default=None)


def usable_of_size(memory_gb: float, catalogue: Catalogue) -> float:
    """Bytes a process gets of an unnamed card of a nominal size: the middle of the catalogued cards of that size."""
    same = [card.usable for card in catalogue.gpus.values() if not card.unified and card.memory_nominal == memory_gb and card.usable]
    return median_low(same) if same else memory_gb * GIB * _share_of_size(memory_gb)


def _share_of_size(memory_gb: float) -> float:
    return next((share for limit, share in _SHARES if memory_gb <= limit), _SHARE_ABOVE)


def usable_of_unified(memory_gb: float, card: Gpu | None = None) -> float:
    """Bytes the GPU may take of a unified memory; the catalogue's share holds for the largest memory of an Apple chip only."""
    default = _UNIFIED_SHARE_SMALL if memory_gb <= _UNIFIED_SMALL else _UNIFIED_SHARE
    if card is None or card.unified_share is None:
        return memory_gb * GIB * default
    largest = not card.memory_options or memory_gb >= max(card.memory_options)
    return memory_gb * GIB * (card.unified_share if largest or card.vendor != "Apple" else min(card.unified_share, default))


def same_size(memory_gb: float, card: Gpu) -> bool:
    """Whether a stated size is this card's."""
    if card.unified and card.memory_options:
        return any(_near(memory_gb, option) for option in card.memory_options)
    return _near(memory_gb, card.memory_nominal)


def _near(memory_gb: float, nominal: float) -> bool:
    low, high = _SAME_SIZE
    return low * nominal <= memory_gb <= high * nominal


def cards_of(holding: Holding, card: Gpu | None, catalogue: Catalogue) -> Cards | None:
    """The cards of one holding; None where it names no GPU memory (CPU RAM only)."""
    memory_gb = holding.memory_gb
    if holding.kind == "ram" or (card is None and memory_gb is None):
        return None
    unified = card.unified if card else holding.kind == "unified"
    return Cards(
        holding=holding,
        gpu=card,
        count=holding.count or 1,
        usable=_usable(memory_gb, card, unified, catalogue),
        unified=unified,
        nvlink=_nvlink(holding, card),
        nodes=min(holding.nodes or _nodes(holding.count or 1, card), holding.count or 1),
    )


def _usable(memory_gb: float | None, card: Gpu | None, unified: bool, catalogue: Catalogue) -> float:
    if unified and memory_gb is not None:
        return usable_of_unified(memory_gb, card)
    if card is not None:
        return card.usable
    return usable_of_size(memory_gb or 0.0, catalogue)


def _nvlink(holding: Holding, card: Gpu | None) -> bool | None:
    if holding.nvlink is not None:
        return holding.nvlink
    if card is None:
        return None
    if not card.nvlink:
        return False
    return True if card.nvlink_max_cards > _SWITCHED_LINK else None


def _nodes(count: int, card: Gpu | None) -> int:
    """Machines that many cards stand in where nobody said: eight to a machine, or as many as one link domain holds."""
    domain = card.nvlink_max_cards if card else 1
    return -(-count // (domain if domain > 2 * _CARDS_OF_A_NODE else _CARDS_OF_A_NODE))


def cpu_ram_of(holdings: tuple[Holding, ...]) -> float | None:
    """Bytes of CPU memory they named, the largest figure where several were said."""
    said = [one.cpu_ram_gb for one in holdings if one.cpu_ram_gb is not None]
    said += [one.memory_gb for one in holdings if one.kind == "ram" and one.memory_gb is not None]
    return max(said) * GIB if said else None
