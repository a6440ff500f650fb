"""The money of a request: enters the Request and what the catalogue would cost, leaves verdict, plans and what must be asked back.

The user's quotes win: a side they quote is taken from the quotes alone; a side they do not quote comes from the catalogue
(`catalogue_sides`), where a model or hardware gave one. Amounts become one currency and net here, once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.acquisition import acquisition_of, asked_back
from engine.catalogue import Catalogue, Figure
from engine.costs import Own, RentTerms
from engine.currency import converted, rates_used
from engine.quotes import Tax, Terms, answer_currency, currency_of, hours_known, quoted_own, quoted_rent, with_quotes, workload_of
from engine.recommendation import Acquisition, AcquisitionVerdict, Option, Plan, Question
from engine.request import Budget, Currency, Quotes, Request
from engine.sensitivity import spreads
from engine.units import quantity
from engine.weighing import EVERY_WAY, Limits, Sides, Way, outcome, own_cost, own_spending, rent_cost, rent_spending

Reading: TypeAlias = tuple[Tax, Sides, Limits]
_LABELS: dict[Currency, str] = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}


@dataclass(frozen=True, slots=True)
class Money:
    """What the money stage hands on."""

    acquisition: Acquisition
    plans: tuple[Plan, ...] = ()
    questions: tuple[Question, ...] = ()
    figures: tuple[Figure, ...] = ()
    assumed: Mapping[str, Any] = field(default_factory=dict)


def money_of(
    request: Request, catalogue: Catalogue, allowed: frozenset[Way] = EVERY_WAY, own: Own | None = None, terms: RentTerms | None = None
) -> Money:
    """Verdict, break-evens and quoted plans; `own` and `terms` are the catalogue's sides, in the currency of the answer."""
    quotes = request.quotes or Quotes()
    currency = answer_currency(request)
    open_questions = _unusable(quotes, request)
    if open_questions:
        return Money(asked_back(currency), questions=open_questions)
    readings = [
        (tax, _sides(request, quotes, _terms(request, catalogue, currency), tax, own, terms), limits_of(one, catalogue, allowed, currency))
        for tax in _taxes(quotes)
        for one in _budgets_read(request)
    ]
    verdicts = [outcome(sides, limits).verdict for _, sides, limits in readings]
    _, first, limits = readings[0]
    if len(set(verdicts)) > 1:
        return Money(asked_back(currency), questions=_deciding(request, readings, verdicts))
    return Money(
        acquisition_of(first, limits, spreads(catalogue), currency),
        plans=_plans(first, limits, currency),
        questions=_missing(first, limits),
        figures=_figures(request, catalogue, currency),
        assumed=_assumed(request, quotes),
    )


def limits_of(request: Request, catalogue: Catalogue, allowed: frozenset[Way], currency: Currency) -> Limits:
    """The budgets and the ways open; who may not use the cloud cannot rent."""
    no_cloud = request.constraints is not None and bool(request.constraints.no_cloud)
    return Limits(
        allowed=allowed - {"rent"} if no_cloud else allowed,
        budgets=request.budget or (),
        tolerance=catalogue.figure("budget_about").typical,
        near=catalogue.figure("near_break_even").typical,
        convert=lambda amount, source: converted(amount, source, currency, catalogue),
    )


def _terms(request: Request, catalogue: Catalogue, currency: Currency) -> Terms:
    return Terms(
        quoted=currency_of(request) or currency,
        answered=currency,
        convert=lambda amount, source, target: converted(amount, source, target, catalogue),
        vat=catalogue.figure("vat_de").typical,
    )


def _sides(request: Request, quotes: Quotes, terms: Terms, tax: Tax, own: Own | None, rented: RentTerms | None) -> Sides:
    """Quoted sides where quoted, else the catalogue's, run as the quotes say."""
    catalogue_own = None if own is None else with_quotes(own, quotes, terms)
    return Sides(
        own=quoted_own(quotes, terms, tax) or catalogue_own,
        terms=quoted_rent(quotes.rent, terms) or rented,
        work=workload_of(request),
        known=hours_known(request),
    )


def _taxes(quotes: Quotes) -> tuple[Tax, ...]:
    """How the purchase can be read: as said, else both; net first, which is what is taken where it does not matter."""
    if quotes.purchase is None:
        return ("net",)
    return ("net", "gross") if quotes.purchase.tax is None else (quotes.purchase.tax,)


def _budgets_read(request: Request) -> tuple[Request, ...]:
    """How the budgets can be read: as said; one without a currency in each of them."""
    if all(budget.currency is not None for budget in request.budget or ()):
        return (request,)
    return tuple(
        request.model_copy(update={"budget": tuple(_in_currency(budget, currency) for budget in request.budget or ())})
        for currency in _LABELS
    )


def _in_currency(budget: Budget, currency: Currency) -> Budget:
    return budget if budget.currency is not None else budget.model_copy(update={"currency": currency})


