"""Lexemes: the tokens of a message enter, what the grammar knows as one thing leaves: numbers, known words, names of the catalogue."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.reading.lexicon import longest, words
from bot.reading.names import Names
from bot.reading.text import Token

_BRANDS = frozenset(("rtx", "nvidia", "geforce", "tesla", "quadro"))
_SERIES = 4  # digits of a card's number: 4090
_BEHIND = frozenset(("s", "er", "ern", "ers", "x", "g", "gb", "gib", "tib", "tb"))  # letters that may follow a name's number
LARGEST, LONGEST_NUMBER = 1e18, 24  # a number, and its characters: a quadrillion tokens, grouped and with cents, is within both
MOST = 900  # lexemes that are read; four thousand characters of language have about 800


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
    return said[last - 1].numeric and said[last].text in _BEHIND


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


def _number(token: Token) -> dict[str, str]:
    """A token as a number; what is larger than anything people count here is none."""
    if not token.numeric:
        return {}
    if token.scientific:
        return {"sci": token.text} if float(token.text) < LARGEST else {}
    return {"n": token.text} if len(token.text) <= LONGEST_NUMBER else {}


def _lexeme_at(said: Sequence[Token], names: Names, first: int) -> tuple[int, Mapping[str, str]]:
    """The longest thing known at a token; a bare number stays a number too ("4090" may be rows)."""
    name, word = _name_at(said, names, first), longest(words(), said, first)
    last = max(name[0] if name else 0, word[0] if word else 0, first + 1)
    kinds = _number(said[first]) if last == first + 1 else {}
    for one in (name, word):
        if one and one[0] == last:
            kinds |= one[1]
    return last, kinds or ({"stop": ""} if said[first].text in ".!?;" or said[first].gap == 2 else {})


def lexemes_of(said: Sequence[Token], names: Names) -> tuple[Lexeme, ...]:
    lexemes: list[Lexeme] = []
    place = 0
    while place < len(said) and len(lexemes) < MOST:
        last, kinds = _lexeme_at(said, names, place)
        text = " ".join(token.text for token in said[place:last])
        lexemes.append(Lexeme(text, said[place].start, said[last - 1].end, kinds, said[place].gap))
        place = last
    return tuple(lexemes)
