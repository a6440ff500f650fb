"""Whether an answer contains what a golden pair wants: objects key by key, lists entry by entry, numbers within 0.2 %.

Operators: {"$in": [...]}, {"$between": [low, high]}, {"$near": x, "rel": r}, {"$like": regular expression, case ignored}.
"""

import re
from typing import Any

REL = 0.002


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def contains(got: Any, want: Any, rel: float = REL) -> bool:
    if isinstance(want, dict) and any(key.startswith("$") for key in want):
        return _operator(got, want, rel)
    if isinstance(want, dict):
        return isinstance(got, dict) and all(key in got and contains(got[key], inner, rel) for key, inner in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and all(any(contains(entry, inner, rel) for entry in got) for inner in want)
    if is_number(want):
        return is_number(got) and abs(got - want) <= rel * abs(want)
    return bool(got == want) and isinstance(got, bool) == isinstance(want, bool)


def _operator(got: Any, want: dict[str, Any], rel: float) -> bool:
    if "$in" in want:
        return any(contains(got, one, rel) for one in want["$in"])
    if "$between" in want:
        low, high = want["$between"]
        return is_number(got) and low <= got <= high
    if "$near" in want:
        return contains(got, want["$near"], want["rel"])
    return isinstance(got, str) and re.search(want["$like"], got, re.IGNORECASE) is not None


def misses(got: Any, want: Any, path: str = "") -> list[str]:
    """The smallest parts of `want` that are not in `got`, for people."""
    if isinstance(want, dict) and isinstance(got, dict) and not any(key.startswith("$") for key in want):
        return [
            miss
            for key, inner in want.items()
            for miss in (misses(got[key], inner, f"{path}.{key}") if key in got else [f"{path}.{key} is missing"])
        ]
    return [] if contains(got, want) else [f"{path or '(root)'}: {want!r} is not in {str(got)[:200]}"]
