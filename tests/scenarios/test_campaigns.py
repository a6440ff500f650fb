"""Long runs against the real process: kills at random moments, a thousand turns, hundreds of pictures, two pollers to the end."""

import random
import time
from statistics import median
from typing import Any

import pytest
from bot_process import BotProcess
from conftest import Bot
from fakegram import Voice
from talks import BUDGET, GOAL, HOURS, METHOD, MODEL, ONE_LINE, at_budget, rows, session_of

KILLS = 8
TURNS = 1000
WARM = 30  # pictures after which fonts and buffers are there
PICTURES = 150
MOST_GROWTH = 20 * 1024 * 1024  # bytes


@pytest.mark.campaign
def test_s1_killed_again_and_again(fresh: Bot) -> None:
    """SIGKILL at random moments of a dialogue: no answer is lost, none counts twice, the dialogue comes to its end."""
    chance = random.Random(30)
    fresh.replica()
    anna = fresh.telegram.person()
    anna.say("/start")
    anna.is_asked(GOAL["de"])
    for answer, question in (
        ("Stil", MODEL["de"]),
        ("8B", METHOD["de"]),
        ("QLoRA", BUDGET["de"]),
        ("2.000 €", HOURS["de"]),
        ("12 h im Monat", "Verstanden:"),
    ) * (KILLS // 5 + 1):
        anna.say(answer)
        time.sleep(chance.uniform(0.0, 0.06))
        fresh.process.kill()
        fresh.process.start()
        anna.is_asked(question, timeout=30)
        fresh.telegram.settle()
        again = [one for one in anna.room.shown(anna.mark) if question in one.text and one.labels]
        assert len(again) <= 2  # at least once, and at most twice where Telegram's answer was lost
        if question == "Verstanden:":
            anna.say("/new")
            anna.is_asked(GOAL["de"])
    fresh.telegram.settle()
    assert rows(fresh.folder, "SELECT count(*) FROM outbox") == [(0,)]
    numbers = rows(fresh.folder, "SELECT update_id FROM update_inbox")
    assert len(numbers) == len(set(numbers))


@pytest.mark.campaign
def test_a_thousand_turns_without_growth(polling: Bot) -> None:
    polling.replica(MESSAGES_PER_MINUTE="100000")
    people = [polling.telegram.person(f"P{number}") for number in range(40)]
    size = [0]
    for done in range(TURNS // (len(people) * 5)):
        for one in people:
            one.say("/start")
        _each(people, GOAL["de"])
        for one in people:
            one.tap("Stil und Ton")
        _each(people, MODEL["de"])
        for one in people:
            one.tap("8B")
        _each(people, METHOD["de"])
        for one in people:
            one.tap("QLoRA")
        _each(people, BUDGET["de"])
        for one in people:
            one.say("/size 8B QLoRA für unseren Stil, RTX 4090, 12 h im Monat")
        _each(people, "Verstanden:")
        polling.telegram.settle()
        size.append(polling.process.memory)
        if done == 0:
            size = [size[-1]]
    assert median(size[-2:]) - size[0] < MOST_GROWTH, [number // 1024**2 for number in size]


def _each(people: list[Voice], part: str) -> None:
    for one in people:
        one.is_asked(part, timeout=120)


@pytest.mark.campaign
def test_s36_pictures_through_the_bot(polling: Bot) -> None:
    """Five hundred without Telegram are in tests/charts; here the whole way of some, by people who take turns."""
    polling.replica()
    people = [polling.telegram.person(f"P{number}") for number in range(4)]
    for one in people:
        one.say(ONE_LINE)
        one.hears("Verstanden:")
    before = 0
    for number in range(PICTURES):
        one = people[number % len(people)]
        one.tap("Diagramm")
        one.sees("photo", timeout=60)
        before = polling.process.memory if number == WARM else before
    assert polling.process.memory - before < MOST_GROWTH


@pytest.mark.campaign
def test_s33_two_pollers_to_the_end(polling: Bot) -> None:
    """One of two gives up with a line that says why and exit code 1; the other one goes on."""
    first = polling.replica()
    second = BotProcess(polling.telegram, polling.folder / "other", "polling", {})
    polling.replicas.append(second)
    second.folder.mkdir()
    second.start(ready=False)
    ends = time.monotonic() + 90
    while first.running and second.running and time.monotonic() < ends:
        time.sleep(0.1)
    assert first.running != second.running
    gone, left = (second, first) if first.running else (first, second)
    assert gone.ended() == 1
    anna = polling.telegram.person()
    anna.say("/start")
    anna.hears("Sizewell", timeout=40)
    assert left.running


@pytest.mark.benchmark
@pytest.mark.parametrize("mode", ["polling", "webhook"])
def test_first_reaction_to_a_tap(running: Any, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From the tap to answerCallbackQuery, and to the next question; printed, never failing on a time."""
    bot: Bot = running(mode)
    anna = bot.telegram.person()
    at_budget(anna)
    answered, asked = [], []
    for _ in range(30):
        bot.telegram.settle(0.05)
        begun = time.perf_counter()
        tap = anna.tap("Zurück")
        tap.answer()
        answered.append(time.perf_counter() - begun)
        anna.is_asked(METHOD["de"])
        asked.append(time.perf_counter() - begun)
        anna.tap("QLoRA")
        anna.is_asked(BUDGET["de"])
    assert session_of(bot.folder, anna)["revision"] >= 60
    with capsys.disabled():
        print(
            f"\n{mode}: tap answered after {median(answered) * 1000:.0f} ms (slowest {max(answered) * 1000:.0f}), "
            f"next question after {median(asked) * 1000:.0f} ms (slowest {max(asked) * 1000:.0f})"
        )
