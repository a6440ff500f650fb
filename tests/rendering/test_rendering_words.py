"""Every rule, warning, refusal, question and term has words, in both languages, whatever facts are missing."""

import dataclasses
import re
from datetime import date
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound
from made_recommendations import card, gb, verdict, warn
from telegram_html import problems

from bot.questions import ASKED, MESSAGES
from bot.rendering import error, explanation, glossary, glossary_terms, message, question, reason, understood_line, warning
from bot.rendering.environment import TEMPLATES
from bot.rendering.phrases import surrounding_markup
from engine import advise
from engine.catalogue import catalogue
from engine.errors import Refusal
from engine.recommendation import Option, Question
from engine.request import Request
from engine.rules import approach, cautions, surroundings, ways
from engine.units import quantity

LANGUAGES = ("en", "de")
RULES = [rule.id for rule in (*approach.RULES, *approach.NOTES, *ways.RULES, *ways.CHOICES)]
CODES = {rule.id for rule in cautions.RULES} | {path.stem for path in (TEMPLATES / "warnings").glob("*.j2")}
FACTS = {
    "activations_seq": {"length": 4096, "share": 0.4},
    "no_nvlink": {"count": 2, "seconds": quantity(0.44, "s"), "card": "RTX 4090"},
    "moe_total_params": {"model": None},
    "cpu_ram": {"needed": gb(280)},
    "apple_unified": {"share": 0.75},
    "bf16_unsupported": {"card": "T4"},
    "power_heat": {"power_supply": quantity(1600, "W"), "passive": True},
    "epochs": {"epochs": 10.0},
    "no_ecc": {"card": card().name},
    "over_budget": {"plans": ()},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", sorted(set(RULES)))
def test_every_rule_has_words(rule: str, language: str) -> None:
    text = reason(verdict(rule, subject="lora"), language)
    assert text
    assert problems(text.replace("&", "&amp;")) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", [rule.id for rule in surroundings.RULES])
def test_every_fact_around_the_machine_has_words_even_without_its_numbers(rule: str, language: str) -> None:
    text = str(surrounding_markup(verdict(rule), language))
    assert 20 < len(text) < 260
    assert problems(text) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(CODES))
def test_every_warning_has_words_with_and_without_facts(code: str, language: str) -> None:
    for facts in ({}, FACTS.get(code, {})):
        text = warning(warn(code, **facts), language)
        assert 20 < len(text) < 260
        assert "–" not in text or " – " in text, text  # a dash stands for a number nobody gave


def test_a_rule_without_words_is_an_error() -> None:
    with pytest.raises(TemplateNotFound):
        reason(verdict("no-such-rule"), "en")


def test_facts_show_in_the_language() -> None:
    facts = {"count": 2, "seconds": quantity(0.4375, "s"), "card": "RTX 4090"}
    assert "0.44 s" in warning(warn("no_nvlink", **facts), "en")
    assert "0,44 s" in warning(warn("no_nvlink", **facts), "de")


