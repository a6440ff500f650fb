"""Effects as plain text: an effect and a language enter, wrapped lines leave to a stream. Choices are numbered."""

import textwrap
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from bot.dialogue.callback import is_pick
from bot.events import Advise, Alert, Ask, Button, Chart, Compare, Effect, Explain, Freeze, Tell
from bot.rendering import answer, caption, comparison, explanation, message
from engine.request import Language

WIDTH = 80
Rows: TypeAlias = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True)
class Screen:
    """Where a conversation is written."""

    stream: IO[str]

    def show(self, effect: Effect, lang: Language) -> None:
        """Write one effect; of an answered question what its answer was taken for, since a number says it to nobody."""
        match effect:
            case Ask():
                self._ask(effect, lang)
            case Tell():
                self._write(message(effect.template, lang, "text", effect.facts), *_rows(effect.buttons))
            case Advise():
                self._write(answer(effect.recommendation, lang, "text"), *_rows(_beside_the_text(effect.buttons)))
            case Compare():
                self._write(comparison(effect.recommendations, lang, "text"), *_rows(effect.buttons))
            case Explain():
                self._write(explanation(effect.recommendation, effect.part, lang, "text"), *_rows(effect.buttons))
            case Alert():
                self._write(message(effect.template, lang, "text", effect.facts))
            case Freeze():
                self._write(message("answered", lang, "text", effect.facts))

    def message(self, name: str, lang: Language, facts: Mapping[str, Any] | None = None) -> None:
        """Write a message by its name."""
        self._write(message(name, lang, "text", facts))
        self.flush()

    def caption(self, effect: Chart, lang: Language, path: Path) -> None:
        """Write what a chart shows, and where it lies."""
        self._write(caption(effect.recommendation, effect.kind, lang, "text"), str(path))

    def flush(self) -> None:
        self.stream.flush()

    def _ask(self, effect: Ask, lang: Language) -> None:
        if effect.again is not None:
            self.show(effect.again, lang)
        text = message(effect.template, lang, "text", {**effect.facts, "slot": effect.slot})
        numbered, others = _numbered(effect)
        self._write(text, *numbered, others)

    def _write(self, *parts: str) -> None:
        for part in parts:
            for line in part.split("\n"):
                self.stream.write(wrapped(line) + "\n")
        self.stream.write("\n")


def printable(line: str) -> str:
    """A line as it may be echoed: what would steer the terminal or turn the text around is left out."""
    return "".join(
        character for character in line if character == "\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")
    ).rstrip()


def wrapped(line: str) -> str:
    """A line in at most 80 columns; what runs on is indented like the text it belongs to."""
    if len(line) <= WIDTH:
        return line
    indent = " " * (len(line) - len(line.lstrip(" •–-")) or 0)
    return "\n".join(textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def _numbered(effect: Ask) -> tuple[list[str], str]:
    """The choices with their numbers, several a line; and the words that lead elsewhere."""
    buttons = [one for row in effect.buttons for one in row]
    leads = [one.label for one in buttons if one.data.rsplit(":", 1)[1] in ("back", "cancel")]
    labels = [f"{place}) {one.label}" for place, one in enumerate(buttons[: len(buttons) - len(leads)], 1)]
    return _columns(labels), "   ".join(f"[{word}]" for word in leads)


def _columns(labels: list[str]) -> list[str]:
    lines: list[str] = []
    for one in labels:
        if lines and len(lines[-1]) + 3 + len(one) <= WIDTH - 2:
            lines[-1] += f"   {one}"
        else:
            lines.append(f"  {one}")
    return lines


def _beside_the_text(buttons: Rows) -> Rows:
    """Buttons without the choices that stand behind their question in the text."""
    return tuple(tuple(one for one in row if not is_pick(one)) for row in buttons)


def _rows(buttons: Rows) -> list[str]:
    """Buttons as words that can be typed."""
    return _columns([f"[{one.label}]" for row in buttons for one in row])
