"""The slots in asking order, which of them matter for a request, and the choices each offers.

Enters: the request so far as contract JSON and what kind of question it is. Leaves: the next slot, choices with what each sets.
Words live in `bot/phrases` (labels) and `templates/questions`, `templates/messages` (sentences).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bot.phrases import label
from engine.request import Currency, Language, Slot

Json: TypeAlias = dict[str, Any]
Intent: TypeAlias = Literal["recommend", "fit", "reverse", "money", "approach", "run", "compare"]

# Templates: questions/<slot>.j2 for each of these slots. Facts of every question: `known` (the request so far, contract JSON),
# `chosen` (label of the earlier answer, or None), `intent`, `number` (which question this is, from 1), `optional` (bool),
# `choices` (labels in order), `assumes` (label of what "don't know" takes, or None).
ASKED: tuple[Slot, ...] = ("goal", "model", "method", "hardware", "budget", "usage", "serving", "dataset", "training")
WHICH = "questions/which.j2"  # a doubt: `slot`, `read`, `field`, `more` (how many more follow), and the choices
# Messages: messages/<name>.j2. Facts beside each name.
MESSAGES: Mapping[str, str] = {
    "start": "first screen: what it needs, can and cannot do, an example",
    "help": "what to type; `open` (slot of the open question or None)",
    "not_understood": "`text` (shortened), `slot` (the open question or None)",
    "refused": "`refusal` (engine.errors.Refusal)",
    "cancelled": "",
    "nothing_to_cancel": "",
    "nothing_yet": "why, chart, compare … before any recommendation",
    "nothing_to_go_back": "",
    "assumed": "`slot`, `label`: what is taken where they do not know",
    "closed": "a tap on a finished conversation; its button starts again with these values",
    "already_chosen": "toast: the same option again",
    "already_answered": "toast: the question was answered; `slot`, `label`",
    "stale": "toast: an old button that nobody can place any more",
    "settings": "`lang`, `currency`",
    "language": "asks for the language",
    "language_changed": "`lang`",
    "privacy": "",
    "term": "`term`: one explanation of the glossary",
    "terms": "`terms`: the glossary's names, where the one asked for is unknown",
    "compare_what": "how to compare, with an example",
    "share": "`known`: the request",
    "uploaded": "`name`, `known`: a config.json was read",
    "thanks": "somebody thanked",
    "unchanged": "a follow-up that changes nothing; `known`",
    "answered": "the line a frozen question keeps; `slot`, `label`, `known`",
    "resumed": "terminal: an open conversation goes on; `known`",
    "goodbye": "terminal: the end; the conversation is kept",
}


def question_template(slot: Slot) -> str:
    """The template of a slot's question."""
    return f"questions/{slot}.j2"


def message_template(name: str) -> str:
    """The template of a message. Errors: KeyError: a typo in the code."""
    MESSAGES[name]
    return f"messages/{name}.j2"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its key in callback data, its label, and what it sets (contract JSON of the request; None: nothing)."""

    key: str
    label: str
    sets: Json | None = None
    opens: Slot | None = None  # asks this slot instead


_GUIDED: tuple[Slot, ...] = ("goal", "model", "method", "budget", "usage")
_NEEDED: Mapping[Intent, tuple[Slot, ...]] = {
    "recommend": ("goal", "model"),
    "fit": ("model", "hardware"),
    "reverse": ("hardware",),
    "money": ("model", "usage"),
    "approach": ("goal",),
    "run": ("model",),
    "compare": ("model",),
}
_TRAINS_NOTHING = ("facts", "serve")
DEFAULTS: Mapping[Slot, Json] = {  # what "I don't know" takes, shown as an assumption; goal and method are left to the rules
    "model": {"models": [{"params_b": 8}]},
    "hardware": {"hardware": []},
    "budget": {"budget": []},
    "usage": {"usage": {"training_hours_per_month": 12}},
    "serving": {"serving": {"users": 10}},
    "dataset": {"dataset": {"rows": 10_000, "tokens_per_row": 512}},
    "training": {"training": {"sequence_length": 2048}},
}
_KEYS: Mapping[Slot, str] = {"model": "models", "method": "methods"}


def request_key(slot: Slot) -> str:
    """The name of a slot's part in the request."""
    return _KEYS.get(slot, slot)


def has(request: Mapping[str, Any], slot: Slot) -> bool:
    """Whether the request says something for a slot. An empty list is an answer: nothing owned, no limit."""
    if slot == "usage":
        return any(name in request.get("usage", {}) for name in ("training_hours_per_month", "hours_once", "serving_hours_per_month"))
    if slot == "training":
        return "sequence_length" in request.get("training", {})
    if slot == "dataset":
        return any(name in request.get("dataset", {}) for name in ("tokens", "rows"))
    return request_key(slot) in request


def missing(request: Mapping[str, Any], intent: Intent, guided: bool) -> tuple[Slot, ...]:
    """The slots without an answer that can change this one, in asking order."""
    wanted = _GUIDED if guided else _NEEDED[intent]
    return tuple(slot for slot in wanted if not has(request, slot) and matters(slot, request, intent))


def matters(slot: Slot, request: Mapping[str, Any], intent: Intent) -> bool:
    """Whether a slot can change the answer to this request."""
    if slot == "goal":
        return not _goal_is_told(request) or intent == "approach"
    if slot == "model":
        return not (_money_is_told(request) or request.get("goal") == "facts")
    if slot == "method":
        return request.get("goal") not in _TRAINS_NOTHING
    if slot in ("budget", "usage"):
        return _money_matters(request, intent)
    return slot != "hardware" or request.get("goal") != "facts"


def _money_matters(request: Mapping[str, Any], intent: Intent) -> bool:
    """Whether limit and hours can change the answer before it is given: not where retrieval is advised or cards are owned."""
    if intent in ("fit", "reverse") or request.get("goal") == "facts":
        return False
    return not (request.get("hardware") or _money_is_told(request))


def _goal_is_told(request: Mapping[str, Any]) -> bool:
    """A model, a method, cards or the user's own prices say enough for an answer; the answer names what the goal would change."""
    return any(request.get(name) for name in ("models", "methods", "hardware", "quotes"))


def _money_is_told(request: Mapping[str, Any]) -> bool:
    quotes = request.get("quotes", {})
    return "purchase" in quotes or "rent" in quotes


def can_wait(slot: Slot, intent: Intent) -> bool:
    """Whether an answer is possible without this slot; what cannot wait is asked until it is answered or skipped."""
    return slot not in _NEEDED[intent] or slot == "goal"


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
    return (*amounts, nothing, Choice("owned", label("budget.owned", lang), opens="hardware"))


def _at_most(amount: float, currency: Currency) -> Json:
    return {"amount": amount, "currency": currency, "period": "once", "bound": "max"}


def _hours(request: Mapping[str, Any], lang: Language, _currency: Currency) -> tuple[Choice, ...]:
    name = hours_name(request)
    some = tuple(
        Choice(str(hours), label("usage.hours", lang, number=hours), {"usage": {name: hours}})
        for hours in ((40, 160, 400) if name == "serving_hours_per_month" else (4, 12, 40, 160))
    )
    return (*some, Choice("always", label("usage.always", lang), {"usage": {name: 730}}))


def hours_name(request: Mapping[str, Any]) -> str:
    """Which hours are meant: of training, or of use where nothing is trained."""
    serves = request.get("goal") in _TRAINS_NOTHING or request.get("methods") in (["serve"], ["rag"])
    return "serving_hours_per_month" if serves else "training_hours_per_month"


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
