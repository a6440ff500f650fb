"""Warnings: all that hold apply, most important first. The codes are the stable vocabulary of the machine contract."""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Gpu, Offer
from engine.machine_facts import circuit_load, gradient_synchronisation, heat, power_supply
from engine.recommendation import Term, Verdict
from engine.rules.case import FULL, Case
from engine.rules.rule import Rule, fired, warn
from engine.units import Quantity, magnitude

MITTELSTAND = "mittelstand-training-server"
COST_ARTICLE = "llm-training-cost"
PHYSICS = "vram-measurements"
LENGTH_TERMS = ("activations", "logits", "kv_cache", "attention", "work")


def _share_of_length(case: Case) -> float:
    """Part of the need that grows with the tokens of a step."""
    sizing = case.sizing
    if sizing is None:
        return 0.0
    grows = sum(magnitude(term.size, "byte") for term in sizing.footprint.terms if _grows(term))
    return grows / magnitude(sizing.footprint.expected, "byte")


def _grows(term: Term) -> bool:
    return any(term.term.startswith(name) for name in LENGTH_TERMS)


def _length(case: Case) -> int:
    training = case.request.training
    return (training.sequence_length if training else None) or 0


def _length_decides(case: Case) -> bool:
    long_rows = _length(case) > case.figure("long_sequence").high
    return case.trains and (long_rows or "oom" in case.symptoms or _share_of_length(case) > case.figure("length_share").high)


def _filling(case: Case) -> float:
    """Expected need over what one card can give; 0 without hardware."""
    sizing = case.sizing
    if sizing is None or sizing.fit.needed is None or sizing.fit.usable is None or not magnitude(sizing.fit.usable, "byte"):
        return 0.0
    return magnitude(sizing.fit.needed, "byte") / magnitude(sizing.fit.usable, "byte")


def _tight(case: Case) -> bool:
    return case.fits in ("yes", "tight") and (_filling(case) > case.figure("headroom_filling").high or case.fits == "tight")


def _spills(case: Case) -> bool:
    """A display driver that pages into system RAM instead of failing, on a card that is (nearly) full."""
    pages = "spill" in case.symptoms or any(card.geforce_licence for card in case.cards)
    return pages and bool({"slow", "spill"} & case.symptoms) and case.fits in ("tight", "no")


def _needs_several(case: Case) -> bool:
    """One card does not hold it, and they did not say how it is sharded over the others."""
    several = case.count > 1 and case.nodes == 1 and not case.names_sharding
    return several and case.sizing is not None and not case.one_card_holds


def _link_is_slow(case: Case) -> bool:
    several = case.count > 1 and case.nodes == 1 and not case.is_unified
    return (several and not case.has_nvlink) or ("nvlink" in case.symptoms and not case.has_nvlink)


def _synchronisation(case: Case) -> Mapping[str, Any]:
    seconds = None if case.sizing is None else gradient_synchronisation(case.sizing, case.count, case.catalogue)
    return {"count": case.count, "seconds": seconds, "card": case.card_name}


def _in_the_room(case: Case) -> tuple[tuple[Gpu, int], ...]:
    """The cards that stand or would stand at theirs: bought where that is the verdict, else what they own."""
    buys = case.acquisition is not None and case.acquisition.verdict == "buy"
    plan = next((one for one in case.plans if one.acquisition == "buy" and not one.gives_up), None) if buys else None
    if plan is None or plan.gpu is None:
        return () if case.is_data_centre else case.cards_with_count
    return ((plan.gpu, plan.count or 1),) if case.request.site != "colocation" else ()


def _watts(case: Case) -> float:
    return sum((card.power or 0) * count for card, count in _in_the_room(case))


def _room(case: Case) -> Mapping[str, Any]:
    cards = _in_the_room(case)
    return {
        "power_supply": power_supply(cards, case.catalogue),
        "heat": heat(cards, case.catalogue),
        "circuit": circuit_load(cards, case.catalogue),
        "passive": any(card.cooling == "passive" for card, _ in cards),
    }


def _money_matters(case: Case) -> bool:
    return any(plan.cost is not None for plan in case.plans)


