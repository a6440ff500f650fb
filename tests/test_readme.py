"""The README keeps its promises: the conversation in it is replayed, its two commands stand first, its tables match the project.

After a change of wording: `SIZEWELL_REWRITE=1 pytest tests/test_readme.py` writes the conversation anew; read it before you commit.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CONVERSATION = re.compile(r"(<!-- conversation (?P<lang>\w\w) -->\n```text\n)(?P<said>.*?)(```\n)", re.DOTALL)
TODAY = "2026-11-30"


def replayed(said, lang, home):
    """What `sizewell chat` prints when the lines after the prompts are typed again."""
    typed = "".join(f"{line[2:]}\n" for line in said.splitlines() if line.startswith("> "))
    done = subprocess.run(
        [sys.executable, "-c", "from bot.__main__ import main; main()", "chat", "--lang", lang],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "SIZEWELL_TODAY": TODAY, "SIZEWELL_DATA_DIR": str(home)},
    )
    assert done.returncode == 0, done.stderr
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines()) + "\n"


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_conversation_is_real(lang, tmp_path):
    text = README.read_text(encoding="utf-8")
    found = {match["lang"]: match for match in CONVERSATION.finditer(text)}[lang]
    now = replayed(found["said"], lang, tmp_path)
    if os.environ.get("SIZEWELL_REWRITE"):
        README.write_text(text.replace(found["said"], now), encoding="utf-8")
    assert now == found["said"] or os.environ.get("SIZEWELL_REWRITE")


def test_the_two_commands_stand_first():
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert [len(block.strip().splitlines()) for block in blocks[:2]] == [1, 1]
    assert blocks[0].strip().endswith("sizewell chat")
    assert blocks[1].strip().endswith("pytest")


def test_every_dependency_has_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = {re.match(r"[\w-]+", line)[0].lower() for line in [*project["dependencies"], *project["optional-dependencies"]["dev"]]}
    table = README.read_text(encoding="utf-8").split("## Dependencies")[1]
    listed = set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))
    assert listed == required
