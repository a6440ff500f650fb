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
from engine.recommendation import Fit, Footprint, Sizing
from engine.request import Method, Request
from engine.subject import Machine, Subject
from engine.units import magnitude, quantity


def fit_of(subject: Subject, architecture: Architecture, method: Method) -> Sizing:
    """Footprint and fit of one method on one model. Errors: none; without hardware the verdict is unknown."""
    request = subject.request
    if subject.machine is not None:
        return _on_machine(request, architecture, method, subject.machine, subject.catalogue)
    if subject.alternatives:
        return _on_any(request, architecture, method, subject)
    return Sizing(method, architecture, _alone(request, architecture, method), _unknown(method))


def _alone(request: Request, architecture: Architecture, method: Method) -> Footprint:
    setup, assumed = setup_of(request, architecture, method)
    return footprint(architecture, setup, assumed)


def _unknown(method: Method) -> Fit:
    return Fit("unknown", method, None, None, None, None, None, None, ())


def _on_any(request: Request, architecture: Architecture, method: Method, subject: Subject) -> Sizing:
    """Hardware that could be one of several: the verdict stands where all agree, otherwise it is unknown."""
    sizings = [_on_machine(request, architecture, method, machine, subject.catalogue) for machine in subject.alternatives]
    agreed = len({sizing.fit.verdict for sizing in sizings}) == 1
    first = sizings[0]
    fit = replace(first.fit, hardware=None, usable=None, longest_context=None, largest_batch=None, knobs=())
    return replace(first, fit=fit if agreed else replace(fit, verdict="unknown"))


def _on_machine(request: Request, architecture: Architecture, method: Method, machine: Machine, catalogue: Catalogue) -> Sizing:
    options = spreads(machine, request, architecture, method)
    if not options:
        return _without_gpu(request, architecture, method, machine)
    best = best_trial(request, architecture, method, options)
    made = best.footprint or footprint(architecture, best.setup, best.assumed)
    return Sizing(method, architecture, made, _fit(best, made, Stand(request, architecture, method, best.spread), catalogue))


def _without_gpu(request: Request, architecture: Architecture, method: Method, machine: Machine) -> Sizing:
    """CPU RAM is no GPU memory: with nothing else there is nothing to fit in; where they own nothing nothing is known."""
    made = _alone(request, architecture, method)
    if machine.cpu_ram is None:
        return Sizing(method, architecture, made, _unknown(method))
    fit = replace(_unknown(method), verdict="no", needed=made.expected, usable=quantity(0.0, "byte"))
    return Sizing(method, architecture, made, fit)


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
    machine = subject.machine
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
