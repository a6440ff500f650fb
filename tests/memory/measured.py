"""The measured and simulated rows and how they are scored: by cells of source, model and method, as an error of `row`."""

import json
import statistics
from collections import defaultdict
from functools import cache
from pathlib import Path

from engine.catalogue import catalogue
from engine.memory import row

FOLDER = Path(__file__).parent
SAID = ("model", "method", "seq_len", "micro_batch", "n_gpus", "reading")  # what people usually tell

USUAL = 0.05  # settings that move the need by no more count as the defaults


@cache
def rows(name):
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def answered(one, fields=None, **settings):
    """The answer to a row, or to those of its fields that are named, under other settings."""
    given = {key: value for key, value in one["input"].items() if fields is None or key in fields}
    return row({"id": one["id"], **given, **settings}, catalogue())


@cache
def told_little(name):
    """Rows answered from what people usually tell."""
    return tuple((one, answered(one, SAID)) for one in rows(name))


def as_by_default(name):
    """Of the rows told little those whose run used settings that need what the defaults need."""
    whole = [answer["expected_gb"] for _, answer in answers(name)]
    return [pair for pair, size in zip(told_little(name), whole, strict=True) if abs(pair[1]["expected_gb"] / size - 1) <= USUAL]


@cache
def answers(name):
    return tuple((one, answered(one)) for one in rows(name))


def error(one, answer):
    return answer["expected_gb"] / one["truth"]["peak_gb"] - 1


def cell(one):
    return one["source"], one["input"]["model"], one["input"]["method"]


def by_cells(pairs):
    """Median absolute error of each cell."""
    cells = defaultdict(list)
    for one, answer in pairs:
        cells[cell(one)].append(abs(error(one, answer)))
    return [statistics.median(errors) for errors in cells.values()]


def percentile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def one_card(pairs):
    return [pair for pair in pairs if pair[0]["input"]["n_gpus"] == 1]


def several_cards(pairs):
    return [pair for pair in pairs if pair[0]["input"]["n_gpus"] > 1]


def of_method(pairs, method):
    return [pair for pair in pairs if pair[0]["input"]["method"] == method]
