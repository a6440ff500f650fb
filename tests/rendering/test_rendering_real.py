"""The engine's own recommendations in words: every kind of request, both languages, every part; nothing raw comes through."""

import dataclasses
import datetime
import re
from functools import cache
from typing import Any, get_args

import pytest
from telegram_html import problems

from bot.reading import read, understood
from bot.rendering import answer, caption, comparison, explanation, understood_line
from bot.rendering.medium import TELEGRAM_LIMIT, utf16_units
from bot.rendering.views import change_shown
from engine import advise
from engine.catalogue import catalogue
from engine.recommendation import Recommendation
from engine.request import Goal, Request

TODAY = datetime.date(2026, 11, 30)
LLAMA = [{"name": "Llama 3.1 8B"}]
EUROS = {"currency": "EUR", "period": "once"}
QUOTES = {"purchase": {"amount": 10700, "currency": "EUR", "tax": "net"}, "rent": {"per_hour": 1.4247, "currency": "EUR"}}
REQUESTS: dict[str, dict[str, Any]] = {
    "one line": {
        "models": [{"params_b": 8}],
        "methods": ["lora"],
        "usage": {"training_hours_per_month": 12},
        "budget": [{"amount": 5000, **EUROS}],
    },
    "facts": {"goal": "facts", "models": LLAMA, "rag_in_production": False},
    "facts with rag": {"goal": "facts", "rag_in_production": True, "models": LLAMA, "serving": {"users": 10, "documents": 5000}},
    "does it fit": {
        "models": [{"name": "Qwen2.5 32B"}],
        "methods": ["qlora"],
        "hardware": [{"gpu": "RTX 3090"}],
        "training": {"sequence_length": 512},
    },
    "capacity": {"hardware": [{"gpu": "RTX 3090", "count": 2}]},
    "full on two cards": {"models": [{"name": "Llama 2 7B"}], "methods": ["full"], "hardware": [{"gpu": "RTX 3090", "count": 2}]},
    "full, rented": {"goal": "style", "models": [{"params_b": 13}], "methods": ["full"], "usage": {"training_hours_per_month": 20}},
    "full, 70B": {
        "models": [{"params_b": 70}],
        "methods": ["full"],
        "lora_baseline": "insufficient",
        "usage": {"training_hours_per_month": 100},
    },
    "over budget": {
        "models": [{"params_b": 70}],
        "methods": ["full"],
        "usage": {"training_hours_per_month": 20},
        "budget": [{"amount": 100, "currency": "EUR", "period": "month"}],
    },
    "two quotes": {"usage": {"training_hours_per_month": 12}, "quotes": QUOTES},
    "tax unknown": {"usage": {"training_hours_per_month": 200}, "quotes": {**QUOTES, "purchase": {"amount": 10700, "currency": "EUR"}}},
    "flat rent": {"usage": {"training_hours_per_month": 300}, "quotes": {**QUOTES, "rent": {"per_month": 400, "setup_fee": 79}}},
    "serving": {
        "goal": "serve",
        "models": [{"name": "Llama 3.3 70B"}],
        "serving": {"users": 50},
        "usage": {"serving_hours_per_month": 200},
    },
    "from scratch": {"goal": "base_model", "models": [{"params_b": 7}], "methods": ["pretrain"]},
    "100B from scratch": {"models": [{"params_b": 100}], "methods": ["pretrain"]},
    "small from scratch": {"methods": ["pretrain"], "models": [{"params_b": 0.1}], "usage": {"training_hours_per_month": 20}},
    "mixture": {
        "models": [{"name": "Mixtral 8x7B"}],
        "methods": ["qlora"],
        "dataset": {"rows": 10000, "tokens_per_row": 512, "epochs": 5},
        "hardware": [{"gpu": "A100 80GB"}],
    },
    "mac": {"models": [{"params_b": 8}], "methods": ["qlora"], "hardware": [{"gpu": "M2 Max", "memory_gb": 32, "kind": "unified"}]},
    "ram": {"models": [{"params_b": 8}], "methods": ["lora"], "hardware": [{"memory_gb": 64, "kind": "ram"}]},
    "contradiction": {"models": [{"params_b": 7}], "methods": ["qlora"], "hardware": [{"gpu": "RTX 3060 Ti", "memory_gb": 6}]},
    "compare": {"models": [{"params_b": 8}], "methods": ["lora", "qlora", "full"], "hardware": [{"gpu": "RTX 4090"}]},
    "preferences": {"models": LLAMA, "methods": ["lora"], "stage": "dpo", "hardware": [{"gpu": "RTX 4090"}]},
    "reinforcement": {"models": LLAMA, "methods": ["lora"], "stage": "rl", "hardware": [{"gpu": "A100 80GB"}]},
    "slow": {"models": LLAMA, "methods": ["lora"], "dataset": {"tokens": 5e9, "epochs": 10}, "hardware": [{"gpu": "RTX 4090"}]},
    "machines": {"models": [{"name": "Llama 3.1 70B"}], "methods": ["full"], "hardware": [{"gpu": "H100 SXM", "count": 16, "nodes": 2}]},
    "mixed": {"models": LLAMA, "methods": ["lora"], "hardware": [{"gpu": "RTX 4090"}, {"gpu": "RTX 3060"}]},
    "no cloud": {"models": LLAMA, "methods": ["qlora"], "constraints": {"no_cloud": True}, "usage": {"training_hours_per_month": 12}},
    "europe": {
        "models": [{"params_b": 70}],
        "methods": ["qlora"],
        "constraints": {"eu_only": True},
        "usage": {"training_hours_per_month": 40},
    },
    "colocation": {"models": LLAMA, "methods": ["lora"], "hardware": [{"gpu": "RTX 4090", "count": 4}], "site": "colocation"},
    "once": {"goal": "format", "models": LLAMA, "methods": ["lora8"], "usage": {"hours_once": 30}},
    "from data": {"models": LLAMA, "methods": ["lora"], "dataset": {"rows": 10000}},
    "six cards": {"models": LLAMA, "methods": ["full"], "hardware": [{"gpu": "RTX 4090", "count": 6}], "dataset": {"rows": 10000}},
    "eight modules": {"models": LLAMA, "methods": ["full"], "hardware": [{"gpu": "H100 SXM", "count": 8}]},
    "serves and trains": {
        "models": [{"params_b": 70}],
        "methods": ["qlora"],
        "usage": {"training_hours_per_month": 12, "serving_hours_per_month": 700},
    },
    "no hours": {"models": LLAMA, "methods": ["lora"], "usage": {"training_hours_per_month": 0}},
    "no model": {"methods": ["lora"]},
    "nothing": {},
}
EVERY = [(name, lang) for name in REQUESTS for lang in ("de", "en")]
RAW = re.compile(r"\b[a-z0-9]+_[a-z_0-9]+\b|None|Undefined|%\(|\{\{|\(\)|<Quantity|,,|\(,|, ,|, \)|: *$", re.MULTILINE)


