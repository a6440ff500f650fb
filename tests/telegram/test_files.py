"""Files in: bounded, parsed as data; a CSV of requests comes back as a CSV that a German Excel opens."""

import csv
import io

import pytest
from telegram_shapes import NOW

from bot.adapters import telegram_documents as documents
from bot.adapters.batches import COLUMNS, Line, answered, lines_of, table
from bot.adapters.telegram_updates import Attached, Sheet, Unusable
from bot.events import Uploaded
from engine.catalogue import catalogue
from engine.errors import Refusal


def file(name: str, size: int = 100) -> Attached:
    return Attached("F", name, size, "")


def test_a_config_is_read_as_a_model() -> None:
    assert documents.opened(file("config.json"), b'{"hidden_size": 4096}') == Uploaded("config.json", {"hidden_size": 4096})


@pytest.mark.parametrize(
    "content", [b"", b"[1, 2]", b'{"a": NaN}', b"{" * 10_000, b"[" * 100_000, b"\xff\xfe\x00", b"__import__('os')", b'{"a": 1']
)
def test_what_is_no_config_is_refused_in_words(content: bytes) -> None:
    found = documents.opened(file("config.json"), content)
    assert isinstance(found, Unusable)
    assert found.refusal.code == "file_unreadable"


@pytest.mark.parametrize(
    ("name", "size", "code"),
    [
        ("model.safetensors", 10, "file_kind"),
        ("config.json.exe", 10, "file_kind"),
        ("", 10, "file_kind"),
        ("config.json", 256 * 1024, None),
        ("config.json", 256 * 1024 + 1, "file_too_large"),
        ("requests.CSV", 512 * 1024, None),
        ("requests.csv", 512 * 1024 + 1, "file_too_large"),
    ],
)
def test_kinds_and_sizes(name: str, size: int, code: str | None) -> None:
    refusal = documents.checked(file(name, size))
    assert (refusal.code if refusal else None) == code


def test_a_file_larger_than_it_said_is_refused() -> None:
    found = documents.opened(file("config.json", 10), b" " * (256 * 1024 + 1))
    assert isinstance(found, Unusable)
    assert found.refusal.code == "file_too_large"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("8B lora\n70B qlora\n", [(1, "8B lora"), (2, "70B qlora")]),
        ("\ufeffnachricht;wer\r\n8B LoRA, 12 h im Monat;Anna\r\n\r\n;Ben\r\n", [(2, "8B LoRA, 12 h im Monat"), (4, "")]),
        ("model,method\n8B,lora\n", [(1, "model, method"), (2, "8B, lora")]),
        ('message,lang\n"8B LoRA, 5,000 €",en\n', [(2, "8B LoRA, 5,000 €")]),
    ],
)
def test_requests_of_a_csv(text: str, lines: list[tuple[int, str]]) -> None:
    assert lines_of(text) == tuple(Line(*line) for line in lines)


@pytest.mark.parametrize(
    ("text", "code"), [("", "csv_empty"), ("\n\n", "csv_empty"), ("message\n", "csv_empty"), ("8B\n" * 501, "csv_too_long")]
)
def test_a_csv_without_requests_or_with_too_many(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        lines_of(text)
    assert refused.value.code == code


def test_a_csv_from_german_windows_is_read() -> None:
    found = documents.opened(file("anfragen.csv"), "8B LoRA für Bürotexte, 5000 €".encode("cp1252"))
    assert found == Sheet("anfragen.csv", "8B LoRA für Bürotexte, 5000 €")


def test_good_lines_are_answered_and_bad_ones_say_why() -> None:
    good = answered(Line(1, "8B LoRA, 12 h im Monat, 5000 €"), "de", NOW.date(), catalogue())
    assert (good["line"], good["method"], good["fit"]) == (1, "lora", "unknown")
    assert "error" not in good
    assert answered(Line(2, ""), "de", NOW.date(), catalogue())["error"]
    assert answered(Line(3, "x" * 1001), "de", NOW.date(), catalogue())["error"]


def test_the_answer_opens_in_a_german_excel_and_runs_nothing() -> None:
    content = table([{"line": 1, "message": "=HYPERLINK(1)", "needed_gb": 22.5, "cost": 1234.0, "error": "a;b"}], COLUMNS, "de")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))
    assert rows[0]["needed_gb"] == "22,5"
    assert rows[0]["message"] == "'=HYPERLINK(1)"
    assert rows[0]["error"] == "a;b"
    english = list(csv.DictReader(io.StringIO(table([{"needed_gb": 22.5}], COLUMNS, "en").decode("utf-8-sig"))))
    assert english[0]["needed_gb"] == "22.5"


@pytest.mark.parametrize(
    ("line", "bad"), [("xyzzy blub", True), ("8B LoRA", False), ("A100", False), ("hallo", True), ("passt mistral?", False)]
)
def test_a_line_nothing_can_be_read_of_is_not_answered(line: str, bad: bool) -> None:
    """Something unclear is asked back in its row; nothing at all is no request."""
    row = answered(Line(2, line), "de", NOW.date(), catalogue())
    assert ("Daraus ließ sich nichts lesen." in row.get("error", "")) == bad
