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
    Month,
    Plan,
    Recommendation,
    Sensitivity,
    Sizing,
    Term,
    Variant,
    Verdict,
)
from engine.request import Holding, Request
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
        form_factor="3.5 slots",
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
        terms=tuple(Term(name, gb(size), "2 × parameters", {"parameters": 8.03e9}, "vram-measurements") for name, size in sizes.items()),
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
    rent = Plan(
        "rent",
        "lora",
        card(),
        1,
        None,
        "RunPod Secure",
        q(432, "hour"),
        q(285.1, "EUR"),
        figures=("offer:runpod-4090",),
        within_budget=True,
    )
    buy = Plan("buy", "lora", card(), 1, None, None, q(432, "hour"), q(4311.7, "EUR"), figures=("listing:4090",), within_budget=True)
    return (rent, buy)


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


def shape_a() -> Recommendation:
    """One line: 8B LoRA, 12 h a month, 5,000 €."""
    return recommendation(
        {
            "models": [{"params_b": 8}],
            "methods": ["lora"],
            "usage": {"training_hours_per_month": 12},
            "budget": [{"amount": 5000, "currency": "EUR", "period": "once", "bound": "max"}],
        },
        approach=Approach("lora", (verdict("asked-method"), verdict("goal-unknown", "ask", "goal"))),
        sizings=(sizing(), sizing("qlora", need=footprint("qlora", 11.2))),
        fit=fit(),
        plans=plans(),
        acquisition=money(),
        figures=(rate(),),
        warnings=(warn("activations_seq", length=2048, share=0.17), warn("no_ecc", card="RTX 4090"), warn("price_dated")),
        assumed=footprint().assumed,
    )
