"""From what people call a card to the catalogue's cards.

Enters: a written name, perhaps with a memory. Leaves: the cards it can mean; several where one name is sold with several memories
and none was said ("A100"), or where a name is a part of several ("RTX 6000"); none where nothing is called so.
"""

import re

from engine.catalogue import Catalogue, Gpu
from engine.subject.hardware import same_size

_MAKERS = re.compile(r"\b(nvidia|geforce|amd|intel|apple|tesla|graphics|gpus?|cards?)\b")
_FORM = re.compile(r"\(.*?\)|\d+ ?gb|\bsxm\d?\b|\bpcie\b|geforce|generation")
_MEMORY = re.compile(r"(\d+(?:\.\d+)?) ?g(?:i?b)?\b")
_CLOSE_ENOUGH = 70  # of 100, rapidfuzz ratio


def plain(name: str) -> str:
    """Lower case, separators as single blanks."""
    return " ".join(re.sub(r"[-_/,:]+", " ", name.lower()).split())


def cards_named(name: str, memory_gb: float | None, catalogue: Catalogue) -> tuple[Gpu, ...]:
    """The cards a name can mean. A memory, in the name or beside it, decides between those sold with several."""
    size = memory_gb or _memory_in(name)
    found = _called(name, size, catalogue)
    if found is None:
        return _containing(name, size, catalogue)
    variants = (found, *_siblings(found, catalogue))
    if size is None:
        return variants if name.strip().lower() != found.id else (found,)
    fitting = tuple(card for card in variants if same_size(size, card))
    return fitting[:1] or (found,)


def _memory_in(name: str) -> float | None:
    written = _MEMORY.search(name.lower())
    return float(written[1]) if written else None


def _called(name: str, memory_gb: float | None, catalogue: Catalogue) -> Gpu | None:
    """The card whose alias this is, best with its memory; blanks never decide."""
    words = plain(name)
    bare = " ".join(_MAKERS.sub(" ", words).split())
    written = [f"{one} {memory_gb:g}gb" for one in (words, bare) if memory_gb] + [name.strip().lower(), words, bare]
    without = " ".join(_MEMORY.sub(" ", bare).split())
    for one in dict.fromkeys((*written, without)):
        if one in catalogue.gpu_aliases:
            return catalogue.gpus[catalogue.gpu_aliases[one]]
    squeezed = {one.replace(" ", "") for one in (words, bare, without) if one}
    return next((catalogue.gpus[of] for alias, of in catalogue.gpu_aliases.items() if plain(alias).replace(" ", "") in squeezed), None)


def _stem(card: Gpu) -> str:
    """The name without memory, connector and region: what cards that differ only in memory share."""
    return " ".join(_FORM.sub(" ", card.name.lower()).split())


def _siblings(card: Gpu, catalogue: Catalogue) -> tuple[Gpu, ...]:
    """One card for each other memory the same name is sold with."""
    sizes = {card.memory_nominal: card}
    for other in catalogue.gpus.values():
        if _stem(other) == _stem(card):
            sizes.setdefault(other.memory_nominal, other)
    return tuple(sizes[size] for size in sorted(sizes) if size != card.memory_nominal)


def _containing(name: str, memory_gb: float | None, catalogue: Catalogue) -> tuple[Gpu, ...]:
    """Cards whose name has every word of this one, one for each memory, newest first; too many mean nothing was named."""
    words = set(_MEMORY.sub(" ", _MAKERS.sub(" ", plain(name))).split())
    if not words or not any(any(sign.isdigit() for sign in word) for word in words):
        return ()
    sizes: dict[float, Gpu] = {}
    for card in sorted(catalogue.gpus.values(), key=lambda one: one.release, reverse=True):
        if words <= set(plain(card.name).split()) and (memory_gb is None or same_size(memory_gb, card)):
            sizes.setdefault(card.memory_nominal, card)
    return tuple(sizes[size] for size in sorted(sizes)) if len(sizes) <= 4 else ()


def cards_like(name: str, catalogue: Catalogue, most: int = 3) -> tuple[Gpu, ...]:
    """Cards that are spelled nearly so: did you mean."""
    from rapidfuzz import fuzz, process  # lazily: only a misspelled card needs it

    words = " ".join(_MAKERS.sub(" ", plain(name)).split())
    matches = process.extract(words, list(catalogue.gpu_aliases), scorer=fuzz.ratio, score_cutoff=_CLOSE_ENOUGH, limit=most * 4)
    ids = dict.fromkeys(catalogue.gpu_aliases[alias] for alias, _, _ in matches)
    return tuple(catalogue.gpus[one] for one in list(ids)[:most])
