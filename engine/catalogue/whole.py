"""The catalogue as one value: every table, and the lookups over them, made once when they are first asked for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

from engine.catalogue.keys import compact, normalised
from engine.catalogue.things import Architecture, Figure, Gpu, Instance, Listing, Offer, Source, Speed

NameKind: TypeAlias = Literal["gpu_ask", "gpu_taken", "model_ask", "model_taken", "model_closed"]


@dataclass(frozen=True)
class NameRule:
    """What people type that is no plain alias: must be asked, is taken as one thing, or has no open weights."""

    kind: NameKind
    options: tuple[str, ...]  # ids of cards or architectures
    note: str = ""


@dataclass(frozen=True)
class Catalogue:
    """Everything the engine knows that is not the user's. `version` changes whenever a figure does."""

    version: str
    sources: Mapping[str, Source]
    figures: Mapping[str, Figure]
    gpus: Mapping[str, Gpu]
    architectures: Mapping[str, Architecture]
    instances: tuple[Instance, ...]
    offers: tuple[Offer, ...]
    listings: tuple[Listing, ...]
    speeds: tuple[Speed, ...]
    gpu_names: Mapping[str, NameRule] = field(default_factory=dict)  # by `compact` name
    model_names: Mapping[str, NameRule] = field(default_factory=dict)  # by `normalised` name

    def figure(self, name: str) -> Figure:
        """A figure by id. Errors: KeyError: a typo in the engine, not in the input."""
        return self.figures[name]

    @cached_property
    def gpu_aliases(self) -> Mapping[str, str]:
        """Compact alias -> card id. A card's full name is weaker than another card's alias."""
        names = {compact(name): card.id for card in self.gpus.values() for name in (card.name, card.name.removeprefix("GeForce "))}
        return names | {compact(alias): card.id for card in self.gpus.values() for alias in (card.id, *card.aliases)}

    @cached_property
    def architecture_aliases(self) -> Mapping[str, str]:
        """Normalised alias -> architecture id. A model's full name is weaker than another model's alias ("llama 7b" is Llama 2)."""
        ones = self.architectures.values()
        names = {normalised(one.name): one.id for one in ones}
        names |= {normalised(name): one.id for one in ones for name in (one.id, one.hf_id or one.id)}
        return names | {alias: one.id for one in ones for alias in one.aliases}

    @cached_property
    def instances_by_name(self) -> Mapping[str, Instance]:
        """Lower-case name of a cloud machine -> the first of that name."""
        return {one.name.lower(): one for one in reversed(self.instances)}

    @cached_property
    def remembered(self) -> dict[Any, Any]:
        """What was already looked up in this catalogue, by question: prices of a card do not change while it is loaded."""
        return {}

    @cached_property
    def speeds_by_card(self) -> Mapping[str, tuple[Speed, ...]]:
        """Card id -> its measured speeds."""
        return _by_card(self.speeds)

    @cached_property
    def offers_by_card(self) -> Mapping[str, tuple[Offer, ...]]:
        """Card named in the offer (also `h100-any`) -> offers to rent."""
        return _by_card(self.offers)

    @cached_property
    def listings_by_card(self) -> Mapping[str, tuple[Listing, ...]]:
        """Card named in the listing (also `h100-any`) -> prices to buy."""
        return _by_card(self.listings)


_Named = TypeVar("_Named", Speed, Offer, Listing)


def _by_card(entries: Iterable[_Named]) -> Mapping[str, tuple[_Named, ...]]:
    found: dict[str, list[_Named]] = {}
    for entry in entries:
        found.setdefault(entry.gpu, []).append(entry)
    return {card: tuple(group) for card, group in found.items()}
