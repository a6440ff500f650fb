"""S5 to S16: double taps, stale keyboards, back, cancel and start: no tap and no command leads astray."""

import pytest
from conftest import Bot
from fakegram import Shown, Voice
from talks import BUDGET, GOAL, HOURS, METHOD, MODEL, advised, at_budget, at_method, request_of, session_of

ALREADY = "Das ist schon so eingestellt."


def question_with(anna: Voice, text: str) -> Shown:
    """A question as it once stood in the chat, with the keyboard it had."""
    return next(one for one in reversed(anna.room.shown()) if text in one.text and one.labels)


def test_s5_double_tap(bot: Bot) -> None:
    anna = bot.telegram.person()
    anna.say("/start")
    anna.is_asked(GOAL["de"])
    anna.tap("Stil und Ton")
    size = anna.is_asked(MODEL["de"])
    first, second = anna.tap("70B", size), anna.tap("70B", size)
    mark = anna.mark
    assert "text" not in first.answer()
    assert ALREADY in second.answer()["text"]
    assert not second.answer().get("show_alert")
    anna.is_asked(METHOD["de"])
    bot.telegram.settle()
    assert [METHOD["de"] in one.text and one.edited for one in anna.room.shown(mark)] == [True]
    assert request_of(bot.folder, anna)["models"] == [{"params_b": 70.0}]


def test_s7_tap_on_what_is_selected(bot: Bot) -> None:
    anna = bot.telegram.person()
    anna.say("/settings")
    settings = anna.hears("Einstellungen")
    tap = anna.tap("Deutsch", settings)
    assert tap.answer().get("text")
    assert anna.heard() == []
    assert anna.room.standing()[-1].labels == settings.labels


@pytest.mark.parametrize("fresh", ["polling"], indirect=True)  # the sender is the same by webhook
def test_s7_not_modified_is_success(fresh: Bot) -> None:
    """An edit reached Telegram, its answer did not reach us: made again after the restart, it changes nothing, and that is fine."""
    fresh.replica()
    anna = fresh.telegram.person()
    at_method(anna)
    fresh.telegram.settle()
    held = fresh.telegram.hold("editMessageText", after=True)
    anna.tap("QLoRA")
    fresh.telegram.until(lambda: held.caught, "the edit")
    fresh.process.kill()
    fresh.telegram.release(held)
    fresh.process.start()
    fresh.telegram.until(lambda: any("not modified" in one.error for one in fresh.telegram.calls("editMessageText")), "the edit again")
    fresh.telegram.settle()
    standing = anna.room.standing()[-1]
    assert BUDGET["de"] in standing.text
    assert "5.000 €" in standing.labels  # the keyboard is still there
    levels = [event["level"] for event in fresh.process.events() if "not modified" in str(event)]
    assert set(levels) == {"debug"}
    anna.tap("5.000 €")
    anna.is_asked(HOURS["de"])


def test_s9_down_for_three_minutes(fresh: Bot) -> None:
    fresh.replica()
    anna = fresh.telegram.person()
    at_budget(anna)
    fresh.telegram.settle()
    assert fresh.process.stop() == 0
    anna.tap("5.000 €")
    fresh.telegram.pass_time(180)
    fresh.process.start()
    assert anna.heard() == []  # the tap is gone, and nothing is made up for it
    anna.tap("5.000 €")
    anna.is_asked(HOURS["de"])


def test_s9_late_tap_that_cannot_be_answered_any_more(bot: Bot) -> None:
    anna = bot.telegram.person()
    at_budget(anna)
    anna.tap("5.000 €", lasts=0.0)
    anna.is_asked(HOURS["de"])  # it counts all the same
    anna.tap("12 h im Monat", old=True)  # the server forgot the message
    anna.hears("Verstanden:")


def test_s10_stale_keyboard_of_a_finished_conversation(bot: Bot) -> None:
    anna = bot.telegram.person()
    at_budget(anna, "8B")
    anna.tap("5.000 €")
    anna.is_asked(HOURS["de"])
    anna.tap("12 h im Monat")
    anna.hears("Verstanden:")
    old = question_with(anna, METHOD["de"])
    anna.say("/new")
    goal = anna.is_asked(GOAL["de"])
    before = session_of(bot.folder, anna)
    tap = anna.tap("LoRA", old)
    assert tap.answer().get("show_alert") is True
    assert "abgeschlossen" in tap.answer()["text"]
    again = anna.hears("abgeschlossen")
    after = session_of(bot.folder, anna)
    assert {name: after.get(name) for name in ("id", "request", "way", "at")} == {
        name: before.get(name) for name in ("id", "request", "way", "at")
    }
    anna.tap("Stil und Ton", goal)  # the new conversation goes on
    anna.is_asked(MODEL["de"])
    anna.tap("Damit neu beginnen", again)
    answer = anna.hears("Verstanden:")
    for told in ("8B", "QLoRA", "5.000 €", "12 h"):
        assert told in answer.text


