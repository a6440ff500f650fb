"""From a `Recommendation` to the contract's answer value. Quantities are {"value", "unit"}; the same input gives the same bytes."""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Catalogue, Figure
from engine.recommendation import (
    Acquisition,
    Approach,
    Fit,
    Footprint,
    Largest,
    Plan,
    Question,
    Recommendation,
    Run,
    Sizing,
    Verdict,
)
from engine.request import Language
from engine.units import Quantity, magnitude


def answer_value(recommendation: Recommendation, lang: Language, catalogue: Catalogue) -> dict[str, Any]:
    """The whole answer, in the shape of answer.schema.json. Reasons carry their words in `lang`."""
    fit = recommendation.fit
    value: dict[str, Any] = {
        "understood": recommendation.request.contract(),
        "ask_back": [question_value(one) for one in recommendation.questions],
        "approach": _approach(recommendation.approach, lang),
        "footprint": _footprint(recommendation.footprint),
        "fit": _fit(fit),
        "plans": [_plan(one) for one in recommendation.plans],
        "acquisition": _acquisition(recommendation.acquisition),
        "warnings": list(dict.fromkeys(verdict.subject for verdict in recommendation.warnings)),
        "figures": [_figure(one, catalogue) for one in recommendation.figures],
        "assumed": dict(recommendation.assumed),
        "versions": {"engine": recommendation.engine_version, "catalogue": recommendation.catalogue_version},
    }
    if recommendation.largest:
        value["largest"] = [_largest(one) for one in recommendation.largest]
    if recommendation.run is not None:
        value["run"] = _run(recommendation.run)
    if len(recommendation.sizings) > 1:
        value["compared"] = [_compared(one) for one in recommendation.sizings]
    return value


def question_value(question: Question) -> dict[str, Any]:
    """A question with its options, as in `ask_back`."""
    value: dict[str, Any] = {
        "slot": question.slot,
        "read": question.read,
        "options": [{"label": option.label, "value": option.value} for option in question.options],
    }
    return value if question.field is None else {**value, "field": question.field}


def _number(value: float, digits: int) -> float:
    return round(value, digits) + 0.0  # no minus zero


def _gb(size: Quantity) -> dict[str, Any]:
    return {"value": _number(magnitude(size, "GB"), 4), "unit": "GB"}


def _hours(time: Quantity) -> dict[str, Any]:
    return {"value": _number(magnitude(time, "hour"), 4), "unit": "h"}


def _money(amount: Quantity) -> dict[str, Any]:
    currency = str(amount.units)
    return {"value": _number(magnitude(amount, currency), 2), "unit": currency}


def _maybe(convert: Any, value: Quantity | None) -> dict[str, Any] | None:
    return None if value is None else convert(value)


def _approach(approach: Approach | None, lang: Language) -> dict[str, Any] | None:
    from bot.rendering import reason

    if approach is None:
        return None
    reasons = [{"rule": one.rule, "text": reason(one, lang), **_standing(one)} for one in approach.reasons]
    return {"method": approach.method, "reasons": reasons}


def _standing(verdict: Verdict) -> dict[str, Any]:
    return {"outcome": verdict.outcome, "overruled": verdict.overruled, "source": verdict.source}


def _footprint(footprint: Footprint | None) -> dict[str, Any] | None:
    if footprint is None:
        return None
    span = {"low": _gb(footprint.low), "expected": _gb(footprint.expected), "high": _gb(footprint.high)}
    terms = [
        {"term": one.term, "size": _gb(one.size), "formula": one.formula, "inputs": _plain(one.inputs), "source": one.source}
        for one in footprint.terms
    ]
    return {
        "method": footprint.method,
        "per_gpu": span,
        "terms": terms,
        "moment": footprint.moment,
        "cpu_ram": _gb(footprint.cpu_ram),
    }


def _plain(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in inputs.items()}


