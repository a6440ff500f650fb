"""Ranges from measured rows, by kind of run; and whether they hold rows of models and sources they were not made from.

A kind has few models, so a new one lies further out than the quantiles of the old ones: the quantiles are 5 and 95 %, and 3 % are added.
"""

from collections import defaultdict

from engine.catalogue import catalogue
from engine.memory import row
from engine.memory.calibration import kind_of
from engine.memory.rows import resolved
from tests.memory.measured import answers, percentile

TAIL, MARGIN = 0.05, 0.03


def undoubted():
    """Rows from elsewhere whose note names no doubt about what was read."""
    return [(one, answer) for one, answer in answers("elsewhere") if "doubtful" not in one["note"]]


def ratios():
    """(kind, source and model, measured over expected) of every row, and of the nvidia-smi peaks some name beside."""
    found = []
    for one, answer in (*answers("published"), *undoubted()):
        _, setup, reading, _ = resolved({"id": one["id"], **one["input"]}, catalogue())
        group = (one["source"], one["input"]["model"])
        found.append((kind_of(setup, reading), group, one["truth"]["peak_gb"] / answer["expected_gb"]))
        other = one["truth"].get("other", {})
        if "nvidia-smi" in other.get("reading", ""):
            beside = row({"id": one["id"], **one["input"], "reading": "nvidia_smi"}, catalogue())
            found.append(("nvidia_smi", group, other["gb"] / beside["expected_gb"]))
    return found


def ranges_of(found):
    """Kind -> (low, high, rows, cells)."""
    kinds = defaultdict(list)
    for kind, group, ratio in found:
        kinds[kind].append((group, ratio))
    return {
        kind: (
            percentile([ratio for _, ratio in pairs], TAIL) * (1 - MARGIN),
            percentile([ratio for _, ratio in pairs], 1 - TAIL) * (1 + MARGIN),
            len(pairs),
            len({group for group, _ in pairs}),
        )
        for kind, pairs in kinds.items()
    }


def cross_validated():
    """(share of rows within ranges made without their source and model, share more than 10 % above the high end)."""
    found, held, above = ratios(), 0, 0
    for left_out in {group for _, group, _ in found}:
        ranges = ranges_of([one for one in found if one[1] != left_out])
        for kind, group, ratio in found:
            if group == left_out:
                low, high, *_ = ranges[kind]
                held += low <= ratio <= high
                above += ratio * 0.9 > high
    return held / len(found), above / len(found)
