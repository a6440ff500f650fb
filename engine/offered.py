"""What the catalogue would rent or sell for a task: enter model, method, request; leaves ways to rent and to buy, best first.

Cards that hold the task come from the placement, their order from `engine.ranking`; hours are counted on the first machine to buy.
Which prices are taken does not depend on the day asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from engine.buying import Bought, bought
from engine.catalogue import Architecture, Catalogue, Figure, Gpu
from engine.costs import Workload, rent_total
from engine.placement import Candidate, candidates
from engine.ranking import Option, by_cost, by_memory, by_rent, price_of_memory
from engine.recommendation import Plan
from engine.renting import KINDS_OF_PROVIDER, Rented, rented
from engine.request import Currency, Method, Request, Training
from engine.serving import experts_read
from engine.throughput import speed_of, tokens_seen
from engine.throughput.flops import KINDS
from engine.trials import project_factor, project_figures
from engine.units import magnitude
from engine.ways import Way
from engine.weighing import EVERY_WAY
from engine.weighing import Way as Acquired

_MOST_RENTED, _MOST_BOUGHT = 4, 3
_MEMORY = "memory-per-euro"  # why a machine to buy comes before a cheaper one
_SECONDS = 3600.0
_WATTS = 1000.0
_LONG: tuple[Method, ...] = ("pretrain", "continued_pretrain")
_ADAPTERS: tuple[Method, ...] = ("lora", "qlora", "lora8")
_CARDS_OF_A_NODE, _MOST_CARDS = 8, 2048


@dataclass(frozen=True, slots=True)
class Offered:
    """Ways to rent and to buy, best first; the hours of one run on the machine the hours are counted on, and what a project adds."""

    rents: tuple[Way, ...] = ()
    buys: tuple[Way, ...] = ()
    run_hours: float | None = None
    reference: float | None = None  # tokens a second of the machine the hours are counted on; None where hours are by the clock
    project_factor: float = 1.0  # hours with trial and failed runs over those of one run
    project_figures: tuple[Figure, ...] = ()


def offered(
    architecture: Architecture,
    method: Method,
    request: Request,
    catalogue: Catalogue,
    today: date,
    currency: Currency,
    work: Workload,
    allowed: frozenset[Acquired] = EVERY_WAY,
    wanted: frozenset[str] = frozenset(),
) -> Offered:
    """Ways for a method on a model, of those allowed; empty where no card of the catalogue holds it or has a price.

    wanted: ids of cards in question; what is offered is then on these, where one of them holds the task and has a price; for a way
    they do not offer, on cards of the same chip.
    """
    found = _options(architecture, method, request, catalogue, today, currency, by_time=work.serving > 0)
    options = _in_question(found, wanted) or _of_one_vendor(found)
    buys = by_cost(options, work)
    rents = sorted(_of_one_kind(options), key=lambda one: (one.without_bf16, one.tight, one.rent_of_work, one.candidate.gpu.id))
    rents, buys = rents if "rent" in allowed else [], buys if "buy" in allowed else []
    if not rents and not buys:
        return Offered()
    serves = (work.serving or method not in KINDS) and not request.budget
    owning = buys[0].cost_of_owning(work) if buys else None
    favourite = by_memory(buys, work, _least_rent(rents, work, owning, catalogue), catalogue) if serves else None
    buys = sorted(buys, key=lambda one: one is not favourite)
    reference = (buys or rents)[0].speed
    run = None if work.serving else _run_hours(architecture, method, request, reference, catalogue)
    hours = work.hours(1) or (run or 0.0) * project_factor(method, catalogue)
    small = not work.serving and _is_small_job(architecture, method, hours, catalogue)
    best = by_rent(rents, work, reference, buys[0].candidate.gpu if buys else None, catalogue, small, owning)
    return Offered(
        rents=tuple(_rent(*one, method, reference) for one in best[:_MOST_RENTED]),
        buys=tuple(_buy(one, one.bought, method, work if one is favourite else None) for one in buys[:_MOST_BOUGHT] if one.bought),
        run_hours=run,
        reference=reference if method in KINDS and not work.serving else None,
        project_factor=project_factor(method, catalogue),
        project_figures=project_figures(method, catalogue),
    )


def _run_hours(architecture: Architecture, method: Method, request: Request, speed: float, catalogue: Catalogue) -> float | None:
    """Hours of one run at so many tokens a second; None where nothing is trained, rollouts decide or no data was named."""
    if method not in KINDS or request.stage == "rl":
        return None
    tokens = tokens_seen(architecture, method, request.dataset, request.stage, catalogue)
    return None if tokens is None else tokens.seen / speed / _SECONDS


def _least_rent(rents: Sequence[Option], work: Workload, owning: float | None, catalogue: Catalogue) -> float | None:
    """What renting costs over the horizon where time counts and all are as fast; None without an offer."""
    first = next(iter(by_rent(rents, work, 1.0, None, catalogue, owning=owning)), None)
    return None if first is None else rent_total(first[1].terms, work, 1.0)


def _is_small_job(architecture: Architecture, method: Method, hours: float, catalogue: Catalogue) -> bool:
    """Adapters for a small model, and few hours in the month that has most."""
    small = architecture.parameters <= magnitude(catalogue.figure("small_job_model").quantity, "parameter")
    return method in _ADAPTERS and small and 0 < hours <= catalogue.figure("small_job_hours").typical


def _options(
    architecture: Architecture, method: Method, request: Request, catalogue: Catalogue, today: date, currency: Currency, by_time: bool
) -> Sequence[Option]:
    """Hours of serving are hours by the clock: there a faster machine takes no fewer, and all count alike."""
    found = []
    for smallest in candidates(architecture, method, request, catalogue):
        one = _in_time(smallest, architecture, method, request, catalogue) if method in _LONG else smallest
        rent = rented(one.gpu, one.count, request, catalogue, today, currency)
        buy = bought(one.gpu, one.count, request, catalogue, today, currency)
        speed = _speed(architecture, method, one, request, catalogue) if rent or buy else None
        if speed:
            found.append(Option(one, 1.0 if by_time or method not in KINDS else speed, rent, buy))
    if method in KINDS:
        return found
    return [option for option in found if _serves(option.candidate, architecture, request, catalogue)] or found


def _in_time(one: Candidate, architecture: Architecture, method: Method, request: Request, catalogue: Catalogue) -> Candidate:
    """More machines of the kind, until the run ends in reasonable time; the work, and what it costs by the hour, stays the same."""
    tokens = tokens_seen(architecture, method, request.dataset, request.stage, catalogue)
    limit = magnitude(catalogue.figure("slow_run").quantity, "second")
    while tokens is not None and 1 < one.count < _MOST_CARDS:
        speed = _speed(architecture, method, one, request, catalogue)
        if speed is None or tokens.seen / speed <= limit:
            break
        one = replace(one, count=2 * one.count, nodes=2 * one.nodes if one.count >= _CARDS_OF_A_NODE else one.nodes)
    return one


def _serves(one: Candidate, architecture: Architecture, request: Request, catalogue: Catalogue) -> bool:
    """Whether each user is served about as fast as one reads: bandwidth over what a card holds, of a mixture what it reads."""
    users = (request.serving.users if request.serving else None) or 1
    read = one.needed * experts_read(architecture, users)
    rate = (one.gpu.bandwidth or 0.0) * catalogue.figure("decode_bandwidth_share").typical / read
    return rate >= catalogue.figure("serving_least_speed").typical


def _speed(architecture: Architecture, method: Method, one: Candidate, request: Request, catalogue: Catalogue) -> float | None:
    """Tokens a second of the machine; None for a card whose speed is not known, of a server its bandwidth."""
    if method not in KINDS:
        return one.gpu.bandwidth
    found = speed_of(
        architecture, method, one.gpu, one.count, request.training or Training(), catalogue, stage=request.stage, sharding=one.sharding
    )
    return None if found is None else found.typical * one.count


def _in_question(options: Sequence[Option], wanted: frozenset[str]) -> list[Option]:
    """On the cards in question; for a way that none of them offers, on those of the same chip and memory: a module is rented, and what
    can be bought singly is the same chip on a card. What is rented nowhere, such as a Mac, is compared with whatever is."""
    named = [one for one in options if one.candidate.gpu.id in wanted]
    chips = {chip_of(one.candidate.gpu) for one in named}
    alike = [one for one in options if one not in named and chip_of(one.candidate.gpu) in chips]
    others = [one for one in alike if one.rented] or (_of_one_vendor(options) if named else [])
    rents = [] if any(one.rented for one in named) else [replace(one, bought=None) for one in others if one.rented]
    buys = [] if any(one.bought for one in named) else [replace(one, rented=None) for one in alike if one.bought]
    return [*named, *rents, *buys]


def chip_of(gpu: Gpu) -> tuple[str, str, float]:
    """What cards of one kind share, whatever they are mounted on: the chip and its memory."""
    return gpu.vendor, gpu.architecture, gpu.memory_nominal


def _of_one_vendor(options: Sequence[Option]) -> Sequence[Option]:
    """NVIDIA where it has anything: the methods and speeds are best known there."""
    return [one for one in options if one.candidate.gpu.vendor == "NVIDIA"] or options


def _of_one_kind(options: Sequence[Option]) -> Sequence[Option]:
    """Like with like: specialists; marketplaces only where no specialist has a card for it, hyperscalers last."""
    for kinds in KINDS_OF_PROVIDER:
        found = [one for one in options if one.rented and one.rented.offer.provider_kind in kinds]
        if found:
            return found
    return ()


def _plan(one: Option, method: Method, acquisition: str, provider: str | None, chosen: Mapping[str, object]) -> Plan:
    candidate = one.candidate
    return Plan(
        acquisition,  # type: ignore[arg-type]  # rent or buy
        method,
        candidate.gpu,
        candidate.count,
        candidate.sharding,
        provider,
        None,
        None,
        fit=candidate.verdict,
        details={"needed": candidate.needed, "usable": candidate.usable, "nodes": candidate.nodes, **chosen},
    )


def _rent(one: Option, found: Rented, why: str | None, method: Method, reference: float) -> Way:
    """A way to rent; `offered_together`: the offer is of machines with so many cards, fewer than are needed, taken several times."""
    chosen: dict[str, object] = {"favourite": why} if why else {}
    if found.offer.count < one.candidate.count:
        chosen["offered_together"] = found.offer.count
    return Way(
        _plan(one, method, "rent", found.offer.provider, chosen),
        terms=found.terms,
        speed_ratio=one.speed / reference,
        spread=(found.price.low, found.price.high),
        figures=(found.price.figure,),
        spot=None if method not in KINDS else found.spot,
    )


def _buy(one: Option, found: Bought, method: Method, served: Workload | None) -> Way:
    """A way to buy; where its memory decided (`served`: the hours), with what that costs and what it draws idle."""
    chosen: dict[str, object] = {}
    if served is not None:
        chosen = {"favourite": _MEMORY, "price_of_memory": price_of_memory(one, served), "idle": found.own.idle * _WATTS}
    return Way(_plan(one, method, "buy", None, chosen), own=found.own, spread=(found.low, found.high), figures=found.figures)
