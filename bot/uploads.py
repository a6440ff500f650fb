"""A config.json somebody sends or names: its text enters, the event of a conversation leaves. Bounded, parsed as data, never executed."""

import json
from pathlib import Path
from typing import Any

from bot.events import Uploaded
from engine.errors import Refusal

LARGEST_CONFIG = 256 * 1024  # bytes
_LONGEST_NAME = 60


def shown_name(name: str) -> str:
    """A file's name, short enough to be said again."""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def config_of(name: str, text: str) -> Uploaded:
    """The text of a config.json. Errors: Refusal file_unreadable."""
    try:
        config = json.loads(text, parse_constant=_not_finite)
    except (ValueError, RecursionError):
        raise Refusal("file_unreadable", read=shown_name(name)) from None
    if not isinstance(config, dict):
        raise Refusal("file_unreadable", read=shown_name(name))
    return Uploaded(shown_name(name), config)


def _not_finite(word: str) -> Any:
    raise ValueError(word)


def file_named(line: str) -> Uploaded | None:
    """The config.json a typed line is the path of; None where it is a sentence. Errors: Refusal."""
    words = line.strip().strip("\"'")
    if not words.casefold().endswith(".json"):
        return None
    path = Path(words).expanduser()
    try:
        if len(words.split()) > 1 and not path.is_file():
            return None
        if path.stat().st_size > LARGEST_CONFIG:
            raise Refusal("file_too_large", read=shown_name(path.name), facts={"limit": LARGEST_CONFIG // 1024})
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        raise Refusal("file_unreadable", read=shown_name(path.name)) from None
    return config_of(path.name, text)
