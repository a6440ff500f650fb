"""Which language a message is answered in: whole words count, not the letters beside digits; umlauts are German."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.language import language_of

MESSAGES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("A100 40 GB oder A100 80 GB für 13B LoRA?", "de"),
        ("Mac Studio M3 Ultra 512 GB, DeepSeek R1, 5 Nutzer", "de"),
        ("on-premise, 14B für 8 Nutzer", "de"),
        ("2x A100, 70B, 500 Mitarbeiter", "de"),
        ("A100: 13B möglich?", "de"),
        ("CUDA out of memory bei 7B, was tun", "de"),
        ("A100 40 GB or A100 80 GB for 13B LoRA?", "en"),
        ("on-prem, 14B for 8 users", "en"),
        ("RTX PRO 6000 for 14B", "en"),
        ("14B on an A100, 5 employees", "en"),
        ("A100, 13B LoRA", None),
        ("A6000 A40 A10", None),
        ("", None),
    ],
)
def test_language(message: str, language: str | None) -> None:
    assert language_of(message) == language


def test_no_message_is_taken_for_the_other_language() -> None:
    other = {"de": "en", "en": "de"}
    assert [case["message"] for case in MESSAGES if language_of(case["message"]) == other[case["lang"]]] == []
