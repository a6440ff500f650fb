"""How far a setting can be turned before it no longer fits: what enters is a setup and usable bytes, what leaves is a whole number.

Verdicts here go by the expected need. The search interpolates, because needs grow almost in proportion: four or five looks instead
of twenty.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine.catalogue import Architecture
from engine.memory import Setup, peak

CONTEXT_IF_UNKNOWN = 131_072  # tokens; the commonest trained context of the catalogue's newer models
_FINE, _COARSE, _FINE_UP_TO = 64, 128, 1024
_MOST_ROWS = 4096


def largest_fitting(need: Callable[[int], float], usable: float, low: int, high: int) -> int | None:
    """The largest whole number from low to high whose need stays within usable; `need` grows. None where low is too much already."""
    at_low = need(low)
    if at_low > usable:
        return None
    at_high = need(high)
    if at_high <= usable:
        return high
    halve = False
    while high - low > 1:
        share = 0.5 if halve else (usable - at_low) / (at_high - at_low)
        guess = min(max(low + int(share * (high - low)), low + 1), high - 1)
        width, wanted = high - low, need(guess)
        low, at_low, high, at_high = (guess, wanted, high, at_high) if wanted <= usable else (low, at_low, guess, wanted)
        halve = not halve and (high - low) * 2 > width
    return low


def longest_context(architecture: Architecture, setup: Setup, usable: float) -> int | None:
    """Longest rows [token] that fit, in steps of 64 up to 1,024 and of 128 above, at most what the model was trained for."""
    cap = architecture.context or CONTEXT_IF_UNKNOWN

    @cache
    def need(tokens: int) -> float:
        return peak(architecture, replace(setup, sequence_length=tokens))

    if need(cap) <= usable:
        return cap
    step = _COARSE if cap > _FINE_UP_TO and need(_FINE_UP_TO) <= usable else _FINE
    first = _FINE_UP_TO if step == _COARSE else step
    if cap < first:
        return None
    found = largest_fitting(lambda steps: need(steps * step), usable, first // step, cap // step)
    return None if found is None else found * step


def largest_batch(architecture: Architecture, setup: Setup, usable: float) -> int | None:
    """Most rows at once on one card (users of a server); None where not even one fits."""
    return largest_fitting(lambda rows: peak(architecture, replace(setup, micro_batch=rows)), usable, 1, _MOST_ROWS)