def _old_prices(case: Case) -> bool:
    return any(plan.cost_range is not None or plan.details.get("dated") for plan in case.plans[:3])


def _vanished(case: Case) -> tuple[Offer, ...]:
    """Offers for the cards of the first plans that were listed but not available when read."""
    cards = {plan.gpu.id for plan in case.plans[:3] if plan.gpu is not None and plan.acquisition == "rent"}
    return tuple(offer for card in sorted(cards) for offer in case.catalogue.offers_by_card.get(card, ()) if offer.available is False)


def _near(case: Case) -> bool:
    return bool(case.acquisition and case.acquisition.near_break_even)


def _cpu_ram(case: Case) -> Quantity | None:
    return None if case.sizing is None else case.sizing.footprint.cpu_ram


def _cpu_ram_matters(case: Case) -> bool:
    need, training = _cpu_ram(case), case.request.training
    if need is None:
        return False
    offloads = training is not None and training.offload not in (None, "none")
    return offloads or (case.cpu_ram is not None and magnitude(need, "byte") > case.cpu_ram)


def _long_run(case: Case) -> bool:
    limit = magnitude(case.figure("long_run").quantity, "hour")
    usage = case.request.usage
    planned = max((usage.training_hours_per_month or 0, usage.hours_once or 0)) if usage else 0
    return planned >= limit or (case.run is not None and magnitude(case.run.typical, "hour") >= limit)


def _rank_saves_little(case: Case) -> bool:
    """They speak of the rank, it does not fit, and a lower rank would hardly change that."""
    if not case.names_rank or case.fits not in ("no", "tight") or case.fit.needed is None:
        return False
    saved = sum(magnitude(knob.saves, "byte") for knob in case.fit.knobs if knob.knob == "rank")
    return saved < case.figure("rank_saves_little").typical * magnitude(case.fit.needed, "byte")


