"""Recommendations built by hand for the tests of words: every shape an answer can take, without the engine."""

import datetime
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture, Figure, Gpu, Source
from engine.recommendation import (
    Acquisition,
    Approach,
    Fit,
    Footprint,
    Knob,
    Largest,
    Month,
    Option,
    Plan,
    Question,
    Recommendation,
    Run,
    Sensitivity,
    Sizing,
    Term,
    Variant,
    Verdict,
)
from engine.request import Holding, ModelChoice, Request
from engine.units import quantity as q

TODAY = datetime.date(2026, 11, 30)


def card(name: str = "RTX 4090", usable: float = 25.25e9) -> Gpu:
    return Gpu(
        id=name.lower().replace(" ", "-"),
        name=name,
        vendor="NVIDIA",
        architecture="ada",
        memory_nominal=24,
        usable=usable,
        driver_total=25.76e9,
        memory_type="GDDR6X",
        bandwidth=1008e9,
        bf16=165e12,
        fp16=165e12,
        fp8=330e12,
        power=450,
        nvlink=False,
        nvlink_bandwidth=None,
        nvlink_max_cards=1,
        pcie_generation=4,
        pcie_lanes=16,
        ecc="none",
        cooling="active",
        form_factor="PCIe 3.5 slots",
        msrp_usd=1599,
        release="2022-10",
        geforce_licence=True,
        compute_capability="8.9",
        bf16_support="y",
        flash_attention="y",
        unified=False,
        unified_share=None,
        memory_options=(24,),
        aliases=("4090",),
        verified_fields=frozenset(),
        source="gpu-datasheets",
    )


def architecture(name: str = "Llama 3.1 8B", parameters: float = 8.03e9, active: float | None = None) -> Architecture:
    return Architecture(
        id=name.lower().replace(" ", "-"),
        name=name,
        family="llama",
        hf_id=None,
        parameters=parameters,
        active_parameters=active or parameters,
        hidden=4096,
        layers=32,
        heads=32,
        kv_heads=8,
        head_dim=128,
        ffn=14336,
        moe_ffn=None,
        n_experts=None,
        top_k=None,
        shared_experts=None,
        dense_layers=None,
        vocab=128256,
        tied_embeddings=False,
        attention="gqa",
        context=131072,
        kv_layers=32,
        window_layers=None,
        window=None,
    )


SOURCES = {
    key: Source(key, title, address, datetime.date(2026, 11, 30))
    for key, title, address in (
        ("rental-prices", "Rental prices read from provider pages", "https://example.org/prices"),
        ("vram-measurements", "Memory of a training step: measurements", "https://example.org/memory"),
        ("mittelstand-training-server", "Training or inference server", "https://example.org/server"),
    )
}


def gb(value: float) -> Any:
    return q(value, "GB")


def footprint(method: str = "lora", expected: float = 22.1, **terms: float) -> Footprint:
    sizes = terms or {
        "weights": 16.2,
        "adapters": 0.17,
        "optimizer_states": 0.3,
        "activations": 0.6,
        "logits": 3.2,
        "reserve": 1.2,
        "context": 0.6,
    }
    return Footprint(
        method=method,
        low=gb(expected * 0.93),
        expected=gb(expected),
        high=gb(expected * 1.08),
        terms=tuple(
            Term(name, gb(size), "parameters * bytes", {"parameters": 8.03e9, "bytes": 2}, "vram-measurements")
            for name, size in sizes.items()
        ),
        moment="backward_start",
        cpu_ram=gb(16.2),
        assumed={
            "training.sequence_length": 2048,
            "training.micro_batch": 1,
            "training.gradient_checkpointing": "full",
            "training.rank": 16,
        },
    )


def fit(verdict: str = "unknown", hardware: Holding | None = None, **values: Any) -> Fit:
    base = Fit(
        verdict=verdict,
        method="lora",
        hardware=hardware,
        needed=gb(22.1),
        usable=None,
        sharding=None,
        longest_context=None,
        largest_batch=None,
        knobs=(),
    )
    return replace(base, **values)


NO_MONEY = Acquisition(
    verdict=None,
    break_even=None,
    break_even_per_month=None,
    variants=tuple(Variant(id=name, break_even=None, why_null="no_purchase") for name in ("price_only", "with_energy", "full")),
    curve=(),
    sensitivity=(),
)


