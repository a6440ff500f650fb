"""What of the money must be asked back: enters the request and how it can be read, leaves questions with their options.

An option's value is what the slot becomes when it is chosen.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.quotes import Tax, currency_of
from engine.recommendation import AcquisitionVerdict, Option, Question
from engine.request import Budget, Currency, Quotes, Request

Verdicts: TypeAlias = Sequence[tuple[Tax, AcquisitionVerdict | None]]

_LABELS: dict[Currency, str] = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}
_USUAL_HOURS = (12, 100, 300, 730)


def taxes(quotes: Quotes) -> tuple[Tax, ...]:
    """How the purchase can be read: as said, else both; net first, which is what is taken where it does not matter."""
    if quotes.purchase is None:
        return ("net",)
    return ("net", "gross") if quotes.purchase.tax is None else (quotes.purchase.tax,)


def budgets_read(request: Request) -> tuple[Request, ...]:
    """How the budgets can be read: as said; one without a currency in each of them."""
    if all(budget.currency is not None for budget in request.budget or ()):
        return (request,)
    return tuple(
        request.model_copy(update={"budget": tuple(_in_currency(budget, currency) for budget in request.budget or ())})
        for currency in _LABELS
    )


def unusable(request: Request) -> tuple[Question, ...]:
    """What of the quotes cannot be used as it is and decides the money: amounts in no currency, a cap without a price."""
    quotes, found = request.quotes or Quotes(), []
    side = "purchase" if quotes.purchase else "rent" if quotes.rent else None
    if side and currency_of(request) is None:
        found.append(_question(quotes, side, "currency", _LABELS))
    rent = quotes.rent
    if rent is not None and rent.per_hour is None and rent.per_month is None:
        found.append(rent_price(_words(rent.monthly_cap)))
    return tuple(found)


def deciding(request: Request, verdicts: Verdicts) -> tuple[Question, ...]:
    """The questions whose answers change the verdict: the tax basis, or the currency of a budget."""
    by_tax: dict[Tax, set[AcquisitionVerdict | None]] = {}
    for tax, verdict in verdicts:
        by_tax.setdefault(tax, set()).add(verdict)
    found: list[Question] = []
    if any(len(one) > 1 for one in by_tax.values()):
        found += [_budget(place, budget) for place, budget in enumerate(request.budget or ()) if budget.currency is None]
    if len({frozenset(one) for one in by_tax.values()}) > 1:
        found.append(_question(request.quotes or Quotes(), "purchase", "tax", {"net": "net", "gross": "gross"}))
    return tuple(found)


def rent_price(read: str | None = None) -> Question:
    """What an hour of renting costs."""
    return Question(slot="quotes", read=read, options=(), field="quotes.rent.per_hour")


def hours() -> Question:
    """How many hours a month."""
    options = tuple(Option(f"{hours} h", {"training_hours_per_month": hours}) for hours in _USUAL_HOURS)
    return Question(slot="usage", read=None, options=options, field="usage.training_hours_per_month")


def _in_currency(budget: Budget, currency: Currency) -> Budget:
    return budget if budget.currency is not None else budget.model_copy(update={"currency": currency})


def _budget(place: int, budget: Budget) -> Question:
    options = tuple(Option(label, _in_currency(budget, currency).contract()) for currency, label in _LABELS.items())
    return Question(slot="budget", read=_words(budget.amount), options=options, field=f"budget.{place}.currency")


def _question(quotes: Quotes, side: str, part: str, values: Mapping[Any, str]) -> Question:
    """Ask for one part of a quote; each option is the whole quote with that part filled in."""
    said = quotes.contract()
    options = tuple(Option(label, {**said, side: {**said[side], part: value}}) for value, label in values.items())
    amount = said[side].get("amount") or said[side].get("per_hour") or said[side].get("per_month")
    return Question(slot="quotes", read=_words(amount), options=options, field=f"quotes.{side}.{part}")


def _words(amount: float | None) -> str | None:
    return None if amount is None else f"{amount:g}"
