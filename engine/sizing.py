"""Which methods and models are sized: what was asked, else what is advised. Enters a case and its approach, leave sizings and the run."""

from dataclasses import replace
from typing import TypeAlias

from engine.buying import energy_price
from engine.catalogue import Figure, Gpu
from engine.placement import candidates, fit_of
from engine.quotes import answer_currency, hours_known
from engine.recommendation import Approach, Run, Serving, Sizing
from engine.request import Method, Sharding
from engine.rules.case import TRAINING, Case
from engine.serving import serving_of
from engine.throughput import run_of
from engine.trials import project_factor, run_overhead, trial_runs
from engine.units import magnitude, quantity

Place: TypeAlias = tuple[Gpu, int, Sharding | None, bool | None]  # card, how many, sharding, NVLink
MOST_COMPARED = 8


def sizings_for(case: Case, approach: Approach | None) -> tuple[Sizing, ...]:
    """One sizing for each model and method in question, the one answered first; none where no model is known."""
    methods = _methods(case, approach)
    pairs = [(shape, method) for shape in case.architectures for method in methods][:MOST_COMPARED]
    return tuple(fit_of(case.subject, shape, method, ladder=place == 0) for place, (shape, method) in enumerate(pairs))


def _methods(case: Case, approach: Approach | None) -> tuple[Method, ...]:
    """What was asked, the advised first where it is among it; else what is advised."""
    if approach is None or approach.method == "none":
        return case.methods
    asked = case.training_methods or case.methods
    if not asked:
        return ("pretrain",) if case.wants("pretrain") else (approach.method,)
    if "continued_pretrain" in asked and case.asked_adapter is not None:
        asked = tuple(method for method in asked if method != "continued_pretrain")  # pre-training with adapters is sized as such
    return (approach.method, *(method for method in asked if method != approach.method)) if approach.method in asked else asked


def run_for(case: Case) -> Run | None:
    """How long one run takes on the cards they own, else on the best plan's, else on the smallest, where the amount of data is known."""
    sizing = case.sizing
    if sizing is None or sizing.method not in TRAINING or (case.request.dataset is None and sizing.method != "pretrain"):
        return None
    place = _owned(case, sizing) or _planned(case, sizing) or _smallest(case, sizing)
    if place is None:
        return None
    gpu, count, sharding, nvlink = place
    asked = case.request
    run = run_of(
        sizing.architecture, sizing.method, gpu, count, asked.dataset, asked.training, case.catalogue, asked.stage, sharding, nvlink
    )
    return None if run is None else _in_a_project(run, sizing.method, case)


def _in_a_project(run: Run, method: Method, case: Case) -> Run:
    """With what its power costs at theirs, and, where they said no hours, what trial and failed runs make of it."""
    catalogue, currency = case.catalogue, answer_currency(case.subject.asked)
    kwh = None if run.energy is None else magnitude(run.energy, "kW*hour") * energy_price(case.request, catalogue, currency)
    run = replace(run, energy_cost=None if kwh is None else quantity(kwh, currency))
    if hours_known(case.subject.asked):
        return run
    project = run.typical * project_factor(method, catalogue)
    return replace(run, project=project, trials=trial_runs(method, catalogue), overhead=run_overhead(catalogue))


def run_figures(run: Run | None, case: Case) -> tuple[Figure, ...]:
    """The figures behind the power and the project of a run."""
    if run is None:
        return ()
    tariff = case.request.quotes is None or case.request.quotes.tariff is None
    found = (case.figure("tariff_default") if tariff and run.energy_cost is not None else None, run.trials, run.overhead)
    return tuple(figure for figure in found if figure is not None)


def serving_for(case: Case) -> Serving | None:
    """Speed and needs of the server on the cards they own, else on those of the best plan."""
    sizing = case.sizing
    if sizing is None or sizing.method in TRAINING:
        return None
    place = _owned(case, sizing) or _planned(case, sizing)
    return None if place is None else serving_of(sizing, place[0], place[1], case.request, case.catalogue, place[2])


def _owned(case: Case, sizing: Sizing) -> Place | None:
    """The named cards the verdict is about; without one the largest group."""
    groups = [group for group in case.machine.groups if group.gpu is not None] if case.machine else []
    group = next((one for one in groups if one.holding == sizing.fit.hardware), groups[0] if groups else None)
    if group is None or group.gpu is None or sizing.fit.verdict == "no":
        return None
    return group.gpu, group.count, sizing.fit.sharding, group.nvlink


def _planned(case: Case, sizing: Sizing) -> Place | None:
    """The cards of the best plan for what was sized."""
    whole = (plan for plan in case.plans if plan.method == sizing.method and not plan.gives_up)
    return next(((plan.gpu, plan.count, plan.sharding, None) for plan in whole if plan.gpu is not None and plan.count is not None), None)


def _smallest(case: Case, sizing: Sizing) -> Place | None:
    """The smallest machine of the catalogue that holds it."""
    found = candidates(sizing.architecture, sizing.method, case.request, case.catalogue)
    return (found[0].gpu, found[0].count, found[0].sharding, None) if found else None
