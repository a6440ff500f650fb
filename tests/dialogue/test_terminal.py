"""`sizewell chat` as a process: from a pipe and in a terminal, with a data folder of its own, in which the tables are already made."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

CHAT = ["-c", "from bot.cli import main; main()", "chat", "--today", "2026-11-30"]

CONFIG = json.dumps(
    {
        "model_type": "qwen3",
        "hidden_size": 4096,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 12288,
        "vocab_size": 151936,
    }
)


@pytest.fixture
def folder(tmp_path: Path, migrated: Path) -> Path:
    """A data folder; making the tables takes half a start, and `test_end_of_input_at_once` does."""
    shutil.copy(migrated, tmp_path / "sizewell.db")
    return tmp_path


def surroundings(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SIZEWELL_", "LC_"))}
    return {**kept, "HOME": str(folder), "SIZEWELL_DATA_DIR": str(folder), "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1"}


def piped(folder: Path, text: str, *options: str) -> str:
    """The whole output of a conversation from a pipe; nothing may be said on stderr."""
    done = subprocess.run(
        [sys.executable, *CHAT, *options], input=text.encode(), env=surroundings(folder), capture_output=True, timeout=60, check=False
    )
    assert done.stderr.decode() == ""
    assert done.returncode == 0
    shown = done.stdout.decode()
    assert "\x1b" not in shown
    assert [line for line in shown.splitlines() if len(line) > 80 and " " in line.strip() and not line.startswith("> ")] == []
    return shown


def test_one_line_from_a_pipe(folder: Path) -> None:
    shown = piped(folder, "8B LoRA, 12 h im Monat, 5000 €\n", "--lang", "de")
    assert "> 8B LoRA, 12 h im Monat, 5000 €" in shown
    assert "Verstanden: 8B · LoRA" in shown
    assert "Mieten" in shown


def test_five_questions_from_a_pipe_by_number_and_text(folder: Path) -> None:
    shown = piped(folder, "2\n8B\nqlora\n5,000 €\n12 h a month\nwhy\nhistory\n", "--lang", "en")
    assert shown.count("> ") >= 7
    assert "8B · QLoRA" in shown
    assert "Latest recommendations" in shown


def test_an_answer_by_number_is_said_in_words(tmp_path: Path) -> None:
    shown = piped(tmp_path, "2\n9\n1\n", "--lang", "en")
    for line in ("> 2\nGoal: Style and tone\n", "> 9\nModel: 9B\n", "> 1\nMethod: QLoRA\n"):
        assert line in shown


def test_a_message_in_german_is_answered_in_german(folder: Path) -> None:
    """Where nobody chose a language the first message tells it."""
    assert "Verstanden: 8B" in piped(folder, "Reicht eine RTX 4090 für QLoRA mit 8B?\n")


def test_end_of_input_at_once(tmp_path: Path) -> None:
    assert "1)" in piped(tmp_path, "")


def test_the_conversation_goes_on_at_the_next_start(folder: Path) -> None:
    piped(folder, "2\n8B\n", "--lang", "en")
    shown = piped(folder, "qlora\n", "--lang", "en")
    assert "8B" in shown.split("> ")[0]
    assert "5,000" in shown.split("> qlora")[1]


def test_follow_up_after_the_next_start(folder: Path) -> None:
    piped(folder, "8B LoRA on an RTX 4090\n", "--lang", "en")
    assert "4,096" in piped(folder, "and with 4096 tokens?\n", "--lang", "en")


def test_help_and_nonsense_tell_what_to_type(folder: Path) -> None:
    shown = piped(folder, "help\nqwertz uiop\n", "--lang", "en")
    assert shown.count("8B LoRA, 12 h a month, 5000 €") >= 1
    assert "compare 8B lora vs qlora" in shown


def test_the_path_of_a_config_json_is_read(folder: Path) -> None:
    (folder / "my.json").write_text(CONFIG, encoding="utf-8")
    (folder / "bad.json").write_text("[1, 2]", encoding="utf-8")
    lines = f"{folder}/my.json\n{folder}/bad.json\n{folder}/none.json\nLoRA, 24 GB card\n"
    shown = piped(folder, lines, "--lang", "en")
    assert "my.json is read: your model with 8.2B" in shown
    assert "bad.json: " in shown.split("> ")[2]
    assert "none.json: " in shown.split("> ")[3]
    assert "your model with 8.2B · LoRA · 24 GB card" in shown


def test_a_comparison_is_kept_and_can_be_shown_and_asked_again(folder: Path) -> None:
    shown = piped(folder, "compare 8B lora vs qlora\nhistory\nhistory 1\ncheck 1\ncheck 77\n", "--lang", "en")
    listed, entry, again = (shown.split(f"> {line}\n")[1].split("\n> ")[0] for line in ("history", "history 1", "check 1"))
    assert "\n8B lora vs qlora\n" in listed
    assert "→ Compared: LoRA for 8B" in listed
    assert "QLoRA for 8B" in entry
    assert "the answer is the same" in again
    assert "Nothing found for “77”" in shown


def test_the_history_names_what_was_asked_step_by_step(folder: Path) -> None:
    """Answers by number or by word leave no sentence to quote: the title is what was understood."""
    shown = piped(folder, "2\n8B\nqlora\nkein Limit\n12 h\nzurück\n12 h\nverlauf\n", "--lang", "de")
    listed = shown.split("> verlauf\n")[1]
    assert "\nZiel: Stil · 8B · QLoRA · 12 h/Monat · ohne Budgetgrenze\n" in listed
    assert "2 · " not in listed.split("\n\n")[0]


def test_going_back_adds_nothing_to_the_history_and_asking_again_does(tmp_path: Path) -> None:
    shown = piped(tmp_path, "8B LoRA\nand with 4k?\nback\nhistory\n8B LoRA, 12 h a month\n8B LoRA, 12 h a month\nhistory\n", "--lang", "en")
    before, after = (part.split("\n\n")[0] for part in shown.split("> history\n")[1:])
    assert [before.count("→"), after.count("→")] == [2, 4]


def test_the_history_tells_changes_apart(folder: Path) -> None:
    shown = piped(folder, "8B LoRA\nHours\n12\nhistory\n", "--lang", "en")
    listed = shown.split("> history\n")[1]
    assert "8B · LoRA · 12 h/month" in listed
    assert "\n8B LoRA\n" in listed


def test_settings_are_changed_by_a_word(folder: Path) -> None:
    shown = piped(folder, "settings\nsettings usd\nnew\n2\n8B\nlora\nsettings Deutsch\n", "--lang", "en")
    assert "[Deutsch]   [✓ English]" in shown
    assert "Currency: USD" in shown
    assert "1) $1,000" in shown.split("> lora\n")[1]
    assert "1) 1.000 $" in shown.split("> settings Deutsch\n")[1]


HOSTILE = ("\x00\x1b[31mred", "\u202e8B LoRA", "<b>8B</b> & co", "9**9**9 EUR", "a" * 5000, "\udcff", "history ²", f"history {'9' * 5000}")


def test_hostile_lines(folder: Path) -> None:
    """One after the other, and then what is meant is still understood."""
    lines = [*HOSTILE, "8B LoRA on an RTX 4090", ""]
    done = subprocess.run(
        [sys.executable, *CHAT, "--lang", "en"], input="\n".join(lines).encode("utf-8", "surrogateescape"), env=surroundings(folder),
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"Traceback" not in done.stdout
    assert b"\x1b" not in done.stdout
    assert b"8B \xc2\xb7 LoRA" in done.stdout.split(b"> ")[-1]


class TestTerminal:
    """In a pseudo-terminal, as a person sits at it."""

    def start(self, folder: Path) -> "pexpect.spawn[str]":
        child = pexpect.spawn(
            sys.executable, [*CHAT, "--lang", "en"], env=surroundings(folder), encoding="utf-8", dimensions=(40, 80), timeout=30
        )
        child.expect("> ")
        return child

    def test_interrupt_ends_cleanly_and_the_next_start_goes_on(self, folder: Path) -> None:
        child = self.start(folder)
        child.sendline("2")
        child.expect("8B")
        child.expect("> $")
        child.sendcontrol("c")
        child.expect(pexpect.EOF)
        assert "Traceback" not in child.before
        child.close()
        assert (child.exitstatus, child.signalstatus) == (0, None)
        child = self.start(folder)
        child.sendline("8B")
        child.expect("QLoRA")
        child.expect("> $")
        child.sendcontrol("d")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0

    def test_exit_is_a_word(self, folder: Path) -> None:
        child = self.start(folder)
        child.sendline("exit")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
