"""The golden pairs of the machine contract: an input and the parts of the answer that are beyond doubt, through the real commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from contract.containment import contains, misses

PAIRS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((Path(__file__).parent / "golden").glob("*.json"))}
TODAY = {"SIZEWELL_TODAY": "2026-11-30", "PATH": "/usr/bin:/bin", "PYTHONWARNINGS": "error"}
SIZEWELL = [sys.executable, "-c", "from bot.__main__ import main; main()"]


def run(arguments, given=""):
    return subprocess.run([*SIZEWELL, *arguments], input=given, capture_output=True, text=True, encoding="utf-8", timeout=60, env=TODAY)


@pytest.mark.parametrize("name", PAIRS)
def test_a_run_of_its_own(name, fits_schema):
    pair = PAIRS[name]
    line = pair["input"]
    words = [line["message"], "--lang", line["lang"]] if "message" in line else ["--request", "-"]
    done = run(["size", *words, "--format", "json"], "" if "message" in line else json.dumps(line))
    assert contains(done.returncode, pair["exit"]), done.stderr
    if done.returncode == 2:
        assert "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) == 2  # what and why, then what to write instead
        return
    check(pair, json.loads(done.stdout), fits_schema)


def test_all_in_one_batch(fits_schema):
    given = "".join(json.dumps(pair["input"]) + "\n" for pair in PAIRS.values())
    done = run(["size", "--batch", "-", "--format", "json"], given)
    lines = done.stdout.splitlines()
    assert len(lines) == len(PAIRS), done.stderr
    for pair, line in zip(PAIRS.values(), lines, strict=True):
        check(pair, json.loads(line), fits_schema)


def check(pair, answer, fits_schema):
    assert fits_schema("answer", answer) == []
    assert misses(answer, pair["matches"]) == []
    assert [one for one in pair["forbids"] if contains(answer, one)] == []


def test_the_same_input_gives_the_same_bytes():
    words = ["size", "8B LoRA, 12 h im Monat, 5000 €", "--lang", "de", "--format", "json"]
    assert run(words).stdout == run(words).stdout
