"""S17 to S20: in groups everybody has a conversation of their own, and the bot speaks only when it is spoken to."""

from conftest import Bot
from fakegram import Room, Voice
from talks import GOAL, MODEL, request_of, session_of


def team(bot: Bot, title: str, *people: Voice) -> tuple[Room, list[Voice]]:
    """A group that an admin added the bot to."""
    room = bot.telegram.group(title, *people)
    bot.telegram.add_bot(room, people[0])
    members = [one.at(room) for one in people]
    bot.telegram.settle()
    return room, members


def two(bot: Bot) -> tuple[Voice, Voice]:
    return bot.telegram.person("Anna"), bot.telegram.person("Ben")


def test_s17_another_member_presses_the_button(bot: Bot) -> None:
    room, (anna, ben) = team(bot, "Team", *two(bot))
    anna.say("/new@sizewell_bot")
    goal = anna.is_asked(GOAL["de"])
    before = session_of(bot.folder, anna)
    tap = ben.tap("Stil und Ton", goal)
    assert "Anna" in tap.answer()["text"]
    assert tap.answer()["show_alert"] is True
    assert ben.heard() == []  # an alert, and nothing in the chat
    assert session_of(bot.folder, anna) == before
    ben.say("/new@sizewell_bot")
    bens = ben.is_asked(GOAL["de"])
    assert bens.message["reply_to_message"]["from"]["id"] == ben.id
    anna.tap("Stil und Ton", goal)
    anna.is_asked(MODEL["de"])
    ben.tap("Neue Fähigkeit", bens)
    ben.is_asked(MODEL["de"])
    assert request_of(bot.folder, anna)["goal"] == "style"
    assert request_of(bot.folder, ben)["goal"] == "new_skill"
    assert room.chat_id < 0


def test_s18_free_text_with_privacy_on(bot: Bot) -> None:
    _room, (anna, ben) = team(bot, "Team", *two(bot))
    anna.say("/new@sizewell_bot")
    anna.is_asked(GOAL["de"])
    anna.tap("Stil und Ton")
    question = anna.is_asked(MODEL["de"])
    assert "ntworten Sie auf diese Nachricht" in question.text or question.message.get("asks_for_reply")
    assert anna.say("70B") is None  # the server does not even show it
    ben.say("8B", reply_to=question)
    assert ben.heard() == []
    assert "models" not in request_of(bot.folder, anna)
    anna.say("70B", reply_to=question)
    anna.hears("Methode")
    assert request_of(bot.folder, anna)["models"] == [{"params_b": 70.0}]


def test_s20_one_person_in_two_groups(bot: Bot) -> None:
    anna = bot.telegram.person("Anna")
    _first, (here,) = team(bot, "Eins", anna)
    _second, (there,) = team(bot, "Zwei", anna)
    here.say("/new@sizewell_bot")
    mine = here.is_asked(GOAL["de"])
    there.say("/new@sizewell_bot")
    other = there.is_asked(GOAL["de"])
    here.tap("Stil und Ton", mine)
    here.is_asked(MODEL["de"])
    there.tap("Neue Fähigkeit", other)
    there.is_asked(MODEL["de"])
    assert request_of(bot.folder, here)["goal"] == "style"
    assert request_of(bot.folder, there)["goal"] == "new_skill"
    assert session_of(bot.folder, here)["id"] != session_of(bot.folder, there)["id"]


def test_topics_are_places_of_their_own(bot: Bot) -> None:
    room, (anna,) = team(bot, "Forum", bot.telegram.person("Anna"))
    first, second = anna.at(room.topic(7)), anna.at(room.topic(9))
    first.say("/new@sizewell_bot")
    question = first.is_asked(GOAL["de"])
    assert question.message["message_thread_id"] == 7
    second.say("/new@sizewell_bot")
    second.is_asked(GOAL["de"])
    first.tap("Stil und Ton", question)
    first.is_asked(MODEL["de"])
    assert all(one.message.get("message_thread_id") in (7, 9) for one in (*first.room.shown(), *second.room.shown()))


def test_a_topic_that_is_gone(bot: Bot) -> None:
    room, (anna,) = team(bot, "Forum", bot.telegram.person("Anna"))
    here = anna.at(room.topic(7))
    bot.telegram.world.topics[room.chat_id].clear()
    here.say("/help@sizewell_bot")
    anna.mark = here.mark
    anna.hears("Was ich brauche")  # in the chat itself


def test_anonymous_admin(bot: Bot) -> None:
    room, (anna,) = team(bot, "Team", bot.telegram.person("Anna"))
    ghost = bot.telegram.anonymous(room)
    ghost.say("/new@sizewell_bot")
    question = ghost.is_asked(GOAL["en"])
    tap = anna.tap("Style and tone", question)  # the tap comes from the real person
    assert "text" not in tap.answer()
    anna.is_asked(MODEL["de"])  # in the language of who taps


def test_a_group_that_moves_keeps_its_conversations(bot: Bot) -> None:
    anna = bot.telegram.person("Anna")
    room = bot.telegram.group("Team", anna, kind="group")
    bot.telegram.add_bot(room, anna)
    here = anna.at(room)
    bot.telegram.settle()
    here.say("/new@sizewell_bot")
    here.is_asked(GOAL["de"])
    here.tap("Stil und Ton")
    here.is_asked(MODEL["de"])
    moved = bot.telegram.migrate(room, anna)
    bot.telegram.settle()
    there = anna.at(moved)
    assert request_of(bot.folder, there)["goal"] == "style"
    there.say("/size@sizewell_bot 8B QLoRA, RTX 4090")
    there.hears("Verstanden:")


def test_what_is_not_for_the_bot_is_not_answered(bot: Bot) -> None:
    anna, ben = two(bot)
    room = bot.telegram.group("Offen", anna, ben, bot="administrator")  # an administrator sees everything
    bot.telegram.add_bot(room, anna, "administrator")
    here = ben.at(room)
    bot.telegram.settle()
    for text in ("70B", "/start@other_bot", "Mittagessen?", "/weather"):
        here.say(text)
        assert here.heard() == [], text
    here.say("@sizewell_bot 8B QLoRA auf einer RTX 4090")
    here.hears("Verstanden:")


def test_strangers_get_one_polite_line(bot: Bot) -> None:
    stranger = bot.telegram.person("Zoe", user_id=50_000 + len(bot.telegram.world.people))
    stranger.say("/start")
    line = stranger.hears(str(stranger.id))
    assert line.labels == ()
    stranger.say("8B LoRA")
    assert stranger.heard() == []
    room = bot.telegram.group("Fremd", stranger)
    bot.telegram.add_bot(room, stranger)
    here = stranger.at(room)
    bot.telegram.settle()
    here.say("/start@sizewell_bot")
    here.say("/start@sizewell_bot")
    bot.telegram.settle()
    assert len(room.shown()) <= 1
