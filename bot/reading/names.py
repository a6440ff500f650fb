"""The catalogue's names as the grammar knows them: enter as aliases and name rules, leave as lookups along the tokens of a message.

Models are found by their tokens, so that "Llama 3.1-8B", "llama3.1:8b" and "meta-llama/Llama-3.1-8B" are one name; cards and
cloud machines by their letters and digits alone. What several sizes share a name for is a family.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.reading.kept import kept
from bot.reading.lexicon import KINDS, SILENT, Node
from bot.reading.text import Token, key_tokens
from engine.catalogue import Architecture, Catalogue
from engine.catalogue.keys import compact

LONGEST_CARD = 12  # tokens
_TOO_SHORT = 3  # letters and digits: "a2-highgpu-8g" is a machine although A2 is a card
_ENDS_IN_A_WORD = re.compile(r"[a-rt-z]{4,}$")
_NAMED_BY_CARD = frozenset(("Vast.ai", "RunPod", "Paperspace", "Kaggle", "Google Colab"))


@dataclass(frozen=True)
class Names:
    """All names of one catalogue. `cards`: compact name -> (kind, id); `families`: name without size -> ids, smallest first."""

    models: Node
    cards: Mapping[str, tuple[str, str]]
    beginnings: frozenset[str]
    families: Mapping[str, tuple[str, ...]]
    heads: frozenset[str]  # words model names begin with

    def card_at(self, said: Sequence[Token], first: int) -> tuple[int, Mapping[str, str]] | None:
        """The longest card or cloud machine that starts at a token."""
        joined, found = "", None
        for place in range(first, min(len(said), first + LONGEST_CARD)):
            token = said[place]
            if token.gap == 2 and place > first:
                break
            if not token.word and token.text != "+":
                glued = place + 1 < len(said) and not said[place + 1].gap
                if token.text not in SILENT or token.gap or not glued:
                    break
                continue
            joined += token.text.replace(".", "")
            if joined in self.cards:
                kind, one = self.cards[joined]
                found = (place + 1, {kind: one})
            if joined not in self.beginnings:
                break
        return found


_Built: TypeAlias = tuple[Node, dict[str, tuple[str, str]], frozenset[str], dict[str, tuple[str, ...]], frozenset[str]]


def _plant(root: Node, key: Iterable[str], kind: str, value: str) -> None:
    node = root
    for part in key:
        node = node.setdefault(part, {})
    node.setdefault(KINDS, {}).setdefault(kind, value)


def _size_at(key: tuple[str, ...]) -> int | None:
    """Where a name says its size: the place of the number in "llama 3.1 [8] b"."""
    for place in range(1, len(key) - 1):
        if key[place][0].isdigit() and key[place + 1] in ("b", "m") and key[place - 1] not in ("x", "a", "e"):
            return place
    return None


def _families(architectures: Iterable[Architecture]) -> dict[tuple[str, ...], list[Architecture]]:
    found: dict[tuple[str, ...], list[Architecture]] = {}
    for one in architectures:
        for key in (tuple(key_tokens(alias)) for alias in one.aliases if "/" not in alias):
            place = _size_at(key)
            if place is not None:
                listed = found.setdefault(key[:place], [])
                if one not in listed:
                    listed.append(one)
    return found


def _models(catalogue: Catalogue, families: Iterable[tuple[str, ...]]) -> Node:
    root: Node = {}
    for name, rule in catalogue.model_names.items():
        _plant(root, key_tokens(name), rule.kind, name)
    for name, one in catalogue.architecture_aliases.items():
        key = key_tokens(name)
        if not (len(key) == 1 and key[0] in _PLAIN_WORDS):
            _plant(root, key, "model", one)
    for family in families:
        _plant(root, family, "family", " ".join(family))
    return root


def _cards(catalogue: Catalogue) -> dict[str, tuple[str, str]]:
    cards = {name: ("gpu", one) for name, one in catalogue.gpu_aliases.items()}
    for name, rule in catalogue.gpu_names.items():
        if not name.isdigit() or name in cards:
            cards[name] = (rule.kind, name)
    cards |= {f"{name}s": one for name, one in cards.items() if _ENDS_IN_A_WORD.search(name)}  # "two DGX Sparks"
    own_names = tuple(name for name in cards if len(name) > _TOO_SHORT and not name.isdigit())
    for instance in catalogue.instances:
        name = compact(instance.name)
        if (
            " " not in instance.name
            and instance.provider not in _NAMED_BY_CARD
            and not name.startswith(own_names)
            and instance.gpu in catalogue.gpus
        ):
            cards[name] = cards[name.removeprefix("standard")] = ("instance", instance.name)
    return cards


def _build(catalogue: Catalogue) -> _Built:
    families = _families(catalogue.architectures.values())
    cards = _cards(catalogue)
    beginnings = frozenset(name[:length] for name in cards for length in range(1, len(name) + 1))
    sizes = {" ".join(key): tuple(one.id for one in sorted(ones, key=lambda one: one.parameters)) for key, ones in families.items()}
    models = _models(catalogue, families)
    heads = frozenset(word for word in models if len(word) > _TOO_SHORT and word.isalpha())
    return models, cards, beginnings, sizes, heads


def names_of(catalogue: Catalogue) -> Names:
    """All names of a catalogue, built once per catalogue version."""
    known = _KNOWN.get(catalogue.version)
    if known is None:
        if len(_KNOWN) > 8:
            _KNOWN.clear()
        known = _KNOWN[catalogue.version] = Names(*kept("names", catalogue.version, lambda: _build(catalogue)))
    return known


_PLAIN_WORDS = frozenset(("solar", "nomic", "maverick", "scout", "command", "jina", "grok", "kolibri", "apertus", "opt", "yi"))
_KNOWN: dict[str, Names] = {}
