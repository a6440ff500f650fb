"""What renting cards costs: enter a card, how many, what must hold; leaves the terms of the cheapest comparable offer.

Comparable are offers of specialists and dedicated servers for the same card, the newest of each provider; marketplaces and
hyperscalers only where nobody else has the card. Never the outlier: what lies far below the middle of the providers is left out; of
two the dearer one is that middle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import median_high

from engine.catalogue import Catalogue, Gpu, Offer
from engine.costs import RentTerms, reserved
from engine.currency import converted
from engine.pricing import Priced, priced
from engine.request import HOURS_PER_MONTH, Currency, Request

KINDS_OF_PROVIDER = (("specialist", "dedicated"), ("marketplace",), ("hyperscaler",))
_NO_OFFER = ("range low", "range high", "median", "average", "superseded", "fraction", "GIX", "compute-screener", "about")
_ANY = "-any"
_ON_DEMAND, _COMMITTED = "on-demand", ("reserved", "monthly")
_CARDS_OF_A_NODE = 8


@dataclass(frozen=True, slots=True)
class Rented:
    """Terms for the whole machine in the currency of the answer, and the offer behind them.

    `spot` is the same machine, interruptible; `term` the cheapest offer for the same cards that is paid around the clock.
    """

    terms: RentTerms
    offer: Offer
    price: Priced
    spot: RentTerms | None = None
    term: "Rented | None" = None


def rented(gpu: Gpu, count: int, request: Request, catalogue: Catalogue, today: date, currency: Currency) -> Rented | None:
    """The cheapest comparable offer for `count` cards; None where nobody offers the card (or not in the EEA, if it must be)."""
    in_eu = request.constraints is not None and bool(request.constraints.eu_only)
    question = ("rented", gpu.id, count, in_eu, today, currency)
    if question not in catalogue.remembered:
        catalogue.remembered[question] = _rented(gpu, count, in_eu, catalogue, today, currency)
    found: Rented | None = catalogue.remembered[question]
    return found


def _rented(gpu: Gpu, count: int, in_eu: bool, catalogue: Catalogue, today: date, currency: Currency) -> Rented | None:
    known = _dated([offer for name in names_of(gpu) for offer in catalogue.offers_by_card.get(name, ())])
    open_offers = [offer for offer in known if _usable(offer, count, in_eu) and _joined(offer, gpu, count, catalogue)]
    term = _term([offer for offer in open_offers if offer.commitment in _COMMITTED], count, catalogue, today, currency)
    for kinds in KINDS_OF_PROVIDER:
        found = _newest([one for one in open_offers if one.commitment == _ON_DEMAND and one.provider_kind in kinds], catalogue)
        if found:
            best = _terms(_comparable(found, count, catalogue, currency), count, catalogue, today, currency)
            return replace(best, term=term)
    return None


def names_of(gpu: Gpu) -> tuple[str, ...]:
    """How prices name a card: by itself, or with all its variants together (`h100-any`)."""
    return (gpu.id, gpu.id.split("-")[0] + _ANY) if "-" in gpu.id else (gpu.id,)


def _dated(offers: Sequence[Offer]) -> list[Offer]:
    """Without the undated offers of a provider whose prices of this card have dates: they are what it once asked, wherever it was."""
    dated = {offer.provider for offer in offers if offer.date is not None}
    return [offer for offer in offers if offer.date is not None or offer.provider not in dated]


def _usable(offer: Offer, count: int, in_eu: bool) -> bool:
    """An offer one can take: not known to be sold out, no average of others, in the EEA where it must be; of many cards whole nodes."""
    averaged = any(word in offer.tier for word in _NO_OFFER)
    joined = count <= _CARDS_OF_A_NODE or offer.count >= _CARDS_OF_A_NODE or offer.provider_kind == "hyperscaler"
    return offer.available is not False and not averaged and joined and (offer.eu is True or not in_eu)


def _joined(offer: Offer, gpu: Gpu, count: int, catalogue: Catalogue) -> bool:
    """Whether so many cards of the offer can stand in one machine: of consumer cards no more than one builds, unless it says more."""
    return not gpu.geforce_licence or count <= max(offer.count, catalogue.figure("consumer_cards_max").low)


def _newest(offers: Sequence[Offer], catalogue: Catalogue) -> list[Offer]:
    """The newest offer of each provider and size, of those not much older than the newest of all: today has no say in the choice."""
    limit = catalogue.figure("price_dated_days").typical
    last = max((offer.date for offer in offers if offer.date is not None), default=None)
    current = [offer for offer in offers if last is None or (offer.date is not None and (last - offer.date).days <= limit)]
    newest: dict[tuple[str, int], Offer] = {}
    for offer in sorted(current, key=lambda one: one.date or date.min):
        newest[offer.provider, offer.count] = offer
    return list(newest.values())


def _comparable(offers: Sequence[Offer], count: int, catalogue: Catalogue, currency: Currency) -> Offer:
    """The cheapest for so many cards that is no outlier by the price of a card."""

    def price(offer: Offer, machines: int = 1) -> float:
        return converted(_hourly(offer) * machines, offer.currency, currency, catalogue)

    middle = median_high(min(price(one) / one.count for one in offers if one.provider == name) for name in {one.provider for one in offers})
    least = middle * catalogue.figure("price_outlier_low").typical
    if all(offer.provider_kind == "marketplace" for offer in offers):
        least = middle  # the cheapest there is whoever needs money today
    sound = [offer for offer in offers if price(offer) / offer.count >= least]
    return min(sound, key=lambda offer: (price(offer, _machines(offer, count)), offer.id))


def _hourly(offer: Offer) -> float:
    """Of the whole machine."""
    return offer.per_hour if offer.per_hour is not None else offer.per_gpu_hour * offer.count


def _machines(offer: Offer, count: int) -> int:
    """How often the offer has to be taken: larger machines are paid whole."""
    return -(-count // offer.count)


def _terms(offer: Offer, count: int, catalogue: Catalogue, today: date, currency: Currency) -> Rented:
    """The offer as often as it takes: single cards by the card, larger machines whole."""
    machines = _machines(offer, count)

    def money(amount: float | None) -> float | None:
        return None if amount is None else converted(amount, offer.currency, currency, catalogue) * machines

    hourly = _hourly(offer)
    terms = RentTerms(
        per_hour=money(hourly),
        monthly_cap=money(offer.monthly_cap),
        setup_fee=money(offer.setup_fee) or 0.0,
        billing_step=(offer.billing_step_minutes or 0.0) / 60,
    )
    price = priced(offer.id, hourly, f"{offer.currency}/h", offer.source, offer.date, today, catalogue)
    return Rented(terms, offer, price, _spot(terms, offer, machines, catalogue, currency))


def _spot(terms: RentTerms, offer: Offer, machines: int, catalogue: Catalogue, currency: Currency) -> RentTerms | None:
    """Cheaper and interruptible: restarts and lost work come on top."""
    if offer.spot_per_gpu_hour is None:
        return None
    hourly = converted(offer.spot_per_gpu_hour * offer.count, offer.currency, currency, catalogue) * machines
    return replace(terms, per_hour=hourly, monthly_cap=None, restarts=catalogue.figure("spot_overhead").typical)


def _term(offers: Sequence[Offer], count: int, catalogue: Catalogue, today: date, currency: Currency) -> Rented | None:
    """The cheapest reserved or monthly offer: its hours are paid around the clock, used or not."""
    found = _newest(offers, catalogue)
    if not found:
        return None
    best = min(found, key=lambda one: (converted(_monthly(one), one.currency, currency, catalogue) * _machines(one, count), one.id))
    flat = converted(_monthly(best), best.currency, currency, catalogue) * _machines(best, count)
    fee = converted(best.setup_fee or 0.0, best.currency, currency, catalogue) * _machines(best, count)
    price = priced(best.id, _monthly(best) / HOURS_PER_MONTH, f"{best.currency}/h", best.source, best.date, today, catalogue)
    return Rented(RentTerms(per_month=flat, setup_fee=fee), best, price)


def _monthly(offer: Offer) -> float:
    """Of the whole machine."""
    return offer.per_month if offer.per_month is not None else reserved(_hourly(offer), 0.0).per_month or 0.0
