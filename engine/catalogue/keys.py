"""How names are looked up: what people type enters, the key of a lookup table leaves."""

import re
from functools import lru_cache

_SEPARATORS = "-_:,()[]"
_NO_LETTER_OR_DIGIT = re.compile(r"[^\w+]|_")
_LETTER_BLANK_DIGIT = re.compile(r"(?<=[a-z]) (?=\d)")


@lru_cache(maxsize=8192)  # every alias is looked at twice: when checked and when the lookup table is made
def normalised(name: str) -> str:
    """A name as it is looked up: lower case, one blank between words, none between a letter and a digit ("gemma3 1b").

    Blanks between digits and letters stay: "gemma 3 1b" must not meet "gemma 31b".
    """
    name = name.lower()
    for separator in _SEPARATORS:
        name = name.replace(separator, " ")
    return _LETTER_BLANK_DIGIT.sub("", " ".join(name.split()))


@lru_cache(maxsize=4096)
def compact(name: str) -> str:
    """A card's name as it is looked up: lower case letters and digits only. Cards' names stay apart without blanks, models' do not."""
    return _NO_LETTER_OR_DIGIT.sub("", name.lower())
