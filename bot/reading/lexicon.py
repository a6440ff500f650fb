"""The words the grammar knows: enter as word lists (words/*.toml), leave as a tree that is walked along the tokens of a message.

A word has kinds ("h" is a time, "k" a scale); the grammar asks for kinds, never for words. Both languages' lists apply to every
message, because people mix them. Signs inside a spelling ("fine-tuning", "q4_k_m") never matter.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from bot.reading.text import Token, tokens

LANGUAGES = ("en", "de")
SILENT = frozenset("-_:./'’\"")
SHORTEST_STEM = 3


@dataclass(slots=True)
class Node:
    """A place in the tree: what may follow, what may begin a following word, and which kinds end here."""

    next: dict[str, "Node"] = field(default_factory=dict)
    stems: dict[str, "Node"] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def after(self, written: str) -> "Node | None":
        """The place a token leads to: the whole word first, then the longest stem it begins with."""
        exact = self.next.get(written)
        if exact is not None or not self.stems:
            return exact
        for length in range(len(written), SHORTEST_STEM - 1, -1):
            stem = self.stems.get(written[:length])
            if stem is not None:
                return stem
        return None


def _key(spelling: str) -> list[str]:
    parts = [token.text for token in tokens(spelling)]
    spoken = [part for part in parts if part not in SILENT]
    return spoken or parts


def plant(root: Node, spelling: str, kind: str, value: str) -> None:
    """Add a spelling; a trailing * makes its last word a stem."""
    stem = len(spelling) > 1 and spelling.endswith("*")
    key = _key(spelling.rstrip("*") if stem else spelling)
    node = root
    for place, part in enumerate(key):
        branch = node.stems if stem and place == len(key) - 1 else node.next
        node = branch.setdefault(part, Node())
    node.kinds.setdefault(kind, value)


def _lists(prefix: str) -> Sequence[Mapping[str, Mapping[str, Sequence[str]]]]:
    folder = files("bot.reading") / "words"
    return [tomllib.loads((folder / f"{prefix}{lang}.toml").read_text("utf-8")) for lang in LANGUAGES]


@cache
def words(prefix: str = "") -> Node:
    """The tree of all word lists (prefix "intents_": of what messages ask), read once."""
    root = Node()
    for listed in _lists(prefix):
        for kind, values in listed.items():
            for value, spellings in values.items():
                for spelling in spellings:
                    plant(root, spelling, kind, value)
    return root


def longest(root: Node, said: Sequence[Token], first: int) -> tuple[int, Mapping[str, str]] | None:
    """The longest spelling that starts at a token: where it ends (exclusive) and its kinds."""
    node, place, found = root, first, None
    while place < len(said):
        token = said[place]
        following = node.after(token.text) if place == first or token.gap < 2 else None
        if following is None and place > first and token.text in SILENT and not token.gap:
            place += 1
            if place < len(said) and not said[place].gap:
                continue
            break
        if following is None:
            break
        node, place = following, place + 1
        if node.kinds:
            found = (place, node.kinds)
    return found
