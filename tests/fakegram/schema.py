"""Bot API objects and methods against their JSON Schema: form fields enter as text and leave typed; problems leave as lines.

Stricter than the file: a field that the Bot API does not know is a problem everywhere, and "anything" is no type.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

PATH = Path(__file__).parent / "botapi.schema.json"
_NOT_TEXT = re.compile(r"[\[{].*|-?\d+(\.\d+)?|true|false", re.DOTALL)


@cache
def document() -> Mapping[str, Any]:
    """The whole file, tightened."""
    loaded: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    _tighten(loaded["$defs"])
    return loaded


def _tighten(node: Any) -> None:
    if isinstance(node, dict):
        if node.get("additionalProperties") is True and "properties" in node:
            node["additionalProperties"] = False
        alternatives = node.get("anyOf")
        if isinstance(alternatives, list) and len(alternatives) > 1:
            node["anyOf"] = [one for one in alternatives if one]
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _tighten(child)


@cache
def method_names() -> Mapping[str, str]:
    """Lower-case method name -> its name; the server does not mind the case."""
    return {name.lower(): name for name in document()["methods"]}


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": document()["$defs"]})


def problems(name: str, value: Any) -> Iterator[str]:
    """What is wrong with an object of the Bot API, at most three lines."""
    for error in islice(_validator(name).iter_errors(value), 3):
        yield f"{name}/{'/'.join(map(str, error.path))}: {error.message[:200]}"


def problems_of_call(method: str, arguments: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the arguments of a method."""
    yield from problems(document()["methods"][method], arguments)


def typed(method: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """Form fields as the types the method takes: numbers, flags and JSON are read where no text is meant."""
    known = document()["$defs"][document()["methods"][method]].get("properties", {})
    return {name: _typed(text, known.get(name, {})) for name, text in fields.items()}


def _typed(text: str, schema: Mapping[str, Any]) -> Any:
    kinds = {one.get("type", "object") for one in schema.get("anyOf", [schema])} - {"null"}
    if kinds <= {"string"} or not _NOT_TEXT.fullmatch(text.strip()):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
