"""Print how close the memory model is to measured runs: `python -m tests.benchmarks.memory_table`; the result stands in MEMORY.md.

`--calibrate` writes engine/data/memory_ranges.csv again. `--peers FILE` sets the answers of other calculators beside ours, each on the
rows it can express (memory_peers.py makes the file).
"""

import argparse
import csv
import json
import statistics
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

from engine.memory.calibration import TABLE
from tests.memory.calibrating import cross_validated, ranges_of, ratios, undoubted
from tests.memory.measured import (
    SAID,
    answered,
    answers,
    as_by_default,
    by_cells,
    error,
    of_method,
    one_card,
    percentile,
    rows,
    several_cards,
    told_little,
)

SETTINGS = {
    "gradient_checkpointing": ("full", "none", "selective"),
    "loss": ("fp32", "bf16", "chunked", "fused_linear"),
    "lora_targets": ("all", "qv"),
    "adapter_dtype": ("fp32", "bf16"),
}


def line(name, errors, unit="cells"):
    if errors:
        median, ninth = 100 * statistics.median(errors), 100 * percentile(errors, 0.9)
        print(f"| {name} | {len(errors)} {unit} | {median:.1f} % | {ninth:.1f} % |")


def header(*names):
    print("\n|", " | ".join(names), "|")
    print("|" + "---|" * len(names))


def main_table(published):
    header("rows", "number", "median error", "90th percentile")
    line("simulated", [abs(error(*pair)) for pair in answers("simulated")], "rows")
    line("published, one GPU", by_cells(one_card(published)))
    for method in ("full", "lora", "qlora", "inference"):
        line(f"… {method}", by_cells(of_method(one_card(published), method)))
    line("published, several GPUs", by_cells(several_cards(published)))
    line("published, all", by_cells(published))
    line("measured elsewhere, all but doubtful rows", by_cells(undoubted()))


def little_said_table():
    """How far the defaults carry where little is said: over all runs, over those that used them, and what the best defaults could do."""
    header("only model, method, seq_len, micro_batch, n_gpus given", "number", "median error", "90th percentile")
    for name in ("simulated", "published"):
        line(f"{name}, runs whose settings need what the defaults need", by_cells(as_by_default(name)))
        line(f"{name}, all runs", by_cells(told_little(name)))
    kept = [(one, answered(one, (*SAID, "framework", "gradient_checkpointing"))) for one in rows("published")]
    line("published, all runs, also framework and checkpointing given", by_cells(kept))
    for method in ("full", "lora", "qlora"):
        line(f"published, {method}: the best fixed settings, chosen in hindsight", hindsight(method))


def hindsight(method):
    """The errors of the fixed settings that would have had the least median error on the published rows of a method."""
    asked = [one for one in rows("published") if one["input"]["method"] == method]
    choices = [dict(zip(SETTINGS, values, strict=True)) for values in product(*SETTINGS.values())]
    scores = [by_cells([(one, answered(one, SAID, **chosen)) for one in asked]) for chosen in choices]
    return min(scores, key=statistics.median)


def framework_table(published):
    header("framework", "method", "GPUs", "rows", "median, signed", "from", "to")
    groups = defaultdict(list)
    for one, answer in published:
        given = one["input"]
        groups[given["framework"], given["method"], "one" if given["n_gpus"] == 1 else "several"].append(100 * error(one, answer))
    for key, errors in sorted(groups.items()):
        print("|", " | ".join(key), f"| {len(errors)} | {statistics.median(errors):+.1f} % | {min(errors):+.1f} % | {max(errors):+.1f} % |")


def range_table():
    held, above = cross_validated()
    print("\n90 % range, cross-validated by source and model:", end=" ")
    print(f"holds {100 * held:.1f} % of the rows, {100 * above:.1f} % lie more than 10 % above.")
    header("kind of run", "low", "high", "rows", "sources × models")
    for kind, (low, high, count, cells) in sorted(ranges_of(ratios()).items()):
        print(f"| {kind} | ×{low:.3f} | ×{high:.3f} | {count} | {cells} |")


def peer_table(path):
    """Median and 90th percentile of each peer and of ours on the same rows: published by cells, simulated by rows."""
    told = defaultdict(dict)
    for text in path.read_text(encoding="utf-8").splitlines():
        answer = json.loads(text)
        told[answer["peer"], answer["rows"]][answer["id"]] = answer["gb"]
    header(
        "peer", "rows", "method", "number", "peer: median", "90th percentile", "under by more than 10 %", "ours: median", "90th percentile"
    )
    for (peer, name), sizes in sorted(told.items()):
        for method in ("full", "lora", "qlora", "inference"):
            ours = [pair for pair in answers(name) if pair[0]["id"] in sizes and pair[0]["input"]["method"] == method]
            theirs = [(one, {"expected_gb": sizes[one["id"]]}) for one, _ in ours]
            if ours:
                score = by_cells if name == "published" else lambda pairs: [abs(error(*pair)) for pair in pairs]
                low = 100 * sum(error(*pair) < -0.1 for pair in theirs) / len(theirs)
                print(f"| {peer} | {name} | {method} | {len(ours)} | {_spread(score(theirs))} | {low:.0f} % | {_spread(score(ours))} |")


def _spread(errors):
    return f"{100 * statistics.median(errors):.0f} % | {100 * percentile(errors, 0.9):.0f} %"


def calibrate():
    """Write the ranges of the product again from all measured rows."""
    found = sorted(ranges_of(ratios()).items())
    with TABLE.open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(("kind", "low", "high", "rows", "cells"))
        for kind, (low, high, count, cells) in found:
            writer.writerow((kind, f"{low:.3f}", f"{high:.3f}", count, cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--peers", type=Path)
    chosen = parser.parse_args()
    if chosen.calibrate:
        calibrate()
        return
    published = answers("published")
    main_table(published)
    little_said_table()
    framework_table(published)
    range_table()
    if chosen.peers:
        peer_table(chosen.peers)


if __name__ == "__main__":
    sys.exit(main())