def _deciding(request: Request, readings: Sequence[Reading], verdicts: Sequence[AcquisitionVerdict | None]) -> tuple[Question, ...]:
    """The questions whose answers change the verdict: the tax basis, or the currency of a budget."""
    by_tax: dict[Tax, set[AcquisitionVerdict | None]] = {}
    for (tax, _, _), verdict in zip(readings, verdicts, strict=True):
        by_tax.setdefault(tax, set()).add(verdict)
    found: list[Question] = []
    if any(len(one) > 1 for one in by_tax.values()):
        found += [_budget_question(place, budget) for place, budget in enumerate(request.budget or ()) if budget.currency is None]
    if len({frozenset(one) for one in by_tax.values()}) > 1:
        found.append(_question(request.quotes or Quotes(), "purchase", "tax", {"net": "net", "gross": "gross"}))
    return tuple(found)


def _budget_question(place: int, budget: Budget) -> Question:
    options = tuple(Option(label, _in_currency(budget, currency).contract()) for currency, label in _LABELS.items())
    return Question(slot="budget", read=_words(budget.amount), options=options, field=f"budget.{place}.currency")


def _unusable(quotes: Quotes, request: Request) -> tuple[Question, ...]:
    """What of the quotes cannot be used as it is and decides the money: amounts in no currency, a cap without a price."""
    found: list[Question] = []
    side = "purchase" if quotes.purchase else "rent" if quotes.rent else None
    if side and currency_of(request) is None:
        found.append(_question(quotes, side, "currency", _LABELS))
    rent = quotes.rent
    if rent is not None and rent.per_hour is None and rent.per_month is None:
        found.append(Question(slot="quotes", read=_words(rent.monthly_cap), options=(), field="quotes.rent.per_hour"))
    return tuple(found)


def _question(quotes: Quotes, side: str, part: str, values: Mapping[Any, str]) -> Question:
    """Ask for one part of a quote; each option is the whole quote with that part filled in."""
    said = quotes.contract()
    options = tuple(Option(label, {**said, side: {**said[side], part: value}}) for value, label in values.items())
    amount = said[side].get("amount") or said[side].get("per_hour") or said[side].get("per_month")
    return Question(slot="quotes", read=_words(amount), options=options, field=f"quotes.{side}.{part}")


def _words(amount: float | None) -> str | None:
    return None if amount is None else f"{amount:g}"


def _missing(sides: Sides, limits: Limits) -> tuple[Question, ...]:
    """What decides and was not said: the hours, or what renting would cost."""
    if outcome(sides, limits).verdict is not None or (sides.own is None and sides.terms is None):
        return ()
    if sides.terms is None:
        return (Question(slot="quotes", read=None, options=(), field="quotes.rent.per_hour"),)
    if sides.known:
        return ()
    options = tuple(Option(f"{hours} h", {"training_hours_per_month": hours}) for hours in (12, 100, 300, 730))
    return (Question(slot="usage", read=None, options=options, field="usage.training_hours_per_month"),)


def _plans(sides: Sides, limits: Limits, currency: Currency) -> tuple[Plan, ...]:
    """The sides as plans over the horizon, those within the budget first, then by cost."""
    if not sides.known:
        return ()
    found: list[Plan] = []
    if sides.terms is not None:
        rented = sides.work.total / sides.work.speed_ratio
        held = limits.hold(rent_spending(sides.terms, sides.work))
        found.append(_plan("rent", rent_cost(sides.terms, sides.work), rented, held, currency))
    if sides.own is not None:
        held = limits.hold(own_spending(sides.own, sides.work))
        found.append(_plan("buy", own_cost(sides.own, sides.work), sides.work.total, held, currency))
    open_plans = [plan for plan in found if plan.acquisition in limits.allowed]
    return tuple(sorted(open_plans, key=lambda plan: (not plan.within_budget, plan.cost.magnitude if plan.cost is not None else 0)))


def _plan(way: Way, cost: float, hours: float, held: bool, currency: Currency) -> Plan:
    return Plan(way, None, None, None, None, None, quantity(hours, "hour"), quantity(cost, currency), within_budget=held)


def _figures(request: Request, catalogue: Catalogue, currency: Currency) -> tuple[Figure, ...]:
    """The dated rates behind mixed currencies, and the tax rate where it was used."""
    quotes = request.quotes or Quotes()
    parts = (quotes.purchase, quotes.rent, quotes.tariff, quotes.admin, *(request.budget or ()))
    named = frozenset({currency, *(part.currency for part in parts if part is not None and part.currency is not None)})
    gross = quotes.purchase is not None and quotes.purchase.tax == "gross"
    return (*rates_used(catalogue, named), *((catalogue.figure("vat_de"),) if gross else ()))


def _assumed(request: Request, quotes: Quotes) -> dict[str, Any]:
    """Request path -> the default taken."""
    found: dict[str, Any] = {}
    if request.usage is None or request.usage.horizon_months is None:
        found["usage.horizon_months"] = workload_of(request).months
    if quotes.purchase is not None and quotes.purchase.tax is None:
        found["quotes.purchase.tax"] = "net"
    return found
