"""One entry of the models list resolved: its shape, or the question it raises, and what about it cannot be true.

By config.json it is read exactly; by name it is the catalogue's; by size alone it is a typical shape, marked `estimated`.
"""

from dataclasses import dataclass, replace

from engine.catalogue import Architecture, Catalogue
from engine.memory import typical_architecture
from engine.memory.naming import known, plain_name, size_in_name
from engine.recommendation import Option, Question
from engine.request import ModelChoice
from engine.subject.findings import Contradiction

_SAME = 0.01  # of the count: the size they said is the catalogue's, rounded
_ROUNDED = 0.12  # of the count: still the same model, such as 7 for 6.7 or 8 for 7.6
_CLOSE_ENOUGH = 70  # of 100, rapidfuzz ratio
_MOST = 6  # options


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model with its shape; no shape while `question` stands."""

    choice: ModelChoice
    architecture: Architecture | None = None
    question: Question | None = None
    contradiction: Contradiction | None = None


def chosen(choice: ModelChoice, place: int, catalogue: Catalogue) -> Chosen:
    """Resolve one model; `place` is its index in the request. Errors: Refusal for a config that describes no model."""
    if choice.config is not None:
        from engine.memory import architecture_from_config

        return Chosen(choice, _counted(architecture_from_config(choice.config), choice))
    if choice.name is None:
        return Chosen(choice, typical_architecture(choice.params_b or 1.0, choice.active_params_b))
    found = known(choice.name, catalogue)
    if choice.params_b is not None:
        return _of_size(choice, place, found, catalogue)
    return Chosen(choice, _counted(found, choice)) if found else _unnamed(choice, place, catalogue)


def _counted(architecture: Architecture, choice: ModelChoice) -> Architecture:
    """The shape with the counts they gave."""
    params_b = choice.params_b or architecture.parameters / 1e9
    active = choice.active_params_b * 1e9 if choice.active_params_b else architecture.active_parameters
    if abs(params_b * 1e9 / architecture.parameters - 1) <= _SAME and active == architecture.active_parameters:
        return architecture
    return replace(architecture, parameters=params_b * 1e9, active_parameters=min(active, params_b * 1e9))


def _of_size(choice: ModelChoice, place: int, found: Architecture | None, catalogue: Catalogue) -> Chosen:
    """A name with a size: the size wins; a name that exists in that size is that one."""
    size = choice.params_b or 0.0
    sized = known(f"{choice.name} {size:g}b", catalogue)
    for one in (found, sized):
        if one is not None and abs(size * 1e9 / one.parameters - 1) <= _ROUNDED:
            return Chosen(choice, _counted(one, choice))
    shape = typical_architecture(size, choice.active_params_b)
    if found is None:
        return Chosen(choice, shape)
    facts = {"model": found.name, "said": size, "known": found.parameters / 1e9}
    return Chosen(
        choice, shape, contradiction=Contradiction("size_of_model", f"models.{place}.params_b", f"{choice.name} {size:g}B", facts)
    )


def _unnamed(choice: ModelChoice, place: int, catalogue: Catalogue) -> Chosen:
    """Not in the catalogue: a size in the name gives a typical shape, a family's name its sizes, anything else what is spelled so."""
    name = choice.name or ""
    size = size_in_name(name)
    if size is not None:
        return Chosen(choice, typical_architecture(size))
    options = tuple(_option(one) for one in (_family(name, catalogue) or _like(name, catalogue)))
    return Chosen(choice, question=Question("model", name, options, f"models.{place}.name"))


def _option(architecture: Architecture) -> Option:
    value = {"name": architecture.name, "params_b": round(architecture.parameters / 1e9, 2)}
    if architecture.active_parameters < architecture.parameters:
        value["active_params_b"] = round(architecture.active_parameters / 1e9, 2)
    return Option(architecture.name, value)


def _family(name: str, catalogue: Catalogue) -> list[Architecture]:
    """Models whose name starts with this one, one for each size, the newest of a size; empty where none does."""
    start = plain_name(name)
    if len(start) < 2:
        return []
    newest = sorted(catalogue.architectures.values(), key=lambda one: (one.release, one.id), reverse=True)
    sizes: dict[float, Architecture] = {}
    for one in newest:
        if plain_name(one.name).startswith(start) and one.kv_layers != 0:
            sizes.setdefault(float(f"{one.parameters:.1e}"), one)
    chosen_sizes = sorted(sizes)
    step = max(1, -(-len(chosen_sizes) // _MOST))
    return [sizes[size] for size in chosen_sizes[::step]]


def _like(name: str, catalogue: Catalogue) -> list[Architecture]:
    from rapidfuzz import fuzz, process  # lazily: only a misspelled model needs it

    aliases = catalogue.architecture_aliases
    matches = process.extract(plain_name(name), list(aliases), scorer=fuzz.ratio, score_cutoff=_CLOSE_ENOUGH, limit=_MOST * 2)
    return [catalogue.architectures[one] for one in list(dict.fromkeys(aliases[alias] for alias, _, _ in matches))[:3]]
