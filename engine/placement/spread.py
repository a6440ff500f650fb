"""How a step is laid onto cards: what enters are the machine and what was asked, what leaves are the spreads worth trying and verdicts.

Several cards are one only where the work is sharded. Plain data parallel copies the model to each card, so one card must hold it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.catalogue import Architecture
from engine.memory import Setup, peak, setup_of
from engine.memory.calibration import spread as measured_spread
from engine.recommendation import FitVerdict
from engine.request import Method, Request, Sharding
from engine.subject.hardware import Cards, Machine

Answered: TypeAlias = Literal["yes", "tight", "no"]

_NOT_SHARDED = ("gptq4", "awq4", "int8", "fp8")
COPIES: tuple[Sharding, ...] = ("none", "ddp")  # each card holds everything
_RANK: dict[FitVerdict, int] = {"yes": 0, "tight": 1, "no": 2, "unknown": 3}


@dataclass(frozen=True, slots=True)
class Spread:
    """`gpus` cards of which each gives `usable` bytes, and how the step is sharded over them."""

    cards: Cards
    gpus: int
    sharding: Sharding
    usable: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One spread tried: what one card needs [byte] and what that means."""

    spread: Spread
    setup: Setup
    assumed: Mapping[str, Any]
    needed: float
    verdict: Answered


def spreads(machine: Machine, request: Request, architecture: Architecture, method: Method) -> tuple[Spread, ...]:
    """The spreads to try, the plainest first: one card, then sharded over each kind of card, then over all."""
    said = request.training.sharding if request.training else None
    if said in COPIES:
        return _copied(machine, said)
    single = _single(machine) if said is None or machine.count == 1 else ()
    return single + _sharded(machine, request, architecture, method) or _single(machine)


def _single(machine: Machine) -> tuple[Spread, ...]:
    best = machine.largest
    return (Spread(best, 1, "none", best.usable),) if best else ()


def _copied(machine: Machine, said: Sharding) -> tuple[Spread, ...]:
    """Plain data parallel, by the group it runs on; over unequal cards the smallest sets the limit, so the largest alone comes first."""
    groups = sorted(machine.groups, key=lambda group: -group.usable)
    return tuple(Spread(group, group.count, said if group.count > 1 else "none", group.usable) for group in groups)


def _sharded(machine: Machine, request: Request, architecture: Architecture, method: Method) -> tuple[Spread, ...]:
    teams = [(group, group.count) for group in machine.groups if group.shardable]
    discrete = [group for group in machine.groups if not group.unified]
    if len(discrete) > 1:
        teams.append((min(discrete, key=lambda group: group.usable), sum(group.count for group in discrete)))
    made = (spread for cards, count in teams for spread in _team(cards, count, request, architecture, method))
    return tuple(spread for spread in made if spread.gpus > 1)


def _team(cards: Cards, count: int, request: Request, architecture: Architecture, method: Method) -> Iterator[Spread]:
    """Equal cards as one; what tensor parallel cannot use of them layers can be laid out over (llama.cpp)."""
    said = request.training.sharding if request.training else None
    sharding = said or default_sharding(method, request)
    ways = tensor_ways(architecture, count) if sharding == "tensor" else count
    yield Spread(cards, ways, sharding, cards.usable)
    if ways < count and said is None:
        yield Spread(cards, count, "pipeline", cards.usable)


def default_sharding(method: Method, request: Request) -> Sharding:
    """What spreads a method over cards where nobody chose.

    To serve: tensor parallel. To train: FSDP (ZeRO-3 alike); it can shard a 4-bit bitsandbytes base, but no int8, fp8, GPTQ or AWQ
    base, which is laid out layer by layer over the cards instead. Source key: fsdp-qlora.
    """
    if method in ("serve", "rag"):
        return "tensor"
    quantization = request.training.quantization if request.training else None
    return "pipeline" if method == "lora8" or (method == "qlora" and quantization in _NOT_SHARDED) else "fsdp"


def tensor_ways(architecture: Architecture, count: int) -> int:
    """The most cards up to `count` that attention heads divide over evenly; heads that are only guessed do."""
    if architecture.estimated:
        return count
    return next(ways for ways in range(min(count, architecture.heads), 0, -1) if architecture.heads % ways == 0)


def trial(request: Request, architecture: Architecture, method: Method, spread: Spread) -> Trial:
    """Try one spread."""
    setup, assumed = setup_of(request, architecture, method, spread.gpus, spread.sharding)
    needed = peak(architecture, setup)
    return Trial(spread, setup, assumed, needed, verdict_of(architecture, setup, needed, spread.usable))


def verdict_of(architecture: Architecture, setup: Setup, needed: float, usable: float) -> Answered:
    """no when expected > usable, tight when the high end of the range > usable, yes otherwise."""
    if needed > usable:
        return "no"
    _, high = measured_spread(architecture, setup)
    return "tight" if needed * high > usable else "yes"


def best_trial(request: Request, architecture: Architecture, method: Method, options: tuple[Spread, ...]) -> Trial:
    """The plainest spread that holds it; where none does, the one that comes closest. `options` is not empty."""
    tried = []
    for spread in options:
        one = trial(request, architecture, method, spread)
        tried.append(one)
        if one.verdict != "no" and spread.sharding in COPIES:
            return one
    return min(tried, key=lambda one: (_RANK[one.verdict], one.needed / max(one.spread.usable, 1.0)))
