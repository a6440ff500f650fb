"""From what people type to an architecture: organisation, suffixes and weight formats are taken off one by one, never all separators."""

import re
from collections.abc import Iterable

from engine.catalogue.keys import normalised
from engine.catalogue.names.answers import LONGEST, Ambiguity, NamedModel, NotOpen, model_option
from engine.catalogue.things import Architecture
from engine.catalogue.whole import Catalogue, NameRule
from engine.request import Quantization

# What a repository's name ends with and what it says about the weights; None: it says nothing about them.
_ENDINGS: tuple[tuple[str, Quantization | None], ...] = (
    (r"(?:w4a16|gptq(?:[- _]?int4|[- _]?4bit)?)", "gptq4"),
    (r"awq(?:[- _]?int4|[- _]?4bit)?", "awq4"),
    (r"(?:unsloth[- _])?(?:bnb[- _]?4bit|nf4|int4|4[- _]?bit|nvfp4|mxfp4|fp4)", "nf4"),
    (r"(?:bnb[- _]?8bit|int8|8[- _]?bit|w8a8|w8a16|gptq[- _]?int8)", "int8"),
    (r"fp8(?:[- _]dynamic)?", "fp8"),
    (r"i?q[234](?:[_ ][0-9a-z]+)*", "q4"),
    (r"q5(?:[_ ][0-9a-z]+)*", "q5"),
    (r"q[68](?:[_ ][0-9a-z]+)*", "q8"),
    (r"(?:bf16|fp16|f16|16[- _]?bit)", "none"),
    (r"(?:gguf|ggml|exl2|exl3|mlx|hf|safetensors|onnx|unsloth)", None),
    (r"(?:instruct|chat|it|base|thinking|reasoning|model|modell|preview|latest|dpo|sft|pt|text)", None),
    (r"(?:2[3-6](?:0[1-9]|1[0-2])|0[1-9][0-3]\d|1[0-2][0-3]\d|v\d(?:\.\d)?)", None),
)
_ENDING = tuple((re.compile(rf"[-_:\s]+{pattern}$"), meaning) for pattern, meaning in _ENDINGS)
_OWNERS = re.compile(
    r"^(?:meta|facebook|google|microsoft|alibaba|openai|nvidia|mistralai|deepseek-ai|ibm|tiiuae|ollama|hf\.co|unsloth)[\s/-]+(?=\S)"
)
_DIGIT_UNDERSCORE = re.compile(r"(?<=\d)[_-](?=\d(?:[-_\s:]|$))")


def architecture_named(text: str, catalogue: Catalogue) -> Architecture | Ambiguity | NotOpen | None:
    """The architecture a name means, what to ask, or that it has no open weights. None: read its size instead."""
    named = model_named(text, catalogue)
    return named.architecture if isinstance(named, NamedModel) else named


def model_named(text: str, catalogue: Catalogue) -> NamedModel | Ambiguity | NotOpen | None:
    """As `architecture_named`, with the weight format that the name carries and what was taken without being said."""
    name = text.lower().strip() if len(text) <= LONGEST else ""
    quantization: Quantization | None = None
    while name:
        if (found := _model(name, text, catalogue, quantization)) is not None:
            return found
        for ending, meaning in _ENDING:
            if (match := ending.search(name)) is not None:
                name, quantization = name[: match.start()], quantization or meaning
                break
        else:
            return None
    return None


def _model(name: str, read: str, catalogue: Catalogue, quantization: Quantization | None) -> NamedModel | Ambiguity | NotOpen | None:
    for key in _model_keys(name):
        if (rule := catalogue.model_names.get(key)) is not None:
            return _ruled_model(read, rule, catalogue, quantization)
        if (one := catalogue.architecture_aliases.get(key)) is not None:
            return NamedModel(catalogue.architectures[one], quantization)
    return _closed(normalised(name), read, catalogue)


def _model_keys(name: str) -> Iterable[str]:
    """First with the organisation, then without, then without the maker, then "3_3" as "3.3"."""
    yield normalised(name)
    bare = name.rpartition("/")[2]
    yield normalised(bare)
    bare = _OWNERS.sub("", bare)
    yield normalised(bare)
    yield normalised(_DIGIT_UNDERSCORE.sub(".", bare))


def _ruled_model(read: str, rule: NameRule, catalogue: Catalogue, quantization: Quantization | None) -> NamedModel | Ambiguity | NotOpen:
    ones = [catalogue.architectures[option] for option in rule.options]
    if rule.kind == "model_taken":
        return NamedModel(ones[0], quantization, rule.note)
    options = tuple(model_option(one) for one in ones)
    return NotOpen(read, rule.note, options) if rule.kind == "model_closed" else Ambiguity(read, options)


def _closed(key: str, read: str, catalogue: Catalogue) -> NotOpen | None:
    """A closed model by the start of its name: "claude3.5 sonnet", "gpt4 turbo"; the longest start decides."""
    starts = [name for name, rule in catalogue.model_names.items() if rule.kind == "model_closed" and _starts(key, name)]
    if not starts:
        return None
    found = _ruled_model(read, catalogue.model_names[max(starts, key=len)], catalogue, None)
    return found if isinstance(found, NotOpen) else None


def _starts(key: str, name: str) -> bool:
    """Whether `name` is the first word of `key`, or all of it but a version: "claude" of "claude3.5", not "gpt4" of "gpt4all"."""
    following = key[len(name) : len(name) + 1]
    return key.startswith(name) and not following.isalpha() and not (following.isdigit() and name[-1].isdigit())
