"""A command line that cannot be read is refused in the language it asks for, with the word it fails on and what shows the way."""

import json
import sys
from pathlib import Path

import pytest

from bot.cli import main
from bot.usage import asked_language


def said(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["sizewell", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "german", "english"),
    [
        (["size", "--formt", "json", "8B"], "'--formt': Diese Option gibt es nicht.", "'--formt': There is no such option."),
        (["memory"], "„--batch“ fehlt.", "“--batch” is missing."),
        (["read"], "„text“ fehlt.", "“text” is missing."),
        (["size", "8B", "LoRA"], "'LoRA': Das ist ein Wort zu viel.", "'LoRA': This is one word too many."),
        (["history", "list", "-n", "0"], "'--limit': Der Wert dafür lässt sich nicht", "'--limit': The value given for this cannot"),
        (["history", "show", "x"], "'number': Der Wert dafür", "'number': The value given"),
    ],
)
def test_refused_in_both_languages(
    words: list[str], german: str, english: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, expected in (("de", german), ("en", english)):
        code, told = said([*words, "--lang", lang], monkeypatch, capsys)
        assert code == 2
        assert expected in told
        assert "Usage:" not in told
        assert " -h" in told


def test_a_command_there_is_not(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SIZEWELL_LANG_DEFAULT", "de")
    assert said(["sise"], monkeypatch, capsys) == (2, "sizewell: 'sise': Diesen Befehl gibt es nicht.\n„sizewell -h“ nennt alle.\n")


def test_the_nearest_option_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Vielleicht --format;" in said(["size", "--formt", "--lang=de"], monkeypatch, capsys)[1]


@pytest.mark.parametrize(("words", "lang"), [(["--lang", "de"], "de"), (["--lang=en", "x"], "en"), (["x", "--lang"], None), ([], None)])
def test_the_language_of_a_line(words: list[str], lang: str | None) -> None:
    assert asked_language(words) == lang


@pytest.mark.parametrize("line", ["[]", '{"model_config": {}}', '{"id": "a", "method": "lora", "colour": "red"}'])
def test_a_memory_row_is_pointed_to_its_own_schema(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(line)
    monkeypatch.setattr(sys, "argv", ["sizewell", "memory", "--batch", str(rows), "--lang", "en"])
    with pytest.raises(SystemExit):
        main()
    instead = json.loads(capsys.readouterr().out)["error"]["instead"]
    assert "sizewell schema memory_row" in instead
    assert "schema request" not in instead


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"models": [{"params_b": 0}]}, "This must be above 0."),
        ({"training": {"rank": 0}}, "This is below the smallest value that can be used: 1."),
    ],
)
def test_a_limit_that_is_itself_out_of_bounds_says_so(
    request_: dict[str, object], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(request_))
    code, told = said(["size", "--request", str(path), "--lang", "en"], monkeypatch, capsys)
    assert code == 2
    assert why in told


@pytest.mark.parametrize(("text", "told"), [("8B LoRA, 20 % Reserve", True), ("8B LoRA, 12 h im Monat, 5000 €", False)])
def test_what_was_not_used_is_told_beside_the_answer(
    text: str, told: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["sizewell", "size", text, "--lang", "de", "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    shown = capsys.readouterr()
    assert json.loads(shown.out)["approach"]["method"] == "lora"
    assert ("nicht verwendet: 20 %" in shown.err) == told
    assert bool(shown.err) == told
