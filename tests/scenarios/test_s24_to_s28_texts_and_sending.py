"""S24 to S28: numbers as people write them, hostile texts, long results, chats that cannot be written to."""

import time
from functools import partial

import pytest
from conftest import Bot
from fakegram import Voice
from talks import HOURS, at_budget, request_of, rows

from engine.catalogue import catalogue


def budget_after(bot: Bot, anna: Voice, text: str) -> list[dict[str, object]]:
    """What is kept as the budget after an answer to the question for it."""
    anna.say(text)
    anna.hears()
    bot.telegram.settle()
    budget = request_of(bot.folder, anna).get("budget", [])
    assert isinstance(budget, list)
    return budget


@pytest.mark.parametrize(
    ("lang", "text", "amount"),
    [
        ("de", "1.500 €", 1500.0),
        ("de", "1.500,50 €", 1500.5),
        ("de", "2,5 Tsd. €", 2500.0),
        ("en", "€1,500", 1500.0),
        ("en", "1,500.50 EUR", 1500.5),
    ],
)
def test_s24_numbers(bot: Bot, lang: str, text: str, amount: float) -> None:
    anna = bot.telegram.person(lang="de")
    at_budget(anna)
    if lang == "en":
        anna.say("/language en")
        anna.hears("English")
    assert [one["amount"] for one in budget_after(bot, anna, text)] == [amount]


@pytest.mark.parametrize(("lang", "text"), [("de", "1.5"), ("en", "1.500"), ("de", "1500")])
def test_s24_numbers_that_can_be_read_in_two_ways_are_asked_back(bot: Bot, lang: str, text: str) -> None:
    anna = bot.telegram.person(lang="de")
    at_budget(anna)
    if lang == "en":
        anna.say("/language en")
        anna.hears("English")
    assert budget_after(bot, anna, text) == []
    assert anna.room.shown()[-1].labels  # with something to choose


def test_s24_language_switch_does_not_read_a_stored_value_again(bot: Bot) -> None:
    anna = bot.telegram.person(lang="de")
    at_budget(anna, "8B")
    anna.say("1.500 €")
    anna.is_asked(HOURS["de"])
    anna.say("/language en")
    anna.is_asked(HOURS["en"])
    anna.tap("12 h a month")
    assert "€1,500" in anna.hears("Understood:").text


HOSTILE = (
    "9**9**9 EUR",
    "6^800000 €",
    "__import__('os').system('x') €",
    "{{ 7*7 }} €",
    "<b>5.000</b> € & <i>",
    "1" * 400 + " €",
    "\u202e€ 000.5\u0000",
    "🔥" * 500,
    "x" * 4096,
    "9" * 4096,
    "(" * 4096,
)


def test_s25_hostile_texts(bot: Bot) -> None:
    anna = bot.telegram.person(name="<b>&_*")
    at_budget(anna)
    for text in HOSTILE:
        begun = time.perf_counter()
        anna.say(text)
        shown = anna.hears()
        assert time.perf_counter() - begun < 3.0, text[:30]
        assert "49" not in shown.text
        assert shown.text
    bot.telegram.settle()
    budget = request_of(bot.folder, anna).get("budget", [])
    assert all(one["amount"] < 1e12 for one in budget)
    anna.say("/size 8B QLoRA für unseren Stil, RTX 4090")
    anna.hears("Verstanden:")


def test_s25_hostile_name_in_a_group(bot: Bot) -> None:
    anna, ben = bot.telegram.person(name="<b>&_*"), bot.telegram.person("Ben")
    room = bot.telegram.group("<i>Team</i> & Co", anna, ben)
    bot.telegram.add_bot(room, anna)
    here, there = anna.at(room), ben.at(room)
    bot.telegram.settle()
    here.say("/new@sizewell_bot")
    goal = here.hears("Was soll das Modell")
    assert "<b>&_*" in there.tap("Stil und Ton", goal).answer()["text"]
    here.say("/size@sizewell_bot 8B QLoRA RTX 4090")
    here.hears("Verstanden:")
    here.say("/history@sizewell_bot")
    assert "<b>&_*" in here.hears("Letzte Empfehlungen").text


LONG = (
    " + ".join(f"{count}x {card}" for count in (1, 2, 3, 4) for card in ("RTX 4090", "RTX 3090", "A100 80GB", "H100", "L40S", "A40")) + ", "
)


