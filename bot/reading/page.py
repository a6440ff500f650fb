"""A message as the grammar reads it: enters as text, leaves as a row of lexemes and one line that patterns are matched on.

Every lexeme (a number, a known word or name, anything else) becomes one `<kind,kind>` of the line, so that a rule of the grammar
is a short pattern over kinds: `{n}{time}` is a number followed by a unit of time, whatever the words, blanks and hyphens were.
What a rule has read is taken and cannot be read again by a later, less specific rule.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from bot.reading.lexicon import longest, words
from bot.reading.names import Names, names_of
from bot.reading.numbers import Sort, meanings
from bot.reading.readings import Reading
from bot.reading.text import Token, tokens
from engine.catalogue import Catalogue
from engine.request import Language, Slot

_BRANDS = frozenset(("rtx", "nvidia", "geforce", "tesla", "quadro"))
_SERIES = 4  # digits of a card's number: 4090
MOST = 1200  # lexemes that are read; four thousand characters of language have about 800


class Lexeme(NamedTuple):
    """One or more tokens the grammar knows as one thing; `kinds` says as which."""

    text: str
    start: int
    end: int
    kinds: Mapping[str, str]
    gap: int

    @property
    def number(self) -> bool:
        return "n" in self.kinds

    def get(self, kind: str) -> str:
        """What the word stands for as a kind (KeyError where it is not of that kind)."""
        return self.kinds[kind]


@cache
def pattern(rule: str) -> re.Pattern[str]:
    """A rule as a pattern of the line: {kind} one lexeme of a kind, {kind|kind} of either, {.} any, {!kind} none of a kind."""

    def lexeme(match: re.Match[str]) -> str:
        wanted = match.group(1)
        if wanted == ".":
            return "(?:<[^<>]*>)"
        if wanted.startswith("!"):
            return f"(?:(?!<[^<>]*\\b(?:{wanted[1:]})\\b)<[^<>]*>)"
        return f"(?:<[^<>]*\\b(?:{wanted})\\b[^<>]*>)"

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


def _name_may_start(said: Sequence[Token], place: int) -> bool:
    """A name starts a word, or follows a number and its times sign ("8xA100", "2x4090", never the 22 of "8x22B")."""
    token = said[place]
    if place == 0 or token.gap or not said[place - 1].word:
        return True
    times = said[place - 1].text == "x"
    return (token.text[0].isalpha() and (said[place - 1].numeric or times)) or (times and token.numeric and len(token.text) >= _SERIES)


def _name_may_end(said: Sequence[Token], last: int) -> bool:
    """After a name comes a blank, a sign, or letters that belong to its number ("3090er", "A100s")."""
    if last >= len(said) or said[last].gap or not said[last].word:
        return True
    return said[last - 1].numeric and not said[last].numeric


def _article(said: Sequence[Token], place: int) -> bool:
    """The "a" before a number is no card: "a 100 page manual"."""
    if len(said[place].text) > 1 or said[place].text not in "abmderp" or place + 1 >= len(said) or not said[place + 1].gap:
        return False
    return place + 2 < len(said) and said[place + 2].word


def _name_at(said: Sequence[Token], names: Names, first: int) -> tuple[int, Mapping[str, str]] | None:
    if not _name_may_start(said, first) or _article(said, first):
        return None
    if said[first].text in _BRANDS and _longer_without(said, names, first):
        return None
    found = [one for one in (longest(names.models, said, first), names.card_at(said, first)) if one and _name_may_end(said, one[0])]
    return max(found, key=lambda one: one[0], default=None)


def _longer_without(said: Sequence[Token], names: Names, first: int) -> bool:
    """Whether the name goes further without its brand: "RTX [A6000 Ada]", not "[RTX A6000] Ada"."""
    shorter, longer = names.card_at(said, first), names.card_at(said, first + 1)
    return shorter is not None and longer is not None and longer[0] > shorter[0]


def _lexeme_at(said: Sequence[Token], names: Names, first: int) -> tuple[int, Mapping[str, str]]:
    """The longest thing known at a token; a bare number stays a number too ("4090" may be rows)."""
    name, word = _name_at(said, names, first), longest(words(), said, first)
    last = max(name[0] if name else 0, word[0] if word else 0, first + 1)
    kinds = {"sci" if said[first].scientific else "n": said[first].text} if said[first].numeric and last == first + 1 else {}
    for one in (name, word):
        if one and one[0] == last:
            kinds |= one[1]
    return last, kinds or ({"stop": ""} if said[first].text in ".!?;" or said[first].gap == 2 else {})


def _laid_out(said: Sequence[Token], names: Names) -> tuple[Lexeme, ...]:
    lexemes: list[Lexeme] = []
    place = 0
    while place < len(said) and len(lexemes) < MOST:
        last, kinds = _lexeme_at(said, names, place)
        text = " ".join(token.text for token in said[place:last])
        lexemes.append(Lexeme(text, said[place].start, said[last - 1].end, kinds, said[place].gap))
        place = last
    return tuple(lexemes)


_PRICE_PER_HOUR = r"{money|cent}{per}?(?P<unit>{time|gpu_hours})"


def page(text: str, lang: Language, catalogue: Catalogue, slot: Slot | None = None) -> Page:
    """Lay a message out for reading."""
    names = names_of(catalogue)
    lexemes = _laid_out(tokens(text), names)
    pieces = [f"<{','.join(lexeme.kinds)}>" for lexeme in lexemes]
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
