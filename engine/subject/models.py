"""One entry of the models list resolved: its shape, or the question it raises, and what about it cannot be true.

By config.json it is read exactly; by name it is the catalogue's; by size alone it is a typical shape, marked `estimated`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.catalogue.names import Ambiguity, NamedModel, NotOpen, model_named, suggestions
from engine.memory import architecture_from_config, typical_architecture
from engine.memory.naming import size_in_name
from engine.recommendation import Option, Question
from engine.request import ModelChoice, Quantization
from engine.subject.findings import Contradiction

_SAME = 0.01  # of the count: the size they said is the catalogue's, rounded
_ROUNDED = 0.12  # of the count: still the same model, such as 7 for 6.7 or 8 for 7.6


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model with its shape; no shape while `question` stands. `taken`: what was taken without being said; `closed`: no open weights."""

    choice: ModelChoice
    architecture: Architecture | None = None
    question: Question | None = None
    contradiction: Contradiction | None = None
    quantization: Quantization | None = None
    taken: str | None = None
    closed: NotOpen | None = None


def chosen(choice: ModelChoice, place: int, catalogue: Catalogue) -> Chosen:
    """Resolve one model; `place` is its index in the request. Errors: Refusal for a config that describes no model."""
    if choice.config is not None:
        return Chosen(choice, _counted(architecture_from_config(choice.config), choice), quantization=_quantised(choice.config))
    if choice.name is None:
        return Chosen(choice, typical_architecture(choice.params_b or 1.0, choice.active_params_b))
    found = model_named(choice.name, catalogue)
    if choice.params_b is not None:
        return _of_size(choice, place, found, catalogue)
    if isinstance(found, NamedModel):
        return _as_named(choice, found)
    return _asked(choice, place, found, catalogue)


def _quantised(config: Mapping[str, Any]) -> Quantization | None:
    """The format a config.json says its weights are in; None for 16 bit and for formats nobody here sizes."""
    said = config.get("quantization_config")
    if not isinstance(said, Mapping):
        return None
    method, bits = str(said.get("quant_method", "")).lower(), said.get("bits", 4)
    if method == "bitsandbytes":
        return "int8" if said.get("load_in_8bit") else "nf4-dq" if said.get("bnb_4bit_use_double_quant") else "nf4"
    return {"gptq": "gptq4" if bits == 4 else "int8" if bits == 8 else None, "awq": "awq4", "fp8": "fp8"}.get(method)


def _as_named(choice: ModelChoice, found: NamedModel) -> Chosen:
    taken = found.architecture.name if found.taken else None
    return Chosen(choice, _counted(found.architecture, choice), quantization=found.quantization, taken=taken)


def _counted(architecture: Architecture, choice: ModelChoice) -> Architecture:
    """The shape with the counts they gave."""
    params_b = choice.params_b or architecture.parameters / 1e9
    active = choice.active_params_b * 1e9 if choice.active_params_b else architecture.active_parameters
    if abs(params_b * 1e9 / architecture.parameters - 1) <= _SAME and abs(active / architecture.active_parameters - 1) <= _SAME:
        return architecture
    return replace(architecture, parameters=params_b * 1e9, active_parameters=min(active, params_b * 1e9))


def _of_size(choice: ModelChoice, place: int, found: NamedModel | Ambiguity | NotOpen | None, catalogue: Catalogue) -> Chosen:
    """A name with a size: the size wins; a name that exists in that size is that one."""
    size = choice.params_b or 0.0
    for one in (found, model_named(f"{choice.name} {size:g}b", catalogue)):
        if isinstance(one, NamedModel) and abs(size * 1e9 / one.architecture.parameters - 1) <= _ROUNDED:
            return replace(_as_named(choice, one), taken=None)
    for option in found.options if isinstance(found, Ambiguity) else ():
        if abs(size / option.value["params_b"] - 1) <= _ROUNDED:
            return Chosen(choice, _counted(catalogue.architectures[option.value["name"]], choice))
    shape = typical_architecture(size, choice.active_params_b)
    if not isinstance(found, NamedModel) or found.taken:
        return Chosen(choice, shape)
    facts = {"model": found.architecture.name, "said": size, "known": found.architecture.parameters / 1e9}
    wrong = Contradiction("size_of_model", f"models.{place}.params_b", f"{choice.name} {size:g}B", facts)
    return Chosen(choice, shape, contradiction=wrong)


def _asked(choice: ModelChoice, place: int, found: Ambiguity | NotOpen | None, catalogue: Catalogue) -> Chosen:
    """Several models of that name, none with open weights, or none at all; a size in an unknown name gives a typical shape."""
    name = choice.name or ""
    size = size_in_name(name)
    if found is None and size is not None:
        return Chosen(choice, typical_architecture(size), taken=f"{size:g}B")
    options: tuple[Option, ...] = found.options if found else suggestions(name, catalogue)
    closed = found if isinstance(found, NotOpen) else None
    return Chosen(choice, question=Question("model", name, options, f"models.{place}.name"), closed=closed)
