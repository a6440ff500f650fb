"""Conversations as people have them, in both languages, played against the core."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from conversation_player import TODAY, play

from bot.dialogue import World
from engine.catalogue import catalogue

FOLDER = Path(__file__).parent / "conversations"
CONVERSATIONS: list[dict[str, Any]] = [one for file in sorted(FOLDER.glob("*.yaml")) for one in yaml.safe_load(file.read_text("utf-8"))]


@pytest.fixture(scope="session")
def world() -> World:
    return World(catalogue(), TODAY)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda one: one["name"].replace(" ", "-"))
def test_conversation(conversation: dict[str, Any], world: World) -> None:
    play(conversation, replace(world, numbered=conversation.get("numbered", False)))


def test_enough_conversations() -> None:
    """At least sixty, both languages, no name twice."""
    assert len(CONVERSATIONS) >= 60
    assert {one["lang"] for one in CONVERSATIONS} == {"de", "en"}
    assert len({one["name"] for one in CONVERSATIONS}) == len(CONVERSATIONS)
