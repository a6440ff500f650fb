"""Trees that take long to grow: how one is built enters, the tree leaves, as it was built now or at an earlier start.

A tree lies beside the compiled modules, as Python keeps those: who may write there may change the program as well. It counts only
for the very files it was grown from, code and lists, and only as it was written; otherwise it is grown again.
"""

import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

T = TypeVar("T")
FOLDER = Path(__file__).parent / "__pycache__"
_GROWN_FROM = (Path(__file__).parent, Path(__file__).parents[2] / "engine" / "catalogue")
_DIGEST = 32


def kept(name: str, version: str, build: Callable[[], T]) -> T:
    """What `build` gives: dictionaries, sets and tuples of text alone. `version` names what it is built from beside the files."""
    path = FOLDER / f"{name}.{sys.implementation.cache_tag}.tree"
    with suppress(OSError):
        written = path.read_bytes()
        if written[:_DIGEST] == _seal(version, written[_DIGEST:]):
            grown: T = marshal.loads(written[_DIGEST:])  # noqa: S302  # sealed, and nobody else's
            return grown
    built = build()
    with suppress(OSError):
        content = marshal.dumps(built)  # type: ignore[arg-type]  # the caller's promise
        _write(path, _seal(version, content) + content)
    return built


def _seal(version: str, content: bytes) -> bytes:
    return blake2b(_origin() + version.encode() + content, digest_size=_DIGEST).digest()


@cache
def _origin() -> bytes:
    """A digest of all code and lists a tree can come from. Errors: OSError where they are no files."""
    found = blake2b(sys.version.encode())
    for folder in _GROWN_FROM:
        for path in sorted([*folder.glob("*.py"), *folder.glob("*/*.py"), *folder.glob("*/*.toml")]):
            found.update(path.read_bytes())
    return found.digest()


def _write(path: Path, content: bytes) -> None:
    """In one go, so that a start beside this one reads all of it or nothing. Errors: OSError."""
    FOLDER.mkdir(exist_ok=True)
    with NamedTemporaryFile(dir=FOLDER, delete=False) as file:
        file.write(content)
    try:
        os.chmod(file.name, 0o644)  # for whoever else starts the program
        os.replace(file.name, path)
    except OSError:
        os.unlink(file.name)
        raise
