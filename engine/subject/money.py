"""Amounts that cannot be used yet: without a currency, or a cap without an hourly price. They are asked back and left out."""

from typing import Any

from engine.recommendation import Option, Question
from engine.request import Budget, Quotes, Request
from engine.units import CURRENCIES

_AMOUNTS = ("purchase", "rent", "tariff", "admin")


def usable_money(request: Request) -> tuple[Request, tuple[Question, ...]]:
    """The request without unusable amounts, and what must be asked about them."""
    update: dict[str, Any] = {}
    questions: list[Question] = []
    if request.budget and any(one.currency is None for one in request.budget):
        questions += [_of_budget(place, one) for place, one in enumerate(request.budget) if one.currency is None]
        update["budget"] = tuple(one for one in request.budget if one.currency is not None) or None
    if request.quotes:
        quotes, asked = _usable_quotes(request.quotes)
        questions += asked
        update.update({"quotes": quotes} if asked else {})
    return (request.model_copy(update=update) if update else request), tuple(questions)


def _of_budget(place: int, budget: Budget) -> Question:
    options = tuple(Option(currency, {**budget.contract(), "currency": currency}) for currency in CURRENCIES)
    return Question("budget", f"{budget.amount:g}", options, f"budget.{place}.currency")


def _usable_quotes(quotes: Quotes) -> tuple[Quotes | None, list[Question]]:
    """Amounts take the purchase's currency, else the rent's, else their own; where there is none at all it is asked once.

    A place in a rack that is priced alone is in the currency of the answer.
    """
    questions = []
    kept = quotes
    if quotes.rent and quotes.rent.monthly_cap is not None and quotes.rent.per_hour is None:
        cap = f"{quotes.rent.monthly_cap:g}"
        questions.append(Question("quotes", cap, (), "quotes.rent.per_hour"))
        kept = quotes.model_copy(update={"rent": None})
    named = [part for part in _AMOUNTS if getattr(quotes, part) is not None]
    if named and all(getattr(getattr(quotes, part), "currency", None) is None for part in named):
        questions.append(_currency_of(quotes, named[0]))
        kept = kept.model_copy(update={**dict.fromkeys(_AMOUNTS), "colocation_per_month": None})
    return (kept if kept.contract() else None), questions


def _currency_of(quotes: Quotes, part: str) -> Question:
    said = getattr(quotes, part).contract()
    amount = next((value for value in said.values() if isinstance(value, float | int)), None)
    options = tuple(Option(currency, {part: {**said, "currency": currency}}) for currency in CURRENCIES)
    return Question("quotes", None if amount is None else f"{amount:g}", options, f"quotes.{part}.currency")
