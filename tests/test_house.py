"""The rules of the house that a test can hold: what the engine may not know, which way the arrows point, no paths of anybody's machine."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
SOURCES = [*ENGINE, *sorted((ROOT / "bot").rglob("*.py"))]
FOREIGN = {
    "bot",
    "templates",
    "telegram",
    "sqlmodel",
    "sqlalchemy",
    "alembic",
    "httpx",
    "socket",
    "requests",
    "urllib.request",
    "jinja2",
    "babel",
}
PATH = (  # the stages in the order of the path; none reads from a later one
    "engine.units",
    "engine.request",
    "engine.catalogue",
    "engine.memory",
    "engine.subject",
    "engine.placement",
    "engine.throughput",
    "engine.costs",
    "engine.money",
    "engine.rules",
    "engine.advise",
)


def imported(path):
    """Names of the modules a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_imports_nothing_of_the_world(path):
    assert not [name for name in imported(path) if name in FOREIGN or name.split(".")[0] in FOREIGN]


def test_the_engine_loads_nothing_of_the_world():
    code = "import engine, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name for name in loaded if name.split(".")[0] in FOREIGN - {"socket"}}
    assert "numpy" not in loaded  # a third of the start-up time, and nothing here is an array


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_has_no_clock(path):
    asked = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("now", "today", "utcnow")
    }
    called = {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in asked
    }
    assert called == set()


def test_no_stage_reads_from_a_later_one():
    place = {name: number for number, name in enumerate(PATH)}
    wrong = []
    for path in ENGINE:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        here = next((place[stage] for stage in PATH if module == stage or module.startswith(stage + ".")), None)
        for name in imported(path):
            there = next((place[stage] for stage in PATH if name == stage or name.startswith(stage + ".")), None)
            if here is not None and there is not None and there > here:
                wrong.append(f"{module} imports {name}")
    assert wrong == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is(path):
    if path.name == "env.py" or "versions" in path.parts:
        return
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_nothing_names_a_machine_or_a_registry():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")
    files = [ROOT / name for name in tracked if name and not name.endswith((".lock", ".png", ".mo"))]
    banned = re.compile(r"(?<![\w./])/(?:work|root)/|pypi\.org|registry\.npmjs|deb\.debian\.org|pythonhosted")
    found = [
        str(path)
        for path in files
        if path.is_file() and path != Path(__file__) and banned.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []
