"""Derives botapi.schema.json from the models of aiogram: `python deriving.py botapi.schema.json`, in an environment with aiogram.

aiogram pins an older pydantic than this project uses, so that environment is one of its own; nothing else imports this module.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

_WORDS = ("description", "title", "default", "examples")


class BotApiSchema(GenerateJsonSchema):
    """As Telegram writes things down: an upload is anything, times and spans are whole seconds."""

    def is_instance_schema(self, schema: Any) -> dict[str, Any]:
        """An InputFile."""
        return {}

    def datetime_schema(self, schema: Any) -> dict[str, Any]:
        """Unix time."""
        return {"type": "integer"}

    def timedelta_schema(self, schema: Any) -> dict[str, Any]:
        """Seconds."""
        return {"type": "integer"}


def models(module: ModuleType) -> Iterator[type[BaseModel]]:
    """The models a package exports."""
    for _name, found in inspect.getmembers(module, inspect.isclass):
        if issubclass(found, BaseModel) and found.__module__.startswith(module.__name__):
            yield found


def bare(node: Any) -> None:
    """Take away words for people."""
    if isinstance(node, dict):
        for name in _WORDS:
            if name in node and not isinstance(node[name], dict):
                del node[name]
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        bare(child)


def derived() -> dict[str, Any]:
    """The document."""
    import aiogram
    import aiogram.methods
    import aiogram.types

    methods: list[Any] = [one for one in models(aiogram.methods) if isinstance(getattr(one, "__api_method__", None), str)]
    wanted: Any = [(one, "validation") for one in (*methods, *models(aiogram.types))]
    _refs, schema = models_json_schema(wanted, by_alias=True, schema_generator=BotApiSchema)
    bare(schema["$defs"])
    return {
        "bot_api": aiogram.__api_version__,
        "from": f"aiogram {aiogram.__version__} (MIT)",
        "methods": {one.__api_method__: one.__name__ for one in methods},
        "$defs": schema["$defs"],
    }


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(derived(), file, separators=(",", ":"), sort_keys=True)
