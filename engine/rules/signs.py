"""What warnings look for: each a question to a case, or the facts a warning's words need."""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Gpu, Offer
from engine.machine_facts import circuit_load, gradient_synchronisation, heat, power_supply
from engine.memory import setup_of
from engine.memory.reinforcement import reinforcement_terms
from engine.recommendation import Term
from engine.rules.case import Case
from engine.units import Quantity, magnitude, quantity

LENGTH_TERMS = ("activations", "logits", "kv_cache", "attention", "work")


def share_of_length(case: Case) -> float:
    """Part of the need that grows with the tokens of a step."""
    sizing = case.sizing
    if sizing is None:
        return 0.0
    growing = sum(magnitude(term.size, "byte") for term in sizing.footprint.terms if grows(term))
    return growing / magnitude(sizing.footprint.expected, "byte")


def grows(term: Term) -> bool:
    """Whether a term of the memory grows with the tokens of a step."""
    return any(term.term.startswith(name) for name in LENGTH_TERMS)


def length(case: Case) -> int:
    """Tokens of a row as they said; 0 where they did not."""
    training = case.request.training
    return (training.sequence_length if training else None) or 0


def length_decides(case: Case) -> bool:
    """Long rows, a run out of memory, or much of the need growing with the tokens."""
    long_rows = length(case) > case.figure("long_sequence").high
    return case.trains and (long_rows or "oom" in case.symptoms or share_of_length(case) > case.figure("length_share").high)


def filling(case: Case) -> float:
    """Expected need over what one card can give; 0 without hardware."""
    sizing = case.sizing
    if sizing is None or sizing.fit.needed is None or sizing.fit.usable is None or not magnitude(sizing.fit.usable, "byte"):
        return 0.0
    return magnitude(sizing.fit.needed, "byte") / magnitude(sizing.fit.usable, "byte")


def tight(case: Case) -> bool:
    """It fits, with little to spare."""
    return case.fits in ("yes", "tight") and (filling(case) > case.figure("headroom_filling").high or case.fits == "tight")


def spills(case: Case) -> bool:
    """A display driver that pages into system RAM instead of failing, on a card that is (nearly) full."""
    pages = "spill" in case.symptoms or any(card.geforce_licence for card in case.cards)
    return pages and bool({"slow", "spill"} & case.symptoms) and case.fits in ("tight", "no")


def counts_as_one(case: Case) -> bool:
    """Several cards may be taken for one large card: they said so, nothing could be sized, or one card does not hold it."""
    unsized = case.count > 1 and case.nodes == 1 and case.sizing is None
    return ("pooled" in case.symptoms and not case.names_sharding) or unsized or needs_several(case)


def needs_several(case: Case) -> bool:
    """One card does not hold it, and they did not say how it is sharded over the others."""
    several = case.count > 1 and case.nodes == 1 and not case.shards_weights
    return several and case.sizing is not None and not case.one_card_holds


def without_bf16(case: Case) -> str | None:
    """A card of theirs that computes no bf16; of cards they only ask about, where none of them does."""
    asked = [case.catalogue.gpus[one] for one in sorted(case.wanted)]
    cards = case.cards or (tuple(asked) if all(card.bf16_support == "n" for card in asked) else ())
    return next((card.name for card in cards if card.bf16_support == "n"), None)


def copies(case: Case) -> bool:
    """They said a data parallelism that copies the model to each card, and it only does not fit for that."""
    said = case.request.training.sharding if case.request.training else None
    if said not in ("none", "ddp", "zero1", "zero2") or case.count < 2 or case.fits != "no":
        return False
    return case.fit.needed is not None and filling(case) <= case.count


def link_is_slow(case: Case) -> bool:
    """The cards talk over PCIe, or they ask about NVLink they do not have."""
    several = case.count > 1 and case.nodes == 1 and not case.is_unified
    return (several and not case.has_nvlink) or ("nvlink" in case.symptoms and not case.has_nvlink)


