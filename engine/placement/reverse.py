"""The reverse question: the largest model this hardware holds, per method.

Enters: a `Subject` with a machine. Leaves: for each method the largest size that fits (yes or tight) over typical shapes, rounded
down, with the best-known model of the catalogue that fits too; first sharded over all cards where that holds more, then on one card.
"""

import re
from collections.abc import Callable

from engine.catalogue import Architecture, Catalogue
from engine.memory import peak, setup_of, typical_architecture
from engine.placement.spread import COPIES, Spread, spreads
from engine.recommendation import Largest
from engine.request import Method, ModelChoice, Request
from engine.subject import Machine, Subject

DEFAULT: tuple[Method, ...] = ("lora", "qlora", "full", "serve")
_SMALLEST, _GREATEST = 0.1, 2000.0  # 10^9 parameters
_STEP = 0.985  # below the next number of two digits
_CLOSE = 1.02  # the answer is rounded down to two digits anyway
_SPECIAL = re.compile(r"math|code|vision|vl\b|embed|guard|distill", re.IGNORECASE)
_KNOWN = ("llama", "qwen", "mistral", "gemma", "phi", "gpt-oss", "mixtral", "deepseek")


def largest(subject: Subject) -> tuple[Largest, ...]:
    """The largest model per method that fits; empty without hardware. Of two ways on several cards the larger comes first."""
    if subject.machine is None or not subject.machine.groups:
        return ()
    methods = tuple(method for method in subject.request.methods or DEFAULT if method != "rag") or DEFAULT
    return tuple(found for method in methods for found in _of_method(subject, subject.machine, method))


def _of_method(subject: Subject, machine: Machine, method: Method) -> list[Largest]:
    """One answer for one card, one for all cards sharded, each where it holds anything; a sharded one only if it holds more."""
    options = spreads(machine, subject.request, typical_architecture(8.0), method)
    ways = [[one for one in options if one.sharding not in COPIES], [one for one in options if one.sharding in COPIES]]
    found = [answer for way in ways if (answer := _best(subject, method, way)) is not None]
    if len(found) > 1 and (found[0].model.params_b or 0) <= (found[1].model.params_b or 0):
        return found[1:]
    return found


def _best(subject: Subject, method: Method, options: list[Spread]) -> Largest | None:
    sizes = [(_largest_size(subject.request, method, spread), spread) for spread in options]
    size, spread = max(sizes, key=lambda one: one[0], default=(0.0, None))
    if spread is None or size < _SMALLEST:
        return None
    return Largest(method, ModelChoice(params_b=size), spread.sharding, _example(subject, method, spread, size))


def _needed(request: Request, architecture: Architecture, method: Method, spread: Spread) -> float:
    setup, _ = setup_of(request, architecture, method, spread.gpus, spread.sharding)
    return peak(architecture, setup)


def _largest_size(request: Request, method: Method, spread: Spread) -> float:
    """10^9 parameters, by false position: the need grows almost in proportion to the size; 0 where even the smallest is too much."""
    low, high = _SMALLEST, _GREATEST

    def need(size: float) -> float:
        return _needed(request, typical_architecture(size), method, spread)

    at_low, at_high = need(low), need(high)
    if at_low > spread.usable:
        return 0.0
    if at_high <= spread.usable:
        return high
    for look in range(24):
        if high / low <= _CLOSE:
            break
        share = (spread.usable - at_low) / (at_high - at_low)
        straight = low + share * (high - low)
        guess = min(max(straight, low * 1.01), high / 1.01) if look % 3 < 2 else (low * high) ** 0.5
        wanted = need(guess)
        low, at_low, high, at_high = (guess, wanted, high, at_high) if wanted <= spread.usable else (low, at_low, guess, wanted)
    return _settled(low, need, spread.usable)


def _settled(size: float, need: Callable[[float], float], usable: float) -> float:
    """The next size of two digits below that holds: typical shapes differ, so a size just below can need more."""
    rounded = rounded_down(size)
    while rounded >= _SMALLEST and need(rounded) > usable:
        rounded = rounded_down(rounded * _STEP)
    return rounded


def rounded_down(size: float) -> float:
    """Two significant digits, never more than the size: 9.47 -> 9.4, 34.6 -> 34, 128 -> 120."""
    step = 1.0
    while size / step >= 100:
        step *= 10
    while size / step < 10:
        step /= 10
    return round(int(size / step + 1e-9) * step, 6)


def _example(subject: Subject, method: Method, spread: Spread, size: float) -> str | None:
    """The largest well-known model of the catalogue that fits the same way."""
    for one in _known(subject.catalogue, size):
        if _needed(subject.request, one, method, spread) <= spread.usable:
            return one.name
    return None


def _known(catalogue: Catalogue, size: float) -> list[Architecture]:
    limit = size * 1.1e9
    known = [
        one
        for one in catalogue.architectures.values()
        if one.parameters <= limit and one.kv_layers != 0 and one.family.lower().startswith(_KNOWN) and not _SPECIAL.search(one.name)
    ]
    return sorted(known, key=lambda one: (-one.parameters, one.id))[:8]
