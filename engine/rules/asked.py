"""What rules look at before anything is sized: the request and what it was resolved to, under names that read as sentences."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from engine.catalogue import Architecture, Catalogue, Figure, Gpu
from engine.catalogue.names import gpu_named
from engine.machine_facts import OWN_COOLING
from engine.memory import typical_architecture
from engine.people import PEOPLE, at_once_of
from engine.placement import default_training_method
from engine.recommendation import Question
from engine.request import Method, Request
from engine.subject import Machine, Subject
from engine.units import magnitude

SYMPTOMS = frozenset(  # what people report
    {"oom", "evaluation", "slow", "spill", "images", "nvlink", "unsharded", "nvidia_smi", "pooled", "calculation", "contradiction"}
)

IN_QUESTION = "in_question"  # among the symptoms: the cards of the request are asked about, and not theirs

CARD = "card:"  # before the name of a card in question, among the symptoms
TRAINING: tuple[Method, ...] = ("lora", "qlora", "lora8", "full", "continued_pretrain", "pretrain")
ADAPTERS: tuple[Method, ...] = ("lora", "qlora", "lora8")
FULL: tuple[Method, ...] = ("full", "continued_pretrain", "pretrain")
_ABOUT = 0.95  # 67B counts as 70B
_SEES = (
    "vision",
    "-vl",
    " vl",
    "vl-",
    "llava",
    "internvl",
    "pixtral",
    "multimodal",
    "paligemma",
    "idefics",
    "smolvlm",
    "cogvlm",
    "minicpm-v",
)


@dataclass(frozen=True)
class Asked:
    """One request as its reader and the catalogue understand it."""

    subject: Subject
    catalogue: Catalogue
    today: date
    symptoms: frozenset[str] = frozenset()
    questions: tuple[Question, ...] = ()

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
        asked = self.subject.asked
        spoken = (asked.models, asked.methods, asked.goal, asked.hardware, asked.serving, asked.dataset, asked.training, asked.stage)
        return asked.quotes is not None and not any(spoken)

    @property
    def computes(self) -> bool:
        """What they want is a calculation or a query over a table: no question for a model."""
        return "calculation" in self.symptoms

    @property
    def goal_matters(self) -> bool:
        """The goal is unknown and would change what is advised."""
        return self.request.goal is None and not self.serves and not self.money_only and not self.computes

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
    def architectures(self) -> tuple[Architecture, ...]:
        """The models in question; who wants retrieval and named none gets the commonest size."""
        if not self.subject.architectures and self.request.goal == "facts":
            return (typical_architecture(self.figure("default_model").typical),)
        return self.subject.architectures

    @property
    def is_large(self) -> bool:
        """So large that the cloud comes before a local build."""
        limit = magnitude(self.figure("cloud_before_build").quantity, "parameter")
        return self.architecture is not None and self.architecture.parameters >= limit * _ABOUT

    @property
    def serves_too(self) -> bool:
        """The machine would serve for the rest of the time."""
        return self.request.usage is not None and bool(self.request.usage.serving_hours_per_month)

    @property
    def asks_what_fits(self) -> bool:
        """Hardware but no model: the question is what it can do."""
        return self.subject.machine is not None and self.owns_cards and self.asked_models == 0 and self.request.goal != "facts"

    @property
    def asked_models(self) -> int:
        """Models named, those still asked back included."""
        return len(self.subject.asked.models or ()) + sum(question.slot == "model" for question in self.questions)

    @property
    def is_small(self) -> bool:
        """Small enough to be trained from scratch by a company."""
        limit = magnitude(self.figure("from_scratch_small_model").quantity, "parameter")
        return self.architecture is not None and self.architecture.parameters <= limit

    @cached_property
    def adapter(self) -> Method:
        """LoRA or QLoRA, by what fits what they own."""
        return default_training_method(self.subject, self.architecture, self.catalogue)

    @property
    def machine(self) -> Machine | None:
        """What they own or ask about; while a name is in question, the first of the machines it could be."""
        return self.subject.machine or next(iter(self.subject.alternatives), None)

    @property
    def owns_cards(self) -> bool:
        return self.machine is not None and self.machine.count > 0

    @property
    def in_question(self) -> bool:
        """The cards they named are not theirs: a machine to lease, a rented one, "and on a 4090?"."""
        return IN_QUESTION in self.symptoms

    @property
    def cards(self) -> tuple[Gpu, ...]:
        """The named cards they own or ask about."""
        return () if self.machine is None else tuple(group.gpu for group in self.machine.groups if group.gpu is not None)

    @property
    def cards_with_count(self) -> tuple[tuple[Gpu, int], ...]:
        """The named cards with how many of each."""
        return () if self.machine is None else tuple((group.gpu, group.count) for group in self.machine.groups if group.gpu is not None)

    @property
    def card_name(self) -> str | None:
        return self.cards[0].name if self.cards else None

    @property
    def count(self) -> int:
        """Cards in all."""
        return self.machine.count if self.machine else 0

    @property
    def nodes(self) -> int:
        return self.machine.nodes if self.machine else 1

    @property
    def has_nvlink(self) -> bool:
        """The cards are joined by NVLink: said, or always so with this card (a bridge must be said)."""
        return self.machine is not None and bool(self.machine.groups) and all(group.nvlink is True for group in self.machine.groups)

    @property
    def is_unified(self) -> bool:
        return self.machine is not None and any(group.unified for group in self.machine.groups)

    @property
    def is_apple(self) -> bool:
        """Unified memory without CUDA."""
        return self.is_unified and all(card.vendor == "Apple" for card in self.cards)

    @property
    def unified_share(self) -> float | None:
        return next((card.unified_share for card in self.cards if card.unified), None)

    @property
    def is_data_centre(self) -> bool:
        """Cards that stand in a data centre anyway: power and heat are somebody's job there. Modules and cards without
        a fan of their own do, unless they say it is an office."""
        racked = bool(self.cards) and all(card.cooling not in OWN_COOLING for card in self.cards)
        return self.request.site == "colocation" or (racked and self.request.site != "office")

    @property
    def memory_each(self) -> float | None:
        """Nominal GB of one card."""
        return next((card.memory_nominal for card in self.cards), None)

    @property
    def cpu_ram(self) -> float | None:
        """Bytes of CPU memory they named."""
        return self.machine.cpu_ram if self.machine else None

    @property
    def names_ram(self) -> bool:
        """They named CPU memory, or memory that is no GPU's."""
        return self.cpu_ram is not None or any(holding.kind == "ram" for holding in self.request.hardware or ())

    @property
    def sees_images(self) -> bool:
        """The model takes images, and was named for it."""
        named = [choice.name.lower() for choice in self.request.models or () if choice.name]
        return "images" in self.symptoms or any(sign in name for name in named for sign in _SEES)

    @cached_property
    def wanted(self) -> frozenset[str]:
        """Ids of the cards they ask about without having them; what is offered is priced on these where they hold the task."""
        named = (gpu_named(sign.removeprefix(CARD), self.catalogue) for sign in self.symptoms if sign.startswith(CARD))
        asked = frozenset(card.id for card in named if isinstance(card, Gpu))
        return asked | {card.id for card in self.cards} if self.in_question else asked

    @property
    def people(self) -> int | None:
        """The people of a company of whom those who write at once are a share; None where users were said, or others since."""
        named = next((int(sign.removeprefix(f"{PEOPLE}:")) for sign in sorted(self.symptoms) if sign.startswith(f"{PEOPLE}:")), None)
        users = self.request.serving.users if self.request.serving else None
        return named if named is not None and users == at_once_of(named, self.catalogue) else None

    @property
    def names_rank(self) -> bool:
        return self.request.training is not None and self.request.training.rank is not None

    @property
    def names_weights(self) -> bool:
        """They said in which format the base is held, so that LoRA on four bits is what they asked for."""
        return self.request.training is not None and self.request.training.quantization not in (None, "none")

    @property
    def names_sharding(self) -> bool:
        """They said how the model is sharded; none and plain data parallel are no sharding."""
        return self.request.training is not None and self.request.training.sharding not in (None, "none", "ddp")

    @property
    def shards_weights(self) -> bool:
        """They said a sharding that spreads the weights, too; ZeRO-1 and -2 copy a frozen base to every card."""
        frozen = bool(self.methods) and set(self.methods) <= set(ADAPTERS)
        return self.names_sharding and not (frozen and self.request.training and self.request.training.sharding in ("zero1", "zero2"))

    @property
    def epochs(self) -> float:
        return (self.request.dataset.epochs if self.request.dataset else None) or 0.0
