"""Warnings: all that hold apply, most important first. The codes are the stable vocabulary of the machine contract."""

from engine.machine_facts import licence_bars
from engine.recommendation import Verdict
from engine.rules import signs
from engine.rules.case import FULL, Case
from engine.rules.rule import Rule, fired, warn

MITTELSTAND = "mittelstand-training-server"
COST_ARTICLE = "llm-training-cost"
PHYSICS = "vram-measurements"

RULES: tuple[Rule, ...] = (
    Rule(
        "contradiction",
        lambda case: bool(case.subject.contradictions) or "contradiction" in case.symptoms,
        warn("contradiction"),
        PHYSICS,
        lambda case: {"contradictions": case.subject.contradictions},
    ),
    Rule("not_a_training_problem", lambda case: case.computes, warn("not_a_training_problem"), "own-judgement"),
    Rule("facts_need_rag", lambda case: case.request.goal == "facts" and not case.computes, warn("facts_need_rag"), MITTELSTAND),
    Rule(
        "over_budget", lambda case: case.breaks_budget, warn("over_budget"), MITTELSTAND, lambda case: {"plans": case.plans_within_budget}
    ),
    Rule("near_break_even", signs.near, warn("near_break_even"), MITTELSTAND),
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
        lambda case: bool(signs.without_bf16(case)),
        warn("bf16_unsupported"),
        "nvidia-datasheets",
        lambda case: {"card": signs.without_bf16(case)},
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
        signs.counts_as_one,
        warn("no_pooling"),
        PHYSICS,
        lambda case: {"count": case.count, "memory": case.memory_each},
    ),
    Rule(
        "sharding_not_active",
        lambda case: "unsharded" in case.symptoms or (signs.needs_several(case) and case.fits != "no") or signs.copies(case),
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
        signs.length_decides,
        warn("activations_seq"),
        PHYSICS,
        lambda case: {"length": signs.length(case), "share": signs.share_of_length(case)},
    ),
    Rule("vision_tokens", lambda case: case.sees_images, warn("vision_tokens"), PHYSICS, lambda case: {"model": case.architecture}),
    Rule(
        "headroom_spikes",
        lambda case: signs.tight(case) or bool({"nvidia_smi", "evaluation"} & case.symptoms),
        warn("headroom_spikes"),
        PHYSICS,
        lambda case: {"filling": signs.filling(case)},
    ),
    Rule("eval_oom", lambda case: "evaluation" in case.symptoms, warn("eval_oom"), PHYSICS),
    Rule("shared_memory_spill", signs.spills, warn("shared_memory_spill"), PHYSICS),
    Rule("dpo_double", lambda case: case.request.stage == "dpo", warn("dpo_double"), PHYSICS),
    Rule("rl_extra_memory", lambda case: case.request.stage == "rl", warn("rl_extra_memory"), PHYSICS, signs.reinforcement),
    Rule("rank_is_not_the_lever", signs.rank_saves_little, warn("rank_is_not_the_lever"), PHYSICS),
    Rule("cpu_ram", signs.cpu_ram_matters, warn("cpu_ram"), PHYSICS, lambda case: {"needed": signs.cpu_ram(case)}),
    Rule("no_nvlink", signs.link_is_slow, warn("no_nvlink"), MITTELSTAND, signs.synchronisation),
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
    Rule("price_dated", lambda case: signs.money_matters(case) and signs.old_prices(case), warn("price_dated"), "price-history"),
    Rule(
        "offer_unavailable",
        lambda case: bool(signs.vanished(case)),
        warn("offer_unavailable"),
        MITTELSTAND,
        lambda case: {"offers": signs.vanished(case)},
    ),
    Rule(
        "power_heat",
        lambda case: signs.watts(case) >= case.figure("power_worth_planning").high,
        warn("power_heat"),
        MITTELSTAND,
        signs.room,
    ),
    Rule(
        "no_ecc",
        lambda case: case.trains and signs.long_run(case) and any(not card.corrects_errors for card in case.cards),
        warn("no_ecc"),
        MITTELSTAND,
        lambda case: {"card": case.card_name},
    ),
    Rule(
        "geforce_license",
        lambda case: licence_bars(case.cards_with_count, case.request.site),
        warn("geforce_license"),
        "nvidia-geforce-licence",
        lambda case: {"card": case.card_name},
    ),
)


def cautions(case: Case) -> tuple[Verdict, ...]:
    """Every warning that holds, most important first."""
    return fired(RULES, case)
