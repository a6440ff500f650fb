"""Whether the hardware at hand holds one method on one model: footprint, verdict, limits and knobs; and the method nobody named.

Verdict: no when expected > usable, tight when high > usable, yes otherwise, unknown without hardware.
"""

from dataclasses import replace

from engine.catalogue import Architecture, Catalogue
from engine.memory import footprint, setup_of
from engine.placement.knobs import knobs_of
from engine.placement.limits import largest_batch, longest_context
from engine.placement.spread import COPIES, Trial, best_trial, spreads, trial
from engine.placement.turns import Stand
from engine.recommendation import Fit, FitVerdict, Footprint, Sizing
from engine.request import Method
from engine.subject import Subject
from engine.units import magnitude, quantity


def fit_of(subject: Subject, architecture: Architecture, method: Method) -> Sizing:
    """Footprint and fit of one method on one model. Errors: none; without hardware the verdict is unknown."""
    request = subject.request
    if subject.machine is not None:
        options = spreads(subject.machine, request, architecture, method)
        if options:
            stand = Stand(request, architecture, method, options[0], subject.machine.cpu_ram)
            return _placed(best_trial(request, architecture, method, options), stand, subject)
    possible = [spreads(machine, request, architecture, method) for machine in subject.alternatives]
    if all(possible) and possible:
        return _undecided([best_trial(request, architecture, method, options) for options in possible], architecture, method)
    return _alone(subject, architecture, method)


def _placed(best: Trial, stand: Stand, subject: Subject) -> Sizing:
    stand = replace(stand, spread=best.spread)
    made = best.footprint or footprint(stand.architecture, best.setup, best.assumed)
    return Sizing(stand.method, stand.architecture, made, _fit(best, made, stand, subject.catalogue))


def _undecided(trials: list[Trial], architecture: Architecture, method: Method) -> Sizing:
    """Hardware that could be one of several: the verdict stands where all agree, otherwise it is unknown."""
    first = trials[0]
    made = first.footprint or footprint(architecture, first.setup, first.assumed)
    verdict: FitVerdict = first.verdict if len({one.verdict for one in trials}) == 1 else "unknown"
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


def _fit(best: Trial, made: Footprint, stand: Stand, catalogue: Catalogue) -> Fit:
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
        knobs=knobs_of(stand, catalogue),
    )


def default_training_method(subject: Subject, architecture: Architecture | None, catalogue: Catalogue) -> Method:
    """LoRA where one card holds it, else QLoRA on one card, else what sharding holds; without hardware by size."""
    if architecture is None:
        return "lora"
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
