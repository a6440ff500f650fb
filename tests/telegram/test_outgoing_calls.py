"""Calls go into the outbox and come out the same; needless edits are left out; buttons fit Telegram's limits."""

from dataclasses import replace

from bot.adapters.outgoing import Outgoing, outgoing_of, without_overtaken
from bot.adapters.pace import PER_MINUTE_IN_GROUP, PER_SECOND, Pace
from bot.adapters.telegram_keyboard import keyboard, marked, owner_and_data
from bot.events import Button
from bot.store import Key

KEY = Key("telegram", -5, 7, 1)


def test_a_call_survives_the_outbox() -> None:
    call = Outgoing(
        "edit",
        -5,
        7,
        "Größe <b>&amp;</b>",
        ((Button("70B", "v1:a:1:q0:70b"),), ()),
        12,
        KEY,
        asks=True,
        request={"models": [{"params_b": 70}]},
    )
    assert outgoing_of(call.call.payload) == call
    assert call.call.chat_id == -5


def test_only_the_last_of_several_edits_of_a_message_is_made() -> None:
    edit = Outgoing("edit", 1, message_id=5)
    send = Outgoing("send", 1)
    assert without_overtaken(((1, edit), (2, edit), (3, edit))) == {1, 2}
    assert without_overtaken(((1, edit), (2, send), (3, edit))) == frozenset()
    assert without_overtaken(((1, edit), (2, replace(edit, message_id=6)), (3, edit))) == {1}
    assert without_overtaken(((1, edit), (2, replace(edit, ends=True)), (3, edit))) == frozenset()


def test_the_owner_of_a_button_travels_in_its_data() -> None:
    largest = 2**52
    data = marked("v1:AbCdEfG:123456:q12:continued_pretrain", largest)
    assert len(data.encode()) <= 64
    assert owner_and_data(data) == (largest, "v1:AbCdEfG:123456:q12:continued_pretrain")
    assert owner_and_data("v1:a:1:q0:x") == (None, "v1:a:1:q0:x")
    assert owner_and_data("not/alnum~x") == (None, "not/alnum~x")
    assert marked("x" * 60, largest) == "x" * 60  # no room: then it is anybody's


def test_a_keyboard_opens_addresses_and_shortens_labels() -> None:
    made = keyboard(((Button("L" * 90, "https://t.me/x"), Button("70B", "v1:a")),), 1)
    assert made is not None
    link, tap = made.inline_keyboard[0]
    assert (link.url, link.callback_data, len(link.text)) == ("https://t.me/x", None, 40)
    assert tap.callback_data == "1~v1:a"
    assert keyboard(()) is None


def test_a_chat_waits_when_its_group_or_everybody_had_enough() -> None:
    pace = Pace()
    for _ in range(PER_MINUTE_IN_GROUP):
        assert pace.wait(-5, 10.0) == 0
        pace.sent(-5, 10.0)
    assert pace.wait(-5, 20.0) == 50.0
    assert pace.wait(5, 20.0) == 0
    assert pace.wait(-5, 70.0) == 0
    for _ in range(PER_SECOND):
        pace.sent(5, 100.0)
    assert pace.wait(6, 100.25) == 0.75


def test_groups_that_fell_silent_are_forgotten() -> None:
    pace = Pace()
    for chat in range(-1000, 0):
        pace.sent(chat, 0.0)
    pace.sent(5, 100.0)
    assert len(pace.in_group) == 0
    assert len(pace.everywhere) <= 1001
