"""The break-even and the verdict as the answer shows them: enter the weighed sides, leaves an `Acquisition` in quantities."""

from engine.break_even import BreakEven, full, price_only, with_energy, with_idle_always
from engine.costs import Own, RentTerms, cumulated, discount, own_flows, rent_flows, rent_of_month, running_of_month
from engine.recommendation import Acquisition, Month, Sensitivity, Variant
from engine.request import Currency
from engine.sensitivity import Spreads, sensitivity
from engine.units import Quantity, quantity
from engine.weighing import Limits, Outcome, Sides, outcome

_LONGEST = 240  # months, the longest horizon that can be asked about


def acquisition_of(sides: Sides, limits: Limits, spreads: Spreads, currency: Currency) -> Acquisition:
    """Verdict, the three break-evens with what is in them, the curve and what moves it."""
    found = outcome(sides, limits)
    variants = (
        _variant("price_only", price_only(sides.own, sides.terms), ("purchase", "rent")),
        _variant("with_energy", with_energy(sides.own, sides.terms, sides.work.months), _energy(sides.own)),
        _variant("full", full(sides.own, sides.terms, sides.work), _everything(sides)),
    )
    return _built(found, variants, sides, spreads, currency)


def asked_back(currency: Currency, hours: Quantity | None = None) -> Acquisition:
    """No verdict and no break-even while something that decides the money is being asked back."""
    names = ("price_only", "with_energy", "full")
    variants = tuple(Variant(id=name, break_even=None, why_null="asked_back") for name in names)  # type: ignore[arg-type]  # the three ids
    return Acquisition(None, None, None, variants, (), (), hours=hours, currency=currency)


def _built(found: Outcome, variants: tuple[Variant, ...], sides: Sides, spreads: Spreads, currency: Currency) -> Acquisition:
    headline = variants[-1].break_even
    moved = sensitivity(sides.own, sides.terms, sides.work, spreads) if sides.own is not None and sides.terms is not None else ()
    return Acquisition(
        verdict=found.verdict,
        break_even=headline,
        break_even_per_month=None if headline is None else quantity(headline.magnitude / sides.work.months, "hour/month"),
        variants=variants,
        curve=_curve(sides, currency) if sides.known else (),
        sensitivity=tuple(Sensitivity(name, _hours(low), _hours(high)) for name, low, high in moved),
        hours=quantity(sides.work.total, "hour") if sides.known else None,
        currency=currency,
        near_break_even=found.near,
        over_budget=found.over,
        paid_back=paid_back(sides) if sides.known else None,
        with_idle_always=_hours(with_idle_always(sides.own, sides.terms, sides.work.months)),
    )


def paid_back(sides: Sides) -> int | None:
    """The first month at whose end owning has cost no more than renting at these hours; None within twenty years."""
    if sides.own is None or sides.terms is None:
        return None
    work, gap = sides.work, sides.own.purchase - sides.terms.setup_fee
    first, later = (
        running_of_month(sides.own, work.hours(month)) - rent_of_month(sides.terms, work.hours(month) / work.speed_ratio)
        for month in (1, 2)
    )
    for month in range(1, _LONGEST + 1):
        gap += (first if month == 1 else later) * discount(work.discount_rate, month)
        if gap <= 0:
            return month
    return None


def _curve(sides: Sides, currency: Currency) -> tuple[Month, ...]:
    """Both sides cumulated to the end of each month, discounted as the verdict sees them."""
    work = sides.work
    own = None if sides.own is None else cumulated(own_flows(sides.own, work), work.discount_rate)
    rent = None if sides.terms is None else cumulated(rent_flows(sides.terms, work), work.discount_rate)
    if own is None and rent is None:
        return ()
    return tuple(
        Month(month + 1, None if own is None else quantity(own[month], currency), None if rent is None else quantity(rent[month], currency))
        for month in range(work.months)
    )


def _hours(value: float | None) -> Quantity | None:
    return None if value is None else quantity(value, "hour")


def _variant(name: str, found: BreakEven, contains: tuple[str, ...]) -> Variant:
    return Variant(id=name, break_even=_hours(found.hours), why_null=found.why_null, contains=contains)  # type: ignore[arg-type]  # the three ids


def _energy(own: Own | None) -> tuple[str, ...]:
    """Load and idle are named only where they cost something."""
    rates = () if own is None else (("energy_load", own.load_rate), ("energy_idle", own.idle_rate))
    return ("purchase", "rent", *(name for name, rate in rates if rate > 0))


def _everything(sides: Sides) -> tuple[str, ...]:
    """What of the two sides is not zero."""
    own, terms, work = sides.own, sides.terms, sides.work
    parts: dict[str, object] = {}
    if own is not None:
        parts |= {"maintenance": own.maintenance_share, "admin": own.admin, "colocation": own.colocation, "resale": own.resale_share}
    if terms is not None:
        parts |= _of_rent(terms)
    parts |= {"discount": work.discount_rate, "speed_ratio": work.speed_ratio != 1}
    return (*_energy(own), *(name for name, present in parts.items() if present))


def _of_rent(terms: RentTerms) -> dict[str, object]:
    return {
        "monthly_cap": terms.monthly_cap,
        "setup_fee": terms.setup_fee,
        "billing_step": terms.billing_step,
        "minimum": terms.minimum,
        "overhead": terms.overhead or terms.restarts,
        "storage": terms.storage,
    }