def money(verdict: str = "rent", months: int = 36, hours: float = 432, break_even: float = 8500) -> Acquisition:
    return Acquisition(
        verdict=verdict,
        break_even=q(break_even, "hour"),
        break_even_per_month=q(break_even / months, "hour/month"),
        variants=(
            Variant("price_only", q(6515, "hour"), None, ("purchase", "rent")),
            Variant("with_energy", q(8120, "hour"), None, ("purchase", "rent", "energy_load", "energy_idle")),
            Variant("full", q(break_even, "hour"), None, ("purchase", "rent", "energy_load", "energy_idle", "maintenance", "resale")),
        ),
        curve=tuple(Month(month, q(4300 + 8 * month, "EUR"), q(7.9 * month, "EUR")) for month in range(1, months + 1)),
        sensitivity=(Sensitivity("rent", q(6200, "hour"), q(13100, "hour")), Sensitivity("purchase", q(6800, "hour"), q(10200, "hour"))),
        hours=q(hours, "hour"),
    )


def rate(name: str = "offer:runpod-4090", value: float = 0.66) -> Figure:
    return Figure(id=name, value=value, unit="EUR/h", source="rental-prices", date=datetime.date(2026, 9, 25))


def plans() -> tuple[Plan, ...]:
    rent = Plan("rent", "lora", card(), 1, None, "RunPod Secure", q(432, "hour"), q(285.1, "EUR"), within_budget=True)
    buy = Plan("buy", "lora", card(), 1, None, None, q(432, "hour"), q(4311.7, "EUR"), within_budget=True)
    return (
        replace(rent, figures=("offer:runpod-4090",), details={"per_hour": q(0.66, "EUR/h")}),
        replace(buy, figures=("listing:4090",), details={"purchase": q(4180, "EUR")}),
    )


def verdict(rule: str, outcome: str = "prefer", subject: str = "lora", overruled: bool = False, **facts: Any) -> Verdict:
    return Verdict(rule, outcome, subject, facts, "mittelstand-training-server", overruled)


def warn(code: str, **facts: Any) -> Verdict:
    return Verdict(code, "warn", code, facts, "mittelstand-training-server")


def sizing(method: str = "lora", model: Architecture | None = None, made: Fit | None = None, need: Footprint | None = None) -> Sizing:
    return Sizing(method, model or architecture(), need or footprint(method), made or fit(method=method))


def recommendation(request: dict[str, Any] | None = None, **values: Any) -> Recommendation:
    base = Recommendation(
        request=Request.model_validate(request or {}),
        questions=(),
        approach=None,
        sizings=(),
        fit=fit(needed=None, method=None),
        largest=(),
        run=None,
        plans=(),
        acquisition=NO_MONEY,
        warnings=(),
        figures=(),
        assumed={},
        engine_version="1",
        catalogue_version="abc123",
        today=TODAY,
    )
    return replace(base, **values)


ASKED_GOAL = verdict("goal-unknown", "ask", "goal")
BUDGET = {"amount": 5000, "currency": "EUR", "period": "once", "bound": "max"}
RTX_3090 = Holding(gpu="RTX 3090", count=1)
QUOTES = {"purchase": {"amount": 10700, "currency": "EUR", "tax": "net"}, "rent": {"per_hour": 1.4247, "currency": "EUR"}}


