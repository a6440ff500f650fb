"""A message as the grammar reads it: enters as text, leaves as a row of lexemes and one line that patterns are matched on.

Every lexeme (a number, a known word or name, anything else) becomes one `<kinds>` of the line, so that a rule of the grammar
is a short pattern over kinds: `{n}{time}` is a number followed by a unit of time, whatever the words, blanks and hyphens were.
What a rule has read is taken and cannot be read again by a later, less specific rule.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.reading.lexemes import Lexeme, lexemes_of
from bot.reading.names import Names, names_of
from bot.reading.numbers import Sort, meanings
from bot.reading.readings import Reading
from bot.reading.text import tokens
from engine.catalogue import Catalogue
from engine.request import Language, Slot

_SIGNS: dict[str, str] = {}  # kind -> the one character it is in a line


def sign(kind: str) -> str:
    """A kind as one character nobody types: patterns of single characters compile and match fast."""
    return _SIGNS.setdefault(kind, chr(0xE000 + len(_SIGNS)))


@cache
def pattern(rule: str) -> re.Pattern[str]:
    """A rule as a pattern of the line: {kind} one lexeme of a kind, {a|b} of either, {.} any, {!kind} none of a kind."""

    def lexeme(match: re.Match[str]) -> str:
        wanted = match.group(1)
        if wanted == ".":
            return "(?:<[^>]*>)"
        signs = "".join(sign(kind) for kind in wanted.removeprefix("!").split("|"))
        if wanted.startswith("!"):
            return f"(?:<[^>{signs}]*>)"
        return f"(?:<[^>{signs}]*[{signs}][^>]*>)"

    return re.compile(re.sub(r"\{([.!a-z_|]+)\}", lexeme, rule))


@dataclass(slots=True)
class Found:
    """A match of a rule: which lexemes each named part of the rule covers."""

    page: "Page"
    match: re.Match[str]

    @property
    def span(self) -> tuple[int, int]:
        """First and last (exclusive) lexeme."""
        return self.page.index[self.match.start()], self.page.index[self.match.end()]

    def part(self, name: str) -> tuple[Lexeme, ...]:
        """The lexemes of a named part; empty where it is absent."""
        if name not in self.match.re.groupindex or self.match.group(name) is None:
            return ()
        return self.page.lexemes[self.page.index[self.match.start(name)] : self.page.index[self.match.end(name)]]

    def has(self, name: str) -> bool:
        return name in self.match.re.groupindex and bool(self.match.group(name))

    def value(self, name: str, kind: str) -> str:
        """What the lexeme of a part stands for as a kind."""
        return next(lexeme.get(kind) for lexeme in self.part(name) if kind in lexeme.kinds)

    def numbers(self, name: str, sort: Sort) -> tuple[float, ...]:
        """What the number of a part can mean."""
        lexeme = next(lexeme for lexeme in self.part(name) if lexeme.number)
        return meanings(lexeme.get("n"), self.page.lang, sort)


@dataclass(slots=True)
class Page:
    """One message being read."""

    text: str
    lang: Language
    catalogue: Catalogue
    slot: Slot | None
    names: Names
    lexemes: tuple[Lexeme, ...]
    line: str
    index: dict[int, int]
    kinds: frozenset[str]
    taken: bytearray
    starts: list[int]
    prices_hours: bool  # whether a price per hour is named anywhere
    offers: list[int]  # lexemes at which a quote was read

    def find(self, rule: str, needs: str = "", free: bool = True) -> Iterator[Found]:
        """Where a rule matches lexemes nobody has read; `needs` names kinds that must occur at all (a quick way out)."""
        if needs and not all(self.kinds.intersection(need.split("|")) for need in needs.split(" ")):
            return
        place, compiled = 0, pattern(rule)
        while match := compiled.search(self.line, place):
            found = Found(self, match)
            first, last = found.span
            if last > first and not (free and any(self.taken[first:last])):
                yield found
                place = match.end()
            else:
                place = match.start() + 1

    def take(self, first: int, last: int) -> None:
        """Mark lexemes as read."""
        self.taken[first:last] = b"\x01" * (last - first)

    def place(self, first: int, last: int) -> tuple[str, tuple[int, int]]:
        """The text of a run of lexemes, and its span."""
        span = (self.lexemes[first].start, self.lexemes[last - 1].end)
        return self.text[span[0] : span[1]], span

    def reading(self, first: int, last: int, slot: Slot, value: Any = None, **more: Any) -> Reading:
        """Take a run of lexemes and say what it means."""
        self.take(first, last)
        text, span = self.place(first, last)
        return Reading(slot, text, span, value, **more)

    def has(self, kind: str, value: str | None = None) -> bool:
        """Whether the message says something of a kind anywhere."""
        return kind in self.kinds and any(kind in lexeme.kinds and value in (None, lexeme.kinds[kind]) for lexeme in self.lexemes)

    def lexeme_at(self, character: int) -> int:
        """The first lexeme that starts at or after a character of the text."""
        return bisect_left(self.starts, character)

    def near(self, first: int, last: int, kind: str, before: int, after: int = 0) -> bool:
        """Whether a word of a kind stands within so many lexemes around a run of lexemes, in the same sentence."""
        return self.where(first, last, kind, before, after) is not None

    def where(self, first: int, last: int, kind: str, before: int, after: int = 0) -> int | None:
        """The nearest lexeme of a kind around a run of lexemes, not across the end of a sentence."""
        if kind not in self.kinds:
            return None
        for place in range(first - 1, max(-1, first - 1 - before), -1):
            if "stop" in self.lexemes[place].kinds:
                break
            if kind in self.lexemes[place].kinds:
                return place
        for place in range(last, min(len(self.lexemes), last + after)):
            if "stop" in self.lexemes[place].kinds:
                break
            if kind in self.lexemes[place].kinds:
                return place
        return None


_PRICE_PER_HOUR = r"(?:{money|cent}|{money}{n})(?:{per}{card}|{each}{minus}?)?{per}?(?P<unit>{time|gpu_hours})"


def page(text: str, lang: Language, catalogue: Catalogue, slot: Slot | None = None) -> Page:
    """Lay a message out for reading."""
    names = names_of(catalogue)
    lexemes = lexemes_of(tokens(text), names)
    pieces = [f"<{''.join(map(sign, lexeme.kinds))}>" for lexeme in lexemes]
    index, length = {0: 0}, 0
    for number, piece in enumerate(pieces, 1):
        length += len(piece)
        index[length] = number
    line = "".join(pieces)
    prices = pattern(_PRICE_PER_HOUR).finditer(line)
    return Page(
        text,
        lang,
        catalogue,
        slot,
        names,
        lexemes,
        line,
        index,
        kinds=frozenset(kind for lexeme in lexemes for kind in lexeme.kinds),
        taken=bytearray(len(lexemes)),
        starts=[lexeme.start for lexeme in lexemes],
        prices_hours=any(lexemes[index[match.start("unit")]].kinds.get("time", "hour") == "hour" for match in prices),
        offers=[],
    )
