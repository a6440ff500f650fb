"""What an answer stands on: a Recommendation enters, the line of what they said and the line of what was taken for them leave."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from bot.rendering.phrases import understood_line
from engine.recommendation import Recommendation
from engine.request import Language, Request

Json: TypeAlias = dict[str, Any]
_DIVISIBLE = ("usage", "training", "serving")  # parts of a request whose fields stand for themselves


def known_lines(recommendation: Recommendation, lang: Language) -> tuple[str, str]:
    """What was understood, and what was taken because they did not know, each in one line; empty where there is nothing."""
    said, taken = divided(recommendation.request.contract(), recommendation.assumed)
    understood, assumed = (understood_line(Request.model_validate({**part, "lang": lang}), lang) for part in (said, taken))
    return understood, assumed


def _paths(part: Any, path: str) -> Iterator[str]:
    """Dotted paths of every single value of a part; an empty list is one."""
    inner = part.items() if isinstance(part, Mapping) else enumerate(part) if isinstance(part, list) and part else ()
    if not inner:
        yield path
    for name, value in inner:
        yield from _paths(value, f"{path}.{name}")


def divided(request: Mapping[str, Any], assumed: Mapping[str, Any]) -> tuple[Json, Json]:
    """A request as contract JSON in what was said and what was taken; `assumed` names the latter by dotted paths, and of a model that
    was named but not quite what it was taken for."""
    said: Json = {}
    taken: Json = {}
    for name, part in request.items():
        if name in _DIVISIBLE:
            taken[name] = {field: value for field, value in part.items() if f"{name}.{field}" in assumed}
            said[name] = {field: value for field, value in part.items() if field not in taken[name]}
        elif name == "models" and all("name" in one for one in part) and name not in assumed:
            said[name] = [{**one, "name": assumed.get(f"models.{place}", one["name"])} for place, one in enumerate(part)]
        elif any(path in assumed for path in _paths(part, name)):
            taken[name] = part
        else:
            said[name] = part
    return said, taken
