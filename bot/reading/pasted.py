"""What people paste: a text enters; it leaves without the numbers of error messages and tables, beside the memory they state.

The driver shows a little less than a card is sold with; the memory read is the one on the box. What is cut out becomes blanks, so
that every other reading keeps its place.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.reading.readings import Reading
from bot.reading.text import LONGEST

_CAPACITY = re.compile(r"([\d.]{1,9})\s?GiB total capacity|total capacity of ([\d.]{1,9})\s?GiB", re.IGNORECASE)
_ERROR = re.compile(r"tried to allocate|total capacity", re.IGNORECASE)
_ERROR_NUMBERS = re.compile(r"[\d.]{1,12}\s?(?:[MGK]iB|bytes)\b|\b(?:GPU|process|PID|rank)\s{1,3}\d{1,9}", re.IGNORECASE)
_USED = re.compile(r"(\d{1,6})\s?MiB\s{0,4}/\s{0,4}(\d{3,6})\s?MiB", re.IGNORECASE)
_TABLE_LINE = re.compile(r"^[ \t]{0,8}[|+][^\n]*$", re.MULTILINE)
_TABLE_NAME = re.compile(r"\|\s{1,6}\d{1,2}\s{1,4}((?:NVIDIA|Tesla|Quadro|AMD)[^|\n]{2,40}?)(?=\s{2,}|\s(?:On|Off)\b|\||$)", re.MULTILINE)
SOLD = (4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 141, 180, 192, 288)  # GB on the box
_LESS = 0.86  # a 16 GB T4 shows 14.6 GiB, a 48 GB card with ECC 44.5 GiB


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text without what was pasted, the memory that stated, and how many cards a table lists (under the first one's name)."""

    text: str
    readings: tuple[Reading, ...] = ()
    cards: int = 1
    name: tuple[int, int] | None = None


def _sold(shown: float) -> int | None:
    """The memory a card is sold with that shows so many GiB."""
    return next((size for size in SOLD if size * _LESS <= shown <= size * 1.01), None)


def _blanks(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _memory(match: re.Match[str], shown: float, count: int) -> tuple[Reading, ...]:
    size = _sold(shown)
    return () if size is None else (Reading("hardware", match.group(), match.span(), {"count": count, "memory_gb": size, "kind": "vram"}),)


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return 0.0


def cut(text: str) -> Pasted:
    """Take pasted error messages and nvidia-smi tables out of a text."""
    text = text[:LONGEST]
    used = list(_USED.finditer(text))
    if used:
        return _table(text, used)
    if not _ERROR.search(text):
        return Pasted(text)
    capacity = _CAPACITY.search(text)
    memory = _memory(capacity, _number(capacity.group(1) or capacity.group(2)), 1) if capacity else ()
    return Pasted(_ERROR_NUMBERS.sub(_blanks, text), memory)


def _table(text: str, used: list[re.Match[str]]) -> Pasted:
    named = _TABLE_NAME.search(text)
    rest = _USED.sub(_blanks, _TABLE_LINE.sub(_blanks, text))
    seen = Reading("training", used[0].group(), used[0].span(), {}, says=("symptom", "nvidia_smi"))
    memory = (seen, *_memory(used[0], int(used[0].group(2)) / 1024, len(used)))
    if named is None:
        return Pasted(rest, memory)
    start, end = named.span(1)
    return Pasted(rest[:start] + named.group(1) + rest[end:], memory, len(used), (start, end))


def joined(found: Iterable[Reading], pasted: Pasted, text: str) -> tuple[Reading, ...]:
    """The readings of the text and of what was pasted: a named card wins over a bare memory, a table says how many."""
    readings = [_counted(replace(reading, text=text[slice(*reading.span)]), pasted) for reading in found]
    named = any(reading.slot == "hardware" and not reading.aside and _has_name(reading) for reading in readings)
    stated = [reading for reading in pasted.readings if reading.says or not named]
    return tuple(sorted((*readings, *stated), key=lambda reading: reading.span))


def _has_name(reading: Reading) -> bool:
    return isinstance(reading.value, dict) and "gpu" in reading.value


def _counted(reading: Reading, pasted: Pasted) -> Reading:
    if pasted.name is None or reading.slot != "hardware" or not pasted.name[0] <= reading.span[0] < pasted.name[1]:
        return reading
    options = reading.ask_back and tuple(replace(one, value={**one.value, "count": pasted.cards}) for one in reading.ask_back)
    return replace(reading, value={**reading.value, "count": pasted.cards}, ask_back=options, aside=False)
