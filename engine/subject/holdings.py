"""One entry of the hardware list resolved: its cards, or the question it raises, and what about it cannot be true."""

from dataclasses import dataclass, replace
from typing import Any

from engine.catalogue import Catalogue, Gpu
from engine.catalogue.names import Ambiguity, gpu_named, instance_named, suggestions
from engine.recommendation import Option, Question
from engine.request import Holding
from engine.subject.findings import Contradiction
from engine.subject.hardware import Cards, cards_of, same_size


@dataclass(frozen=True, slots=True)
class Held:
    """A holding with its cards; `possible` are those it could be while `question` stands. No cards: it names CPU memory only."""

    holding: Holding
    cards: Cards | None = None
    possible: tuple[Cards, ...] = ()
    question: Question | None = None
    contradiction: Contradiction | None = None


def held(holding: Holding, place: int, catalogue: Catalogue) -> Held:
    """Resolve one holding; `place` is its index in the request."""
    if holding.gpu is None:
        return Held(holding, cards_of(holding, None, catalogue))
    found = gpu_named(holding.gpu, catalogue, holding.memory_gb)
    if isinstance(found, Ambiguity):
        return _one_of(holding, place, _meant(found, catalogue), catalogue)
    if found is not None:
        return _known(holding, place, found, catalogue)
    return _machine(holding, catalogue) or _unknown(holding, place, catalogue)


def _meant(found: Ambiguity, catalogue: Catalogue) -> tuple[Gpu, ...]:
    cards = (gpu_named(option.value["gpu"], catalogue, option.value["memory_gb"]) for option in found.options)
    return tuple(card for card in cards if isinstance(card, Gpu))


def _machine(holding: Holding, catalogue: Catalogue) -> Held | None:
    """A cloud machine named as hardware: its cards, times the machines."""
    named = instance_named(holding.gpu or "", catalogue)
    if named is None or named.gpu not in catalogue.gpus:
        return None
    machines = holding.count or 1
    several = holding.model_copy(update={"count": named.count * machines, "nodes": holding.nodes or machines})
    cards = cards_of(several, catalogue.gpus[named.gpu], catalogue)
    return Held(holding, None if cards is None else replace(cards, holding=holding))


def _unknown(holding: Holding, place: int, catalogue: Catalogue) -> Held:
    """Nothing is called so: a size beside it is enough, otherwise it is asked what was meant."""
    if holding.memory_gb is not None:
        return Held(holding, cards_of(holding, None, catalogue))
    options = tuple(
        replace(option, value={**_said(holding), **option.value}) for option in suggestions(holding.gpu or "", catalogue, kind="gpu")
    )
    return Held(holding, question=_question(holding, place, options))


def _said(holding: Holding) -> dict[str, Any]:
    return {**holding.contract(), "count": holding.count or 1}


def _question(holding: Holding, place: int, options: tuple[Option, ...]) -> Question:
    return Question("hardware", holding.gpu, options, f"hardware.{place}.gpu")


def _option(holding: Holding, card: Gpu, memory_gb: float) -> Option:
    """Choosing this card with this memory, as the slot's reading."""
    name = card.name.removeprefix("GeForce ")
    value = {**_said(holding), "gpu": name, "memory_gb": memory_gb, "kind": "unified" if card.unified else "vram"}
    return Option(f"{name} · {memory_gb:g} GB", value)


def _one_of(holding: Holding, place: int, cards: tuple[Gpu, ...], catalogue: Catalogue) -> Held:
    """A name that several cards bear: it is asked which; a memory none of them has is a contradiction besides."""
    ordered = sorted(cards, key=lambda card: card.memory_nominal)
    if holding.memory_gb is not None:
        fitting = [card for card in ordered if same_size(holding.memory_gb, card)]
        return _known(holding, place, fitting[0], catalogue) if fitting else _impossible(holding, place, ordered, catalogue)
    possible = tuple(found for card in ordered if (found := cards_of(holding, card, catalogue)) is not None)
    options = tuple(_option(holding, card, card.memory_nominal) for card in ordered)
    return Held(holding, possible=possible, question=_question(holding, place, options))


def _known(holding: Holding, place: int, card: Gpu, catalogue: Catalogue) -> Held:
    """One card: its memory is asked where a chip comes with several; a memory it does not come with is a contradiction."""
    if holding.memory_gb is None:
        return _of_sizes(holding, place, card, catalogue)
    if same_size(holding.memory_gb, card):
        return Held(holding, cards_of(holding, card, catalogue))
    bare = gpu_named(holding.gpu or "", catalogue)
    return _impossible(holding, place, list(_meant(bare, catalogue)) if isinstance(bare, Ambiguity) else [card], catalogue)


def _of_sizes(holding: Holding, place: int, card: Gpu, catalogue: Catalogue) -> Held:
    if not card.unified or len(card.memory_options) < 2:
        return Held(holding, cards_of(holding, card, catalogue))
    sized = [holding.model_copy(update={"memory_gb": size}) for size in card.memory_options]
    possible = tuple(found for one in sized if (found := cards_of(one, card, catalogue)) is not None)
    options = tuple(_option(holding, card, size) for size in card.memory_options)
    return Held(holding, possible=possible, question=_question(holding, place, options))


def _impossible(holding: Holding, place: int, cards: list[Gpu], catalogue: Catalogue) -> Held:
    """The card's real memory counts; their figure may be the sum over the cards, the computer's memory or a mistake."""
    real = holding.model_copy(update={"memory_gb": None})
    sizes = sorted({size for card in cards for size in (card.memory_options or (card.memory_nominal,))})
    facts = {"card": cards[0].name, "said": holding.memory_gb, "known": tuple(sizes), "sum": _is_sum(holding, cards)}
    contradiction = Contradiction("memory_of_card", f"hardware.{place}.memory_gb", f"{holding.gpu} {holding.memory_gb:g} GB", facts)
    found = _one_of(real, place, tuple(cards), catalogue) if len(cards) > 1 else _of_sizes(real, place, cards[0], catalogue)
    return replace(found, holding=holding if found.question else real, contradiction=contradiction)


def _is_sum(holding: Holding, cards: list[Gpu]) -> bool:
    """Two cards of 24 GB, said to have 48."""
    count, said = holding.count or 1, holding.memory_gb or 0.0
    return count > 1 and any(same_size(said / count, card) for card in cards)
