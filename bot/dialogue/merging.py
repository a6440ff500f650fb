"""What was said so far and what is said now, as contract JSON: put together, taken back, compared. Nothing is interpreted here."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.questions import Json
from engine.errors import Refusal
from engine.request import Request

_EXCLUDE_EACH_OTHER = (
    ("training_hours_per_month", "hours_once"),
    ("tokens", "rows"),
    ("tokens", "tokens_per_row"),
    ("per_hour", "per_month"),
    ("monthly_cap", "per_month"),
)


def merged(request: Mapping[str, Any], said: Mapping[str, Any]) -> Json:
    """The request with what is said now on top: parts grow together, lists are replaced, what excludes the new is dropped."""
    kept = {name: value for name, value in request.items() if not _excluded(name, said)}
    for name, value in said.items():
        old = kept.get(name)
        kept[name] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return kept


def _excluded(name: str, said: Mapping[str, Any]) -> bool:
    return any(name in pair and name not in said and any(other in said for other in pair) for pair in _EXCLUDE_EACH_OTHER)


def without(request: Mapping[str, Any], said: Mapping[str, Any]) -> Json:
    """The request less what a message gave, where it still stands as the message gave it."""
    kept: Json = {}
    for name, value in request.items():
        given = said.get(name)
        if isinstance(value, Mapping) and isinstance(given, Mapping):
            rest = without(value, given)
            if rest:
                kept[name] = rest
        elif name not in said or given != value:
            kept[name] = value
    return kept


def holds(request: Mapping[str, Any], said: Mapping[str, Any] | None) -> bool:
    """Whether the request already says all of this."""
    if said is None:
        return False
    return all(
        holds(request.get(name) or {}, value) if isinstance(value, Mapping) and value else request.get(name) == value
        for name, value in said.items()
    )


def checked(request: Json) -> Json:
    """The request if it can be used. Errors: Refusal."""
    try:
        Request.model_validate(request)
    except ValidationError as error:
        from bot.contract import refusal_of

        raise refusal_of(error) from None
    return request


def usable(request: Json) -> bool:
    """Whether the request can be used."""
    try:
        checked(request)
    except Refusal:
        return False
    return True
