"""One request of many readings: what was clear enters the Request, what was not becomes questions, most decisive first.

Ranges become what is sized: both models of a range, the upper end of a budget, the middle of hours. What stands aside is left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bot.reading.doubts import SLOT_OF, questions
from bot.reading.readings import IN_QUESTION, Reading
from engine.people import PEOPLE
from engine.recommendation import Question
from engine.request import Language, Request, Slot

_GOALS = ("facts", "style", "format", "new_skill", "base_model", "serve")
_LEARNT = ("facts", "style", "format", "new_skill")  # what running a model as it is does not give
_ADAPTING = ("lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain")
_FOUR_BIT = ("nf4", "nf4-dq")
_STAGES = ("sft", "dpo", "rl")  # the last takes most, and decides
_SIXTEEN_BIT = ("fp16", "bf16", "pure_bf16")
_NO_FIELD = ("symptom", PEOPLE, IN_QUESTION[0])
_ON_QUANTISED = {"nf4": "qlora", "nf4-dq": "qlora", "int8": "lora8"}


@dataclass(frozen=True, slots=True)
class Understood:
    """The Request as far as it is clear, what must be asked back, what they report of a run (oom, evaluation, nvlink, images …),
    `card:NAME` for each card they ask about without having it, `in_question` where the Request's hardware is such a card, and
    `people:N` where its users are a share of N people."""

    request: Request
    questions: tuple[Question, ...]
    mentions: frozenset[str] = frozenset()


def understood(readings: Iterable[Reading], lang: Language) -> Understood:
    """What a message asks for. Never raises: what cannot stand together is asked back."""
    everything = tuple(readings)
    said = [reading for reading in everything if not reading.aside]
    parts = {name: part for name, part in _parts(said).items() if part is not None}
    request, refused = _request({**parts, "lang": lang}, said)
    symptoms = (reading.says[1] for reading in said if reading.says and reading.says[0] == "symptom")
    mentions = frozenset((*symptoms, *(f"card:{name}" for name in _cards_in_question(everything)), *_in_question(said), *_people(said)))
    return Understood(request, (*questions(said, request, len(said) == len(everything)), *refused), mentions)


def _in_question(said: Iterable[Reading]) -> Iterator[str]:
    """Whether no machine they named is theirs."""
    machines = [one for one in said if one.slot == "hardware" and one.value != []]
    if machines and all(one.says == IN_QUESTION for one in machines):
        yield "in_question"


def _people(said: Iterable[Reading]) -> Iterator[str]:
    """The people of a company of whom a share is taken for those who write at once."""
    yield from (f"{PEOPLE}:{one.says[1]}" for one in said if one.says and one.says[0] == PEOPLE)


def _cards_in_question(everything: Iterable[Reading]) -> Iterator[str]:
    """Cards they ask about without having them: what is offered is priced on these."""
    for reading in everything:
        if reading.slot == "hardware" and reading.aside and reading.says is None:
            values = [reading.value, *(option.value for option in reading.ask_back or ())]
            yield from (value["gpu"] for value in values if isinstance(value, dict) and "gpu" in value)


def _parts(said: list[Reading]) -> dict[str, Any]:
    told = {reading.says[0]: reading.says[1] for reading in said if reading.says and reading.says[0] not in _NO_FIELD}
    training, serving = _training(_values(said, "training")), _merged(_values(said, "serving"))
    trained = any((one.slot == "method" and one.value is None) or one.slot == "stage" for one in said)
    methods = _methods(_values(said, "method"), training.get("quantization"), trained)
    if (methods == ("serve",) or (serving.get("users") and not methods)) and "sequence_length" in training:
        serving.setdefault("context", training.pop("sequence_length"))
    if set(methods) <= {"serve", "rag"} and not trained and training.get("precision") in _SIXTEEN_BIT:
        training.setdefault("quantization", "none")  # a model that is only run in 16 bit is not quantised
    goal = _goal(_values(said, "goal"), trained or bool(set(methods) & set(_ADAPTING)))
    if methods == ("serve",):
        methods, goal = ((), goal) if goal in _LEARNT else (methods, goal or "serve")
    return {
        **told,
        "goal": goal,
        "models": _models(said),
        "methods": methods or None,
        "stage": max(_values(said, "stage"), key=_STAGES.index, default=None),
        "training": training or None,
        "dataset": _dataset(_values(said, "dataset")) or None,
        "usage": _usage(said, methods) or None,
        "serving": serving or None,
        "budget": _budget(said),
        "hardware": _hardware(_values(said, "hardware")),
        "site": next(iter(_values(said, "site")), None),
        "constraints": _merged(_values(said, "constraints")) or None,
        "quotes": _merged(_values(said, "quotes")) or None,
    }


def _values(said: Iterable[Reading], slot: Slot) -> list[Any]:
    """The values of a slot that are sure and usable by themselves."""
    return [one.value for one in said if one.slot == slot and one.value is not None and one.means_it and (one.sure or _usable(one))]


def _usable(reading: Reading) -> bool:
    """Whether the sure part of an open reading means something on its own: rows do, an amount without a currency does not."""
    return reading.slot in ("dataset", "stage")


def _merged(values: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Several pieces of one object; the first word on a field counts."""
    together: dict[str, Any] = {}
    for value in values:
        for key, entry in value.items():
            if isinstance(entry, Mapping):
                together[key] = _merged([together.get(key, {}), entry])
            else:
                together.setdefault(key, entry)
    return together