def test_s26_long_results(bot: Bot) -> None:
    anna = bot.telegram.person(name="😀" * 30)
    anna.say("8B, 14B, 32B und 70B mit LoRA, QLoRA und Vollem Fine-Tuning vergleichen für unseren Stil, RTX 4090, 12 h im Monat, 5000 €")
    anna.hears("")
    anna.say(LONG + "70B QLoRA für unseren Stil, 120 h im Monat, 50.000 €")
    anna.hears("Verstanden:", timeout=15)
    bot.telegram.settle()
    for call in bot.telegram.calls("sendMessage"):
        assert "too long" not in call.error
    assert not [call.error for call in bot.telegram.world.calls if "parse" in call.error]


def test_s26_what_no_message_can_hold_follows_as_a_file(bot: Bot) -> None:
    """Ninety different cards in one message: the reply gives up its details, and all of it comes as a document."""
    names = sorted((card.name for card in catalogue().gpus.values()), key=len, reverse=True)[:110]
    owned = ", ".join(f"1{place % 6 + 1} x {name}" for place, name in enumerate(names))
    anna = bot.telegram.person()
    anna.say(f"130B von Grund auf trainieren, 26 Billionen Token, 3000 €, 40 h im Monat, keine Cloud, ECC, wir haben {owned}"[:4096])
    shown = anna.hears("Verstanden: 130B", timeout=15)
    assert len(shown.text.encode("utf-16-le")) // 2 <= 4096
    assert "Regeln:" not in shown.text
    file = anna.sees("document")
    assert file.message["document"]["file_name"].startswith("empfehlung-2026-11-30-130b-pretrain")
    whole = anna.content(file).decode()
    assert shown.text.splitlines()[0] in whole
    for part in ("Empfehlung:", "Gewichte", "Geld", "Quellen"):
        assert f"\n{part}" in whole


def test_s28_blocked_bot(bot: Bot) -> None:
    anna, ben = bot.telegram.person("Anna"), bot.telegram.person("Ben")
    anna.say("/start")
    anna.hears("Sizewell")
    bot.telegram.settle()
    bot.telegram.world.blocked.add(anna.id)  # the next message meets 403
    before = len(bot.telegram.world.calls)
    bot.telegram.do(lambda: bot.telegram.world.updates.push("message", _text(bot, anna, "/help"), ("message", anna.id)))
    bot.telegram.until(lambda: any("blocked" in one.error for one in bot.telegram.world.calls[before:]), "403")
    bot.telegram.settle(1.0)
    refused = [one for one in bot.telegram.world.calls[before:] if "blocked" in one.error]
    assert len(refused) == 1  # no retry
    assert rows(bot.folder, f"SELECT active FROM chat WHERE chat_id = {anna.id}") == [(0,)]
    ben.say("/help")
    ben.hears("Was ich brauche")
    bot.telegram.unblock(anna)
    anna.say("/start")
    anna.hears("Sizewell")
    assert rows(bot.folder, f"SELECT active FROM chat WHERE chat_id = {anna.id}") == [(1,)]


def _text(bot: Bot, anna: Voice, text: str) -> dict[str, object]:
    from fakegram import acts

    return bot.telegram.world.new_message(anna.id, anna.user, acts.written(text))


def test_too_many_requests_in_one_chat_hold_up_no_other(bot: Bot) -> None:
    anna, ben = bot.telegram.person("Anna"), bot.telegram.person("Ben")
    bot.telegram.fault("sendMessage", 429, retry_after=2, room=anna.room)
    begun = time.monotonic()
    anna.say("/help")
    ben.say("/help")
    ben.hears("Was ich brauche", timeout=1.8)
    anna.hears("Was ich brauche")
    assert time.monotonic() - begun >= 2.0
    assert len([one for one in anna.room.shown() if "Was ich brauche" in one.text]) == 1


def test_telegram_in_trouble_is_tried_again(bot: Bot) -> None:
    anna = bot.telegram.person("Anna")
    bot.telegram.fault("sendMessage", 502, times=2, room=anna.room)
    anna.say("/help")
    anna.hears("Was ich brauche")
    assert len(anna.heard()) == 1


def test_an_update_newer_than_the_library_stops_nobody(bot: Bot) -> None:
    """What cannot be read is passed over and logged: the process lives, and whatever is behind it is answered."""
    anna, ben = bot.telegram.person("Anna"), bot.telegram.person("Ben")
    bot.expected.add("update incomplete")
    some = {"chat": bot.telegram.world.chats[anna.id], "from": anna.user, "date": 1}
    for more in ({"old_chat_member": {"status": "administrator"}}, {"old_chat_member": {"status": "royal"}}, {"new_chat_member": 7}):
        bot.telegram.do(partial(bot.telegram.world.updates.push, "my_chat_member", {**some, **more}, ("message", anna.id)))
    anna.say("/help")
    ben.say("/help")
    anna.hears("Was ich brauche")
    ben.hears("Was ich brauche")
    assert bot.process.running
