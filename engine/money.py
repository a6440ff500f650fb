"""The money of a request: enters the Request and what the catalogue would cost, leaves verdict, plans and what must be asked back.

The user's quotes win: a side they quote is taken from the quotes alone; a side they do not quote comes from the catalogue
(`offered`), where a model gave one, run as the quotes say. Amounts become one currency and net here, once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import asking
from engine.acquisition import acquisition_of, asked_back
from engine.break_even import full
from engine.catalogue import Catalogue, Figure
from engine.costs import Own, Workload
from engine.currency import converted, rates_used
from engine.drawing import usual_server
from engine.nearest import nearest
from engine.offered import Offered
from engine.quotes import Tax, Terms, answer_currency, currency_of, hours_known, quoted_own, quoted_rent, with_quotes, workload_of
from engine.recommendation import Acquisition, Plan, Question
from engine.request import Currency, Quotes, Request
from engine.sensitivity import spreads
from engine.units import CURRENCIES, quantity
from engine.ways import Way, planned, quoted
from engine.weighing import EVERY_WAY, Limits, Sides, outcome
from engine.weighing import Way as Acquired


@dataclass(frozen=True, slots=True)
class Money:
    """What the money stage hands on."""

    acquisition: Acquisition
    plans: tuple[Plan, ...] = ()
    questions: tuple[Question, ...] = ()
    figures: tuple[Figure, ...] = ()
    assumed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """One reading of the request: every way there is, best first within renting and buying, the two sides, the limits."""

    tax: Tax
    rents: tuple[Way, ...]
    buys: tuple[Way, ...]
    sides: Sides
    limits: Limits


def money_of(
    request: Request,
    catalogue: Catalogue,
    allowed: frozenset[Acquired] = EVERY_WAY,
    offered: Offered | None = None,
    owned: Way | None = None,
    running: Own | None = None,
) -> Money:
    """Verdict, break-evens and plans. `request` as it was asked; `owned` is the hardware they have, where it holds the task;
    `running` what the machine of a quoted purchase draws, where that is known (`engine.drawing`)."""
    quotes, currency = request.quotes or Quotes(), answer_currency(request)
    open_questions = asking.unusable(request)
    if open_questions:
        return Money(asked_back(currency), questions=open_questions)
    offers = offered or Offered()
    readings = [(tax, one) for tax in asking.taxes(quotes) for one in asking.budgets_read(request)]
    cases = [_case(tax, one, quotes, catalogue, allowed, offers, running) for tax, one in readings]
    verdicts = [(case.tax, outcome(case.sides, case.limits).verdict) for case in cases]
    use_owned = _as_quoted(owned, quotes, _terms(request, catalogue)) if quotes.purchase is None else None
    if len({verdict for _, verdict in verdicts}) > 1 and use_owned is None:
        return Money(asked_back(currency), questions=asking.deciding(request, verdicts))
    money_only = request.quotes is not None and not (request.models or request.hardware)
    first = cases[0] if use_owned is None else replace(cases[0], rents=_beside_theirs(cases[0].rents, use_owned, request, offers))
    found = _found(first, use_owned, catalogue, currency, money_only)
    return replace(
        found,
        figures=(*found.figures, *_figures(request, catalogue, currency, found.figures)),
        assumed={**_assumed(request, quotes, cases[0].sides.work, offers), **_drawn(quotes, running)},
    )


def limits_of(request: Request, catalogue: Catalogue, allowed: frozenset[Acquired]) -> Limits:
    """The budgets and the ways open; who may not use the cloud cannot rent."""
    no_cloud = request.constraints is not None and bool(request.constraints.no_cloud)
    currency = answer_currency(request)
    return Limits(
        allowed=allowed - {"rent"} if no_cloud else allowed,
        budgets=request.budget or (),
        tolerance=catalogue.figure("budget_about").typical,
        near=catalogue.figure("near_break_even").typical,
        convert=lambda amount, source: converted(amount, source, currency, catalogue),
    )


def _case(
    tax: Tax, request: Request, quotes: Quotes, catalogue: Catalogue, allowed: frozenset[Acquired], offers: Offered, running: Own | None
) -> Case:
    """Quoted sides where quoted, else the catalogue's, run as the quotes say."""
    terms = _terms(request, catalogue)
    own, rent = quoted_own(quotes, terms, tax, running), quoted_rent(quotes.rent, terms)
    given = {way.plan.acquisition: (way,) for way in quoted(own, rent, quotes.speed_ratio or 1.0)}
    rents = given.get("rent") or _compared(offers.rents, quotes, own is not None)
    buys = given.get("buy") or tuple(way for one in offers.buys if (way := _as_quoted(one, quotes, terms)))
    work, known = _work(request, offers)
    sides = Sides(
        own=buys[0].own if buys else None,
        terms=rents[0].terms if rents else None,
        work=replace(work, speed_ratio=rents[0].speed_ratio if rents else 1.0),
        known=known,
        quoted=frozenset(given),
    )
    return Case(tax, rents, buys, sides, limits_of(request, catalogue, allowed))


def _as_quoted(way: Way | None, quotes: Quotes, terms: Terms) -> Way | None:
    """A way of the catalogue, run as the quotes say."""
    return way if way is None or way.own is None else replace(way, own=with_quotes(way.own, quotes, terms))


def _compared(rents: tuple[Way, ...], quotes: Quotes, own_quoted: bool) -> tuple[Way, ...]:
    """Speed ratios to the machine the hours are counted on: as said; to a quoted machine of unknown speed the best way counts as equal."""
    if not rents or not (own_quoted or quotes.speed_ratio):
        return rents
    base = rents[0].speed_ratio / (quotes.speed_ratio or 1.0)
    return tuple(replace(way, speed_ratio=way.speed_ratio / base) for way in rents)


