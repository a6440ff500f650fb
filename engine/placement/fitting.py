"""Whether the hardware at hand holds one method on one model: footprint, verdict, limits and knobs; and the method nobody named.

Verdict: no when expected > usable, tight when high > usable, yes otherwise, unknown without hardware.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.catalogue import Architecture, Catalogue
from engine.memory import footprint, setup_of
from engine.placement.knobs import knobs_of
from engine.placement.limits import largest_batch, longest_context
from engine.placement.spread import COPIES, Trial, best_trial, spreads, trial
from engine.placement.turns import Stand
from engine.recommendation import Fit, FitVerdict, Footprint, Knob, Sizing
from engine.request import Method
from engine.subject import Subject
from engine.units import magnitude, quantity

_BY_FORMAT: Mapping[str, Method] = {"int8": "lora8", "nf4": "qlora", "nf4-dq": "qlora", "gptq4": "qlora", "awq4": "qlora"}


def fit_of(subject: Subject, architecture: Architecture, method: Method, ladder: bool = True) -> Sizing:
    """Footprint and fit of one method on one model, with the ladder of knobs unless it is only compared.

    Errors: none; without hardware the verdict is unknown.
    """
    trials = _trials(subject, architecture, method)
    if not trials:
        return _alone(subject, architecture, method)
    if subject.machine is None:
        return _undecided(trials, architecture, method)
    return _placed(trials[0], Stand(subject.request, architecture, method, trials[0].spread, subject.machine.cpu_ram), subject, ladder)


def holds(subject: Subject, architecture: Architecture, method: Method) -> FitVerdict:
    """The verdict alone, as `fit_of` gives it."""
    trials = _trials(subject, architecture, method)
    if not trials:
        return _alone(subject, architecture, method).fit.verdict
    return trials[0].verdict if _agreed(trials) else "unknown"


def _trials(subject: Subject, architecture: Architecture, method: Method) -> list[Trial]:
    """The best way on the machine, or on each machine it could be; empty where one of them has no cards."""
    machines = [subject.machine] if subject.machine else list(subject.alternatives)
    options = [spreads(machine, subject.request, architecture, method) for machine in machines]
    return [best_trial(subject.request, architecture, method, one) for one in options] if all(options) else []


def _agreed(trials: list[Trial]) -> bool:
    return len({one.verdict for one in trials}) == 1


def _placed(best: Trial, stand: Stand, subject: Subject, ladder: bool) -> Sizing:
    made = footprint(stand.architecture, best.setup, best.assumed)
    knobs = knobs_of(stand, best.needed, subject.catalogue) if ladder else ()
    return Sizing(stand.method, stand.architecture, made, _fit(best, made, stand, knobs))


def _undecided(trials: list[Trial], architecture: Architecture, method: Method) -> Sizing:
    """Hardware that could be one of several: the verdict stands where all agree, otherwise it is unknown."""
    first = trials[0]
    made = footprint(architecture, first.setup, first.assumed)
    verdict: FitVerdict = first.verdict if _agreed(trials) else "unknown"
    fit = replace(_unknown(method), verdict=verdict, needed=made.expected, sharding=first.spread.sharding)
    return Sizing(method, architecture, made, fit)


def _alone(subject: Subject, architecture: Architecture, method: Method) -> Sizing:
    """Without cards: what one card would need. Where the only memory named is CPU RAM there is none for the GPU, so no."""
    setup, assumed = setup_of(subject.request, architecture, method)
    made = footprint(architecture, setup, assumed)
    if subject.machine is None or not subject.machine.ram_only:
        return Sizing(method, architecture, made, _unknown(method))
    return Sizing(method, architecture, made, replace(_unknown(method), verdict="no", needed=made.expected, usable=quantity(0.0, "byte")))


def _unknown(method: Method) -> Fit:
    return Fit("unknown", method, None, None, None, None, None, None, ())


def _fit(best: Trial, made: Footprint, stand: Stand, knobs: tuple[Knob, ...]) -> Fit:
    spread = best.spread
    context = longest_context(stand.architecture, best.setup, spread.usable)
    return Fit(
        verdict=best.verdict,
        method=stand.method,
        hardware=spread.cards.holding,
        needed=made.expected,
        usable=quantity(spread.usable, "byte"),
        sharding=spread.sharding,
        longest_context=None if context is None else quantity(float(context), "token"),
        largest_batch=largest_batch(stand.architecture, best.setup, spread.usable),
        knobs=knobs,
    )


def default_training_method(subject: Subject, architecture: Architecture | None, catalogue: Catalogue) -> Method:
    """LoRA where one card holds it, else QLoRA on one card, else what sharding holds; without hardware by size.

    A quantised weight format they named decides; 16 bit is left where it does not fit.
    """
    named = _BY_FORMAT.get((subject.request.training and subject.request.training.quantization) or "")
    if named is not None or architecture is None:
        return named or "lora"
    machine = subject.machine or next(iter(subject.alternatives), None)  # of several it could be, the smallest
    options = spreads(machine, subject.request, architecture, "lora") if machine else ()
    if not options:
        limit = magnitude(catalogue.figure("lora_without_hardware").quantity, "parameter")
        return "lora" if architecture.parameters <= limit else "qlora"
    copied = [spread for spread in options if spread.sharding in COPIES]
    spread_out = [spread for spread in options if spread.sharding not in COPIES]
    for ways in (copied, spread_out):
        for method in ("lora", "qlora"):
            if any(trial(subject.request, architecture, method, way).verdict != "no" for way in ways):
                return method
    return "qlora"
