"""What of Telegram's updates is for the bot, and what it means."""

from typing import Any

import pytest
from telegram import Update
from telegram_shapes import BOT_ID, BOT_NAME, Telegram

from bot.adapters.telegram_updates import ANONYMOUS_ADMIN, Attached, Incoming, Membership, Moved, Wordless, incoming
from bot.events import Command, Said, Tapped

GROUP = -1005


def read(update: dict[str, Any]) -> Incoming | None:
    made = Update.de_json(update, None)
    return incoming(made, BOT_ID, BOT_NAME)


def what(update: dict[str, Any]) -> Any:
    found = read(update)
    return None if found is None else found.what


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8B LoRA", Said("8B LoRA")),
        ("/start", Command("start")),
        ("/start r_abc", Command("start", "r_abc")),
        ("/size@advisor_bot 8B lora\n12 h", Command("size", "8B lora\n12 h")),
        ("/SIZE@Advisor_Bot 8B", Command("size", "8B")),
        ("/size@other_bot 8B", None),
        ("12 h/Monat", Said("12 h/Monat")),
    ],
)
def test_texts_in_private(telegram: Telegram, text: str, meant: Any) -> None:
    assert what(telegram.said(text)) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("70B", None),
        ("/size 70B", Command("size", "70B")),
        ("@advisor_bot 70B qlora", Said("70B qlora")),
        ("70B qlora, @Advisor_Bot", Said("70B qlora,")),
        ("@advisor_bots 70B", None),
        ("@advisor_bot", None),
    ],
)
def test_texts_in_a_group(telegram: Telegram, text: str, meant: Any) -> None:
    assert what(telegram.said(text, chat_id=GROUP)) == meant


def test_a_reply_to_the_bot_is_for_it_and_a_reply_to_another_is_not(telegram: Telegram) -> None:
    found = read(telegram.said("70B", chat_id=GROUP, reply_to_message=telegram.by_bot(7, GROUP)))
    assert found is not None
    assert (found.what, found.replied_to) == (Said("70B"), 7)
    other = {**telegram.by_bot(8, GROUP), "from": telegram.user(5)}
    assert what(telegram.said("70B", chat_id=GROUP, reply_to_message=other)) is None


def test_a_thread_counts_only_where_the_message_belongs_to_a_topic(telegram: Telegram) -> None:
    topic = read(telegram.said("/size 8B", chat_id=GROUP, message_thread_id=9, is_topic_message=True))
    chain = read(telegram.said("/size 8B", chat_id=GROUP, message_thread_id=9))
    assert topic is not None
    assert chain is not None
    assert (topic.key.thread_id, chain.key.thread_id) == (9, 0)


def test_an_edited_message_replaces_and_an_edited_command_does_not(telegram: Telegram) -> None:
    edited = telegram.said("70B")
    edited["edited_message"] = {**edited.pop("message"), "edit_date": 2}
    assert what(edited) == Said("70B", edited=True)
    edited["edited_message"]["text"] = "/size 70B"
    assert what(edited) is None


def test_a_tap_belongs_to_whom_the_button_was_made_for(telegram: Telegram) -> None:
    own, others = read(telegram.tapped("1~v1:a:1:q0:x", 7, 1, GROUP)), read(telegram.tapped("1~v1:a:1:q0:x", 7, 2, GROUP))
    assert own is not None
    assert others is not None
    assert own.what == others.what == Tapped("v1:a:1:q0:x")
    assert (own.others_button, others.others_button) == (False, True)
    assert own.key.user_id == 1


def test_what_an_anonymous_admin_began_anybody_goes_on_with(telegram: Telegram) -> None:
    from bot.adapters.telegram_keyboard import marked

    anonymous = telegram.said("/start", ANONYMOUS_ADMIN, GROUP)
    anonymous["message"]["from"]["is_bot"] = True
    began = read(anonymous)
    tap = read(telegram.tapped(marked("v1:a:1:q0:x", ANONYMOUS_ADMIN), 7, 2, GROUP))
    assert began is not None
    assert tap is not None
    assert began.key == tap.key
    assert not tap.others_button


def test_an_old_message_without_content_can_still_be_tapped(telegram: Telegram) -> None:
    update = telegram.tapped("v1:a:1:q0:x", 7)
    update["callback_query"]["message"] = {"chat": telegram.chat(1), "message_id": 7, "date": 0}
    found = read(update)
    assert found is not None
    assert (found.what, found.message_id) == (Tapped("v1:a:1:q0:x"), 7)


def test_files_pictures_and_moves(telegram: Telegram) -> None:
    file = {"file_id": "F1", "file_unique_id": "u", "file_name": "config.json", "file_size": 900}
    document = {"update_id": 1, "message": telegram.message(document=file, caption="our model")}
    assert what(document) == Attached("F1", "config.json", 900, "our model")
    assert what({"update_id": 1, "message": telegram.message(1, GROUP, document=file)}) is None
    assert what({"update_id": 1, "message": telegram.message(1, GROUP, document=file, caption="/size@advisor_bot")}) is not None
    sticker = {"file_id": "S", "file_unique_id": "s", "type": "regular", "width": 1, "height": 1, "is_animated": False, "is_video": False}
    assert what({"update_id": 1, "message": telegram.message(sticker=sticker)}) == Wordless()
    assert what({"update_id": 1, "message": telegram.message(1, GROUP, sticker=sticker)}) is None
    assert what({"update_id": 1, "message": telegram.message(1, -5, migrate_to_chat_id=-1005)}) == Moved(-5, -1005)
    assert what({"update_id": 1, "message": telegram.message(1, -1005, migrate_from_chat_id=-5)}) == Moved(-5, -1005)


def test_other_bots_channels_and_our_own_inline_answers_are_not_for_us(telegram: Telegram) -> None:
    bot = telegram.said("/size 8B", 9, GROUP)
    bot["message"]["from"]["is_bot"] = True
    assert read(bot) is None
    assert read(telegram.said("/size 8B", 777000, GROUP)) is None
    via = {"id": BOT_ID, "is_bot": True, "first_name": "Bot"}
    assert read(telegram.said("8B", via_bot=via)) is None


def test_being_blocked_or_added(telegram: Telegram) -> None:
    def change(status: str, chat_id: int) -> dict[str, Any]:
        me = {"id": BOT_ID, "is_bot": True, "first_name": "Bot"}
        member = {"user": me, "status": status, **({"until_date": 0} if status == "kicked" else {})}
        old = {"user": me, "status": "member"}
        return {
            "update_id": 1,
            "my_chat_member": {
                "chat": telegram.chat(chat_id),
                "from": telegram.user(1),
                "date": 1,
                "old_chat_member": old,
                "new_chat_member": member,
            },
        }

    assert what(change("kicked", 1)) == Membership(False)
    assert what(change("left", GROUP)) == Membership(False)
    assert what(change("member", GROUP)) == Membership(True)