def _fit(fit: Fit) -> dict[str, Any]:
    context = fit.longest_context
    value: dict[str, Any] = {
        "verdict": fit.verdict,
        "method": fit.method,
        "hardware": None if fit.hardware is None else fit.hardware.contract(),
        "needed": _maybe(_gb, fit.needed),
        "usable": _maybe(_gb, fit.usable),
        "longest_context": None if context is None else {"value": int(magnitude(context, "token")), "unit": "token"},
        "knobs": [
            {"knob": one.knob, "saves": _gb(one.saves), "slowdown": one.slowdown, "fits": one.fits, "setting": dict(one.setting)}
            for one in fit.knobs
        ],
    }
    return (
        {**value, "largest_batch": fit.largest_batch}
        if fit.sharding is None
        else {**value, "largest_batch": fit.largest_batch, "sharding": fit.sharding}
    )


def _largest(largest: Largest) -> dict[str, Any]:
    value: dict[str, Any] = {"method": largest.method, "model": largest.model.contract()}
    return value if largest.sharding is None else {**value, "sharding": largest.sharding}


def _run(run: Run) -> dict[str, Any]:
    return {
        "hours": {"low": _hours(run.low), "typical": _hours(run.typical), "high": _hours(run.high)},
        "tokens": {"value": _number(magnitude(run.tokens, "token"), 0), "unit": "token"},
        "gpu": run.gpu.name,
        "count": run.count,
        "basis": run.basis,
        "energy": None if run.energy is None else {"value": _number(magnitude(run.energy, "kW*hour"), 3), "unit": "kWh"},
        "energy_cost": _maybe(_money, run.energy_cost),
        "project": _maybe(_hours, run.project),
    }


def _compared(sizing: Sizing) -> dict[str, Any]:
    return {
        "method": sizing.method,
        "model": sizing.architecture.name,
        "per_gpu": {"expected": _gb(sizing.footprint.expected)},
        "fit": sizing.fit.verdict,
    }


def _plan(plan: Plan) -> dict[str, Any]:
    value: dict[str, Any] = {
        "acquisition": plan.acquisition,
        "method": plan.method,
        "gpu": None if plan.gpu is None else plan.gpu.name,
        "count": plan.count,
        "provider": plan.provider,
        "hours": _maybe(_hours, plan.hours),
        "cost": _maybe(_money, plan.cost),
        "fit": plan.fit,
        "within_budget": plan.within_budget,
        "gives_up": list(plan.gives_up),
        "figures": list(plan.figures),
    }
    if plan.cost_range is not None:
        value["cost_range"] = [_money(one) for one in plan.cost_range]
    return value if plan.sharding is None else {**value, "sharding": plan.sharding}


def _acquisition(acquisition: Acquisition) -> dict[str, Any]:
    per_month = acquisition.break_even_per_month
    return {
        "verdict": acquisition.verdict,
        "break_even_hours": _maybe(_hours, acquisition.break_even),
        "break_even_hours_per_month": None
        if per_month is None
        else {"value": _number(magnitude(per_month, "hour/month"), 4), "unit": "h/month"},
        "variants": [
            {"id": one.id, "break_even_hours": _maybe(_hours, one.break_even), "why_null": one.why_null, "contains": list(one.contains)}
            for one in acquisition.variants
        ],
        "curve": [{"month": one.month, "own": _maybe(_money, one.own), "rent": _maybe(_money, one.rent)} for one in acquisition.curve],
        "sensitivity": [
            {"input": one.input, "low": _maybe(_hours, one.low), "high": _maybe(_hours, one.high)} for one in acquisition.sensitivity
        ],
    }


def _figure(figure: Figure, catalogue: Catalogue) -> dict[str, Any]:
    source = catalogue.sources[figure.source]
    return {
        "id": figure.id,
        "value": list(figure.value) if isinstance(figure.value, tuple) else figure.value,
        "unit": figure.unit,
        "source": {"key": source.key, "title": source.title, "address": source.address},
        "date": None if figure.date is None else figure.date.isoformat(),
    }
