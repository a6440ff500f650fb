"""Input of the contract's commands: a file or stdin enters, its text, its lines, and JSON values with finite numbers leave."""

import json
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from engine.errors import Refusal

_DEEPEST = 200  # brackets in brackets; what writes or checks them again needs the stack
_INFINITE = (float("inf"), float("-inf"))


class _NotFinite(str):
    """A word that stands for a number and is none that can be held: NaN, Infinity, 1e999."""


def text_of(source: str) -> str:
    """All of a file, or of stdin for `-`. Errors: Refusal."""
    with _opened(source) as stream:
        return stream.read()


def lines_of(source: str) -> Iterator[str]:
    """The lines that are not blank. Errors: Refusal."""
    with _opened(source) as stream:
        yield from (line for line in stream if line.strip())


def parsed(text: str) -> Any:
    """JSON in which numbers that cannot be held are still words, for `finite` to name. Errors: Refusal."""
    try:
        return json.loads(text, parse_constant=_NotFinite, parse_float=_float, parse_int=_int)
    except (ValueError, RecursionError):
        raise Refusal("not_json", None, echoed(text)) from None


def finite(value: Any) -> Any:
    """The value, if all its numbers can be held. Errors: Refusal with the path and the word."""
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), value)])
    while waiting:
        path, one = waiting.popleft()
        if isinstance(one, _NotFinite):
            raise Refusal("not_finite", ".".join(path) or None, echoed(str(one)))
        if len(path) > _DEEPEST:
            raise Refusal("not_json", None, None)
        if isinstance(one, dict | list):
            inner = one.items() if isinstance(one, dict) else enumerate(one)
            waiting.extend(((*path, str(key)), what) for key, what in inner)
    return value


def echoed(value: Any) -> str | None:
    """What was read, as it came, short enough to be shown again."""
    from bot.contract.refusals import echo

    return echo(value)


def _float(word: str) -> float | _NotFinite:
    value = float(word)
    return _NotFinite(word) if value in _INFINITE else value


def _int(word: str) -> int | _NotFinite:
    return int(word) if len(word) < 309 else _NotFinite(word)  # what is longer overflows a float


@contextmanager
def _opened(source: str) -> Iterator[IO[str]]:
    """A file, or stdin for `-`; both as UTF-8, with a byte order mark or without. Errors: Refusal."""
    if source == "-":
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")  # type: ignore[union-attr]
        yield sys.stdin
        return
    try:
        stream = Path(source).open(encoding="utf-8-sig", errors="replace")  # noqa: SIM115  # closed below; only opening may be refused
    except OSError as error:
        raise Refusal("no_file", None, source, {"reason": error.strerror}) from None
    with stream:
        yield stream
