"""What a new answer says differently from an old one: two answers of the machine contract enter, changes leave."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed; the words for `field` are in templates/messages/history_check.j2."""

    field: str
    before: Any
    after: Any


def changes(before: Answer, after: Answer) -> tuple[Change, ...]:
    """The differences that matter to a decision, most important first."""
    pairs = ((field, look(before), look(after)) for field, look in _LOOKED_AT.items())
    return tuple(Change(field, old, new) for field, old, new in pairs if old != new)


def _in(*path: str) -> Callable[[Answer], Any]:
    def look(answer: Answer) -> Any:
        value: Any = answer
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    return look


def _of_best_plan(name: str) -> Callable[[Answer], Any]:
    return lambda answer: (answer.get("plans") or [{}])[0].get(name)


_LOOKED_AT: Mapping[str, Callable[[Answer], Any]] = {
    "approach": _in("approach", "method"),
    "fit": _in("fit", "verdict"),
    "needed": _in("footprint", "per_gpu", "expected"),
    "acquisition": _in("acquisition", "verdict"),
    "gpu": _of_best_plan("gpu"),
    "provider": _of_best_plan("provider"),
    "cost": _of_best_plan("cost"),
    "break_even": _in("acquisition", "break_even_hours"),
    "warnings": lambda answer: sorted(answer.get("warnings") or ()),
}
