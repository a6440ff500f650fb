"""Whole turns within their transaction, without a network: strangers, members, groups, limits, what is shared and what is not."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from telegram import Update
from telegram_shapes import BOT_ID, BOT_NAME, NOW, Telegram

from bot.adapters.outgoing import Outgoing, outgoing_of
from bot.adapters.telegram_door import House, open_claim
from bot.adapters.telegram_turns import turn_of
from bot.adapters.telegram_updates import incoming
from bot.adapters.telegram_visit import OWN
from bot.store import Connection, Database, Whose, conversations, history, people
from bot.store.unit_of_work import Turn, unit_of_work

GROUP = -1005


@dataclass
class Talk:
    """Hands updates to the bot and keeps what it answers."""

    database: Database
    house: House
    telegram: Telegram
    now: datetime = NOW
    last: Turn | None = None
    sent: list[Outgoing] = field(default_factory=list)

    def hand(self, update: dict[str, Any]) -> list[Outgoing]:
        received = incoming(Update.de_json(update, None), BOT_ID, BOT_NAME)
        assert received is not None
        work = partial(turn_of, self.house, received, now=self.now)
        self.last = unit_of_work(self.database, received.update_id, received.key, work, self.now, received.user_name)
        calls = [outgoing_of(call.payload) for call in self.last.calls] if self.last else []
        self.sent += calls
        return calls

    def say(self, text: str, user_id: int = 1, chat_id: int | None = None, **more: Any) -> list[Outgoing]:
        return self.hand(self.telegram.said(text, user_id, chat_id, **more))

    def tap(self, data: str, message_id: int = 7, user_id: int = 1, chat_id: int | None = None) -> list[Outgoing]:
        return self.hand(self.telegram.tapped(data, message_id, user_id, chat_id))

    def within(self, act: Callable[[Connection], Any]) -> Any:
        with self.database.transaction() as connection:
            return act(connection)

    def admit(self, user_id: int, role: people.Role = "member", name: str = "Anna") -> None:
        self.within(lambda connection: people.admit(connection, user_id, people.first_team(connection, NOW), role, name, NOW))

    def allow(self, chat_id: int) -> None:
        def act(connection: Connection) -> None:
            people.know_place(connection, chat_id, "group", "Team")
            people.allow_place(connection, chat_id, people.first_team(connection, NOW))

        self.within(act)


@pytest.fixture
def talk(database: Database, house: Callable[..., House], telegram: Telegram) -> Talk:
    return Talk(database, house(), telegram)


def button(calls: list[Outgoing], choice: str) -> str:
    return next(one.data for call in calls for row in call.buttons for one in row if one.data.endswith(f":{choice}"))


def test_a_stranger_gets_one_line_and_then_nothing(talk: Talk) -> None:
    assert len(talk.say("8B LoRA", 5)) == 1
    assert talk.say("8B LoRA", 5) == []
    assert talk.say("/start", 5) == []
    assert talk.tap("v1:a:1:q0:facts", user_id=5) == []


def test_the_claim_code_makes_one_admin_and_is_used_up(talk: Talk) -> None:
    code = talk.within(lambda connection: open_claim(connection, talk.house))
    assert code == talk.within(lambda connection: open_claim(connection, talk.house))
    talk.say(code.lower(), 1)
    assert talk.within(lambda connection: people.person(connection, 1).role) == "admin"
    assert talk.within(lambda connection: open_claim(connection, talk.house)) is None
    talk.say(code, 2)
    assert talk.within(lambda connection: people.person(connection, 2)) is None


def test_a_used_code_is_not_valid_again_when_all_admins_are_gone(talk: Talk) -> None:
    code = talk.within(lambda connection: open_claim(connection, talk.house))
    talk.say(code, 1)
    talk.within(lambda connection: people.remove(connection, 1, 1))
    assert talk.within(lambda connection: open_claim(connection, talk.house)) not in (None, code)


def test_operators_of_the_settings_are_admins_without_a_claim(talk: Talk, house: Callable[..., House]) -> None:
    talk.house = house(admins=(9,))
    assert talk.within(lambda connection: open_claim(connection, talk.house)) is None
    assert len(talk.say("/members", 9)) == 1
    assert talk.within(lambda connection: people.person(connection, 9).role) == "admin"


def test_an_invitation_by_link(talk: Talk) -> None:
    talk.admit(1, "admin")
    link = talk.say("/invite", 1)[0].text
    payload = re.search(r"start=(inv_[\w-]+)", link)[1]  # type: ignore[index]
    assert len(payload) <= 64
    talk.say(f"/start {payload}", 2)
    assert talk.within(lambda connection: people.person(connection, 2).role) == "member"
    talk.say(f"/start {payload}", 3)
    assert talk.within(lambda connection: people.person(connection, 3)) is None


@pytest.mark.parametrize("command", ["/invite", "/members", "/remove 1", "/allow", "/disallow", "/settings 0,30 €/kWh"])
def test_what_only_admins_may(talk: Talk, command: str) -> None:
    talk.admit(1, "admin")
    talk.admit(2)
    refused = talk.say(command, 2)[0].text
    assert refused == talk.say("/invite", 2)[0].text
    assert talk.say(command, 1)[0].text != refused


@pytest.mark.parametrize("digit", ["²", "٣", "9" * 4000])
@pytest.mark.parametrize("command", ["/remove", "/invite", "/history", "/history show"])
def test_a_digit_that_makes_no_number_breaks_nothing(talk: Talk, command: str, digit: str) -> None:
    talk.admit(1, "admin")
    assert len(talk.say(f"{command} {digit}", 1)) == 1


@pytest.mark.parametrize("act", ["show", "check"])
def test_a_forged_button_breaks_nothing(talk: Talk, act: str) -> None:
    talk.admit(1, "admin")
    for digit in ("²", "9" * 40, ""):
        talk.tap(f"{OWN}{act}:{digit}", user_id=1)


def test_a_removed_member_is_a_stranger_and_an_admin_cannot_remove_themselves(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.admit(2)
    talk.say("/remove 1", 1)
    talk.say("/remove 2", 1)
    assert talk.within(lambda connection: [one.user_id for one in people.people(connection, 1)]) == [1]
    assert len(talk.say("8B", 2)) <= 1
    assert talk.say("8B", 2) == []


def test_a_group_is_closed_until_an_admin_uses_the_bot_there(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.admit(2)
    assert len(talk.say("/size 8B lora", 2, GROUP)) == 1
    assert talk.say("/allow", 2, GROUP) == []
    welcome, *answers = talk.say("/size 8B lora 12h/Monat 5000€", 1, GROUP)
    assert answers
    assert welcome.text == talk.say("/allow", 1, GROUP)[0].text
    assert any(call.kind == "send" for call in talk.say("/size 8B lora 12h/Monat 5000€", 3, GROUP))


def test_a_group_that_was_shut_out_is_let_in_by_its_command_only(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.say("/start", 1, GROUP)
    talk.say("/disallow", 1, GROUP)
    assert len(talk.say("/size 8B lora", 3, GROUP)) == 1
    assert talk.say("/size 8B lora", 1, GROUP) == []
    assert len(talk.say("/allow", 1, GROUP)) == 1
    assert talk.say("/size 8B lora 12h/Monat 5000€", 3, GROUP) != []


def test_each_member_of_a_group_has_a_conversation_of_their_own(talk: Talk) -> None:
    talk.allow(GROUP)
    asked = talk.say("/start", 1, GROUP)
    data = button(asked, "facts")
    assert talk.tap(f"1~{data}", user_id=2, chat_id=GROUP) == []
    assert talk.last is not None
    assert talk.last.modal
    assert "Anna" in talk.last.alert
    assert talk.tap(f"1~{data}", user_id=1, chat_id=GROUP) != []
    assert not talk.last.alert
    assert talk.say("/start", 2, GROUP) != []


def test_a_reply_counts_only_to_ones_own_open_question(talk: Talk) -> None:
    talk.allow(GROUP)
    asked = talk.say("/start", 1, GROUP)[-1]
    assert asked.asks
    talk.within(lambda connection: conversations.keep_question_message(connection, asked.key, 50))
    question = talk.telegram.by_bot(50, GROUP)
    assert talk.say("Stil", 2, GROUP, reply_to_message=question) == []
    assert talk.say("Stil", 1, GROUP, reply_to_message=talk.telegram.by_bot(49, GROUP)) == []
    assert any(call.asks for call in talk.say("Stil", 1, GROUP, reply_to_message=question))


def test_only_the_last_message_can_be_corrected(talk: Talk) -> None:
    talk.admit(1)
    first, second = talk.telegram.said("8B lora 12h/Monat 5000 €"), talk.telegram.said("und mit 70B?")
    talk.hand(first)
    talk.hand(second)

    def edited(update: dict[str, Any], text: str) -> dict[str, Any]:
        message = {**update["message"], "text": text, "edit_date": 2}
        return {"update_id": next(talk.telegram.numbers), "edited_message": message}

    assert talk.hand(edited(first, "13B lora")) == []
    assert "13B" in talk.hand(edited(second, "und mit 13B?"))[-1].text


def test_commands_of_other_bots_in_a_group_are_left_alone(talk: Talk) -> None:
    talk.allow(GROUP)
    assert talk.say("/weather", 1, GROUP) == []
    assert talk.say("/help", 1, GROUP) != []


def test_too_much_is_told_once_and_a_new_minute_is_a_new_minute(talk: Talk, house: Callable[..., House]) -> None:
    talk.house = house(messages_per_minute=3)
    talk.admit(1)
    answers = [len(talk.say("/help", 1)) for _ in range(6)]
    assert answers == [1, 1, 1, 1, 0, 0]
    talk.admit(2)
    assert len(talk.say("/help", 2)) == 1
    talk.now += timedelta(minutes=1)
    assert len(talk.say("/help", 1)) == 1


def test_a_recommendation_is_kept_for_the_team_and_found_again(talk: Talk) -> None:
    talk.admit(1)
    talk.admit(2)
    sent = talk.say("8B lora 12h/Monat 5000 €", 1)
    assert sent[-1].text
    found = talk.say("/find lora", 2)[0]
    assert "Anna" in found.text
    shown = talk.tap(button([found], "1"), user_id=2)[0]
    assert sent[-1].text.splitlines()[0] in shown.text


def test_a_shared_result_is_shown_to_members_and_an_unknown_link_is_a_plain_start(talk: Talk) -> None:
    talk.admit(1)
    talk.admit(2)
    result = talk.say("8B lora 12h/Monat 5000 €", 1)
    shared = talk.tap(button(result, "share"), user_id=1)[0].text
    payload = re.search(r"start=(r_[\w-]+)", shared)[1]  # type: ignore[index]
    assert result[-1].text.splitlines()[0] in talk.say(f"/start {payload}", 2)[0].text
    plain = [call.text for call in talk.say("/start", 2)]
    for wrong in ("r_" + "x" * 12, "r_", "nonsense", "r_'; DROP TABLE team", "r_" + "é" * 10):
        assert [call.text for call in talk.say(f"/start {wrong}", 2) if call.kind == "send"] == plain


def test_another_teams_result_is_seen_only_if_it_was_shared(talk: Talk) -> None:
    talk.admit(1)
    talk.say("8B lora 12h/Monat 5000 €", 1)

    def other_team(connection: Connection) -> str:
        rows = connection.run("INSERT INTO team (name, defaults, created) VALUES ('', '{}', :now) RETURNING id", now=NOW)
        people.admit(connection, 8, rows[0]["id"], "member", "Eve", NOW)
        return str(connection.run("SELECT token FROM recommendation")[0]["token"])

    token = talk.within(other_team)
    assert "8B" not in talk.say(f"/start r_{token}", 8)[0].text.splitlines()[0]
    assert "Anna" not in "".join(call.text for call in talk.say("/history", 8))
    talk.within(lambda connection: connection.run("UPDATE recommendation SET shared = 1"))
    assert "Anna" in talk.say(f"/start r_{token}", 8)[0].text


def test_forgetting_asks_first(talk: Talk) -> None:
    talk.admit(1)
    talk.say("8B lora 12h/Monat 5000 €", 1)
    sure = talk.say("/forget", 1)
    assert talk.within(lambda connection: connection.run("SELECT count(*) AS n FROM recommendation")[0]["n"]) == 1
    talk.tap(button(sure, "yes"), user_id=1)
    assert talk.within(lambda connection: connection.run("SELECT count(*) AS n FROM recommendation")[0]["n"]) == 0


def test_language_follows_the_person_then_the_group_then_their_telegram(talk: Talk) -> None:
    talk.admit(1)
    german = talk.say("/cancel", 1)[0].text
    talk.say("/settings english", 1)
    english = talk.say("/cancel", 1)[0].text
    assert german != english
    french = talk.telegram.said("/cancel", 2)
    french["message"]["from"]["language_code"] = "fr"
    talk.admit(2)
    assert talk.hand(french)[0].text == english
    talk.admit(4, "admin")
    talk.allow(GROUP)
    assert talk.say("/cancel", 3, GROUP)[0].text == german
    talk.say("/language english", 4, GROUP)
    assert talk.say("/cancel", 3, GROUP)[0].text == english


def test_team_defaults_hold_for_every_member(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.admit(2)
    talk.say("/settings 0,99 €/kWh netto", 1)
    talk.say("70B qlora, 400 h im Monat", 2)
    talk.say("/settings none", 1)
    talk.say("/size 8B qlora, 400 h im Monat", 2)
    after, before = talk.within(lambda connection: history.newest(connection, Whose(team_id=1), 2))
    assert before.request["quotes"] == {"tariff": {"per_kwh": 0.99, "currency": "EUR"}}  # net: there is no price it could be of
    assert "quotes" not in after.request


def test_a_team_that_counts_net_is_not_asked_for_the_tax(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.say("/settings netto", 1)
    talk.say("Angebot: kaufen 10.000 €, mieten 1,50 €/h, 100 h im Monat", 1)
    [kept] = talk.within(lambda connection: history.newest(connection, Whose(team_id=1), 1))
    assert kept.request["quotes"]["purchase"]["tax"] == "net"


def test_what_cannot_be_read_is_answered_in_words(talk: Talk) -> None:
    talk.admit(1)
    voice = {"file_id": "V", "file_unique_id": "v", "duration": 1}
    assert talk.hand({"update_id": 90, "message": talk.telegram.message(voice=voice)})[0].text
    hostile = talk.say("<b>&_* 9**9**9 EUR", 1)
    assert all("<b>&_" not in call.text for call in hostile)


def test_every_answer_keeps_to_telegrams_limits(talk: Talk) -> None:
    talk.admit(1, "admin", "<b>&_*" * 20)
    for text in ("/start", "/help", "/privacy", "/settings", "/prices", "/members", "/history", "x" * 4096, "8B lora 12h/Monat 5000 €"):
        for call in talk.say(text, 1):
            assert 0 < len(call.text.encode("utf-16-le")) // 2 <= 4096 or call.kind == "close"
            assert all(len(row) <= 3 for row in call.buttons)
            assert all(len(one.data.encode()) <= 64 for row in call.buttons for one in row)


def test_the_history_does_not_leave_as_a_file_in_a_group(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.say("8B lora 12h/Monat 5000 €", 1)
    talk.say("/allow", 1, GROUP)
    assert [call.kind for call in talk.say("/export", 3, GROUP)] == ["send"]
    assert [call.kind for call in talk.say("/export", 1)] == ["document"]


def test_an_old_answer_is_asked_again_and_the_history_leaves_as_a_file(talk: Talk) -> None:
    talk.admit(1)
    assert talk.say("/export", 1)[0].kind == "send"
    talk.say("8B lora 12h/Monat 5000 €", 1)
    shown = talk.say("/history 1", 1)
    again = talk.tap(button(shown, "1"), user_id=1)
    assert "30.11.2026" in again[0].text
    [file] = talk.say("/export", 1)
    assert file.kind == "document"
    assert file.content.startswith("\ufeffnumber;date;author;message;answer;method")
    assert "8B lora 12h/Monat 5000 €" in file.content


def test_a_comparison_is_kept_too(talk: Talk) -> None:
    talk.admit(1)
    compared = talk.say("/compare 8B lora vs qlora, 12 h im Monat", 1)
    shown = talk.say("/history 1", 1)[0].text
    assert compared[-1].text.splitlines()[0] in shown


def test_under_one_picture_there_is_a_button_for_the_other(talk: Talk) -> None:
    talk.admit(1)
    result = talk.say("8B lora 12h/Monat 5000 €", 1)
    memory = talk.tap(button(result, "chart"), user_id=1)[0]
    assert (memory.kind, memory.part) == ("chart", "memory")
    money = talk.tap(button([memory], "chart-money"), user_id=1)[0]
    assert (money.kind, money.part) == ("chart", "money")


def test_a_price_list_is_for_admins(talk: Talk) -> None:
    from dataclasses import replace

    from bot.adapters.telegram_updates import Sheet

    talk.admit(1, "admin")
    talk.admit(2)
    prices = Sheet("prices.csv", "gpu,price,currency,provider,date\nRTX 4090,0.50,EUR,Test,2026-11-29\n", prices=True)

    def sent_by(user_id: int) -> list[Outgoing]:
        received = incoming(Update.de_json(talk.telegram.said("x", user_id), None), BOT_ID, BOT_NAME)
        assert received is not None
        work = partial(turn_of, talk.house, replace(received, what=prices), now=NOW)
        turn = unit_of_work(talk.database, received.update_id, received.key, work, NOW)
        return [outgoing_of(call.payload) for call in turn.calls] if turn else []

    assert sent_by(2)[0].text == talk.say("/members", 2)[0].text
    assert talk.within(lambda connection: connection.run("SELECT count(*) AS n FROM price_entry")[0]["n"]) == 0
    assert sent_by(1)
    assert talk.within(lambda connection: connection.run("SELECT count(*) AS n FROM price_entry WHERE state = 'accepted'")[0]["n"]) == 1


def labels(call: Outgoing) -> list[str]:
    return [one.label for row in call.buttons for one in row]


def test_settings_mark_what_is_chosen_and_a_tap_moves_the_mark(talk: Talk) -> None:
    talk.admit(1, "admin")
    first = talk.say("/settings english", 1)
    first = talk.say("/settings", 1)
    assert {"✓ English", "✓ EUR"} <= set(labels(first[0]))
    tapped = talk.tap(button(first, "lang-de"), message_id=9)
    assert [(one.kind, one.message_id) for one in tapped] == [("edit", 9)]
    assert {"✓ Deutsch", "English", "✓ EUR"} <= set(labels(tapped[0]))
    tapped = talk.tap(button(tapped, "CHF"), message_id=9)
    assert [(one.kind, one.message_id) for one in tapped] == [("edit", 9)]
    assert {"✓ Deutsch", "EUR", "✓ CHF"} <= set(labels(tapped[0]))
    assert "Währung: CHF" in tapped[0].text
    assert "Währung: USD" in talk.say("Einstellungen USD", 1)[0].text
    assert "CHF" not in talk.say("Einstellungen bitte einmal erklären", 1)[0].text


def test_a_guest_of_a_group_sees_what_was_asked_there_and_nothing_else(talk: Talk) -> None:
    talk.admit(1, "admin")
    talk.allow(GROUP)
    talk.say("8B LoRA, 12 h im Monat", 1)
    talk.say("/size 70B QLoRA", 2, GROUP)
    guests = talk.say("/history", 2, GROUP)[0].text
    assert "70B" in guests
    assert "12 h" not in guests
    assert "12 h" not in talk.say("/history 1", 2, GROUP)[0].text
    members = talk.say("/history", 1, GROUP)[0].text
    assert "70B" in members
    assert "12 h" in members


def test_a_command_there_is_not_is_named(talk: Talk) -> None:
    talk.admit(1)
    told = talk.say("/sizze 8B", 1)
    assert "/sizze" in told[0].text
    assert len(told) == 2
