"""Which methods and models are sized: what was asked, else what is advised. Enters a case and its approach, leave sizings and the run."""

from engine.placement import fit_of
from engine.recommendation import Approach, Run, Sizing
from engine.request import Method
from engine.rules.case import Case

MOST_COMPARED = 8


def sizings_for(case: Case, approach: Approach | None) -> tuple[Sizing, ...]:
    """One sizing for each model and method in question, the one answered first; none where no model is known."""
    methods = _methods(case, approach)
    pairs = [(shape, method) for shape in case.architectures for method in methods][:MOST_COMPARED]
    return tuple(fit_of(case.subject, shape, method) for shape, method in pairs)


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
    """How long one run takes on what it would run on, where the amount of data is known."""
    return None
