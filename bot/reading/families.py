"""Families of models: enters as a page, leaves as the model of a family whose size the message names ("Llama … the 8b").

The sizes of a page are looked up once, because a message may name four hundred of them.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from bot.reading.page import Page
from bot.reading.text import key_tokens
from engine.catalogue import Architecture

_SIZE = r"(?P<a>{n}){b}(?!{token})"


def of_size(page: Page, name: str, size: str) -> str | None:
    """The model of a family with a size ("llama", "70")."""
    return sizes_of_family(page, name).get(size)


def sizes_of_family(page: Page, name: str) -> Mapping[str, str]:
    """The sizes of a family, each with its model."""
    rule = page.catalogue.model_names.get(name)
    members = (*page.names.families.get(" ".join(key_tokens(name)), ()), *(rule.options if rule else ()))
    known: dict[str, str] = {}
    for one in members:
        for size in _sizes_in(page.catalogue.architectures[one].aliases):
            known.setdefault(size, one)
    return known


@lru_cache(maxsize=1024)
def _sizes_in(aliases: tuple[str, ...]) -> frozenset[str]:
    """The sizes in the names of a model."""
    pairs = (pair for alias in aliases for pair in pairwise(key_tokens(alias)))
    return frozenset(f"{float(number):g}" for number, unit in pairs if unit == "b" and number.replace(".", "", 1).isdigit())


class SizesSaid:
    """The sizes of a page, and which model of a family they choose."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._chosen: dict[str, Architecture | None] = {}
        for found in page.find(_SIZE, needs="b", free=False):
            self._places.setdefault(f"{found.numbers('a', 'measure')[0]:g}", []).append(found.span)

    def chosen(self, name: str) -> Architecture | None:
        """The model of a family that has a size named elsewhere in the message."""
        if name not in self._chosen:
            known = sizes_of_family(self._page, name)
            one = next((known[size] for size in self._places if size in known), None)
            self._chosen[name] = self._page.catalogue.architectures[one] if one else None
        return self._chosen[name]

    def take(self, one: Architecture) -> None:
        """Mark the first size of a model that nobody has read as read."""
        for size in sorted(_sizes_in(one.aliases) & self._places.keys()):
            while self._places[size]:
                first, last = self._places[size].pop(0)
                if not any(self._page.taken[first:last]):
                    self._page.take(first, last)
                    return
