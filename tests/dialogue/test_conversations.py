"""Conversations as people have them, in both languages, played against the core and shown as the terminal shows them."""

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from conversation_player import TODAY, Player, play

from bot.adapters.terminal_text import WIDTH, Screen
from bot.dialogue import World
from bot.events import Chart, Recall
from engine.catalogue import catalogue

FOLDER = Path(__file__).parent / "conversations"
CONVERSATIONS: list[dict[str, Any]] = [one for file in sorted(FOLDER.glob("*.yaml")) for one in yaml.safe_load(file.read_text("utf-8"))]


@pytest.fixture(scope="session")
def world() -> World:
    return World(catalogue(), TODAY)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda one: one["name"].replace(" ", "-"))
def test_conversation(conversation: dict[str, Any], world: World) -> None:
    shown = StringIO()
    screen = Screen(shown)

    def show(player: Player) -> None:
        for effect in player.effects:
            if not isinstance(effect, Recall | Chart):
                screen.show(effect, player.session.lang)

    play(conversation, replace(world, numbered=conversation.get("numbered", False)), show)
    lines = shown.getvalue().splitlines()
    assert [line for line in lines if len(line) > WIDTH and " " in line.strip()] == []
    assert re.search(r"(?<!“)\bNone\b|Undefined|[{}\x1b]|&\w+;|</?\w+>", shown.getvalue()) is None


def test_enough_conversations() -> None:
    """At least sixty, both languages, no name twice."""
    assert len(CONVERSATIONS) >= 60
    assert {one["lang"] for one in CONVERSATIONS} == {"de", "en"}
    assert len({one["name"] for one in CONVERSATIONS}) == len(CONVERSATIONS)