def codes_raised() -> set[str]:
    """Codes of refusals as they stand in the sources."""
    import re

    root = TEMPLATES.parent
    sources = [path.read_text(encoding="utf-8") for folder in ("engine", "bot") for path in (root / folder).rglob("*.py")]
    return {code for text in sources for code in re.findall(r'Refusal\(\s*"([a-z_]+)"', text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_says_why_and_what_instead(language: str) -> None:
    from bot.contract.refusals import _CODES

    unusable = error(Refusal("unusable"), language)
    for code in sorted(codes_raised() | set(_CODES.values())):
        words = error(Refusal(code, "usage.training_hours_per_month", "-3", {"key": "hours", "limit": 730, "other": "x"}), language)
        assert words.why, code
        assert words.instead, code
        assert words != unusable, code


def test_an_unknown_refusal_still_says_something() -> None:
    assert error(Refusal("of_the_future"), "de").why
    assert error(Refusal("../../etc/passwd"), "de").instead


def test_hours_beyond_a_month() -> None:
    words = error(Refusal("hours_exceed_month", "usage", None, {"together": 800}), "en")
    assert words.why == "That is 800 hours a month; a month has 730."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slot", ASKED)
def test_every_slot_is_asked_in_three_short_lines(slot: str, language: str) -> None:
    facts = {"known": {}, "chosen": None, "intent": "recommend", "number": 1, "optional": False, "choices": [], "assumes": None}
    text = message(f"questions/{slot}.j2", language, "html", facts)
    assert problems(text) == []
    lines = text.split("\n")
    assert len(lines) == 3
    assert max(map(len, lines)) <= 125


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_every_message_renders_without_facts_it_may_lack(name: str, language: str) -> None:
    facts = {"known": {"models": [{"params_b": 8}]}, "refusal": Refusal("not_a_number", "x", "2.00O"), "term": "lora", "terms": ["LoRA"],
             "slot": "model", "label": "8B", "text": "<b>äh</b>", "lang": language, "currency": "EUR", "name": "config.json"}  # fmt: skip
    text = message(name, language, "html", facts)
    assert text
    assert problems(text) == []
    assert "–" not in text or " – " in text


def test_help_is_one_screen() -> None:
    for language in LANGUAGES:
        text = message("help", language, "text", {"open": None})
        assert len(text.splitlines()) <= 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_of_the_conversation_is_explained(language: str) -> None:
    from bot.phrases import words

    for term in sorted(set(words(language).terms.values())):
        text = glossary(term, language, "html")
        assert text, term
        assert problems(text) == []
    assert len(glossary_terms(language)) >= 35


def test_a_term_is_found_by_its_spellings() -> None:
    assert glossary("KV-Cache", "de") == glossary("kv_cache", "de")
    assert glossary("quantisation", "en") == glossary("4-bit", "en")
    assert glossary("no such term", "en") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_show_what_was_read_and_the_choices(language: str) -> None:
    asked = Question("budget", "5k", (Option("€", {}), Option("$", {})), "budget.0.currency")
    text = question(asked, language)
    assert text.startswith("5k")
    assert text.endswith("[€] [$]")


def test_a_tax_question_speaks_the_language() -> None:
    asked = Question("quotes", "10700", (Option("net", {}), Option("gross", {})), "quotes.purchase.tax")
    assert question(asked, "de").startswith("10.700 netto oder mit MwSt.?")
    assert question(asked, "de").endswith("[netto] [mit MwSt.]")


@pytest.mark.parametrize(("language", "begins"), [("de", "10.700 € netto oder mit MwSt.?"), ("en", "€10,700 net, or with VAT?")])
def test_a_tax_question_names_the_currency_of_the_offer(language: str, begins: str) -> None:
    options = tuple(Option(tax, {"purchase": {"amount": 10700, "currency": "EUR", "tax": tax}}) for tax in ("net", "gross"))
    asked = Question("quotes", "10700", options, "quotes.purchase.tax")
    assert question(asked, language).replace("\N{NO-BREAK SPACE}", " ").startswith(begins)


def test_hostile_text_is_shown_and_does_nothing() -> None:
    asked = Question("model", "<script>{{ 7*7 }}</script>\x1b[31m\u202e%(x)s&", ())
    shown = question(asked, "en", "html")
    assert problems(shown) == []
    assert "{{ 7*7 }}" in shown
    assert "\x1b" not in shown + question(asked, "en")
    assert "\u202e" not in shown
    assert "<script>" in question(asked, "en")


def test_understood_in_one_line() -> None:
    request = Request.model_validate(
        {"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12, "horizon_months": 36},
         "budget": [{"amount": 5000, "currency": "EUR", "period": "once", "bound": "max"}]}
    )  # fmt: skip
    assert understood_line(request, "de") == "8B · LoRA · 12 h/Monat · 36 Monate · Budget 5.000 € einmalig"
    assert understood_line(request, "en") == "8B · LoRA · 12 h/month · 36 months · budget €5,000 once"
    assert understood_line(Request(), "en") == ""


def test_every_part_of_a_request_is_understood_in_words() -> None:
    """A field the line forgets would be read and never shown."""
    full = {
        "goal": "style", "rag_in_production": True, "models": [{"name": "Mistral 7B"}], "methods": ["qlora"], "stage": "dpo",
        "training": {"sequence_length": 4096, "micro_batch": 2, "rank": 32, "sharding": "fsdp"}, "dataset": {"rows": 5000, "epochs": 3},
        "usage": {"hours_once": 30}, "serving": {"users": 10, "context": 8192, "documents": 2000},
        "budget": [{"amount": 300, "currency": "USD", "period": "month"}], "hardware": [{"gpu": "RTX 3090", "count": 2}], "site": "office",
        "constraints": {"eu_only": True}, "quotes": {"purchase": {"amount": 10700, "currency": "EUR", "tax": "net"},
                   "rent": {"per_hour": 1.4247}},
    }  # fmt: skip
    whole = understood_line(Request.model_validate(full), "en")
    for key in full:
        less = understood_line(Request.model_validate({name: value for name, value in full.items() if name != key}), "en")
        assert less != whole, key


def test_formulas_are_told_in_words() -> None:
    """Every quantity the memory engine computes with has a name in both languages, every term and moment too."""
    import re

    from bot.rendering.environment import environment
    from engine.catalogue import catalogue
    from engine.memory import footprint, setup_of

    known = catalogue().architectures
    shapes = [known[name] for name in ("llama-3.1-8b", "mixtral-8x7b") if name in known] or list(known.values())[:2]
    training = ({}, {"gradient_checkpointing": "none"}, {"optimizer": "adamw8bit", "loss": "chunked", "offload": "optimizer"})
    for shape in shapes:
        for method in ("lora", "qlora", "full", "serve"):
            for settings in training:
                request = Request.model_validate({"training": settings} if settings else {})
                made = footprint(shape, *setup_of(request, shape, method, 2, "fsdp" if method != "serve" else None))
                for language in LANGUAGES:
                    words = environment(language).get_template("words.j2").module
                    for term in made.terms:
                        assert words.term(term.term).strip()
                        assert set(re.findall(r"[a-z_]+", term.formula)) <= set(words.quantities), term.formula


def test_error_words_are_plain_text() -> None:
    words = error(Refusal("unknown_key", "models.0", "x", {"key": "<b>hm</b>"}), "en")
    assert words.why == "There is no field “<b>hm</b>” here."
    assert dataclasses.astuple(words) == (words.why, words.instead)


def test_templates_hold_no_sentence_outside_gettext() -> None:
    """Whatever is left of a template without tags, expressions and comments is punctuation, markup and names."""
    import re

    for path in sorted(Path(TEMPLATES).rglob("*.j2")):
        rest = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]+>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"[A-Za-zÄÖÜäöüß]{2,}[,.:]?[ \t]+[A-Za-zÄÖÜäöüß]{2,}", rest), (path.name, rest.strip())


def test_every_source_title_with_words_of_its_own_is_a_source() -> None:
    """A title that changed in the catalogue would silently stay English."""
    written = set(re.findall(r'^  "((?:[^"\\]|\\.)*)": _\(', (TEMPLATES / "source_titles.j2").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(written) > 30
    assert {title.replace('\\"', '"') for title in written} <= {source.title for source in catalogue().sources.values()}


def test_sources_speak_german_where_they_are_sentences() -> None:
    made = advise(Request.model_validate({"models": [{"params_b": 8}], "methods": ["lora"]}), catalogue(), date(2026, 11, 30))
    assert "Trainings- oder Inferenzserver für den Mittelstand" in explanation(made, "sources", "de")
    assert "Training or inference server for the German Mittelstand" in explanation(made, "sources", "en")
    assert "silybench" in explanation(made, "sources", "de")
