"""What a project takes beyond its one run: enter the method and the catalogue, leaves the factor on the hours, with its figures.

hours = one run x trial runs x (1 + overhead): trial runs until data and settings are right, the last of them the one that counts;
overhead for failed runs, evaluation and checkpoints. Nobody pre-trains several times: there the overhead alone counts.
"""

from engine.catalogue import Catalogue, Figure
from engine.request import Method

_ONCE: tuple[Method, ...] = ("pretrain", "continued_pretrain")


def trial_runs(method: Method, catalogue: Catalogue) -> Figure | None:
    """Full runs until one counts; None where there is but one."""
    return None if method in _ONCE else catalogue.figure("trial_runs")


def run_overhead(catalogue: Catalogue) -> Figure:
    """Share of failed runs, evaluation and checkpoints on top."""
    return catalogue.figure("run_overhead")


def project_factor(method: Method, catalogue: Catalogue) -> float:
    """Hours of the project over hours of one run."""
    trials = trial_runs(method, catalogue)
    return (1.0 if trials is None else trials.typical) * (1 + run_overhead(catalogue).typical)


def project_figures(method: Method, catalogue: Catalogue) -> tuple[Figure, ...]:
    """The figures behind the factor."""
    return tuple(figure for figure in (trial_runs(method, catalogue), run_overhead(catalogue)) if figure is not None)
