"""Which cards come first, to buy and to rent: enter priced options and the hours, leave them in order, best first.

Bought is what costs least over the horizon; a machine that serves by memory per euro among those that cost about as little: it will
do more than the task at hand. Rented is what costs least for the same work, the bought card itself if it is about as good, a small
card for a small job if it is comparable.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.buying import Bought
from engine.catalogue import Catalogue, Gpu
from engine.costs import Own, Workload, own_total, rent_total
from engine.placement import Candidate
from engine.renting import Rented
from engine.request import HOURS_PER_MONTH

_AS_GOOD = 1.1  # the bought card is rented too if the best value is not a tenth better
_GB = 1e9
SMALL, FEWER = "small-peft-small-card", "fewer-cards"  # why a machine to rent comes before a cheaper one


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
    def without_bf16(self) -> bool:
        """Older than Ampere: fp16 only, which overflows where most recipes expect bf16."""
        return self.candidate.gpu.bf16_support != "y"

    @property
    def used(self) -> bool:
        """Sold used: no guarantee."""
        return self.bought is not None and self.bought.used

    @property
    def rent_of_work(self) -> float:
        """Rent for one unit of work."""
        return self.rented.terms.hourly / self.speed if self.rented else 0.0

    @property
    def gigabytes(self) -> float:
        """Usable memory of all cards."""
        return self.candidate.gpu.usable * self.candidate.count / _GB

    def cost_of_owning(self, work: Workload) -> float:
        """Money over the horizon."""
        return 0.0 if self.bought is None else own_total(self.bought.own, work)


_Costed: TypeAlias = tuple[Option, Rented, float]  # with its offer and its cost at the hours asked about
Choice: TypeAlias = tuple[Option, Rented, str | None]  # with its offer and why it comes before a cheaper one


def by_cost(options: Sequence[Option], work: Workload) -> list[Option]:
    """What can be bought: what holds it with room before what is tight, new before used, then by the cost of owning it."""
    sold = (one for one in options if one.bought)
    return sorted(sold, key=lambda one: (one.tight, one.used, one.cost_of_owning(work), one.candidate.gpu.id))


def by_memory(buys: Sequence[Option], work: Workload, rent: float | None, catalogue: Catalogue) -> Option | None:
    """Of what costs about as little to own as the first, the one with the most memory per euro.

    None where it costs more than renting and the first does not: the verdict stays the money's.
    """
    if not buys:
        return None
    least = buys[0].cost_of_owning(work)
    most = least * (1 + catalogue.figure("about_as_cheap").typical)
    alike = [one for one in buys if (one.tight, one.used) == (buys[0].tight, buys[0].used) and one.cost_of_owning(work) <= most]
    best = min(alike, key=lambda one: (price_of_memory(one, work), one.candidate.gpu.id))
    turns = rent is not None and least <= rent < best.cost_of_owning(work)
    return None if turns else best


def price_of_memory(one: Option, work: Workload) -> float:
    """Money for a usable GB of the cards: the machine, and what it draws idle over the horizon."""
    own: Own | None = one.bought.own if one.bought else None
    return 0.0 if own is None else (own.purchase + own.idle_rate * HOURS_PER_MONTH * work.months) / one.gigabytes


def by_rent(
    rents: Sequence[Option],
    work: Workload,
    reference: float,
    card: Gpu | None,
    catalogue: Catalogue,
    small_job: bool = False,
    owning: float | None = None,
) -> list[Choice]:
    """The cheapest at these hours first; before it fewer cards that cost little more, and before them the `card` that would be bought,
    if about as good: the break-even compares like with like.

    small_job: first of all a small card, if one costs about as little; a large one would mostly wait. `owning`: what owning costs.
    """
    ordered = _by_rent(rents, work, reference)
    if not ordered:
        return []
    best, _, least = ordered[0]
    most = least * (1 + catalogue.figure("about_as_cheap").typical)
    small = [entry for entry in ordered if is_small(entry[0], catalogue) and entry[0].tight == best.tight and entry[2] <= most]
    fewer = _fewer_cards(ordered, owning, catalogue)
    enough = min((entry[0].candidate.count for entry in fewer), default=best.candidate.count)
    like = [entry for entry in ordered if entry[0].candidate.gpu is card and entry[2] <= least * _AS_GOOD]
    like = [entry for entry in like if entry[0].candidate.count <= enough]
    chosen: dict[str, Choice] = {}
    for why, entries in ((SMALL, small[:1] if small_job else []), (FEWER, like or fewer), (None, ordered)):
        for one, found, _ in entries:
            reason = None if why == FEWER and one.candidate.count >= best.candidate.count else why
            chosen.setdefault(one.candidate.gpu.id, (one, found, reason))
    return list(chosen.values())


def _fewer_cards(ordered: Sequence[_Costed], owning: float | None, catalogue: Catalogue) -> list[_Costed]:
    """The machine of fewest cards among those that cost little more than the first: fewer to find in one place, to shard over and to lose.

    None where it would cost more than owning and the first does not: the verdict stays the money's.
    """
    best, _, least = ordered[0]
    most = least * (1 + catalogue.figure("fewer_cards_worth").typical)
    near = [entry for entry in ordered if (entry[0].without_bf16, entry[0].tight) == (best.without_bf16, best.tight) and entry[2] <= most]
    found = min(near, key=lambda entry: (entry[0].candidate.count, entry[2], entry[0].candidate.gpu.id))
    turns = owning is not None and least <= owning < found[2]
    return [] if turns or found[0].candidate.count == best.candidate.count else [found]


def is_small(one: Option, catalogue: Catalogue) -> bool:
    """One card of the class of T4 and L4: no more power than a slot gives."""
    return one.candidate.count == 1 and 0 < (one.candidate.gpu.power or 0.0) <= catalogue.figure("small_card_power").typical


def _by_rent(rents: Sequence[Option], work: Workload, reference: float) -> list[_Costed]:
    """What can do the work in its month, by its rent; cards without bf16 last, whatever they cost: most recipes expect it."""
    hours = work if work.total else replace(work, once=1.0)
    able = [one for one in rents if (work.training + work.serving) * reference <= HOURS_PER_MONTH * one.speed] or rents
    priced = [(one, *_at_these_hours(one.rented, hours, one.speed / reference)) for one in able if one.rented]
    return sorted(priced, key=lambda entry: (entry[0].without_bf16, entry[0].tight, entry[2], entry[0].candidate.gpu.id))


def _at_these_hours(found: Rented, work: Workload, ratio: float) -> tuple[Rented, float]:
    """The offer and its cost; the term paid around the clock instead, where the same work comes every month and it costs less."""
    cost = rent_total(found.terms, work, ratio)
    if found.term is None or work.once:
        return found, cost
    flat = rent_total(found.term.terms, work, ratio)
    return (found.term, flat) if flat < cost else (found, cost)
