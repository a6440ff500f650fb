"""What the contract's commands do with input that cannot be used, and the shapes of what they print."""

import io
import json

import pytest

from bot import commands

MEMORY_ROWS = [
    {"id": "a", "model": "llama-3.1-8b", "method": "lora", "micro_batch": 1, "seq_len": 2048, "reading": "allocated"},
    {"id": "b", "params_b": 13, "method": "full"},
    {"id": "c", "params_b": 7, "method": "lora", "lora_rnk": 8},
    {"id": "d", "method": "lora"},
    {"id": "e", "model": "no such model at all", "method": "lora"},
    {"id": "f", "params_b": -1, "method": "full"},
    {"params_b": 7, "method": "full"},
    {"id": "g", "params_b": 7, "method": "lora", "micro_batch": 1.5},
    {"id": "h", "params_b": 7, "method": "lora", "micro_batch": True},
    {"id": "i", "params_b": 1e999, "method": "lora"},
    {"id": "j", "params_b": 7, "method": "teleport"},
]
REFUSED = {"c", "d", "e", "f", "line 7", "g", "h", "line 10", "j"}


def given(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_memory_answers_each_row_in_order(monkeypatch, capsys, fits_schema):
    given(monkeypatch, "".join(json.dumps(row) + "\n" for row in MEMORY_ROWS))
    assert commands.memory("-", "en") == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in out] == [row.get("id", "line 7") if row.get("id") != "i" else "line 10" for row in MEMORY_ROWS]
    assert {one["id"] for one in out if "error" in one} == REFUSED
    for one in out:
        assert fits_schema("memory_out", one) == []
        if "error" not in one:
            assert sum(one["terms"].values()) == pytest.approx(one["expected_gb"], abs=0.01)
            assert one["low_gb"] <= one["expected_gb"] <= one["high_gb"]


@pytest.mark.parametrize(
    ("slot", "lang", "text"),
    [
        ("hardware", "de", "zwei 3090er"),
        ("budget", "en", "5k"),
        ("model", "en", "7-13b"),
        ("usage", "de", "12 h im Monat"),
        (None, "de", "8B LoRA, 12 h im Monat, 5000 €"),
        (None, "en", "🤖 <b>&amp;</b> 9**9**9 EUR"),
    ],
)
def test_readings_fit_their_schema(slot, lang, text, capsys, fits_schema):
    commands.read(text, slot, lang)
    value = json.loads(capsys.readouterr().out)
    assert fits_schema("readings", value) == []
    for one in value["readings"]:
        start, end = one["span"]
        assert text[start:end] == one["text"]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"usage": {"training_hours_per_month": -12}}', "usage.training_hours_per_month"),
        ('{"usage": {"training_hours_per_month": 731}}', "usage.training_hours_per_month"),
        ('{"usage": {"training_hours_per_month": 700, "serving_hours_per_month": 31}}', "usage.serving_hours_per_month"),
        ('{"usage": {"horizon_months": 0}}', "usage.horizon_months"),
        ('{"quotes": {"resale_share": 1.5}}', "quotes.resale_share"),
        ('{"quotes": {"rent": {"per_hour": 0, "currency": "EUR"}}}', "quotes.rent.per_hour"),
        ('{"budget": [{"amount": 5000, "currency": "XYZ"}]}', "budget.0.currency"),
        ('{"budgit": []}', "budgit"),
        ('{"models": [{"params_b": 7, "active_params_b": 9}]}', "models.0.active_params_b"),
        ('{"goal": null}', "goal"),
        ('{"methods": ["lora", "lora"]}', "methods"),
        ('{"models": [{"params_b": 1e999}]}', None),
        ('{"models": [{"params_b": NaN}]}', None),
        ("[1, 2]", None),
        ("nonsense", None),
        ('{"message": "8B", "language": "en"}', "language"),
        ('{"message": 8}', "message"),
        ('{"message": "8B", "lang": "fr"}', "lang"),
    ],
)
def test_a_line_that_cannot_be_used_says_what_where_and_what_instead(monkeypatch, capsys, fits_schema, line, field):
    given(monkeypatch, line + "\n")
    assert commands.size(None, "en", "json", "2026-11-30", None, "-") == 0
    answer = json.loads(capsys.readouterr().out)
    assert fits_schema("answer", answer) == []
    assert answer["error"]["field"] == field
    assert answer["error"]["why"]
    assert answer["error"]["instead"]


def test_a_bad_line_does_not_stop_the_batch(monkeypatch, capsys):
    given(monkeypatch, '{"methods": ["lora"], "models": [{"params_b": 8}]}\noops\n\n{"message": "8B LoRA", "lang": "en"}\n')
    commands.size(None, None, "json", "2026-11-30", None, "-")
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in one for one in out] == [False, True, False]


@pytest.mark.parametrize("name", commands.SCHEMAS)
def test_schema_prints_each_schema(name, capsys):
    assert commands.schema(name) == 0
    assert json.loads(capsys.readouterr().out)["$id"].startswith("urn:sizewell:contract:")


@pytest.mark.parametrize(
    "arguments",
    [
        (None, None, "text", None, None, None),
        ("8B", None, "text", None, "-", None),
        ("8B", None, "yaml", None, None, None),
        ("8B", "fr", "text", None, None, None),
        ("8B", None, "text", "30.11.2026", None, None),
        (None, None, "json", None, "no-such-file.json", None),
        (None, None, "text", None, None, "-"),
    ],
)
def test_wrong_arguments_exit_2_and_speak_to_stderr(arguments, capsys):
    assert commands.size(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 2
