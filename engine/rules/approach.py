"""The ladder: which method we advise. The first rule that prefers wins, later preferences are kept as overruled.

Order and sources are those of the domain brief: retrieval before training, facts are never trained in, inference only,
LoRA/QLoRA by default, full fine-tuning only after a measured LoRA baseline, from scratch almost never.
"""

from dataclasses import replace

from engine.recommendation import Approach
from engine.rules.case import Case
from engine.rules.rule import Rule, ask, exclude, fired, prefer

MITTELSTAND = "mittelstand-training-server"
COST_ARTICLE = "llm-training-cost"

RULES: tuple[Rule, ...] = (
    Rule(id="not-a-training-problem", when=lambda case: case.computes, outcome=prefer("none"), source="own-judgement"),
    Rule(
        id="facts-are-retrieved",
        when=lambda case: case.request.goal == "facts",
        outcome=prefer("rag"),
        source=MITTELSTAND,
        facts=lambda case: {"asked": case.training_methods, "rag_in_production": case.request.rag_in_production},
    ),
    Rule(
        id="rag-before-training",
        when=lambda case: case.request.rag_in_production is False and case.request.goal is None and not case.serves,
        outcome=prefer("rag"),
        source=MITTELSTAND,
    ),
    Rule(
        id="inference-only",
        when=lambda case: case.serves and not case.training_methods,
        outcome=lambda case: prefer("rag" if "rag" in case.methods else "serve"),
        source=MITTELSTAND,
    ),
    Rule(
        id="small-special-model",
        when=lambda case: case.wants("pretrain") and case.is_small,
        outcome=prefer("pretrain"),
        source=MITTELSTAND,
        facts=lambda case: {"limit": case.figure("from_scratch_small_model").quantity},
    ),
    Rule(
        id="from-scratch-almost-never",
        when=lambda case: case.wants("pretrain"),
        outcome=prefer("continued_pretrain"),
        source=MITTELSTAND,
    ),
    Rule(
        id="full-after-baseline",
        when=lambda case: case.wants("full") and case.request.lora_baseline == "insufficient",
        outcome=prefer("full"),
        source=MITTELSTAND,
    ),
    Rule(
        id="full-needs-baseline",
        when=lambda case: case.wants("full"),
        outcome=lambda case: prefer(case.adapter),
        source=MITTELSTAND,
        facts=lambda case: {"baseline": case.request.lora_baseline},
    ),
    Rule(
        id="qlora-by-memory",
        when=lambda case: case.wants("lora") and case.adapter == "qlora" and case.owns_cards and not case.names_weights,
        outcome=prefer("qlora"),
        source=MITTELSTAND,
        facts=lambda case: {"sharded": case.fits_sharded},
    ),
    Rule(
        id="asked-method",
        when=lambda case: case.asked_adapter is not None,
        outcome=lambda case: prefer(case.asked_adapter or case.adapter),
        source=MITTELSTAND,
    ),
    Rule(
        id="continued-pretrain-asked",
        when=lambda case: case.wants("continued_pretrain"),
        outcome=prefer("continued_pretrain"),
        source=MITTELSTAND,
    ),
    Rule(
        id="lora-default",
        when=lambda case: not case.money_only,
        outcome=lambda case: prefer(case.adapter),
        source=MITTELSTAND,
    ),
)

NOTES: tuple[Rule, ...] = (
    Rule(id="goal-unknown", when=lambda case: case.goal_matters, outcome=ask("goal"), source=MITTELSTAND),
    Rule(id="format-prompt-first", when=lambda case: case.request.goal == "format", outcome=exclude("full"), source=MITTELSTAND),
    Rule(
        id="base-model-check",
        when=lambda case: case.request.goal in ("new_skill", "base_model") or case.wants("continued_pretrain"),
        outcome=exclude("pretrain"),
        source=MITTELSTAND,
    ),
    Rule(
        id="measure-your-baseline",
        when=lambda case: bool(case.training_methods) and case.request.goal in ("style", "format", "new_skill"),
        outcome=exclude("full"),
        source=MITTELSTAND,
    ),
)


def approach_of(case: Case) -> Approach | None:
    """The advised method with every rule that fired; None where only money was asked."""
    preferences = fired(RULES, case)
    if case.money_only or not preferences:
        return None
    first, *later = preferences
    overruled = [replace(one, overruled=True) for one in later if one.subject != first.subject and one.rule != "lora-default"]
    return Approach(method=first.subject, reasons=(first, *fired(NOTES, case), *overruled))  # type: ignore[arg-type]  # preferences name methods only
