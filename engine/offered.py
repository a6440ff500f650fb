"""What the catalogue would rent or sell for a task: enter model, method, request; leaves ways to rent and to buy, best first.

Cards that hold the task come from the placement. Bought is what costs least; hours are counted on that machine. Rented is what costs
least for the same work, the bought card itself if it is about as good. Which prices are taken does not depend on the day asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from engine.buying import Bought, bought
from engine.catalogue import Architecture, Catalogue, Figure, Gpu
from engine.costs import Workload, own_total, rent_total
from engine.placement import Candidate, candidates
from engine.recommendation import Plan
from engine.renting import KINDS_OF_PROVIDER, Rented, rented
from engine.request import HOURS_PER_MONTH, Currency, Method, Request, Training
from engine.serving import experts_read
from engine.throughput import speed_of, tokens_seen
from engine.throughput.flops import KINDS
from engine.trials import project_factor, project_figures
from engine.units import magnitude
from engine.ways import Way
from engine.weighing import EVERY_WAY
from engine.weighing import Way as Acquired

_MOST_RENTED, _MOST_BOUGHT = 4, 3
_AS_GOOD = 1.1  # the bought card is rented too if the best value is not a tenth better
_SECONDS = 3600.0
_LONG: tuple[Method, ...] = ("pretrain", "continued_pretrain")
_CARDS_OF_A_NODE, _MOST_CARDS = 8, 2048


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate with its speed (tokens a second of the whole machine, or 1 where time counts) and what it costs either way."""

    candidate: Candidate
    speed: float
    rented: Rented | None
    bought: Bought | None

    @property
    def tight(self) -> bool:
        return self.candidate.verdict == "tight"

    @property
    def rent_of_work(self) -> float:
        """Rent for one unit of work."""
        return self.rented.terms.hourly / self.speed if self.rented else 0.0


@dataclass(frozen=True, slots=True)
class Offered:
    """Ways to rent and to buy, best first; the hours of one run on the machine the hours are counted on, and what a project adds."""

    rents: tuple[Way, ...] = ()
    buys: tuple[Way, ...] = ()
    run_hours: float | None = None
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

    wanted: ids of cards in question; what is offered is then on these, where one of them holds the task and has a price.
    """
    found = _options(architecture, method, request, catalogue, today, currency, by_time=work.serving > 0)
    options = [one for one in found if one.candidate.gpu.id in wanted] or _of_one_vendor(found)
    buys = sorted(
        (one for one in options if one.bought), key=lambda one: (one.tight, _used(one), _cost_of_owning(one, work), one.candidate.gpu.id)
    )
    rents = sorted(_of_one_kind(options), key=lambda one: (one.tight, one.rent_of_work, one.candidate.gpu.id))
    rents, buys = rents if "rent" in allowed else [], buys if "buy" in allowed else []
    if not rents and not buys:
        return Offered()
    reference = (buys or rents)[0].speed
    timed = method in KINDS and request.stage != "rl" and not work.serving
    tokens = tokens_seen(architecture, method, request.dataset, request.stage, catalogue) if timed else None
    best = _best_first(rents, work, reference, buys[0].candidate.gpu if buys else None)
    return Offered(
        rents=tuple(_rent(one, found, method, reference) for one, found in best[:_MOST_RENTED]),
        buys=tuple(_buy(one, one.bought, method) for one in buys[:_MOST_BOUGHT] if one.bought),
        run_hours=None if tokens is None else tokens.seen / reference / _SECONDS,
        project_factor=project_factor(method, catalogue),
        project_figures=project_figures(method, catalogue),
    )


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


def _cost_of_owning(one: Option, work: Workload) -> float:
    return 0.0 if one.bought is None else own_total(one.bought.own, work)


def _used(one: Option) -> bool:
    return one.bought is not None and one.bought.used


def _best_first(rents: Sequence[Option], work: Workload, reference: float, bought_card: Gpu | None) -> list[tuple[Option, Rented]]:
    """The cheapest at these hours first; before it the bought card itself, if about as good: the break-even compares like with like."""
    hours = work if work.total else replace(work, once=1.0)
    able = [one for one in rents if (work.training + work.serving) * reference <= HOURS_PER_MONTH * one.speed] or rents
    priced = [(one, *_at_these_hours(one.rented, hours, one.speed / reference)) for one in able if one.rented]
    ordered = sorted(priced, key=lambda entry: (entry[0].tight, entry[2], entry[0].candidate.gpu.id))
    most = ordered[0][2] * _AS_GOOD if ordered else 0.0
    like = [entry for entry in ordered if entry[0].candidate.gpu is bought_card and entry[2] <= most]
    return [(one, found) for one, found, _ in (*like, *(entry for entry in ordered if entry not in like))]


def _at_these_hours(found: Rented, work: Workload, ratio: float) -> tuple[Rented, float]:
    """The offer and its cost; the term paid around the clock instead, where the same work comes every month and it costs less."""
    cost = rent_total(found.terms, work, ratio)
    if found.term is None or work.once:
        return found, cost
    flat = rent_total(found.term.terms, work, ratio)
    return (found.term, flat) if flat < cost else (found, cost)


def _plan(one: Option, method: Method, acquisition: str, provider: str | None) -> Plan:
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
        details={"needed": candidate.needed, "usable": candidate.usable, "nodes": candidate.nodes},
    )


def _rent(one: Option, found: Rented, method: Method, reference: float) -> Way:
    return Way(
        _plan(one, method, "rent", found.offer.provider),
        terms=found.terms,
        speed_ratio=one.speed / reference,
        spread=(found.price.low, found.price.high),
        figures=(found.price.figure,),
        spot=None if method not in KINDS else found.spot,
    )


def _buy(one: Option, found: Bought, method: Method) -> Way:
    return Way(_plan(one, method, "buy", None), own=found.own, spread=(found.low, found.high), figures=found.figures)