@cache
def advised(name: str) -> Recommendation:
    return advise(Request.model_validate(REQUESTS[name]), catalogue(), TODAY)


HEADINGS = (
    "Achtung:",
    "Watch out:",
    "Break-even:",
    "Annahmen:",
    "Details",
    "Regeln:",
    "Rules:",
    "Quellen:",
    "Sources:",
    "Im Budget bliebe:",
    "Within the budget:",
)


@pytest.mark.parametrize(("name", "lang"), EVERY)
def test_nothing_raw_reaches_the_reader(name: str, lang: Any) -> None:
    made = advised(name)
    pages = [answer(made, lang), comparison([made], lang), *(explanation(made, part, lang) for part in ("why", "memory", "money"))]
    pages += [caption(made, kind, lang) for kind in ("memory", "money")]
    for page in pages:
        lines = [line for line in page.split("\n") if not line.endswith(HEADINGS) and not line.endswith(":")]
        assert not RAW.findall("\n".join(lines)), page
        assert not [line for line in lines if re.search(r"(^|[ (])–($|[ ,;)])", line) and not line.startswith("–")], page
    assert len(pages[0].split("\n")) <= 25
    assert pages[0].split("\n")[0].strip()


@pytest.mark.parametrize(("name", "lang"), EVERY)
def test_telegram_takes_every_page(name: str, lang: Any) -> None:
    made = advised(name)
    pages = [answer(made, lang, "html"), *(explanation(made, part, lang, "html") for part in ("why", "memory", "money", "sources"))]
    for page in pages:
        assert problems(page) == []
        assert 0 < utf16_units(page) <= TELEGRAM_LIMIT
    assert ("blockquote expandable" in pages[0]) == (utf16_units(pages[0]) > 0 and "Details" in pages[0])


def test_what_was_understood_is_not_lost() -> None:
    for name, request in REQUESTS.items():
        line = understood_line(Request.model_validate(request), "de")
        assert bool(line) == (name != "nothing")


@pytest.mark.parametrize(("lang", "said"), [("de", "weder Training noch RAG"), ("en", "neither training nor retrieval")])
def test_a_calculation_is_told_so_and_nothing_else_is_offered(lang: Any, said: str) -> None:
    made = advise(Request.model_validate({"goal": "facts"}), catalogue(), TODAY, symptoms=frozenset({"calculation"}))
    text = answer(made, lang)
    assert said in text.split("\n")[0]
    assert "RTX" not in text
    assert "€" not in text
    assert change_shown(made) is None


