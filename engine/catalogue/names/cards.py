"""From what people type to a card: the name, with or without its memory, plural, brand words and "laptop" anywhere."""

import re
from collections.abc import Iterable

from engine.catalogue.keys import compact
from engine.catalogue.names.answers import LONGEST, Ambiguity, card_option
from engine.catalogue.things import Gpu, Instance
from engine.catalogue.whole import Catalogue, NameRule

_MEMORY = re.compile(r"(?<![\d.,])(\d{1,4})\s?(?:gb|gib|g)\b")
_BARE_MEMORY = re.compile(r"(?<=[a-z0-9])[\s-](\d{2,3})$")
_PLURAL = re.compile(r"(?<=\d)(?:er|['’]?s)\b(?! *super)")
_CARD_NOISE = frozenset(
    (
        *("nvidia", "geforce", "tesla", "amd", "radeon", "instinct", "intel", "apple", "macbook", "mac", "studio", "mini", "blackwell"),
        *("gpu", "gpus", "card", "cards", "karte", "karten", "grafikkarte", "grafikkarten", "graphics", "vram", "ecc", "dgx", "hgx"),
        *("hbm2", "hbm2e", "hbm3", "hbm3e", "gddr5", "gddr6", "gddr6x", "gddr7"),
        *("edition", "generation", "workstation", "desktop", "the", "a", "an", "my", "mein", "meine", "ein", "eine", "einer"),
    )
)
_MACHINES = re.compile(r"\b(?:macbook (?:pro|air)|mac (?:studio|mini|pro)|imac)\b")
_LAPTOP = frozenset(("laptop", "notebook", "mobile"))


def gpu_named(text: str, catalogue: Catalogue, memory_gb: float | None = None) -> Gpu | Ambiguity | None:
    """The card a name means; `memory_gb`, given or in the name, decides between variants. None: not in the catalogue."""
    if len(text) > LONGEST:
        return None
    lowered = text.lower().strip()
    for name in dict.fromkeys((lowered, _PLURAL.sub("", lowered))):
        if (found := _variant(name, catalogue, memory_gb)) is not None:
            return found
    return None


def _variant(lowered: str, catalogue: Catalogue, memory_gb: float | None) -> Gpu | Ambiguity | None:
    """First the whole name, then the name and its memory apart: "a100 pcie 40gb", "a100 40"."""
    if (found := _card(lowered, catalogue, memory_gb)) is not None:
        return found
    if (size := _MEMORY.search(lowered)) is not None:
        bare = f"{lowered[: size.start()]} {lowered[size.end() :]}".strip()
        return _card(bare, catalogue, memory_gb or float(size[1]))
    if (size := _BARE_MEMORY.search(lowered)) is not None:
        return _card(lowered[: size.start()], catalogue, memory_gb or float(size[1]))
    return None


def _card(name: str, catalogue: Catalogue, memory_gb: float | None) -> Gpu | Ambiguity | None:
    for key in _card_keys(name):
        if (rule := catalogue.gpu_names.get(key)) is not None:
            return _ruled_card(name, rule, catalogue, memory_gb)
        if (card := catalogue.gpu_aliases.get(key)) is not None:
            return _with_memory(catalogue.gpus[card], catalogue, memory_gb)
    return None


def _card_keys(name: str) -> Iterable[str]:
    """The name as it stands, without words that decide nothing, and with "laptop" behind the number."""
    yield compact(name)
    words = re.split(r"[\s_/(),-]+", _MACHINES.sub(" ", name))
    if _LAPTOP.intersection(words):
        words = [word for word in words if word not in _LAPTOP and word != "gpu"] + ["laptop"]
        yield compact(" ".join(words))
    yield compact(" ".join(word for word in words if word not in _CARD_NOISE))


def _ruled_card(read: str, rule: NameRule, catalogue: Catalogue, memory_gb: float | None) -> Gpu | Ambiguity:
    cards = [catalogue.gpus[option] for option in rule.options]
    if memory_gb is not None:
        cards = [card for card in cards if _has_memory(card, memory_gb)] or [_with_memory(cards[0], catalogue, memory_gb)]
    return cards[0] if len(cards) == 1 else Ambiguity(read, tuple(card_option(card) for card in cards))


def _with_memory(card: Gpu, catalogue: Catalogue, memory_gb: float | None) -> Gpu:
    """The variant of a card that has the memory said; the card itself where none has (boards are modified, memory is a choice)."""
    if memory_gb is None or _has_memory(card, memory_gb):
        return card
    stem = card.id.rpartition("-")[0] or card.id
    siblings = [one for one in catalogue.gpus.values() if one.id.startswith(stem) and _has_memory(one, memory_gb)]
    return siblings[0] if siblings else card


def _has_memory(card: Gpu, memory_gb: float) -> bool:
    return memory_gb == card.memory_nominal or memory_gb in card.memory_options


def instance_named(text: str, catalogue: Catalogue) -> Instance | None:
    """A cloud machine by its exact name, such as g5.12xlarge."""
    return catalogue.instances_by_name.get(text.lower().strip())
