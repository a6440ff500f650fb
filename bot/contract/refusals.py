"""From what pydantic or the JSON parser found wrong to a `Refusal`, and from a `Refusal` to the contract's error value."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engine.errors import Refusal
from engine.request import Language

_LONGEST_ECHO = 200

# pydantic's error types -> our codes; what is not listed is `wrong_type`
_CODES: Mapping[str, str] = {
    "active_above_total": "active_above_total",
    "bool_type": "wrong_type",
    "duplicate": "duplicate",
    "exclusive": "exclusive",
    "extra_forbidden": "unknown_key",
    "finite_number": "not_finite",
    "float_parsing": "not_a_number",
    "float_type": "not_a_number",
    "greater_than": "too_small",
    "greater_than_equal": "too_small",
    "hardware_unnamed": "hardware_unnamed",
    "hours_exceed_month": "hours_exceed_month",
    "int_from_float": "not_whole",
    "int_parsing_size": "too_large",
    "int_type": "not_a_number",
    "json_invalid": "not_json",
    "less_than": "too_large",
    "less_than_equal": "too_large",
    "literal_error": "not_one_of",
    "missing": "missing",
    "model_type": "not_an_object",
    "model_unnamed": "model_unnamed",
    "null": "null_value",
    "number_type": "not_a_number",
    "string_too_long": "too_long",
    "string_too_short": "empty",
    "string_type": "wrong_type",
    "too_long": "too_many",
    "too_short": "empty",
    "tuple_type": "not_a_list",
}


def refusal_of(error: ValidationError) -> Refusal:
    """The first thing wrong, as a Refusal with its path, what was read and the limits it broke."""
    return _refusal(error.errors(include_url=False)[0])


def _refusal(details: ErrorDetails) -> Refusal:
    context = details.get("ctx", {})
    path = [*details["loc"], *([context["key"]] if "key" in context else [])]
    read = details["input"]
    if "key" in context and isinstance(read, Mapping):
        read = read.get(context["key"])
    limit = next((context[name] for name in ("ge", "gt", "le", "lt", "max_length", "expected", "limit") if name in context), None)
    facts: dict[str, Any] = {"key": str(path[-1]) if path else "", "limit": limit, "exclusive": "gt" in context or "lt" in context}
    facts |= {key: context[key] for key in ("other", "together") if key in context}
    return Refusal(_CODES.get(details["type"], "wrong_type"), field_path(path), echo(read), facts)


def field_path(parts: Sequence[Any]) -> str | None:
    """A path into the Request such as budget.0.amount; None for the whole."""
    return ".".join(str(part) for part in parts) or None


def echo(read: Any) -> str | None:
    """What was read, as it came, no longer than a person wants to see it again."""
    if read is None:
        return "null"
    text = read if isinstance(read, str) else json.dumps(read, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 1] + "…"


def error_value(refusal: Refusal, lang: Language) -> dict[str, Any]:
    """The contract's error: field, what was read, why it cannot be used, what to write instead."""
    from bot.rendering import error

    words = error(refusal, lang)
    return {"field": refusal.field, "read": refusal.read, "why": words.why, "instead": words.instead}