def synchronisation(case: Case) -> Mapping[str, Any]:
    """Seconds a step spends on the link."""
    seconds = None if case.sizing is None else gradient_synchronisation(case.sizing, case.count, case.catalogue)
    return {"count": case.count, "seconds": seconds, "card": case.card_name}


def in_the_room(case: Case) -> tuple[tuple[Gpu, int], ...]:
    """The cards that stand or would stand at theirs: bought where that is the verdict, else what they own."""
    buys = case.acquisition is not None and case.acquisition.verdict == "buy"
    plan = next((one for one in case.plans if one.acquisition == "buy" and not one.gives_up), None) if buys else None
    if plan is None or plan.gpu is None:
        return () if case.is_data_centre else case.cards_with_count
    return ((plan.gpu, plan.count or 1),) if case.request.site != "colocation" else ()


def watts(case: Case) -> float:
    """Board power of all cards in the room."""
    return sum((card.power or 0) * count for card, count in in_the_room(case))


def room(case: Case) -> Mapping[str, Any]:
    """What the room must bear: power supply, heat, circuit."""
    cards = in_the_room(case)
    return {
        "power_supply": power_supply(cards, case.catalogue),
        "heat": heat(cards, case.catalogue),
        "circuit": circuit_load(cards, case.catalogue),
        "passive": any(card.cooling == "passive" for card, _ in cards),
    }


def money_matters(case: Case) -> bool:
    """Something was priced."""
    return any(plan.cost is not None for plan in case.plans)


def old_prices(case: Case) -> bool:
    """One of the first plans stands on a price too old for a point."""
    return any(plan.cost_range is not None or plan.details.get("dated") for plan in case.plans[:3])


def vanished(case: Case) -> tuple[Offer, ...]:
    """Offers for the cards of the first plans that were listed but not available when read."""
    cards = {plan.gpu.id for plan in case.plans[:3] if plan.gpu is not None and plan.acquisition == "rent"}
    return tuple(offer for card in sorted(cards) for offer in case.catalogue.offers_by_card.get(card, ()) if offer.available is False)


def near(case: Case) -> bool:
    """Owning and renting cost about the same at their hours."""
    return bool(case.acquisition and case.acquisition.near_break_even)


def cpu_ram(case: Case) -> Quantity | None:
    """CPU memory that offloading and loading need."""
    return None if case.sizing is None else case.sizing.footprint.cpu_ram


def cpu_ram_matters(case: Case) -> bool:
    """They offload, or have less CPU memory than it takes."""
    need, training = cpu_ram(case), case.request.training
    if need is None:
        return False
    offloads = training is not None and training.offload not in (None, "none")
    return offloads or (case.cpu_ram is not None and magnitude(need, "byte") > case.cpu_ram)


def long_run(case: Case) -> bool:
    """Hours of training from which a flipped bit matters."""
    limit = magnitude(case.figure("long_run").quantity, "hour")
    usage = case.request.usage
    planned = max((usage.training_hours_per_month or 0, usage.hours_once or 0)) if usage else 0
    return planned >= limit or (case.run is not None and magnitude(case.run.typical, "hour") >= limit)


def rank_saves_little(case: Case) -> bool:
    """They speak of the rank, it does not fit, and a lower rank would hardly change that."""
    if not case.names_rank or case.fits not in ("no", "tight") or case.fit.needed is None:
        return False
    saved = sum(magnitude(knob.saves, "byte") for knob in case.fit.knobs if knob.knob == "rank")
    return saved < case.figure("rank_saves_little").typical * magnitude(case.fit.needed, "byte")


def reinforcement(case: Case) -> Mapping[str, Any]:
    """What generating and comparing needs on top of the step that was sized, as an order of magnitude."""
    if case.sizing is None:
        return {}
    setup, _ = setup_of(case.request, case.sizing.architecture, case.sizing.method)
    terms = reinforcement_terms(case.sizing.architecture, setup)
    return {"extra": quantity(sum(magnitude(term.size, "byte") for term in terms), "byte")}
