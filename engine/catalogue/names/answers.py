"""What a lookup answers when a name is not one thing, and the options a question offers, in the form of the readings."""

from dataclasses import dataclass
from typing import Any

from engine.catalogue.things import Architecture, Gpu
from engine.recommendation import Option
from engine.request import Quantization

LONGEST = 200  # characters of a name, as in the Request; anything longer is none


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name that means several things; the options are in the form of the readings."""

    read: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class NotOpen:
    """A model whose weights are not published, or that is no decoder (then `maker` says what it is); the options are open models of its
    class. Its size is never invented."""

    read: str
    maker: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that was named. `quantization` is the weight format the name carries, `taken` what was not said: default or generation."""

    architecture: Architecture
    quantization: Quantization | None = None
    taken: str | None = None


def card_option(card: Gpu) -> Option:
    """A card to choose."""
    kind = "unified" if card.unified else "vram"
    return Option(f"{spoken(card)} · {card.memory_nominal:g} GB", {"gpu": spoken(card), "memory_gb": card.memory_nominal, "kind": kind})


def spoken(card: Gpu) -> str:
    """A card's name as people write it: without the brand line. `gpu_named` finds the card again by it."""
    return card.name.removeprefix("GeForce ")


def model_option(one: Architecture) -> Option:
    """A model to choose."""
    return Option(one.name, model_value(one))


def model_value(one: Architecture) -> dict[str, Any]:
    """An architecture in the form of the readings: name, params_b and, where experts differ, active_params_b."""
    value: dict[str, Any] = {"name": one.id, "params_b": billions(one.parameters)}
    return value | ({"active_params_b": billions(one.active_parameters)} if one.active_parameters < 0.9 * one.parameters else {})


def billions(parameters: float) -> float:
    """Parameters in 10^9 with three significant digits, as the readings give them."""
    return float(f"{parameters / 1e9:.3g}")
