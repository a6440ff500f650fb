"""What the contract's commands do with input that cannot be used, and the shapes of what they print."""

import io
import json

import pytest

from bot import cli, commands

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
REFUSED = {"c", "d", "e", "f", "line 7", "g", "h", "i", "j"}


def given(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_memory_answers_each_row_in_order(monkeypatch, capsys, fits_schema):
    given(monkeypatch, "".join(json.dumps(row) + "\n" for row in MEMORY_ROWS))
    assert commands.memory("-", "en") == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in out] == [row.get("id", "line 7") for row in MEMORY_ROWS]
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
        ('{"models": [{"params_b": 1e999}]}', "models.0.params_b"),
        ('{"models": [{"params_b": NaN}]}', "models.0.params_b"),
        ('{"usage": {"hours_once": -Infinity}}', "usage.hours_once"),
        ('{"usage": {"hours_once": 1' + "0" * 5000 + "}}", "usage.hours_once"),
        ('{"goal": ' + "[" * 500 + "]" * 500 + "}", None),
        ("[" * 100_000 + "]" * 100_000, None),
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


@pytest.mark.parametrize("line", ["null", "5", '"x"', "[]", "[1]", "{"])
def test_a_line_that_is_no_memory_row_is_named_by_its_number(monkeypatch, capsys, fits_schema, line):
    given(monkeypatch, line + "\n" + json.dumps(MEMORY_ROWS[1]) + "\n")
    assert commands.memory("-", "en") == 0
    out = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in out] == ["line 1", "b"]
    assert ["error" in one for one in out] == [True, False]
    assert fits_schema("memory_out", out[0]) == []


@pytest.mark.parametrize("batch", [True, False])
def test_a_byte_order_mark_and_windows_line_ends_are_read_over(monkeypatch, capsys, batch):
    given(monkeypatch, '\ufeff{"models": [{"params_b": 8}], "methods": ["lora"]}\r\n')
    assert commands.size(None, None, "json", "2026-11-30", None if batch else "-", "-" if batch else None) == 0
    assert json.loads(capsys.readouterr().out)["understood"]["methods"] == ["lora"]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_an_error_is_told_in_the_language_of_its_line(monkeypatch, capsys, lang):
    line = json.dumps({"lang": lang, "usage": {"training_hours_per_month": -5}}) + "\n"
    given(monkeypatch, line)
    commands.size(None, None, "json", "2026-11-30", None, "-")
    why = json.loads(capsys.readouterr().out)["error"]["why"]
    assert why.startswith("Das liegt" if lang == "de" else "This is")
    given(monkeypatch, line)
    assert commands.size(None, None, "json", "2026-11-30", "-", None) == 2
    assert why in capsys.readouterr().err


def test_half_an_emoji_does_not_stop_the_batch(monkeypatch):
    given(monkeypatch, '{"message": "a RTX \\ud8009999 card"}\n{"\\ud800": 1}\n{"methods": ["\\ud800"]}\n')
    out = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.argv", ["sizewell", "size", "--batch", "-", "--format", "json", "--today", "2026-11-30"])
    with pytest.raises(SystemExit):
        cli.main()
    out.flush()
    assert ["error" in json.loads(line) for line in out.buffer.getvalue().decode().splitlines()] == [False, True, True]


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        (["size", "-5 h", "--lang", "de"], ["size", "--lang", "de", "--", "-5 h"]),
        (["read", "--slot", "usage", "-5"], ["read", "--slot", "usage", "--", "-5"]),
        (["size", "- 8B\n- LoRA"], ["size", "--", "- 8B\n- LoRA"]),
        (["size", "8B", "--lang=de"], ["size", "8B", "--lang=de"]),
        (["size", "--batch", "-", "-x"], ["size", "--batch", "-", "-x"]),
        (["read", "--", "-5 h"], ["read", "--", "-5 h"]),
        (["prices", "list", "-5"], ["prices", "list", "-5"]),
    ],
)
def test_a_text_that_begins_with_a_dash_is_no_option(typed, understood):
    assert cli.arguments(typed) == understood


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


CONFIG = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008}


def test_a_config_json_is_the_model_of_the_message(tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**CONFIG, "vocab_size": 32000, "sliding_window": None}), encoding="utf-8")
    assert commands.size("LoRA on a 24 GB card", "en", "json", "2026-11-30", None, None, str(path)) == commands.ANSWERED
    answered = json.loads(capsys.readouterr().out)
    assert answered["understood"]["models"][0]["config"]["hidden_size"] == 4096
    assert answered["fit"]["verdict"] in ("yes", "tight")
    assert commands.size(None, "en", "json", "2026-11-30", None, None, str(path)) in (commands.ANSWERED, commands.ASKED_BACK)


@pytest.mark.parametrize(
    "content", ["[1, 2]", "{", "{}", '{"model_type": "llama"}', '{"is_encoder_decoder": true}', '{"hidden_size": NaN}']
)
def test_a_file_that_is_no_config_is_refused(tmp_path, capsys, content):
    path = tmp_path / "config.json"
    path.write_text(content, encoding="utf-8")
    assert commands.size("LoRA on a 24 GB card", "en", "text", None, None, None, str(path)) == commands.UNUSABLE
    assert capsys.readouterr().err.startswith("sizewell: ")
    assert commands.size("LoRA", "en", "text", None, str(path), None, str(path)) == commands.UNUSABLE
