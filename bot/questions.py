"""The slots in asking order and which of them matter for a request; the names of the questions' and messages' templates.

Enters: the request so far as contract JSON and what kind of question it is. Leaves: the slots that are still to be asked.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from engine.request import Slot

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
    "no_such_command": "`name`, as it was written behind the slash",
    "not_understood": "`text` (shortened), `slot` (the open question or None)",
    "unread": "`pieces`: amounts and names of a text that was used otherwise, and which nobody could make anything of",
    "noted": "`known`: an answer to something else than the open question was taken; that is put again",
    "tax": "`wanted` (net, gross), `vat`: amounts are net, and what tax adds",
    "other_currency": "`wanted`, `current`, `amount` and `period` of their budget in the wanted one, or None: how to get it",
    "refused": "`refusal` (engine.errors.Refusal)",
    "cancelled": "",
    "nothing_to_cancel": "",
    "nothing_yet": "why, chart, compare … before any recommendation",
    "no_chart": "`kind`: what is to be drawn and lacks its numbers, memory or money",
    "nothing_to_go_back": "",
    "assumed": "`slot`, `label`: what is taken where they do not know",
    "closed": "a tap on a finished conversation; `offers`: its button starts again with these values",
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


def quoted_currency(options: Iterable[Any]) -> str | None:
    """The currency of the quote that the options of a question fill in; None where they fill in none, or the currency itself."""
    quotes = [part for option in options if isinstance(option, Mapping) for part in (option.get("purchase"), option.get("rent")) if part]
    found = {part.get("currency") for part in quotes}
    return next(iter(found)) if len(found) == 1 else None


def message_template(name: str) -> str:
    """The template of a message. Errors: KeyError: a typo in the code."""
    MESSAGES[name]
    return f"messages/{name}.j2"


_GUIDED: tuple[Slot, ...] = ("goal", "model", "method", "budget", "usage")
_NEEDED: Mapping[Intent, tuple[Slot, ...]] = {
    "recommend": ("goal", "model"),
    "fit": ("model",),
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


def hours_name(request: Mapping[str, Any]) -> str:
    """Which hours are meant: of training, or of use where nothing is trained."""
    serves = request.get("goal") in _TRAINS_NOTHING or request.get("methods") in (["serve"], ["rag"])
    return "serving_hours_per_month" if serves else "training_hours_per_month"