def _training(values: list[dict[str, Any]]) -> dict[str, Any]:
    """Settings of the step; of several lengths the longest decides."""
    together = _merged(values)
    lengths = [value["sequence_length"] for value in values if "sequence_length" in value]
    if lengths:
        together["sequence_length"] = max(lengths)
    if any(value.get("quantization") == "none" for value in values):
        together["quantization"] = "none"
    return together


def _methods(values: list[str], quantization: str | None, trained: bool) -> tuple[str, ...]:
    """The methods asked about; LoRA on a 4-bit base is QLoRA, continued pre-training with LoRA is LoRA."""
    named = list(dict.fromkeys(values))
    if "lora" in named and "qlora" not in named and quantization in _FOUR_BIT:
        named[named.index("lora")] = "qlora"
    if "lora" in named and "lora8" not in named and quantization == "int8":
        named[named.index("lora")] = "lora8"
    if trained and not set(named) & set(_ADAPTING) and quantization in _ON_QUANTISED:
        named.append(_ON_QUANTISED[quantization])  # training a 4-bit base is QLoRA, whatever they call it
    if "continued_pretrain" in named and {"lora", "qlora", "lora8"} & set(named):
        named.remove("continued_pretrain")
    if "continued_pretrain" in named and "pretrain" in named:
        named.remove("pretrain")
    if (trained or set(named) & set(_ADAPTING)) and "serve" in named:
        named.remove("serve")
    if "rag" in named and (trained or set(named) & set(_ADAPTING) or len(named) > 1):
        named.remove("rag")  # "RAG or training?" is the question, not a method they chose
    return tuple(named)


def _goal(values: list[str], trained: bool) -> str | None:
    """The goal that decides most; where anything is to be trained, running it is no goal of its own."""
    wanted = [goal for goal in _GOALS if goal in values]
    if trained and "serve" in wanted:
        wanted.remove("serve")
    return wanted[0] if wanted else None


def _model(value: Mapping[str, Any]) -> dict[str, Any]:
    """As the Request takes it: a catalogue name alone keeps the exact shape."""
    return {"name": value["name"]} if "name" in value else dict(value)


def _models(said: list[Reading]) -> list[dict[str, Any]] | None:
    found: list[Mapping[str, Any]] = []
    for reading in said:
        if reading.slot == "model":
            found += reading.range or ([reading.value] if reading.value and reading.sure else [])
    named = [value["params_b"] for value in found if "name" in value]
    kept = [value for value in found if "name" in value or not any(abs(size - value["params_b"]) < 0.12 * size for size in named)]
    unique = list({str(_model(value)): _model(value) for value in kept}.values())
    return unique[:20] or None


def _dataset(values: list[dict[str, Any]]) -> dict[str, Any]:
    together = _merged(values)
    if "tokens" in together:
        together.pop("rows", None)
    return together


def _usage(said: list[Reading], methods: tuple[str, ...]) -> dict[str, Any]:
    """Hours: a plain number counts before a range, a later one before an earlier one ("2 runs of 4-6 h, so about 12 h a month")."""
    hours = [reading for reading in said if reading.slot == "usage" and (reading.range or (reading.value and reading.sure))]
    together: dict[str, Any] = {}
    for reading in sorted(hours, key=lambda one: one.range is None):
        together |= _hours(reading, methods)
    if "training_hours_per_month" in together:
        together.pop("hours_once", None)
    return together


def _hours(reading: Reading, methods: tuple[str, ...]) -> dict[str, Any]:
    low, high = reading.range or (reading.value, reading.value)
    serving = low.get("activity") == "serving" or (methods == ("serve",) and "activity" not in low)
    names = {"hours_per_month": "serving_hours_per_month" if serving else "training_hours_per_month", "hours_once": "hours_once"}
    found = {names[key]: (low[key] + high[key]) / 2 for key in names if key in low}
    return found | ({"horizon_months": low["horizon_months"]} if "horizon_months" in low else {})


def _budget(said: list[Reading]) -> list[dict[str, Any]] | None:
    limits: list[dict[str, Any]] = []
    unlimited = False
    for reading in said:
        if reading.slot != "budget":
            continue
        if reading.range and reading.ask_back is None:
            limits.append(reading.range[1])
        elif reading.value == []:
            unlimited = True
        elif reading.value and reading.sure:
            limits.append(reading.value)
    unique = [limit for place, limit in enumerate(limits) if limit not in limits[:place]]
    return unique[:10] if unique or unlimited else None


def _hardware(values: list[Any]) -> list[dict[str, Any]] | None:
    """What is at hand; memory of the computer belongs to the first card."""
    cards = [dict(value) for value in values if value and value.get("kind") != "ram"]
    memories = [value["memory_gb"] for value in values if value and value.get("kind") == "ram"]
    if cards and memories:
        cards[0]["cpu_ram_gb"] = max(memories)
    elif memories:
        cards = [{"memory_gb": memories[0], "count": 1, "kind": "ram"}]
    unique = [card for place, card in enumerate(cards) if card not in cards[:place]]
    return unique[:100] if unique or [] in values else None


def _request(parts: dict[str, Any], said: list[Reading]) -> tuple[Request, tuple[Question, ...]]:
    """The Request, without the parts that cannot stand; these are asked back."""
    refused: list[Question] = []
    for _ in range(len(parts)):
        try:
            return Request(**parts), tuple(refused)
        except ValidationError as error:
            field = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else next(iter(parts))
            parts.pop(field, None)
            slot: Slot = SLOT_OF.get(field, "usage")
            refused.append(Question(slot, next((one.text for one in said if one.slot == slot), None), (), field))
    return Request(lang=parts.get("lang")), tuple(refused)
