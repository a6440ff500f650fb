"""What was written and not used: a text enters, the amounts and names in it that nobody could make anything of leave.

Only a number with its unit, or a name with its number ("Qwen5"), is sure to be a statement. Words of a sentence carry no value ("we
want to …"), a bare number may belong to what stands around it, and a long or pasted text, or one about a failing run, holds much that
nobody means to say.
"""

import re
from collections.abc import Iterator

from engine.catalogue import Catalogue
from engine.request import Language, Slot

LONGEST = 200  # characters
MOST = 3
_UNIT = r"(?:[kK]\b|T?EUR\b|USD\b|CHF\b|GBP\b|Euro\b|[MGT]i?B\b|Mio\b|Tsd\b|€|\$|£|%|h\b|Std\b|Stunden\b|hours\b|[tT]okens?\b)"
_AMOUNT = re.compile(rf"(?<![\w.,])[€$£]?\d[\d.,'–-]*\s?{_UNIT}|(?<![\w.,])[€$£]\d[\d.,']*")
_NAME = r"(?<![\w.@/-])[A-Za-z]{2,12}-?\d[\w.-]*\w|(?<![\w.@/-])[A-Za-z]{2,12}-?\d"
_SAID = re.compile(f"{_AMOUNT.pattern}|{_NAME}")


def unread(text: str, lang: Language, catalogue: Catalogue, slot: Slot | None = None) -> tuple[str, ...]:
    """The amounts and names of a text that no reading covers, in its order; nothing where the text says nothing by itself.

    `slot`: the question it answers.
    """
    from bot.reading import read

    if len(text) > LONGEST or "\n" in text:
        return ()
    said = tuple(_SAID.finditer(text))
    if not said:
        return ()
    found = read(text, lang, catalogue)
    if not found or any(one.says is not None and one.says[0] == "symptom" for one in found):
        return ()
    answering = read(text, lang, catalogue, slot) if slot else ()
    spans = [one.span for one in (*found, *answering)]
    return tuple(_lost(said, spans))[:MOST]


def _lost(said: tuple[re.Match[str], ...], spans: list[tuple[int, int]]) -> Iterator[str]:
    for one in said:
        if not any(start < one.end() and one.start() < end for start, end in spans):
            yield one[0].rstrip(".,'")