def _beside_theirs(rents: tuple[Way, ...], owned: Way, request: Request, offers: Offered) -> tuple[Way, ...]:
    """Hours they said are hours of what they own: four cards do in one hour what one rented card does in four."""
    said = request.quotes is not None and (request.quotes.rent is not None or request.quotes.speed_ratio is not None)
    if said or not hours_known(request) or offers.reference is None or owned.speed is None:
        return rents
    return tuple(replace(way, speed_ratio=way.speed_ratio * offers.reference / owned.speed) for way in rents)


def _work(request: Request, offers: Offered) -> tuple[Workload, bool]:
    """The hours as said; else those of one run with the trials and what fails on the way, where the data are known."""
    work = workload_of(request)
    if hours_known(request) or offers.run_hours is None:
        return work, hours_known(request)
    return replace(work, once=offers.run_hours * offers.project_factor), True


def _terms(request: Request, catalogue: Catalogue) -> Terms:
    return Terms(
        quoted=currency_of(request) or answer_currency(request),
        answered=answer_currency(request),
        convert=lambda amount, source, target: converted(amount, source, target, catalogue),
        vat=catalogue.figure("vat_de").typical,
    )


def _drawing(own: Own, catalogue: Catalogue, currency: Currency) -> Own:
    """A quoted machine that draws what such a server draws, at the usual tariff where none was said."""
    usual = usual_server(catalogue, currency)
    return replace(own, load=usual.load, idle=usual.idle, tariff=own.tariff or usual.tariff)


def _found(case: Case, owned: Way | None, catalogue: Catalogue, currency: Currency, money_only: bool) -> Money:
    """Verdict and plans of a reading; what they own is used unless there is nothing to do."""
    sides, limits = case.sides, case.limits
    acquisition = acquisition_of(sides, limits, spreads(catalogue), currency)
    if "buy" in sides.quoted and sides.own is not None and sides.own.load == sides.own.idle == 0:
        hours = full(_drawing(sides.own, catalogue, currency), sides.terms, sides.work).hours
        acquisition = replace(acquisition, default_power=None if hours is None else quantity(hours, "hour"))
    if owned is not None and acquisition.verdict != "none":
        acquisition = replace(acquisition, verdict="owned", near_break_even=False, over_budget=False)
    ways = [way for way in (*((owned,) if owned else ()), *case.rents, *case.buys) if way.plan.acquisition in limits.allowed]
    plans = _ordered([planned(way, sides.work, sides.known, limits, currency) for way in ways], acquisition)
    if sides.known and plans and not any(plan.within_budget for plan in plans):
        plans = (*nearest(ways, sides.work, limits, currency), *plans)
    questions = _missing(sides, limits, acquisition, money_only)
    return Money(acquisition, plans, questions, tuple(figure for way in ways for figure in way.figures))


def _ordered(plans: list[Plan], acquisition: Acquisition) -> tuple[Plan, ...]:
    """What they own first, then within the budget, the way advised, what is preferred for another reason, by cost."""

    def rank(plan: Plan) -> tuple[bool, bool, bool, bool, float]:
        cost = 0.0 if plan.cost is None else plan.cost.magnitude
        dearer = "favourite" not in plan.details
        return plan.acquisition != "owned", plan.within_budget is False, plan.acquisition != acquisition.verdict, dearer, cost

    return tuple(sorted(plans, key=rank))


def _missing(sides: Sides, limits: Limits, acquisition: Acquisition, money_only: bool) -> tuple[Question, ...]:
    """What decides and was not said: the hours, or what renting would cost."""
    if acquisition.verdict is not None or (sides.own is None and sides.terms is None and not money_only):
        return ()
    if sides.terms is None and "rent" in limits.allowed:
        return (asking.rent_price(),)
    return () if sides.known else (asking.hours(),)


def _figures(request: Request, catalogue: Catalogue, currency: Currency, prices: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """The dated rates behind mixed currencies, and the tax rate where it was used."""
    quotes = request.quotes or Quotes()
    parts = (quotes.purchase, quotes.rent, quotes.tariff, quotes.admin, *(request.budget or ()))
    said = {part.currency for part in parts if part is not None and part.currency is not None}
    named = frozenset({currency, *said, *(one for one in CURRENCIES if any(figure.unit.startswith(one) for figure in prices))})
    gross = quotes.purchase is not None and quotes.purchase.tax == "gross"
    return (*rates_used(catalogue, named), *((catalogue.figure("vat_de"),) if gross else ()))


def _assumed(request: Request, quotes: Quotes, work: Workload, offers: Offered) -> dict[str, Any]:
    """Request path -> the default taken."""
    found: dict[str, Any] = {}
    if request.usage is None or request.usage.horizon_months is None:
        found["usage.horizon_months"] = work.months
    if quotes.purchase is not None and quotes.purchase.tax is None:
        found["quotes.purchase.tax"] = "net"
    if offers.run_hours is not None and not hours_known(request):
        found["usage.hours_once"] = round(work.once, 1)
        found |= {figure.id: figure.typical for figure in offers.project_figures}
    return found


def _drawn(quotes: Quotes, running: Own | None) -> dict[str, Any]:
    """What of the power of a quoted machine was taken, where they named none: watts, and money for a kWh."""
    if running is None:
        return {}
    found: dict[str, Any] = {}
    if quotes.power is None:
        found |= {"quotes.power.load_w": round(running.load * 1000), "quotes.power.idle_w": round(running.idle * 1000)}
    if quotes.tariff is None:
        found["quotes.tariff.per_kwh"] = round(running.tariff, 4)
    return found
