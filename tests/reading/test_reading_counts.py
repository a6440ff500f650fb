"""Counts, cards and sizes that stand close together."""

from typing import Any

import pytest

from bot.reading import read
from engine.catalogue import catalogue
from engine.request import Language


def values(text: str, lang: Language, slot: str) -> list[Any]:
    return [one.value for one in read(text, lang, catalogue()) if one.slot == slot]


def said(value: dict[str, Any], **wanted: Any) -> bool:
    return all(value.get(name) == one for name, one in wanted.items())


@pytest.mark.parametrize(
    ("text", "memory", "count"),
    [("2x4090", 24, 2), ("7b lora on 2x4090", 24, 2), ("4x3090 7b lora", 24, 4), ("8xH100", 80, 8), ("2x 4090", 24, 2), ("4*3090", 24, 4)],
)
def test_a_count_glued_to_the_card(text: str, memory: float, count: int) -> None:
    (found,) = values(text, "en", "hardware")
    assert said(found, memory_gb=memory, count=count)


def test_two_kinds_of_cards() -> None:
    first, second = values("70B qlora on 2x4090 and 1x 3060 12GB", "en", "hardware")
    assert said(first, memory_gb=24, count=2)
    assert said(second, memory_gb=12, count=1)


def test_a_card_before_a_size_is_no_size() -> None:
    assert values("2x 3090, 34B LoRA", "de", "model") == [{"params_b": 34}]
    assert values("7b, 13b and 70b", "en", "model") == [{"params_b": 7}, {"params_b": 13}, {"params_b": 70}]


def test_experts_are_no_cards() -> None:
    assert not values("8x22B qlora", "en", "hardware")


@pytest.mark.parametrize(
    ("text", "lang"), [("2 nodes of 8xH100", "en"), ("2 nodes with 8x H100 each", "en"), ("zwei Rechner mit je 8x H100", "de")]
)
def test_cards_of_several_machines(text: str, lang: Language) -> None:
    (found,) = values(text, lang, "hardware")
    assert said(found, count=16, nodes=2)


@pytest.mark.parametrize(("text", "method", "size"), [("lora 8b", "lora", 8), ("lora 8 bit 7b", "lora8", 7), ("lora8 13b", "lora8", 13)])
def test_eight_billion_is_not_eight_bit(text: str, method: str, size: float) -> None:
    assert values(text, "en", "method") == [method]
    assert values(text, "en", "model") == [{"params_b": size}]


@pytest.mark.parametrize(
    ("text", "memory", "count"),
    [
        ("2x A100 80GB", 80, 2),
        ("2x A100 80", 80, 2),
        ("2x A100 40GB", 40, 2),
        ("2x A100 (80GB total)", 40, 2),
        ("2x 3090 48GB", 24, 2),
        ("2x 3060 24gb total", 12, 2),
        ("is 24gb enough for 13b", 24, 1),
    ],
)
def test_memory_of_one_card_before_that_of_all(text: str, memory: float, count: int) -> None:
    (found,) = values(text, "en", "hardware")
    assert said(found, memory_gb=memory, count=count)


def test_hours_after_a_card_are_no_memory() -> None:
    assert "memory_gb" not in values("A100 80 hours a month", "en", "hardware")[0]
    assert values("A100 80 hours a month", "en", "usage") == [{"hours_per_month": 80}]


def test_from_one_card_to_another_is_no_count() -> None:
    assert [one["count"] for one in values("swap from 3090 to 5090 worth it?", "en", "hardware")] == [1, 1]


def test_ram_beside_a_card_is_the_computers() -> None:
    (found,) = values("2 x RTX A5000, 128GB RAM", "en", "hardware")
    assert said(found, memory_gb=24, count=2, cpu_ram_gb=128)
    assert said(values("3090 with 24GB RAM", "en", "hardware")[0], memory_gb=24)


@pytest.mark.parametrize("text", ["H200 mieten für 405B QLoRA?", "Soll ich eine 3090 kaufen?"])
def test_what_is_to_be_got_is_not_at_hand(text: str) -> None:
    assert all(one.aside for one in read(text, "de", catalogue()) if one.slot == "hardware")


@pytest.mark.parametrize("text", ["dpo full 8b", "full dpo of 8b"])
def test_full_beside_a_stage_is_the_method(text: str) -> None:
    assert values(text, "en", "method") == ["full"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("5k, A100, fine-tune mistral", True),
        ("8B lora, 10k, 12 hours a month", True),
        ("8B qlora, 8k", False),  # a usual length
        ("8B lora on 5k rows", False),
        ("10k budget, 8B", True),
    ],
)
def test_thousands_alone_in_their_clause_are_money_in_an_open_currency(text, asked):
    budgets = [reading for reading in read(text, "en", catalogue()) if reading.slot == "budget"]
    assert bool(budgets) is asked
    assert all(one.ask_back for one in budgets)
