"""What rules look at: what was asked, and the results of the stages so far, under names that read as sentences."""

from dataclasses import dataclass
from functools import cached_property

from engine.placement import holds
from engine.placement.spread import COPIES
from engine.recommendation import Acquisition, Fit, FitVerdict, Plan, Run, Sizing
from engine.request import Method, Sharding
from engine.rules.asked import FULL, SYMPTOMS, TRAINING, Asked
from engine.units import magnitude

__all__ = ["FULL", "SYMPTOMS", "TRAINING", "Case"]

CHANGES_THE_TASK = (
    "sequence_length",
    "offload_optimizer",
    "offload_parameters",
    "combination",
    "more_cards",
    "smaller_model",
    "other_hardware",
)


@dataclass(frozen=True)
class Case(Asked):
    """One request with what the stages before have found; later stages see more of it (`dataclasses.replace`)."""

    sizings: tuple[Sizing, ...] = ()
    run: Run | None = None
    plans: tuple[Plan, ...] = ()
    acquisition: Acquisition | None = None

    @property
    def sizing(self) -> Sizing | None:
        return self.sizings[0] if self.sizings else None

    @property
    def sized_methods(self) -> tuple[Method, ...]:
        return tuple(sizing.method for sizing in self.sizings)

    @property
    def trains(self) -> bool:
        """The answer is about training: what was sized, or what was asked where nothing could be."""
        return self.sizing.method in TRAINING if self.sizing else not self.serves and not self.money_only

    @property
    def fits_sharded(self) -> bool:
        """What was asked fits their cards together, none of them alone."""
        return self.fit.verdict in ("yes", "tight") and self.fit.sharding not in (None, *COPIES)

    @property
    def fit(self) -> Fit:
        """Of the sizing answered; unknown where nothing could be sized."""
        return self.sizing.fit if self.sizing else Fit("unknown", None, None, None, None, None, None, None, ())

    @property
    def fits(self) -> FitVerdict:
        return self.fit.verdict

    @cached_property
    def owned_fits(self) -> bool:
        """What they own holds it: as asked, with the adapter method we would take, or after turning knobs that keep the task."""
        if not self.owns_cards or self.in_question or self.sizing is None:
            return False
        if any(sizing.fit.verdict in ("yes", "tight") for sizing in self.sizings):
            return True
        if any(knob.fits for knob in self.fit.knobs if knob.knob not in CHANGES_THE_TASK):
            return True
        untried = self.trains and self.adapter not in self.sized_methods
        return untried and holds(self.subject, self.sizing.architecture, self.adapter) in ("yes", "tight")

    @property
    def sharding(self) -> Sharding | None:
        return self.sizing.fit.sharding if self.sizing else None

    @cached_property
    def one_card_holds(self) -> bool:
        """One of their cards holds what was sized all by itself."""
        return self.sizing is not None and self.fits in ("yes", "tight") and self.sharding in (None, "none", "ddp")

    @property
    def is_slow(self) -> bool:
        """A run of unreasonable length, or a card that computes slowly for its memory."""
        limit = magnitude(self.figure("slow_run").quantity, "hour")
        long = self.run is not None and magnitude(self.run.typical, "hour") > limit
        offloads = self.request.training is not None and self.request.training.offload in ("parameters", "nvme")
        return long or offloads

    @property
    def pays_by_hour(self) -> bool:
        """Hours are what the money is about: hours or a budget were said, and renting is a way."""
        asked = self.request
        hours_matter = asked.usage is not None or bool(asked.budget) or asked.quotes is not None
        return hours_matter and any(plan.acquisition == "rent" for plan in self.plans)

    @property
    def plans_within_budget(self) -> tuple[Plan, ...]:
        return tuple(plan for plan in self.plans if plan.within_budget)

    @property
    def breaks_budget(self) -> bool:
        """An offer of their own breaks the budget, or every plan that gives nothing up does."""
        whole = [plan for plan in self.plans if not plan.gives_up and plan.within_budget is not None]
        over = [plan for plan in whole if not plan.within_budget]
        quoted = any(plan.gpu is None and plan.provider is None for plan in over)
        return bool(over) and (quoted or len(over) == len(whole))
