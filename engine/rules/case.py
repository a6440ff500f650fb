"""What rules look at: the request, what it was resolved to, and the results of the stages so far, under names that read as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal, TypeAlias

from engine.catalogue import Architecture, Catalogue, Figure, Gpu
from engine.placement import default_training_method
from engine.recommendation import Acquisition, Plan, Question, Run, Sizing
from engine.request import Method, Request
from engine.subject import Machine, Subject

Symptom: TypeAlias = Literal["out_of_memory", "fails_at_evaluation", "slow", "near_limit", "no_speedup", "not_sharded"]

TRAINING: tuple[Method, ...] = ("lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain")
ADAPTERS: tuple[Method, ...] = ("lora", "qlora", "lora8")
FULL: tuple[Method, ...] = ("full", "continued_pretrain", "pretrain")


@dataclass(frozen=True)
class Case:
    """One request with what the stages before have found; later stages see more of it (`dataclasses.replace`)."""

    subject: Subject
    catalogue: Catalogue
    today: date
    symptoms: frozenset[Symptom] = frozenset()
    questions: tuple[Question, ...] = ()
    sizings: tuple[Sizing, ...] = ()
    run: Run | None = None
    plans: tuple[Plan, ...] = ()
    acquisition: Acquisition | None = None
    notes: Mapping[str, object] = field(default_factory=dict)

    @property
    def request(self) -> Request:
        return self.subject.request

    def figure(self, name: str) -> Figure:
        return self.catalogue.figure(name)

    # what was asked

    @property
    def methods(self) -> tuple[Method, ...]:
        return self.request.methods or ()

    @property
    def training_methods(self) -> tuple[Method, ...]:
        return tuple(method for method in self.methods if method in TRAINING)

    def wants(self, method: Method) -> bool:
        return method in self.methods or (method == "pretrain" and self.request.goal == "base_model" and not self.methods)

    @property
    def serves(self) -> bool:
        """Only inference is wanted."""
        return not self.training_methods and (self.request.goal == "serve" or "serve" in self.methods or "rag" in self.methods)

    @property
    def money_only(self) -> bool:
        """Nothing but money was said: no model, method, goal, hardware, data or users."""
        asked = self.request
        spoken = (asked.models, asked.methods, asked.goal, asked.hardware, asked.serving, asked.dataset, asked.training, asked.stage)
        return asked.quotes is not None and not any(spoken)

    @property
    def goal_matters(self) -> bool:
        """The goal is unknown and would change what is advised."""
        return self.request.goal is None and not self.serves and not self.money_only

    @property
    def asked_adapter(self) -> Method | None:
        """The adapter method they named; of several the one that suits what they own."""
        named = [method for method in self.methods if method in ADAPTERS]
        return self.adapter if self.adapter in named else next(iter(named), None)

    # what it was resolved to

    @property
    def architecture(self) -> Architecture | None:
        return self.subject.architectures[0] if self.subject.architectures else None

    @property
    def is_small(self) -> bool:
        """Small enough to be trained from scratch by a company."""
        return self.architecture is not None and self.architecture.parameters <= self.figure("from_scratch_small_model").high

    @cached_property
    def adapter(self) -> Method:
        """LoRA or QLoRA, by what fits what they own."""
        return default_training_method(self.subject, self.architecture, self.catalogue)

    @property
    def machine(self) -> Machine | None:
        return self.subject.machine

    @property
    def owns_cards(self) -> bool:
        return self.machine is not None and self.machine.count > 0

    @property
    def cards(self) -> tuple[Gpu, ...]:
        """The named cards they own or ask about."""
        return () if self.machine is None else tuple(group.gpu for group in self.machine.groups if group.gpu is not None)

    # what was found

    @property
    def sizing(self) -> Sizing | None:
        return self.sizings[0] if self.sizings else None
