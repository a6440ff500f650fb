"""One entry of the hardware list resolved: its cards, or the question it raises, and what about it cannot be true."""

from dataclasses import dataclass, replace

from engine.catalogue import Catalogue, Gpu
from engine.recommendation import Option, Question
from engine.request import Holding
from engine.subject.cards import cards_like, cards_named, plain
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
    machine = _instance(holding, catalogue)
    if machine is not None:
        return machine
    found = cards_named(holding.gpu, holding.memory_gb, catalogue)
    if not found:
        return _unknown(holding, place, catalogue)
    if len(found) > 1:
        return _ambiguous(holding, place, found, catalogue)
    return _known(holding, place, found[0], catalogue)


def _instance(holding: Holding, catalogue: Catalogue) -> Held | None:
    """A cloud machine named as hardware: its cards, times the machines."""
    wanted = plain(holding.gpu or "")
    named = next((one for one in catalogue.instances if plain(one.name) == wanted and "any" not in one.gpu), None)
    if named is None or wanted in catalogue.gpu_aliases or named.gpu not in catalogue.gpus:
        return None
    machines = holding.count or 1
    several = holding.model_copy(update={"count": named.count * machines, "nodes": holding.nodes or machines})
    cards = cards_of(several, catalogue.gpus[named.gpu], catalogue)
    return Held(holding, None if cards is None else replace(cards, holding=holding))


def _unknown(holding: Holding, place: int, catalogue: Catalogue) -> Held:
    """Nothing is called so: a size beside it is enough, otherwise it is asked what was meant."""
    if holding.memory_gb is not None:
        return Held(holding, cards_of(holding, None, catalogue))
    near = cards_like(holding.gpu or "", catalogue)
    return Held(holding, question=_question(holding, place, [_option(holding, card, card.memory_nominal) for card in near]))


def _question(holding: Holding, place: int, options: list[Option]) -> Question:
    return Question("hardware", holding.gpu, tuple(options), f"hardware.{place}.gpu")


def _option(holding: Holding, card: Gpu, memory_gb: float) -> Option:
    """Choosing this card, as the slot's reading."""
    value = {**holding.contract(), "gpu": card.name, "memory_gb": memory_gb, "count": holding.count or 1}
    value["kind"] = "unified" if card.unified else "vram"
    label = card.name if f"{memory_gb:g}" in card.name else f"{card.name} {memory_gb:g} GB"
    return Option(label, value)


def _ambiguous(holding: Holding, place: int, found: tuple[Gpu, ...], catalogue: Catalogue) -> Held:
    ordered = sorted(found, key=lambda card: card.memory_nominal)
    possible = tuple(cards for card in ordered if (cards := cards_of(holding, card, catalogue)) is not None)
    options = [_option(holding, card, card.memory_nominal) for card in ordered]
    return Held(holding, possible=possible, question=_question(holding, place, options))


def _known(holding: Holding, place: int, card: Gpu, catalogue: Catalogue) -> Held:
    """One card: its memory is asked where a chip comes with several, and a memory it does not come with is a contradiction."""
    if holding.memory_gb is None:
        return _of_sizes(holding, place, card, catalogue)
    if same_size(holding.memory_gb, card):
        return Held(holding, cards_of(holding, card, catalogue))
    return _impossible(holding, place, card, catalogue)


def _of_sizes(holding: Holding, place: int, card: Gpu, catalogue: Catalogue) -> Held:
    if not card.unified or len(card.memory_options) < 2:
        return Held(holding, cards_of(holding, card, catalogue))
    sized = [holding.model_copy(update={"memory_gb": size}) for size in card.memory_options]
    possible = tuple(cards for one in sized if (cards := cards_of(one, card, catalogue)) is not None)
    return Held(holding, possible=possible, question=_question(holding, place, [_option(holding, card, s) for s in card.memory_options]))


def _impossible(holding: Holding, place: int, card: Gpu, catalogue: Catalogue) -> Held:
    """The card's real memory counts; their figure may be the sum over the cards, the computer's memory or a mistake."""
    real = holding.model_copy(update={"memory_gb": None})
    known = list(cards_named(holding.gpu or "", None, catalogue)) or [card]
    sizes = sorted({size for one in known for size in (one.memory_options or (one.memory_nominal,))})
    facts = {"card": card.name, "said": holding.memory_gb, "known": tuple(sizes), "sum": _is_sum(holding, card)}
    contradiction = Contradiction("memory_of_card", f"hardware.{place}.memory_gb", f"{holding.gpu} {holding.memory_gb:g} GB", facts)
    resolved = _ambiguous(real, place, tuple(known), catalogue) if len(known) > 1 else _of_sizes(real, place, card, catalogue)
    return replace(resolved, holding=holding if resolved.question else real, contradiction=contradiction)


def _is_sum(holding: Holding, card: Gpu) -> bool:
    """Two cards of 24 GB, said to have 48."""
    return (holding.count or 1) > 1 and same_size((holding.memory_gb or 0) / (holding.count or 1), card)
