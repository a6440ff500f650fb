"""The messages of the contract's golden pairs."""

import pytest

from bot.reading import Understood, read, understood
from engine.catalogue import catalogue
from engine.request import Language


def heard(text: str, lang: Language = "en") -> Understood:
    return understood(read(text, lang, catalogue()), lang)


def test_facts_without_rag() -> None:
    found = heard(
        "We want to fine-tune Llama 3.1 8B so that it knows the facts in our product manuals. We have no RAG yet. 10 hours a month."
    )
    assert found.request.contract() == {
        "lang": "en",
        "goal": "facts",
        "rag_in_production": False,
        "models": [{"name": "Llama 3.1 8B"}],
        "usage": {"training_hours_per_month": 10},
    }
    assert found.questions == ()


def test_a100_and_currency_are_asked() -> None:
    found = heard("LoRA on Mistral 7B, we own one A100, 5k budget, 12 hours a month")
    assert found.request.methods == ("lora",)
    assert found.request.models is not None
    assert found.request.hardware is None
    assert found.request.budget is None
    assert [question.slot for question in found.questions] == ["hardware", "budget"]
    hardware, budget = found.questions
    assert "A100" in (hardware.read or "")
    assert [choice.value["memory_gb"] for choice in hardware.options] == [40, 80]
    assert {"EUR", "USD"} <= {choice.value["currency"] for choice in budget.options}


def test_what_can_our_cards_do() -> None:
    found = heard("What is the largest model we can train with LoRA or QLoRA on our 2x RTX 3090?")
    assert found.request.models is None
    assert found.request.methods == ("lora", "qlora")
    assert found.request.hardware is not None
    assert found.request.hardware[0].gpu == "GeForce RTX 3090"
    assert found.request.hardware[0].count == 2
    assert found.questions == ()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_one_line(lang: Language) -> None:
    found = heard("8B LoRA 12 h/Monat 5000 €", lang)
    assert found.questions == ()
    assert found.request.contract() == {
        "lang": lang,
        "models": [{"params_b": 8}],
        "methods": ["lora"],
        "usage": {"training_hours_per_month": 12},
        "budget": [{"amount": 5000, "currency": "EUR", "period": "once", "bound": "max"}],
    }
