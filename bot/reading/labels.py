"""What buttons say: enters as a language and a name of words/labels.toml, leaves as the words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from engine.recommendation import Option
from engine.request import Language


@cache
def _labels() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("bot.reading") / "words" / "labels.toml").read_text("utf-8"))


def label(lang: Language, name: str, **facts: float | str) -> str:
    """The words of a button; numbers are written as the language does."""
    written = {key: figure(lang, value) if isinstance(value, int | float) else value for key, value in facts.items()}
    return _labels()[lang][name].format(**written)


def choices(lang: Language, *values: str) -> tuple[Option, ...]:
    """Values of a slot as choices under their own names."""
    return tuple(Option(label(lang, value), value) for value in values)


def figure(lang: Language, value: float) -> str:
    """A number as people write it: 5.000 and 1,5 in German, 5,000 and 1.5 in English."""
    english = f"{value:,.10g}"
    return english.translate(_GERMAN) if lang == "de" else english


_GERMAN = str.maketrans(",.", ".,")