def shape_a() -> Recommendation:
    """Recommended: 8B LoRA, 12 h a month, 5,000 €."""
    return recommendation(
        {"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12}, "budget": [BUDGET]},
        approach=Approach("lora", (verdict("asked-method"), ASKED_GOAL)),
        sizings=(sizing(), sizing("qlora", need=footprint("qlora", 11.2))),
        fit=fit(),
        plans=plans(),
        acquisition=money(),
        figures=(rate(), Figure("listing:4090", 2199.0, "EUR", "rental-prices", datetime.date(2026, 7, 29))),
        warnings=(warn("activations_seq", length=2048, share=0.17), warn("no_ecc", card="RTX 4090"), warn("price_dated")),
        assumed=footprint().assumed,
    )


def talked_out() -> Recommendation:
    """B: they want to train on their manuals."""
    serving = footprint("rag", 7.2, weights=4.9, kv_cache=1.1, working_memory=0.2, reserve=0.4, context=0.6)
    return recommendation(
        {"goal": "facts", "models": [{"name": "Llama 3.1 8B"}]},
        approach=Approach("rag", (verdict("facts-are-retrieved", subject="rag", asked=("lora",)), verdict("asked-method", overruled=True))),
        sizings=(
            sizing("rag", need=replace(serving, assumed={"training.quantization": "q4", "serving.users": 1, "serving.context": 8192})),
        ),
        fit=fit(method="rag", needed=gb(7.2)),
        warnings=(warn("facts_need_rag"),),
    )


def tight() -> Recommendation:
    """C: does it fit, and what to turn if it does not."""
    tight_fit = fit(
        "tight",
        RTX_3090,
        method="qlora",
        needed=gb(24.0),
        usable=gb(25.2),
        longest_context=q(900, "token"),
        knobs=(
            Knob("optimizer_8bit", gb(0.8), 1.0, False, {"training.optimizer": "adamw8bit"}),
            Knob("rank", gb(1.3), 1.0, False, {"training.rank": 4}),
            Knob("fused_loss", gb(0.2), 1.0, False, {"training.loss": "fused_linear"}),
            Knob("smaller_model", gb(10.8), None, True, {"models": [{"name": "Qwen2.5 14B"}]}),
        ),
    )
    need = footprint("qlora", 24.0, weights=19.2, adapters=0.5, optimizer_states=1.1, activations=0.7, logits=0.5, reserve=1.4, context=0.6)
    return recommendation(
        {
            "models": [{"name": "Qwen2.5 32B"}],
            "methods": ["qlora"],
            "hardware": [{"gpu": "RTX 3090"}],
            "training": {"sequence_length": 512},
        },
        approach=Approach("qlora", (verdict("asked-method", subject="qlora"), ASKED_GOAL)),
        sizings=(sizing("qlora", architecture("Qwen2.5 32B", 32.5e9), tight_fit, need),),
        fit=tight_fit,
        acquisition=replace(NO_MONEY, verdict="owned"),
        warnings=(warn("headroom_spikes", filling=0.95),),
    )


def asking() -> Recommendation:
    """D: 5k, A100, fine-tune mistral."""
    return recommendation(
        {"methods": ["lora"]},
        questions=(
            Question("model", "mistral", (Option("Mistral 7B", {}), Option("Mistral Small 24B", {}))),
            Question("hardware", "A100", (Option("A100 · 40 GB", {}), Option("A100 · 80 GB", {}))),
            Question("budget", "5k", (Option("€", {}), Option("$", {})), "budget.0.currency"),
        ),
        approach=Approach("lora", (verdict("asked-method"), ASKED_GOAL)),
    )


def money_only() -> Recommendation:
    """Two quotes and hours."""
    rent = Plan("rent", None, None, None, None, None, q(432, "hour"), q(615.47, "EUR"))
    buy = Plan("buy", None, None, None, None, None, q(432, "hour"), q(10700, "EUR"))
    return recommendation(
        {"usage": {"training_hours_per_month": 12}, "quotes": QUOTES}, plans=(rent, buy), acquisition=money(break_even=7510.35)
    )


def money_open() -> Recommendation:
    """The tax basis decides and was not said."""
    asked = Question("quotes", "10700", (Option("net", {}), Option("gross", {})), "quotes.purchase.tax")
    quotes = {"purchase": {"amount": 10700, "currency": "EUR"}, "rent": {"per_hour": 1.4247, "currency": "EUR"}}
    return recommendation({"usage": {"training_hours_per_month": 200}, "quotes": quotes}, questions=(asked,))


def capacity() -> Recommendation:
    """What can my hardware do."""
    sizes = (
        ("lora", 9.3, None),
        ("lora", 14.0, "fsdp"),
        ("qlora", 26.0, None),
        ("qlora", 44.0, "fsdp"),
        ("full", 1.3, None),
        ("serve", 33.0, None),
    )
    return recommendation(
        {"hardware": [{"gpu": "RTX 3090", "count": 2}]},
        approach=Approach("lora", (verdict("lora-default"), ASKED_GOAL)),
        largest=tuple(Largest(method, ModelChoice(params_b=size), sharding) for method, size, sharding in sizes),
        warnings=(warn("no_pooling", count=2, memory=24), warn("no_nvlink", count=2, seconds=None, card="RTX 3090")),
    )


def serving() -> Recommendation:
    """Only inference."""
    need = footprint("serve", 189, weights=43.2, kv_cache=134, working_memory=0.5, reserve=10.7, context=0.6)
    return recommendation(
        {"goal": "serve", "models": [{"name": "Llama 3.3 70B"}], "serving": {"users": 50}, "usage": {"serving_hours_per_month": 200}},
        approach=Approach("serve", (verdict("inference-only", subject="serve"),)),
        sizings=(
            sizing("serve", architecture("Llama 3.3 70B", 70.6e9), fit(method="serve"), replace(need, assumed={"serving.context": 8192})),
        ),
        fit=fit(method="serve"),
    )


def from_scratch() -> Recommendation:
    """A base model of their own."""
    need = footprint("pretrain", 120, weights=28, gradients=28, optimizer_states=56, working_memory=0.6, reserve=6.8, context=0.6)
    return recommendation(
        {"goal": "base_model", "models": [{"params_b": 7}], "methods": ["pretrain"]},
        questions=(Question("dataset", None, (Option("0.14T", {}), Option("1.4T", {})), "dataset.tokens"),),
        approach=Approach(
            "continued_pretrain",
            (verdict("from-scratch-almost-never", subject="continued_pretrain"), verdict("base-model-check", "exclude", "pretrain")),
        ),
        sizings=(sizing("pretrain", architecture("7B", 7e9), fit(method="pretrain"), need),),
        fit=fit(method="pretrain"),
        warnings=(warn("from_scratch_cost", run=None), warn("optimizer_choice")),
    )


def full_does_not_fit() -> Recommendation:
    """Full fine-tuning on two cards, with what makes it smaller and what fits the budget."""
    two = Holding(gpu="RTX 3090", count=2)
    no = fit(
        "no",
        two,
        method="full",
        needed=gb(61.2),
        usable=gb(25.4),
        sharding="fsdp",
        knobs=(Knob("optimizer_8bit", gb(36.4), 1.0, True, {}), Knob("offload_optimizer", gb(28.6), 1.6, False, {})),
    )
    need = footprint(
        "full", 61.2, weights=13.5, optimizer_states=27, gathered=3.2, gradients=12.9, working_memory=0.6, reserve=3.4, context=0.6
    )
    rent = Plan(
        "rent",
        "full",
        card("A100 80GB SXM4", 85e9),
        2,
        "fsdp",
        "Hyperstack",
        q(720, "hour"),
        q(2050, "EUR"),
        (q(1230, "EUR"), q(2870, "EUR")),
        within_budget=False,
        figures=("offer:a100",),
        details={"per_hour": q(2.85, "EUR/h")},
    )
    fewer = replace(
        rent,
        cost=q(300, "EUR"),
        cost_range=None,
        within_budget=True,
        gives_up=("fewer_hours",),
        details={"hours_per_month": q(2.9, "hour/month")},
    )
    return recommendation(
        {
            "models": [{"name": "Llama 2 7B"}],
            "methods": ["full"],
            "hardware": [{"gpu": "RTX 3090", "count": 2}],
            "usage": {"training_hours_per_month": 20},
            "budget": [{"amount": 300, "currency": "EUR", "period": "once"}],
        },
        approach=Approach("lora", (verdict("full-needs-baseline", baseline=None), ASKED_GOAL)),
        sizings=(
            sizing("full", architecture("Llama 2 7B", 6.7e9), no, need),
            sizing("lora", architecture("Llama 2 7B", 6.7e9), fit("yes", two), footprint("lora", 16.8)),
        ),
        fit=no,
        plans=(rent, fewer),
        acquisition=replace(money("none", hours=720), break_even=None, break_even_per_month=None, over_budget=True),
        figures=(rate("offer:a100", 1.6),),
        warnings=(
            warn("over_budget", plans=(fewer,)),
            warn("no_pooling"),
            warn("optimizer_choice"),
            warn("power_heat", power_supply=q(1600, "W"), passive=False),
        ),
    )


def owned() -> Recommendation:
    """It fits what they own, with a run timed and a contradiction."""
    yes = fit("yes", Holding(gpu="RTX 4090", count=1), needed=gb(22.1), usable=gb(25.3), longest_context=q(3712, "token"))
    run = Run(q(6, "h"), q(8.4, "h"), q(12, "h"), q(1e7, "token"), card(), 1, q(3.9, "kW*h"), "measured", None, "training-speed")
    return recommendation(
        {
            "goal": "style",
            "rag_in_production": True,
            "models": [{"name": "Llama 3.1 8B"}],
            "methods": ["lora"],
            "hardware": [{"gpu": "RTX 4090"}],
            "usage": {"training_hours_per_month": 12},
            "dataset": {"rows": 10000, "tokens_per_row": 512, "epochs": 2},
        },
        approach=Approach("lora", (verdict("asked-method"), verdict("measure-your-baseline", "exclude", "full"))),
        sizings=(sizing(made=yes),),
        fit=yes,
        run=run,
        acquisition=replace(money("owned"), verdict="owned"),
        warnings=(warn("mixed_gpus"),),
        assumed={**footprint().assumed, "usage.horizon_months": 36},
    )


def not_needed() -> Recommendation:
    """Neither training nor retrieval."""
    return recommendation(
        {}, approach=Approach("none", (verdict("not-a-training-problem", subject="none"),)), warnings=(warn("not_a_training_problem"),)
    )


SHAPES = {
    one.__name__: one
    for one in (
        shape_a,
        talked_out,
        tight,
        asking,
        money_only,
        money_open,
        capacity,
        serving,
        from_scratch,
        full_does_not_fit,
        owned,
        not_needed,
    )
}
