"""From what people type to an architecture: organisation, suffixes and weight formats are taken off one by one, never all separators."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from engine.catalogue.keys import normalised
from engine.catalogue.names.answers import LONGEST, Ambiguity, NamedModel, NotOpen, model_option
from engine.catalogue.things import Architecture
from engine.catalogue.whole import Catalogue, NameRule
from engine.request import Quantization

# What a repository's name ends with and what it says about the weights; None: it says nothing about them.
_ENDINGS: tuple[tuple[str, Quantization | None], ...] = (
    (r"(?:(?:quantized[.])?w4a16|(?:int4[- _]?)?gptq(?:[- _]?int4|[- _]?4[- _]?bit|[- _]marlin)*)", "gptq4"),
    (r"(?:int4[- _]?)?awq(?:[- _]?int4|[- _]?4[- _]?bit|[- _]?w4a16|[- _]marlin)*", "awq4"),
    (r"(?:unsloth[- _])?(?:bnb[- _]?4[- _]?bit|nf4|int4|4[- _]?bit|nvfp4|mxfp4|fp4)", "nf4"),
    (r"(?:bnb[- _]?8[- _]?bit|int8|8[- _]?bit|(?:quantized[.])?w8a8|w8a16|gptq[- _]?(?:int8|8[- _]?bit))", "int8"),
    (r"fp8(?:[- _](?:dynamic|block|kv))*", "fp8"),
    (r"(?:ud[- _])?i?q[234](?:[_ ][0-9a-z]+)*", "q4"),
    (r"q5(?:[_ ][0-9a-z]+)*", "q5"),
    (r"q[68](?:[_ ][0-9a-z]+)*", "q8"),
    (r"(?:bf16|fp16|f16|16[- _]?bit)", "none"),
    (r"(?:gguf|ggml|exl2|exl3|mlx|mlc|hf|safetensors|onnx|openvino|ov|unsloth|qat|dwq|imatrix|i1|128g|autoround|gs128)", None),
    (r"(?:instruct|chat|it|base|thinking|reasoning|model|modell|preview|latest|pt|text|pretrain|cloud)", None),
    (r"(?:dpo|sft|orpo|kto|simpo|grpo|rlhf|abliterated|uncensored|heretic|lorablated|deduped|fc|[148]m|\d{1,3}k)", None),
    (r"(?:2[3-6](?:0[1-9]|1[0-2])|0[1-9][0-3]\d|1[0-2][0-3]\d|20[12]\d{5}|\d\d[- ]20[12]\d)", None),
)
_ENDING = tuple((re.compile(rf"[-_:\s]+{pattern}$"), meaning) for pattern, meaning in _ENDINGS)
_VERSION = re.compile(r"(?<=\w)[-_:\s]+v\d(?:[.]\d)?$")
_SIZE = re.compile(r"(\d+(?:[.]\d+)?)([bm])(?![a-z])")
_OWNERS = re.compile(
    r"^(?:meta|facebook|google|microsoft|alibaba|openai|nvidia|mistralai|deepseek-ai|ibm|tiiuae|ollama|hf\.co|unsloth)[\s/-]+(?=\S)"
)
_SAID = re.compile(r"^(.+)[-_:\s]+(\d+(?:[.]\d+)?)([bm])$")
# Parts of models and cut-down ones that carry the name of the whole one.
_OTHER_THINGS = frozenset(
    [
        "eagle",
        "eagle3",
        "speculator",
        "draft",
        "drafter",
        "dflash",
        "dflash2",
        "dspark",
        "dflare",
        "domino",
        "medusa",
        "mtp",
        "lora",
        "adapter",
        "assistant",
        "reap",
        "pruned",
        "tiny",
        "random",
        "vispec",
        "spec",
        "moe",
        "minitron",
        "mamba",
        "embed",
        "projector",
        "mmproj",
    ]
)
_MOST_WORDS, _OWN_NAME = 16, 4
_NO_WORD = re.compile(r"[^a-z0-9]+")
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
        name, meaning = _shorter(name)
        quantization = quantization or meaning
    return _sized(text, catalogue) or _derived(text, catalogue)


def _shorter(name: str) -> tuple[str, Quantization | None]:
    """The name without its last ending and what that says about the weights; empty where none is left.

    A version goes only behind a size: "7b v0.1" is a 7B, "mimo v2.5" is not the MiMo before it.
    """
    for ending, meaning in _ENDING:
        if (match := ending.search(name)) is not None:
            return name[: match.start()], meaning
    match = _VERSION.search(name)
    return (name[: match.start()], None) if match is not None and _SIZE.search(name[: match.start()]) else ("", None)


def _sized(text: str, catalogue: Catalogue) -> NamedModel | None:
    """A name without a size, and the size it has behind it: "all-minilm:22m", "gpt2 124m"."""
    match = _SAID.search(text.lower().strip()) if len(text) <= LONGEST else None
    one = catalogue.architecture_aliases.get(normalised(match[1].rpartition("/")[2])) if match is not None else None
    if match is None or one is None:
        return None
    scale = 10 ** len(match[2].partition(".")[2])  # as written: 22.7 million are 22m or 23m, never 24m
    counted = catalogue.architectures[one].parameters / (1e9 if match[3] == "b" else 1e6) * scale
    return NamedModel(catalogue.architectures[one]) if round(float(match[2]) * scale) in (int(counted), round(counted)) else None


def _derived(text: str, catalogue: Catalogue) -> NamedModel | None:
    """The model a longer name contains with its size, the only one in it: "Hermes-2-Pro-Llama-3-8B" has the shape of Llama 3 8B."""
    bare = text.lower().rpartition("/")[2] if len(text) <= LONGEST else ""
    words, sizes = normalised(bare).split(), set(_SIZE.findall(bare))
    if not sizes or len(words) > _MOST_WORDS or not _OTHER_THINGS.isdisjoint(_NO_WORD.split(bare)):
        return None
    for part in _parts(words, sizes):
        rule = catalogue.model_names.get(part)
        one = catalogue.architecture_aliases.get(part) if rule is None else rule.options[0] if rule.kind == "model_taken" else None
        if one is not None:
            return NamedModel(catalogue.architectures[one], _format(text), "derived")
    return None


def _parts(words: Sequence[str], sizes: Set[tuple[str, str]]) -> Iterator[str]:
    """Neighbouring words with all sizes of a name, the longest first; then a family and the size behind somebody's own name."""
    for length in range(len(words) - 1, 0, -1):
        for first in range(len(words) - length + 1):
            part = " ".join(words[first : first + length])
            if set(_SIZE.findall(part)) == sizes:
                yield part
    size = "".join(next(iter(sizes)))
    for last, word in enumerate(words if len(sizes) == 1 else ()):
        own = word.removesuffix(size)
        for first in range(last if word.endswith(size) else 0):
            if all(len(name) >= _OWN_NAME and name.isalpha() for name in (*words[first + 1 : last], *filter(None, [own]))):
                yield f"{words[first]} {size}"


def _format(text: str) -> Quantization | None:
    """The weight format a name ends with."""
    name, quantization = text.lower().strip(), None
    while name and quantization is None:
        name, quantization = _shorter(name)
    return quantization


def _model(name: str, read: str, catalogue: Catalogue, quantization: Quantization | None) -> NamedModel | Ambiguity | NotOpen | None:
    for key in _model_keys(name):
        if (rule := catalogue.model_names.get(key)) is not None:
            return _ruled_model(read, rule, catalogue, quantization)
        if (one := catalogue.architecture_aliases.get(key)) is not None:
            return NamedModel(catalogue.architectures[one], quantization)
    return _closed(normalised(name.rpartition("/")[2]), read, catalogue)


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
