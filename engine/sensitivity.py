"""What moves the break-even most: enters the two sides, leaves the full break-even with each input at its low and high end."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.break_even import full
from engine.catalogue import Catalogue
from engine.costs import Own, RentTerms, Workload
from engine.request import HOURS_PER_MONTH

Case: TypeAlias = tuple[Own, RentTerms, Workload]
Change: TypeAlias = Callable[[Case, float], Case]


@dataclass(frozen=True, slots=True)
class Spreads:
    """How far each input is moved: shares up and down; the resale share and the months as (low, high)."""

    rent: float
    purchase: float
    tariff: float
    resale: tuple[float, float]
    horizon: tuple[float, float]


def spreads(catalogue: Catalogue) -> Spreads:
    """The spreads as the catalogue's figures hold them."""

    def ends(name: str) -> tuple[float, float]:
        figure = catalogue.figure(name)
        return figure.low, figure.high

    rent, purchase, tariff = (catalogue.figure(f"sensitivity_{name}").typical for name in ("rent", "purchase", "tariff"))
    return Spreads(rent, purchase, tariff, resale=ends("resale_share"), horizon=ends("sensitivity_horizon"))


def sensitivity(own: Own, terms: RentTerms, work: Workload, by: Spreads) -> tuple[tuple[str, float | None, float | None], ...]:
    """(input, hours at its low end, hours at its high end), largest effect first; inputs that move nothing are left out."""
    ends: tuple[tuple[str, float, float, Change], ...] = (
        ("rent", 1 - by.rent, 1 + by.rent, _rent),
        ("purchase", 1 - by.purchase, 1 + by.purchase, _purchase),
        ("tariff", 1 - by.tariff, 1 + by.tariff, _tariff),
        ("resale", *by.resale, _resale),
        ("horizon", *by.horizon, _horizon),
    )
    case = (own, terms, work)
    never = float(max(work.months, *by.horizon) * HOURS_PER_MONTH)  # no break-even counts as one beyond every horizon

    def effect(row: tuple[str, float | None, float | None]) -> float:
        return abs((never if row[1] is None else row[1]) - (never if row[2] is None else row[2]))

    rows = [(name, full(*change(case, low)).hours, full(*change(case, high)).hours) for name, low, high, change in ends]
    return tuple(sorted((row for row in rows if effect(row) > 0), key=effect, reverse=True))


def _rent(case: Case, factor: float) -> Case:
    own, terms, work = case
    prices = {name: getattr(terms, name) for name in ("per_hour", "per_month", "monthly_cap")}
    return own, replace(terms, **{name: price * factor for name, price in prices.items() if price is not None}), work


def _purchase(case: Case, factor: float) -> Case:
    return replace(case[0], purchase=case[0].purchase * factor), case[1], case[2]


def _tariff(case: Case, factor: float) -> Case:
    return replace(case[0], tariff=case[0].tariff * factor), case[1], case[2]


def _resale(case: Case, share: float) -> Case:
    return replace(case[0], resale_share=share), case[1], case[2]


def _horizon(case: Case, months: float) -> Case:
    return case[0], case[1], replace(case[2], months=int(months))
