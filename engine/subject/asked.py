"""The subject of a request: shapes, machine, what must be asked back, what cannot be true.

What cannot be used is left out of `Subject.request` and asked back instead: an ambiguous or unknown name, an amount without a
currency, a cap without an hourly price. Nothing is guessed; hardware that could be one of a few stays in `alternatives`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.catalogue import Architecture, Catalogue
from engine.catalogue.keys import compact
from engine.catalogue.names import NotOpen
from engine.recommendation import Question
from engine.request import Holding, ModelChoice, Request, Training
from engine.subject.findings import Contradiction, Finding
from engine.subject.hardware import Cards, Machine, cpu_ram_of
from engine.subject.holdings import Held, held
from engine.subject.models import Chosen, chosen
from engine.subject.money import usable_money

_NUMBERED = re.compile(r"[a-z]*\d{2,}(?: ?ti\b)?|[a-z]\d+ [a-z]+")


@dataclass(frozen=True, slots=True)
class Subject:
    """What the stages after this work on. `request` holds what is usable; `asked` is the request as it came."""

    request: Request
    asked: Request
    architectures: tuple[Architecture, ...]  # one for each entry of request.models, in its order
    machine: Machine | None  # None: nothing was said, or what was said is asked back
    alternatives: tuple[Machine, ...]  # what the machine could be while that is asked back
    questions: tuple[Question, ...]
    contradictions: tuple[Contradiction, ...]
    closed: tuple[NotOpen, ...]  # models named whose weights are not published
    assumed: Mapping[str, str]  # Request path -> what was taken without being said
    catalogue: Catalogue = field(repr=False, compare=False)


def subject_of(request: Request, catalogue: Catalogue, asked_back: tuple[Question, ...] = ()) -> Subject:
    """Resolve a request against the catalogue. `asked_back`: what its reader already asks; cards in question are kept as alternatives.

    Errors: Refusal for a config that describes no model.
    """
    models = [chosen(choice, place, catalogue) for place, choice in enumerate(request.models or ())]
    holdings = [held(holding, place, catalogue) for place, holding in enumerate(request.hardware or ())]
    usable, money = usable_money(request)
    findings: list[Finding] = [*models, *holdings]
    return Subject(
        request=_understood(usable, models, holdings),
        asked=request,
        architectures=tuple(one.architecture for one in models if one.architecture is not None),
        machine=_machine(request, holdings),
        alternatives=_alternatives(request, holdings) or _in_question(request, asked_back, catalogue),
        questions=(*(one.question for one in findings if one.question), *money),
        contradictions=tuple(one.contradiction for one in findings if one.contradiction),
        closed=tuple(one.closed for one in models if one.closed),
        assumed={f"models.{place}": one.taken for place, one in enumerate(models) if one.taken},
        catalogue=catalogue,
    )


def _understood(request: Request, models: list[Chosen], holdings: list[Held]) -> Request:
    """The request without what is asked back; a list that loses everything was not said, an empty one means none."""
    update: dict[str, object] = {}
    if any(one.question for one in models):
        kept_models: tuple[ModelChoice, ...] = tuple(one.choice for one in models if not one.question)
        update["models"] = kept_models or None
    if any(one.question for one in holdings):
        update["hardware"] = tuple(one.holding for one in holdings if not one.question) or None
    carried = next((one.quantization for one in models if one.quantization), None)
    if carried and not (request.training and request.training.quantization):
        update["training"] = (request.training or Training()).model_copy(update={"quantization": carried})
    return request.model_copy(update=update) if update else request


def _machine(request: Request, holdings: list[Held]) -> Machine | None:
    if request.hardware is None or any(one.question for one in holdings):
        return None
    groups = _groups(holdings)
    return Machine(groups, cpu_ram_of(request.hardware), not groups and any(one.kind == "ram" for one in request.hardware))


def _groups(holdings: list[Held]) -> tuple[Cards, ...]:
    return tuple(one.cards for one in holdings if one.cards is not None)


def _alternatives(request: Request, holdings: list[Held]) -> tuple[Machine, ...]:
    """One machine for each card an ambiguous name could mean; only where a single name is in question."""
    doubtful = [one for one in holdings if one.question]
    if len(doubtful) != 1:
        return ()
    sure = _groups(holdings)
    return tuple(Machine((*sure, cards), cpu_ram_of(request.hardware or ())) for cards in doubtful[0].possible)


def _in_question(request: Request, asked_back: tuple[Question, ...], catalogue: Catalogue) -> tuple[Machine, ...]:
    """The machines the reader's question leaves open: every card bears the name that was read, so there is no other."""
    questions = [one for one in asked_back if one.slot == "hardware" and one.read]
    if request.hardware or len(questions) != 1:
        return ()
    options = [Holding.model_validate(option.value) for option in questions[0].options if "gpu" in option.value]
    if len(options) < len(questions[0].options) or not all(_bears(option.gpu or "", questions[0].read or "") for option in options):
        return ()
    found = [held(option, 0, catalogue).cards for option in options]
    return tuple(Machine((cards,)) for cards in sorted((one for one in found if one), key=lambda one: one.usable))


def _bears(name: str, read: str) -> bool:
    """Whether a card's name has a number of what was read: A100 of "4*A100", 4060ti of "4060 Ti 8GB"."""
    return any(compact(word) in compact(name) for word in _NUMBERED.findall(read.lower()))
