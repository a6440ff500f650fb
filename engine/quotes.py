"""The user's own offers as terms of the engine: enters the Request's `quotes` and `usage`, leaves the two sides and the hours.

All money is brought into one currency, that of the purchase, else of the rent, else of the budget, and net of value added tax.
What a quote does not give counts as nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from engine.costs import Own, RentTerms, Workload
from engine.errors import Refusal
from engine.request import Currency, Quotes, Rent, Request

Tax: TypeAlias = Literal["net", "gross"]
Convert: TypeAlias = Callable[[float, Currency, Currency], float]
DEFAULT_HORIZON = 36  # months, the machine contract's convention
_WATTS = 1000.0
_MINUTES = 60.0
_LEAST = 1e-9  # money an hour, or hours of a billing step: below it the arithmetic has no digits left


@dataclass(frozen=True, slots=True)
class Terms:
    """How quoted amounts become money of one kind: the currency of an amount without one, the one answered in, rates, tax."""

    quoted: Currency
    answered: Currency
    convert: Convert
    vat: float  # share on top of net

    def money(self, amount: float, currency: Currency | None = None) -> float:
        """An amount in the currency of the answer."""
        return self.convert(amount, currency or self.quoted, self.answered)

    def net(self, amount: float, tax: Tax) -> float:
        """An amount without value added tax."""
        return amount / (1 + self.vat) if tax == "gross" else amount


def currency_of(request: Request) -> Currency | None:
    """The currency of amounts in the quotes that name none: the purchase's, else the rent's; None where neither has one."""
    quotes = request.quotes or Quotes()
    own = quotes.purchase.currency if quotes.purchase else None
    rented = quotes.rent.currency if quotes.rent else None
    return own or rented


def answer_currency(request: Request) -> Currency:
    """The currency of the answer: the quotes', else the budget's, else the euro."""
    budgets = [budget.currency for budget in request.budget or () if budget.currency]
    return currency_of(request) or (budgets[0] if budgets else "EUR")


def quoted_own(quotes: Quotes, terms: Terms, tax: Tax, running: Own | None = None) -> Own | None:
    """The owned side as quoted; None without a purchase. `running`: what such a machine draws where they did not say, else nothing."""
    if quotes.purchase is None:
        return None
    price = terms.net(terms.money(quotes.purchase.amount, quotes.purchase.currency), tax)
    return with_quotes(Own(price) if running is None else replace(running, purchase=price), quotes, terms)


def with_quotes(own: Own, quotes: Quotes, terms: Terms) -> Own:
    """An owned side with whatever the quotes say about running it in place of its defaults."""
    power, tariff, admin = quotes.power, quotes.tariff, quotes.admin
    given: dict[str, Any] = {
        "load": None if power is None or power.load_w is None else power.load_w / _WATTS,
        "idle": None if power is None or power.idle_w is None else power.idle_w / _WATTS,
        "always_powered": None if power is None or power.powered is None else power.powered == "always",
        "tariff": None if tariff is None else terms.money(tariff.per_kwh, tariff.currency),
        "pue": quotes.pue,
        "maintenance_share": quotes.maintenance_share_per_year,
        "admin": None if admin is None else admin.hours_per_month * terms.money(admin.rate, admin.currency),
        "colocation": None if quotes.colocation_per_month is None else terms.money(quotes.colocation_per_month),
        "resale_share": quotes.resale_share,
    }
    return replace(own, **{name: value for name, value in given.items() if value is not None})


def quoted_rent(rent: Rent | None, terms: Terms) -> RentTerms | None:
    """The rented side as quoted; None without a price by the hour or by the month. Errors: Refusal for a price next to nothing."""
    if rent is None or (rent.per_hour is None and rent.per_month is None):
        return None

    for name in ("per_hour", "per_month"):
        price = getattr(rent, name)
        if price is not None and price < _LEAST:
            raise Refusal("too_small", field=f"quotes.rent.{name}", read=f"{price:g}", facts={"limit": _LEAST})

    def money(amount: float | None) -> float | None:
        return None if amount is None else terms.money(amount, rent.currency)

    step = (rent.billing_step_minutes or 0.0) / _MINUTES
    return RentTerms(
        per_hour=money(rent.per_hour),
        per_month=money(rent.per_month),
        monthly_cap=money(rent.monthly_cap) if rent.per_hour is not None else None,
        setup_fee=money(rent.setup_fee) or 0.0,
        billing_step=step if step > _LEAST else 0.0,
    )


def hours_known(request: Request) -> bool:
    """Whether the usage says any hours, zero included."""
    usage = request.usage
    return usage is not None and any(
        hours is not None for hours in (usage.training_hours_per_month, usage.hours_once, usage.serving_hours_per_month)
    )


def workload_of(request: Request) -> Workload:
    """The hours and the horizon as said; hours not said count as none (see `hours_known`). Errors: Refusal for a ratio next to nothing."""
    usage, quotes = request.usage, request.quotes or Quotes()
    if quotes.speed_ratio is not None and quotes.speed_ratio < _LEAST:
        raise Refusal("too_small", field="quotes.speed_ratio", read=f"{quotes.speed_ratio:g}", facts={"limit": _LEAST})
    return Workload(
        training=(usage.training_hours_per_month if usage else None) or 0.0,
        serving=(usage.serving_hours_per_month if usage else None) or 0.0,
        once=(usage.hours_once if usage else None) or 0.0,
        months=(usage.horizon_months if usage else None) or DEFAULT_HORIZON,
        speed_ratio=quotes.speed_ratio or 1.0,
        discount_rate=quotes.discount_rate or 0.0,
    )
