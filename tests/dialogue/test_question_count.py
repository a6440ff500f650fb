"""How many questions real messages take: each is written to the conversation, what is asked is answered with the first choice."""

import json
from pathlib import Path
from statistics import mean

import pytest
from conversation_player import TODAY, Player

from bot.dialogue import World
from bot.questions import ASKED
from engine.catalogue import catalogue

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "dev.jsonl").read_text("utf-8").splitlines() if line.strip()]
MOST = 5


def asked(case: dict[str, str], world: World) -> tuple[str, ...]:
    """The slots of the questions put before the advice."""
    player = Player.begin(world, case["lang"])
    player.says(case["message"])
    slots: list[str] = []
    while player.session.open is not None and player.answer is None and len(slots) <= MOST:
        slots.append(player.session.open.slot)
        first = player.ask.buttons[0][0] if player.ask else player.keyboards[-1]
        player.taps_data(first.data)
    assert player.answer is not None or player.effects, case["message"]
    return tuple(slots)


def test_few_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """At most five for anybody, on the mean less than one; most messages are answered at once."""
    world = World(catalogue(), TODAY)
    counts = {case["message"]: asked(case, world) for case in CASES}
    with capsys.disabled():
        print(f"\nquestions  messages  (of {len(counts)}; mean {mean(map(len, counts.values())):.2f})")
        for number in range(max(map(len, counts.values())) + 1):
            print(f"{number:9}  {sum(len(slots) == number for slots in counts.values()):8}")
        print("asked      " + ", ".join(f"{slot} {sum(slots.count(slot) for slots in counts.values())}" for slot in ASKED))
    assert max(map(len, counts.values())) <= MOST
    assert mean(map(len, counts.values())) < 1
    assert sum(not slots for slots in counts.values()) > len(counts) / 2