def test_s13_back(bot: Bot) -> None:
    anna = bot.telegram.person()
    at_budget(anna, "8B")
    anna.say("2.000 €")
    anna.is_asked(HOURS["de"])
    anna.tap("Zurück")
    budget = anna.is_asked(BUDGET["de"])
    assert any("2.000 €" in label for label in budget.labels)
    anna.tap("Zurück")
    method = anna.is_asked(METHOD["de"])
    assert "✓ QLoRA" in method.labels
    anna.tap("LoRA")
    budget = anna.is_asked(BUDGET["de"])  # later answers are offered, not lost
    anna.tap(next(label for label in budget.labels if "2.000 €" in label))
    anna.is_asked(HOURS["de"])
    anna.tap("12 h im Monat")
    answer = anna.hears("Verstanden:")
    for told in ("LoRA", "2.000 €", "12 h"):
        assert told in answer.text


def test_s13_back_at_the_first_question(bot: Bot) -> None:
    anna = bot.telegram.person()
    anna.say("/start")
    anna.is_asked(GOAL["de"])
    for _ in range(2):
        anna.tap("Zurück")
        anna.hears("Sizewell sagt Ihnen")
        anna.is_asked(GOAL["de"])
    anna.tap("Stil und Ton")
    anna.is_asked(MODEL["de"])


def test_s13_back_typed(bot: Bot) -> None:
    anna = bot.telegram.person()
    at_budget(anna)
    budget = question_with(anna, BUDGET["de"])
    anna.say("zurück")
    assert "✓ QLoRA" in anna.is_asked(METHOD["de"]).labels
    bot.telegram.settle()
    assert [one.labels for one in anna.room.standing() if one.id == budget.id] == [()]  # the question left behind has no buttons
    anna.tap("LoRA")
    anna.is_asked(BUDGET["de"])


def test_s14_cancel_while_text_is_expected(bot: Bot) -> None:
    anna = bot.telegram.person()
    budget = at_budget(anna)
    anna.say("/cancel")
    anna.hears("Abgebrochen")
    assert [one.labels for one in anna.room.standing() if one.id == budget.id] == [()]  # no dead buttons
    assert "budget" not in request_of(bot.folder, anna)
    anna.say("/cancel")
    assert "nichts abzubrechen" in anna.hears().text
    anna.say("2.000 €")  # not an answer to a question that is gone
    assert HOURS["de"] not in " ".join(one.text for one in anna.heard())


def test_s16_second_start(bot: Bot) -> None:
    anna = bot.telegram.person()
    budget = at_budget(anna)
    before = session_of(bot.folder, anna)["id"]
    anna.say("/start")
    anna.is_asked(GOAL["de"])
    assert session_of(bot.folder, anna)["id"] != before
    tap = anna.tap("5.000 €", budget)
    assert tap.answer().get("show_alert") is True
    anna.tap("Stil und Ton")
    anna.is_asked(MODEL["de"])


def test_answered_questions_keep_a_line_and_no_buttons(bot: Bot) -> None:
    anna = bot.telegram.person()
    at_budget(anna)
    anna.say("2.000 €")
    hours = anna.is_asked(HOURS["de"])
    bot.telegram.settle()
    standing = anna.room.standing()
    assert [one.id for one in standing if one.labels] == [hours.id]
    assert [one.text for one in standing if one.text.startswith("Budget:")] == ["Budget: 2.000 €"]
    assert not any("None" in one.text for one in standing)


def test_one_line_is_answered_at_once_and_can_be_changed(bot: Bot) -> None:
    anna = bot.telegram.person()
    answer = advised(anna)
    assert "RTX 4090" in answer.text
    assert all(len(row) <= 3 for row in answer.buttons)
    anna.tap("Budget", answer)
    anna.is_asked(BUDGET["de"])
    anna.say("20.000 €")
    changed = anna.hears("Verstanden:")
    assert "20.000 €" in changed.text
    assert answer.id in [one.id for one in anna.room.standing()]  # the first result stays


def test_what_an_answer_asks_back_is_tapped(bot: Bot) -> None:
    """The choices stand on buttons, not in brackets, and each of them still works when another was taken."""
    anna = bot.telegram.person()
    anna.say("13B LoRA")
    first = anna.hears("Verstanden: 13B")
    assert "[12 h]" not in first.text
    assert {"12 h", "100 h", "300 h", "730 h"} <= set(first.labels)
    anna.tap("100 h", first)
    assert "100 h/Monat" in anna.hears("Verstanden: 13B").text
    anna.tap("730 h", first)
    assert "730 h/Monat" in anna.hears("Verstanden: 13B").text
    assert request_of(bot.folder, anna)["usage"] == {"training_hours_per_month": 730}


def test_the_language_is_marked_and_changed_in_place(bot: Bot) -> None:
    anna = bot.telegram.person()
    anna.say("/settings")
    settings = anna.hears("Einstellungen")
    assert {"✓ Deutsch", "English"} <= set(settings.labels)
    assert anna.tap("English", settings).answer()["text"] == "From now on in English."
    changed = anna.hears("Settings")
    assert (changed.id, changed.edited) == (settings.id, True)
    assert {"Deutsch", "✓ English"} <= set(changed.labels)
