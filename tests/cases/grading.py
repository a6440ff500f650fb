"""Grades answers on the `accept` part of the cases: verdicts taken as right, warnings that must and may come, slots to ask."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Grade:
    """One case: what was right (None: the case does not decide it) and how the warnings came out."""

    id: str
    message: str
    fit: bool
    method: bool | None
    acquisition: bool | None
    asked: bool
    missing: tuple[str, ...]
    found: tuple[str, ...]
    unfair: tuple[str, ...]
    got: dict[str, Any]


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file beside this one."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def graded(case: dict[str, Any], answer: dict[str, Any]) -> Grade:
    accept = case["accept"]
    method = answer["approach"]["method"] if answer["approach"] else None
    asked = {question["slot"] for question in answer["ask_back"]}
    warnings = answer["warnings"]
    return Grade(
        id=case["id"],
        message=case["message"],
        fit=answer["fit"]["verdict"] in accept["fit"],
        method=None if accept["method"] is None else method in accept["method"],
        acquisition=None if accept["acquisition"] is None else answer["acquisition"]["verdict"] in accept["acquisition"],
        asked=bool(asked & set(accept["ask"])) if accept["ask"] else answer["approach"] is not None or accept["method"] is None,
        missing=tuple(code for code in accept["warn"] if code not in warnings),
        found=tuple(code for code in accept["warn"] if code in warnings),
        unfair=tuple(code for code in warnings if code not in accept["warn"] and code not in accept["warn_ok"]),
        got={
            "fit": answer["fit"]["verdict"],
            "needed": answer["fit"]["needed"],
            "method": method,
            "acquisition": answer["acquisition"]["verdict"],
            "ask": sorted(asked),
            "warnings": warnings,
        },
    )


def shares(grades: Iterable[Grade], warnings: int) -> dict[str, float]:
    """The figures of the table; `warnings` is how many were given in all."""
    grades = list(grades)
    wanted = sum(len(one.missing) + len(one.found) for one in grades)
    return {
        "fit": _share(one.fit for one in grades),
        "method": _share(one.method for one in grades if one.method is not None),
        "acquisition": _share(one.acquisition for one in grades if one.acquisition is not None),
        "asked": _share(one.asked for one in grades),
        "warning recall": sum(len(one.found) for one in grades) / wanted,
        "warning precision": 1 - sum(len(one.unfair) for one in grades) / max(warnings, 1),
    }


def _share(flags: Iterable[bool | None]) -> float:
    values = [bool(flag) for flag in flags]
    return sum(values) / len(values)


def table(grades: list[Grade], figures: dict[str, float]) -> Iterator[str]:
    """The shares, then each miss with what was said instead."""
    yield "  ".join(f"{name} {share:.1%}" for name, share in figures.items())
    for one in grades:
        wrong = [name for name in ("fit", "method", "acquisition", "asked") if getattr(one, name) is False]
        if wrong or one.missing or one.unfair:
            yield f"{one.id} wrong {wrong} missing {list(one.missing)} unfair {list(one.unfair)}\n     {one.message}\n     {one.got}"