RULES: tuple[Rule, ...] = (
    Rule(
        "contradiction",
        lambda case: bool(case.subject.contradictions),
        warn("contradiction"),
        PHYSICS,
        lambda case: {"contradictions": case.subject.contradictions},
    ),
    Rule("not_a_training_problem", lambda case: case.computes, warn("not_a_training_problem"), "own-judgement"),
    Rule("facts_need_rag", lambda case: case.request.goal == "facts" and not case.computes, warn("facts_need_rag"), MITTELSTAND),
    Rule(
        "over_budget", lambda case: case.breaks_budget, warn("over_budget"), MITTELSTAND, lambda case: {"plans": case.plans_within_budget}
    ),
    Rule("near_break_even", _near, warn("near_break_even"), MITTELSTAND),
    Rule("from_scratch_cost", lambda case: case.wants("pretrain"), warn("from_scratch_cost"), COST_ARTICLE, lambda case: {"run": case.run}),
    Rule(
        "ram_is_not_vram",
        lambda case: case.names_ram and case.fits != "yes",
        warn("ram_is_not_vram"),
        MITTELSTAND,
        lambda case: {"ram": case.cpu_ram},
    ),
    Rule(
        "apple_unified",
        lambda case: case.is_apple,
        warn("apple_unified"),
        "apple-unified-memory",
        lambda case: {"share": case.unified_share},
    ),
    Rule(
        "bf16_unsupported",
        lambda case: any(card.bf16_support == "n" for card in case.cards),
        warn("bf16_unsupported"),
        "nvidia-datasheets",
        lambda case: {"card": case.card_name},
    ),
    Rule(
        "moe_total_params",
        lambda case: bool(case.architecture and case.architecture.n_experts),
        warn("moe_total_params"),
        PHYSICS,
        lambda case: {"model": case.architecture},
    ),
    Rule(
        "no_pooling",
        lambda case: (case.count > 1 and case.nodes == 1 and case.sizing is None) or _needs_several(case),
        warn("no_pooling"),
        PHYSICS,
        lambda case: {"count": case.count, "memory": case.memory_each},
    ),
    Rule(
        "sharding_not_active",
        lambda case: "unsharded" in case.symptoms or (_needs_several(case) and case.fits != "no"),
        warn("sharding_not_active"),
        PHYSICS,
        lambda case: {"sharding": case.sharding},
    ),
    Rule("multi_node_network", lambda case: case.nodes > 1, warn("multi_node_network"), MITTELSTAND, lambda case: {"nodes": case.nodes}),
    Rule("mixed_gpus", lambda case: len({card.id for card in case.cards}) > 1, warn("mixed_gpus"), PHYSICS),
    Rule(
        "optimizer_choice",
        lambda case: any(method in FULL for method in (*case.methods, *case.sized_methods)),
        warn("optimizer_choice"),
        PHYSICS,
    ),
    Rule(
        "activations_seq",
        _length_decides,
        warn("activations_seq"),
        PHYSICS,
        lambda case: {"length": _length(case), "share": _share_of_length(case)},
    ),
    Rule("vision_tokens", lambda case: case.sees_images, warn("vision_tokens"), PHYSICS, lambda case: {"model": case.architecture}),
    Rule(
        "headroom_spikes",
        lambda case: _tight(case) or bool({"nvidia_smi", "evaluation"} & case.symptoms),
        warn("headroom_spikes"),
        PHYSICS,
        lambda case: {"filling": _filling(case)},
    ),
    Rule("eval_oom", lambda case: "evaluation" in case.symptoms, warn("eval_oom"), PHYSICS),
    Rule("shared_memory_spill", _spills, warn("shared_memory_spill"), PHYSICS),
    Rule("dpo_double", lambda case: case.request.stage == "dpo", warn("dpo_double"), PHYSICS),
    Rule("rl_extra_memory", lambda case: case.request.stage == "rl", warn("rl_extra_memory"), PHYSICS),
    Rule("rank_is_not_the_lever", _rank_saves_little, warn("rank_is_not_the_lever"), PHYSICS),
    Rule("cpu_ram", _cpu_ram_matters, warn("cpu_ram"), PHYSICS, lambda case: {"needed": _cpu_ram(case)}),
    Rule("no_nvlink", _link_is_slow, warn("no_nvlink"), MITTELSTAND, _synchronisation),
    Rule("slow", lambda case: case.is_slow, warn("slow"), "own-judgement", lambda case: {"run": case.run}),
    Rule(
        "epochs",
        lambda case: case.epochs > case.figure("epochs_useful").high,
        warn("epochs"),
        "data-constrained-scaling",
        lambda case: {"epochs": case.epochs},
    ),
    Rule(
        "framework_version",
        lambda case: case.sharding in ("fsdp", "zero3") and "qlora" in case.sized_methods,
        warn("framework_version"),
        "fsdp-qlora",
    ),
    Rule(
        "base_model_already_knows",
        lambda case: case.request.goal == "new_skill" or case.wants("continued_pretrain"),
        warn("base_model_already_knows"),
        MITTELSTAND,
    ),
    Rule(
        "setup_hours",
        lambda case: case.trains and case.pays_by_hour,
        warn("setup_hours"),
        COST_ARTICLE,
        lambda case: {"factor": case.figure("trial_runs")},
    ),
    Rule("price_dated", lambda case: _money_matters(case) and _old_prices(case), warn("price_dated"), "price-history"),
    Rule(
        "offer_unavailable",
        lambda case: bool(_vanished(case)),
        warn("offer_unavailable"),
        MITTELSTAND,
        lambda case: {"offers": _vanished(case)},
    ),
    Rule(
        "power_heat",
        lambda case: _watts(case) >= case.figure("power_worth_planning").high,
        warn("power_heat"),
        MITTELSTAND,
        _room,
    ),
    Rule(
        "no_ecc",
        lambda case: case.trains and _long_run(case) and any(not card.corrects_errors for card in case.cards),
        warn("no_ecc"),
        MITTELSTAND,
        lambda case: {"card": case.card_name},
    ),
    Rule(
        "geforce_license",
        lambda case: case.request.site == "colocation" and any(card.geforce_licence for card in case.cards),
        warn("geforce_license"),
        "nvidia-geforce-licence",
        lambda case: {"card": case.card_name},
    ),
)


def cautions(case: Case) -> tuple[Verdict, ...]:
    """Every warning that holds, most important first."""
    return fired(RULES, case)
