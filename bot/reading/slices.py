"""Slices of a card: enters as a page, leaves as readings of the memory one slice has ("1g.10gb", "MIG 2g.20gb of an H100").

The profile names sevenths of the card and the memory of the slice; a run has that memory and no more, so the card itself is none
of theirs, and slices cannot be joined. Profiles: NVIDIA Multi-Instance GPU User Guide, "Supported MIG Profiles".
"""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, whole
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_PROFILE = r"(?:(?P<c>{n|count}){times}?)?(?P<parts>{n}){gb}{stop}(?P<m>{n}){gb}"
_SIZED = r"{mig}{slice_word}?(?:{equals|on|one|per}){0,2}(?P<m>{n}){gb}"
_LINK = r"(?:{mig|slice_word|on|equals|one|open|comma|per|minus}){0,3}"
_CARD = r"(?:{one|per}{0,1}{brand}?{gpu|gpu_ask}(?:{n}{gb})?)"
_OF_CARD = r"(?:" + _CARD + _LINK + r")?"
_BEHIND = r"(?:{vram|memory|slice_word}{0,2}" + _LINK + _CARD + r")?{slice_word}{0,2}{close}?"
_PARTS = 7
_SIZES = (5, 10, 20, 40)  # GB of the profiles of A100 and H100


def slices(page: Page) -> Iterator[Reading]:
    """Slices by their profile or memory, with the card they are of; one without either is asked for its memory."""
    if not page.kinds & {"mig", "slice_word"} and "stop" not in page.kinds:
        return
    for rule in (_OF_CARD + r"(?:{mig|slice_word}{minus}?){0,2}" + _PROFILE + _BEHIND, _OF_CARD + _SIZED + _BEHIND):
        for found in page.find(rule, needs="gb stop|mig"):
            parts, memory = plain_number(found, "parts") or 1.0, plain_number(found, "m") or 0.0
            if 1 <= parts <= _PARTS and memory > 0:
                count = int(plain_number(found, "c", "whole") or 1)
                yield page.reading(*found.span, "hardware", {"count": count, "memory_gb": whole(memory), "kind": "vram"})
    for rule in (_CARD + r"{mig}{slice_word}?", r"{mig}{slice_word}?{equals|on}?" + _CARD, r"{mig}{slice_word}"):
        for found in page.find(rule, needs="mig"):
            choices = tuple(Option(f"{size} GB", {"count": 1, "memory_gb": size, "kind": "vram"}) for size in _SIZES)
            yield page.reading(*found.span, "hardware", {"count": 1}, ask_back=choices)
