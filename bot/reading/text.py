"""What a message looks like to the grammar: enters as text from anybody, leaves as lower-case tokens that know where they stood.

Nothing is evaluated and nothing is guessed here. Letters, numbers and signs become separate tokens ("8xA100-80g" is 8, x, a,
100, -, 80, g), so that blanks and hyphens never decide whether something is recognised. Invisible characters are dropped, digits
of other scripts become plain digits; spans always count characters of the original text.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

_ABBREVIATED = frozenset(
    ("ca", "c", "max", "min", "mind", "tsd", "mio", "mrd", "std", "stdn", "inkl", "incl", "zzgl", "exkl", "excl", "approx", "mtl", "bzw")
) | frozenset(("ust", "mwst", "vs", "fr", "eur", "stk", "ct", "ggf", "evtl", "tgl", "vol", "ex", "inc"))
LONGEST = 4096  # characters that are read; what follows is ignored

_SPELLED = {
    **dict.fromkeys("’‘´`", "'"),
    **dict.fromkeys("–—−‑‐", "-"),
    "×": "x",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ß": "ss",
    "Ä": "ae",
    "Ö": "oe",
    "Ü": "ue",
}
_LETTERS = str.maketrans(_SPELLED)
_COUNTED = "€|eur|usd|chf|gbp|\\$|£|token|rows|row|examples|zeilen|beispiele|datens"
_TOKEN = re.compile(
    r"(?<![a-z\d])\d+(?:\.\d+)?e[+-]?\d{1,3}(?![a-z\d])"  # 7e9
    rf"|(?<![a-z\d])\d{{1,3}}(?: \d{{3}}){{1,5}}(?:[.,]\d{{1,2}})?(?= ?(?:{_COUNTED}))"  # 10 000 €
    r"|(?:(?<=[€$£] )|(?<=usd |eur |chf |gbp ))\d{1,3}(?: \d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:[.,']\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?"  # 1.234,56   5'000
    r"|\d{1,2}[.,]\d+(?![.,]?\d)"  # 1,4247
    r"|\d+[.,]\d{1,3}(?![.,]?\d)"
    r"|\d+"
    r"|(?<=\d)x(?=[a-z])"  # 8xa100: the x is a sign of its own
    r"|(?<=\d)[.,]-(?!\d)"  # 2.500,-
    r"|[^\W\d_]+"
    r"|\S"
)


class Token(NamedTuple):
    """A run of letters, a number or a sign. `gap`: white space before it (2: a line break)."""

    text: str
    start: int
    end: int
    gap: int

    @property
    def numeric(self) -> bool:
        return self.text[0].isdecimal()

    @property
    def scientific(self) -> bool:
        """Written with an exponent: no amount, no hours, but maybe parameters or tokens."""
        return self.text[0].isdecimal() and "e" in self.text

    @property
    def word(self) -> bool:
        return self.text[0].isalnum()


@cache
def _visible(character: str) -> str:
    """Plain lower-case letters for any character; nothing for those nobody sees."""
    if character in _SPELLED:
        return _SPELLED[character]
    if character.isascii():
        return character.lower() if character >= " " or character == "\n" else " "
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.digit(character))
    if kind in ("Cf", "Mn", "Cs", "Co", "Cn"):
        return ""
    if kind in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    return character.lower()


def plain(text: str) -> tuple[str, Sequence[int]]:
    """The readable characters of a text, and for each the place it had."""
    text = text[:LONGEST]
    if text.isascii() and text.isprintable() and "`" not in text:
        return text.lower(), range(len(text))
    pieces = [_visible(character) for character in text]
    places: list[int] = []
    for place, seen in enumerate(pieces):
        places.extend([place] * len(seen))
    return "".join(pieces), places


def _gap(between: str) -> int:
    if not between:
        return 0
    return 2 if "\n" in between else 1


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order; spans refer to the text as it came."""
    readable, places = plain(text)
    found: list[Token] = []
    before = 0
    for match in _TOKEN.finditer(readable):
        start, end = match.span()
        written = match.group()
        if written in (",-", ".-") or (written == "." and found and start == before and found[-1].text in _ABBREVIATED):
            before = end
            continue
        found.append(Token(written, places[start], places[end - 1] + 1, _gap(readable[before:start])))
        before = end
    return tuple(found)


def key_tokens(name: str) -> list[str]:
    """A name as the tokens that decide whether two spellings are the same name."""
    return [part for part in signs_too(name) if part[0].isalnum() or part == "+"]


def signs_too(spelling: str) -> list[str]:
    """A spelling of a word list as its tokens."""
    written = spelling.lower()
    if written.isascii() and written.replace(" ", "").isalpha():
        return written.split()  # four of five: no pattern is needed
    return _TOKEN.findall(written.translate(_LETTERS))
