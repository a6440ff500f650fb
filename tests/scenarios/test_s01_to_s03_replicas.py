"""S1 to S3: a conversation survives its process, may change it at every turn, and takes every update once."""

import pytest
from bot_process import SECRET
from conftest import Bot
from fakegram import Voice
from talks import BUDGET, GOAL, HOURS, METHOD, MODEL, at_budget, posted_at_once, rows, session_of, update_of


def test_s1_restart_in_mid_dialogue(fresh: Bot) -> None:
    fresh.replica()
    anna = fresh.telegram.person()
    at_budget(anna)
    fresh.telegram.settle()
    fresh.process.kill()
    fresh.process.start()
    anna.say("2.000 €")
    hours = anna.is_asked(HOURS["de"])
    fresh.telegram.settle()
    fresh.process.kill()
    fresh.process.start()
    anna.tap("12 h im Monat", hours)
    answer = anna.hears("Verstanden:")
    for told in ("70B", "QLoRA", "2.000 €", "12 h"):
        assert told in answer.text
    asked = [one.text for one in anna.room.shown()]
    for question in (GOAL, MODEL, METHOD, BUDGET, HOURS):
        assert sum(question["de"] in text for text in asked) == 1  # nothing is asked twice


def dialogue(voice: Voice) -> list[tuple[str, ...]]:
    """Four answers, and what was shown to them."""
    at_budget(voice, "8B")
    voice.say("2.000 €")
    voice.is_asked(HOURS["de"])
    voice.tap("12 h im Monat")
    voice.hears("Verstanden:")
    return [(one.text, *one.labels) for one in voice.room.shown()]


def test_s2_replica_switch(fresh: Bot) -> None:
    if fresh.mode == "polling":
        return _handed_over(fresh)
    fresh.replica()
    second = fresh.replica()
    assert len(fresh.telegram.world.updates.ports) == 2
    anna, ben = fresh.telegram.person("Anna"), fresh.telegram.person("Ben")
    alternating = dialogue(anna)
    second.stop()
    assert dialogue(ben) == alternating
    sessions = [session_of(fresh.folder, one) for one in (anna, ben)]
    assert sessions[0]["revision"] == sessions[1]["revision"] == 6  # /start, three taps, a text, a tap
    seen = [sum(event.get("event") == "update" for event in one.events(all_starts=True)) for one in fresh.replicas]
    assert min(seen) >= 3  # both took part
    return None


def _handed_over(fresh: Bot) -> None:
    """Polling, one process takes over from another one between two answers."""
    first = fresh.replica()
    anna = fresh.telegram.person()
    at_budget(anna)
    first.stop()
    fresh.replica()
    anna.say("2.000 €")
    anna.is_asked(HOURS["de"])
    assert session_of(fresh.folder, anna)["revision"] == 5


@pytest.mark.parametrize("fresh", ["webhook"], indirect=True)
def test_s3_same_update_at_two_replicas_at_once(fresh: Bot) -> None:
    first, second = fresh.replica(), fresh.replica()
    anna = fresh.telegram.person()
    at_budget(anna)
    before = session_of(fresh.folder, anna)["revision"]
    for number in range(5):
        update = update_of(fresh.telegram, anna.room, anna.user, "2.000 €" if number == 0 else f"{number}.000 €", 1001 + number)
        anna.later()
        assert posted_at_once((first.port, second.port), update, SECRET) == [200, 200]
        shown = [one for one in anna.heard() if not one.edited]
        assert len(shown) == 1, [one.text for one in shown]
        assert session_of(fresh.folder, anna)["revision"] == before + number + 1
    assert rows(fresh.folder, "SELECT count(*) FROM outbox") == [(0,)]


def test_s3_delivered_again(bot: Bot) -> None:
    """The acknowledgement was lost, the update comes again."""
    anna = bot.telegram.person()
    at_budget(anna)
    update = anna.say("2.000 €")
    anna.is_asked(HOURS["de"])
    assert update is not None
    revision = session_of(bot.folder, anna)["revision"]
    anna.later()
    bot.telegram.again(update)
    assert anna.heard() == []
    assert session_of(bot.folder, anna)["revision"] == revision
