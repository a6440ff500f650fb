"""The choices a question offers: a slot and the request so far enter; labels in a language, with what each sets, leave."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.phrases import label
from bot.questions import Json, hours_name
from engine.request import Currency, Language, Slot


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its key in callback data, its label, and what it sets (contract JSON of the request; None: nothing)."""

    key: str
    label: str
    sets: Json | None = None
    said: str = ""  # an option of the engine as the engine says it; it can be typed as well as the label


def choices(slot: Slot, request: Mapping[str, Any], lang: Language, currency: Currency) -> tuple[Choice, ...]:
    """The choices a question offers, without skip, back and cancel."""
    return _CHOICES[slot](request, lang, currency)


def _goals(_request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    goals = ("facts", "style", "format", "new_skill", "base_model", "serve")
    return tuple(Choice(goal, label(f"goal.{goal}", lang), {"goal": goal}) for goal in goals)


def _models(_request: Mapping[str, Any], _lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    return tuple(Choice(f"{size}b", f"{size}B", {"models": [{"params_b": size}]}) for size in (3, 8, 14, 32, 70))


def _methods(request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    wide = request.get("goal") in (None, "base_model")
    methods = ("qlora", "lora", "full", *(("continued_pretrain", "pretrain") if wide else ()))
    return tuple(Choice(method, label(f"method.{method}", lang), {"methods": [method]}) for method in methods)


def _cards(_request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    owned = ((1, 12), (1, 16), (1, 24), (2, 24), (1, 48), (1, 80))
    cards = tuple(
        Choice(f"{count}x{memory}", f"{count} × {memory} GB", {"hardware": [{"memory_gb": memory, "count": count, "kind": "vram"}]})
        for count, memory in owned
    )
    return (*cards, Choice("none", label("hardware.none", lang), {"hardware": []}))


def _budgets(_request: Mapping[str, Any], lang: Language, currency: Currency) -> tuple[Choice, ...]:
    amounts = tuple(
        Choice(str(amount), money(amount, currency, lang), {"budget": [_at_most(amount, currency)]}) for amount in (1_000, 5_000, 20_000)
    )
    nothing = Choice("none", label("budget.none", lang), {"budget": []})
    return (*amounts, nothing, Choice("owned", label("budget.owned", lang)))


def _at_most(amount: float, currency: Currency) -> Json:
    return {"amount": amount, "currency": currency, "period": "once", "bound": "max"}


def _hours(request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    name = hours_name(request)
    some = tuple(
        Choice(str(hours), label("usage.hours", lang, number=hours), {"usage": {name: hours}})
        for hours in ((40, 160, 400) if name == "serving_hours_per_month" else (4, 12, 40, 160))
    )
    return (*some, Choice("always", label("usage.always", lang), {"usage": {name: 730}}))


def _users(_request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(users), label("serving.users", lang, number=users), {"serving": {"users": users}}) for users in (5, 10, 50, 200)
    )


def _rows(_request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(rows), label("dataset.rows", lang, number=grouped(rows, lang)), {"dataset": {"rows": rows, "tokens_per_row": 512}})
        for rows in (1_000, 10_000, 100_000)
    )


def _lengths(_request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(tokens), label("training.length", lang, number=grouped(tokens, lang)), {"training": {"sequence_length": tokens}})
        for tokens in (512, 1024, 2048, 4096, 8192, 16384)
    )


_CHOICES: Mapping[Slot, Callable[[Mapping[str, Any], Language, Currency], tuple[Choice, ...]]] = {
    "goal": _goals,
    "model": _models,
    "method": _methods,
    "hardware": _cards,
    "budget": _budgets,
    "usage": _hours,
    "serving": _users,
    "dataset": _rows,
    "training": _lengths,
}
_SIGNS: Mapping[Currency, str] = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "CHF"}


def grouped(number: float, lang: Language) -> str:
    """A whole number with thousands separators of the language."""
    text = f"{number:,.0f}"
    return text.replace(",", ".") if lang == "de" else text


def money(amount: float, currency: Currency, lang: Language) -> str:
    """An amount as a button shows it."""
    sign, number = _SIGNS[currency], grouped(amount, lang)
    if lang == "de":
        return f"{number} {sign}"
    return f"{sign} {number}" if len(sign) > 1 else f"{sign}{number}"