@pytest.mark.parametrize("language", ["de", "en"])
def test_choices_on_buttons_are_not_listed_in_the_text_as_well(language: Any) -> None:
    made = advised("100B from scratch")
    asked = made.questions[0]
    assert asked.options
    assert "[2" in answer(made, language, "text")
    assert "[2" not in answer(made, language, "html", buttons=True)


@pytest.mark.parametrize(
    ("language", "counted"), [("de", "gerechnet ist hier mit 2 Billionen"), ("en", "the numbers here: with 2 trillion")]
)
def test_what_is_asked_back_says_with_what_the_numbers_were_computed(language: Any, counted: str) -> None:
    made = advised("100B from scratch")
    assert counted in answer(made, language, "text").replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("lang", "said"), [("de", "Angenommen, weil nicht bekannt: 8B"), ("en", "Assumed, as it is not known: 8B")])
def test_what_they_did_not_know_is_not_told_as_understood(lang: Any, said: str) -> None:
    """ "I don't know" takes a default, which is no more than an assumption."""
    made = advise(
        Request.model_validate({"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 12}}),
        catalogue(),
        TODAY,
    )
    made = dataclasses.replace(made, assumed={**made.assumed, "models.0.params_b": 8, "usage.training_hours_per_month": 12})
    shown = answer(made, lang).replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert f"{said} · 12 h/{'Monat' if lang == 'de' else 'month'}" in shown
    assert ("Verstanden: LoRA" if lang == "de" else "Understood: LoRA") in shown


def test_a_name_is_understood_as_what_it_was_taken_for() -> None:
    request = {"models": [{"name": "llama 3"}], "methods": ["lora"], "hardware": [{"memory_gb": 24}]}
    made = advise(Request.model_validate(request), catalogue(), TODAY)
    assert "Understood: Llama 3 8B · LoRA · 24 GB card" in answer(made, "en").replace("\N{NO-BREAK SPACE}", " ")


def test_a_model_from_its_config_is_named_by_its_size() -> None:
    config = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8,
              "num_hidden_layers": 32, "vocab_size": 128256}  # fmt: skip
    request = Request.model_validate({"models": [{"config": config}]})
    assert understood_line(request, "de") == "Ihr Modell mit 8B"
    assert understood_line(request, "en") == "your model with 8B"


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("goal", get_args(Goal))
def test_what_was_understood_can_be_written_again(goal: Any, lang: Any) -> None:
    """The line is what people pass on ("share"): read again it means the same."""
    hours = "serving_hours_per_month" if goal == "serve" else "training_hours_per_month"
    request = {"goal": goal, "rag_in_production": True, "models": [{"params_b": 8}], "usage": {hours: 12}}
    request |= {"budget": [{"amount": 5000, "currency": "EUR", "period": "once"}], "hardware": [{"gpu": "RTX 4090", "count": 2}]}
    line = understood_line(Request.model_validate(request), lang)
    again = understood(read(line, lang, catalogue()), lang).request
    assert (again.goal, again.rag_in_production, again.usage) == (goal, True, Request.model_validate(request).usage)
    assert [(one.amount, one.currency) for one in again.budget or ()] == [(5000, "EUR")]
    assert [(one.gpu, one.count) for one in again.hardware or ()] == [("GeForce RTX 4090", 2)]


def test_a_monthly_offer_can_be_written_again_in_german() -> None:
    rent = {"quotes": {"purchase": {"amount": 10700, "currency": "EUR", "tax": "net"}, "rent": {"per_month": 400, "currency": "EUR"}}}
    line = understood_line(Request.model_validate(rent), "de")
    quotes = understood(read(line, "de", catalogue()), "de").request.quotes
    assert quotes is not None
    assert quotes.contract() == rent["quotes"]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_an_offer_is_understood_although_its_tax_is_assumed(lang: Any) -> None:
    quotes = {"purchase": {"amount": 10700, "currency": "EUR"}, "rent": {"per_hour": 1.42}, "resale_share": 0.2, "power": {"load_w": 400}}
    request = {"usage": {"training_hours_per_month": 225}, "quotes": quotes}
    shown = answer(advise(Request.model_validate(request), catalogue(), TODAY), lang).replace("\N{NO-BREAK SPACE}", " ")
    told = "Kaufangebot 10.700 € · Mietangebot 1,42 €/h · 400 W unter Last · Restwert 20 %"
    assert (told if lang == "de" else "offer to buy €10,700 · offer to rent €1.42/h · 400 W at work · resale 20%") in shown
    assert ("als netto" if lang == "de" else "taken as net") in shown
    assert ("weil nicht bekannt" if lang == "de" else "as it is not known") not in shown
