"""Follow-ups: the last request and the readings of "und mit 4k?" enter, the changed request leaves."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from bot.reading.readings import Reading
from bot.reading.understanding import understood
from engine.request import Request

_MERGED = ("training", "dataset", "usage", "serving", "constraints", "quotes")  # their parts change one by one


def changed(request: Request, readings: Iterable[Reading]) -> Request:
    """The request with what the readings say put in its place; everything else stays. Never raises: what cannot stand changes nothing."""
    said = tuple(readings)
    new = understood(said, request.lang or "en").request.contract()
    parts: dict[str, Any] = request.contract()
    for field, value in new.items():
        if field != "lang":
            parts[field] = _joined(parts.get(field), value) if field in _MERGED else value
    parts |= _recounted(request, said, new)
    if "methods" in new and "quantization" not in new.get("training", {}):
        parts.get("training", {}).pop("quantization", None)
    try:
        return Request.model_validate(parts)
    except ValidationError:
        return request


def _joined(old: Any, new: Any) -> Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    if "training_hours_per_month" in new:
        old = {key: entry for key, entry in old.items() if key != "hours_once"}
    if "hours_once" in new:
        old = {key: entry for key, entry in old.items() if key != "training_hours_per_month"}
    return {**old, **{key: _joined(old.get(key), entry) for key, entry in new.items()}}


def _recounted(request: Request, said: Iterable[Reading], new: dict[str, Any]) -> dict[str, Any]:
    """ "On two cards?" changes how many, not which."""
    counts = [
        one.value["count"]
        for one in said
        if one.slot == "hardware" and isinstance(one.value, dict) and set(one.value) <= {"count"} and one.value
    ]
    if not counts or "hardware" in new or not request.hardware:
        return {}
    return {"hardware": [{**request.hardware[0].contract(), "count": counts[0]}, *(one.contract() for one in request.hardware[1:])]}
