"""The words the grammar knows: enter as word lists (words/*.toml), leave as a tree that is walked along the tokens of a message.

A word has kinds ("h" is a time, "k" a scale); the grammar asks for kinds, never for words. Both languages' lists apply to every
message, because people mix them. Signs inside a spelling ("fine-tuning", "q4_k_m") never matter.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from bot.reading.kept import kept
from bot.reading.text import Token, signs_too

LANGUAGES = ("en", "de")
SILENT = frozenset("-_:./'’\"")
SHORTEST_STEM, LONGEST_STEM, SHORTEST_ENDING = 3, 24, 5
LONGEST_SPELLING = 40  # tokens with all signs between: thousands of hyphens in a row are none


Node: TypeAlias = dict[str, Any]  # token -> Node, STEMS -> {beginning: Node}, KINDS -> {kind: value}
STEMS, ENDINGS, KINDS = "\n*", "\n^", "\n="  # no token has a line break


def after(node: Node, written: str) -> Node | None:
    """The place a token leads to: the whole word first, then the longest stem it begins with."""
    exact: Node | None = node.get(written)
    stems = node.get(STEMS)
    if exact is not None or stems is None:
        return exact
    for length in range(SHORTEST_ENDING, min(len(written), LONGEST_STEM)):
        ending: Node | None = node[ENDINGS].get(written[-length:]) if ENDINGS in node else None
        if ending is not None:
            return ending
    for length in range(min(len(written), LONGEST_STEM), SHORTEST_STEM - 1, -1):
        stem: Node | None = stems.get(written[:length])
        if stem is not None:
            return stem
    return None


def plant(root: Node, spelling: str, kind: str, value: str) -> None:
    """Add a spelling; a trailing * makes its last word a stem, a leading * an ending of compounds ("*anleitungen")."""
    if len(spelling) > 1 and spelling.startswith("*"):
        root.setdefault(ENDINGS, {}).setdefault(signs_too(spelling[1:])[0], {}).setdefault(KINDS, {}).setdefault(kind, value)
        return
    stem = len(spelling) > 1 and spelling.endswith("*")
    parts = signs_too(spelling.rstrip("*") if stem else spelling)
    key = [part for part in parts if part not in SILENT] or parts
    node = root
    for part in key[:-1]:
        node = node.setdefault(part, {})
    last = node.setdefault(STEMS, {}) if stem else node
    last.setdefault(key[-1], {}).setdefault(KINDS, {}).setdefault(kind, value)


def _lists(prefix: str) -> Sequence[Mapping[str, Mapping[str, Sequence[str]]]]:
    import tomllib

    folder = files("bot.reading") / "words"
    return [tomllib.loads((folder / f"{prefix}{lang}.toml").read_text("utf-8")) for lang in LANGUAGES]


@cache
def words(prefix: str = "") -> Node:
    """The tree of all word lists (prefix "intents_": of what messages ask), read once."""
    return kept(f"{prefix}words", "", lambda: _tree(prefix))


def _tree(prefix: str) -> Node:
    root: Node = {}
    for listed in _lists(prefix):
        for kind, values in listed.items():
            for value, spellings in values.items():
                for spelling in spellings:
                    plant(root, spelling, kind, value)
    return root


def longest(root: Node, said: Sequence[Token], first: int) -> tuple[int, Mapping[str, str]] | None:
    """The longest spelling that starts at a token: where it ends (exclusive) and its kinds."""
    node, place, end = root, first, min(len(said), first + LONGEST_SPELLING)
    found: tuple[int, Mapping[str, str]] | None = None
    while place < end:
        token = said[place]
        following = after(node, token.text) if place == first or token.gap < 2 else None
        if following is None and place > first and token.text in SILENT and not token.gap:
            place += 1
            if place < len(said) and not said[place].gap:
                continue
            break
        if following is None:
            break
        node, place = following, place + 1
        if KINDS in node and not _cuts_a_size(said, place):
            found = (place, node[KINDS])
    return found


def _cuts_a_size(said: Sequence[Token], place: int) -> bool:
    """Whether a spelling would end inside "8b": "lora 8b" is LoRA on 8B, not 8-bit LoRA."""
    return place < len(said) and said[place - 1].numeric and said[place].text == "b" and not said[place].gap
