"""The outbox is delivered in order and at least once, whatever Telegram answers; one chat's trouble is no other's."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from telegram import error
from telegram_shapes import NOW

from bot.adapters import sender as sending
from bot.adapters.deliveries import Deliveries, is_not_modified, is_too_old
from bot.adapters.outgoing import Outgoing
from bot.adapters.sender import Sender, seconds_of
from bot.store import Conversations, Database, Key, conversations, outbox, people

KEY = Key("telegram", 1, 0, 1)


@dataclass
class Bot:
    """Takes calls as Telegram's server would; `troubles` are raised one after the other before it does."""

    troubles: list[Exception] = field(default_factory=list)
    made: list[tuple[str, Any, str]] = field(default_factory=list)
    wait: float = 0.0

    async def _call(self, name: str, chat_id: int, text: str) -> Any:
        if self.wait:
            await asyncio.sleep(self.wait)
        if self.troubles:
            raise self.troubles.pop(0)
        self.made.append((name, chat_id, text))
        return SimpleNamespace(message_id=100 + len(self.made))

    async def send_message(self, chat_id: int, text: str, **_more: Any) -> Any:
        return await self._call("send", chat_id, text)

    async def send_chat_action(self, *_arguments: Any, **_more: Any) -> None:
        pass

    async def edit_message_text(self, text: str, chat_id: int, message_id: int, **_more: Any) -> Any:
        return await self._call(f"edit {message_id}", chat_id, text)

    async def edit_message_reply_markup(self, chat_id: int, message_id: int, **_more: Any) -> Any:
        return await self._call(f"close {message_id}", chat_id, "")

    async def get_me(self) -> Any:
        return SimpleNamespace(id=1)


@dataclass
class Post:
    database: Database
    bot: Bot

    def put(self, *calls: Outgoing) -> None:
        with self.database.transaction() as connection:
            for call in calls:
                outbox.put(connection, call.call, NOW)

    def left(self, chat_id: int = 1) -> int:
        with self.database.reading() as connection:
            return len(outbox.waiting(connection, chat_id, 1000))

    async def deliver(self, until: Callable[[], bool], seconds: float = 5.0) -> None:
        """Run a sender until something is so."""
        stop = asyncio.Event()
        running = asyncio.create_task(Sender(self.database, Deliveries(self.bot, self.database)).run(stop))  # type: ignore[arg-type]
        end = time.monotonic() + seconds
        while not until() and time.monotonic() < end:
            await asyncio.sleep(0.01)
        stop.set()
        await running
        assert until()


@pytest.fixture
def post(database: Database, monkeypatch: pytest.MonkeyPatch) -> Post:
    monkeypatch.setattr(sending, "IDLE", 0.02)
    return Post(database, Bot())


def texts(bot: Bot, chat_id: int = 1) -> list[str]:
    return [text for _name, chat, text in bot.made if chat == chat_id]


async def test_messages_of_a_chat_arrive_in_order(post: Post) -> None:
    post.put(*(Outgoing("send", 1, text=str(number)) for number in range(12)))
    await post.deliver(lambda: post.left() == 0)
    assert texts(post.bot) == [str(number) for number in range(12)]


async def test_two_senders_deliver_everything_once_and_in_order(post: Post) -> None:
    post.bot.wait = 0.002
    post.put(*(Outgoing("send", chat, text=str(number)) for number in range(8) for chat in (1, 2, 3)))
    done = lambda: post.left(1) + post.left(2) + post.left(3) == 0  # noqa: E731
    await asyncio.gather(post.deliver(done), post.deliver(done))
    for chat in (1, 2, 3):
        assert texts(post.bot, chat) == [str(number) for number in range(8)]


async def test_429_makes_one_chat_wait_and_no_other(post: Post) -> None:
    post.bot.troubles = [error.RetryAfter(1)]
    post.put(Outgoing("send", 1, text="a"), Outgoing("send", 1, text="b"))
    await post.deliver(lambda: not post.bot.troubles)
    post.put(Outgoing("send", 2, text="x"))
    await post.deliver(lambda: texts(post.bot, 2) == ["x"])
    assert texts(post.bot) == []
    await post.deliver(lambda: post.left() == 0)
    assert texts(post.bot) == ["a", "b"]


async def test_a_blocked_bot_drops_what_waits_and_goes_on(post: Post) -> None:
    post.bot.troubles = [error.Forbidden("Forbidden: bot was blocked by the user")]
    post.put(Outgoing("send", 1, text="a"), Outgoing("send", 1, text="b"))
    await post.deliver(lambda: post.left() == 0)
    assert post.bot.made == []
    with post.database.reading() as connection:
        assert people.place(connection, 1).active is False  # type: ignore[union-attr]


async def test_a_group_that_became_a_supergroup_is_followed(post: Post) -> None:
    post.bot.troubles = [error.ChatMigrated(-1005)]
    post.put(Outgoing("send", -5, text="a"), Outgoing("send", -5, text="b"))
    await post.deliver(lambda: post.left(-5) + post.left(-1005) == 0)
    assert [text for _name, _chat, text in post.bot.made] == ["a", "b"]
    assert {chat for _name, chat, _text in post.bot.made} == {-1005}


async def test_a_server_error_is_tried_again_and_order_kept(post: Post) -> None:
    post.bot.troubles = [error.NetworkError("Bad Gateway"), error.TimedOut()]
    post.put(Outgoing("send", 1, text="a"), Outgoing("send", 1, text="b"))
    await post.deliver(lambda: post.left() == 0)
    assert texts(post.bot) == ["a", "b"]


async def test_what_telegram_refuses_does_not_hold_up_the_rest(post: Post) -> None:
    post.bot.troubles = [error.BadRequest("Can't parse entities")]
    post.put(Outgoing("send", 1, text="a"), Outgoing("send", 1, text="b"))
    await post.deliver(lambda: post.left() == 0)
    assert texts(post.bot) == ["b"]


async def test_a_call_that_breaks_here_is_given_up_and_told(post: Post) -> None:
    post.put(
        Outgoing("chart", 1, lang="en", request={"models": "broken"}, part="memory", today="2026-11-30"), Outgoing("send", 1, text="b")
    )
    await post.deliver(lambda: post.left() == 0, 10)
    assert texts(post.bot)[0] == "b"
    assert len(texts(post.bot)) == 2


async def test_a_picture_of_nothing_is_refused_in_words(post: Post) -> None:
    post.put(Outgoing("chart", 1, lang="en", request={}, part="money", today="2026-11-30"))
    await post.deliver(lambda: post.left() == 0, 10)
    assert len(texts(post.bot)) == 1


async def test_the_message_of_an_open_question_is_remembered_edited_and_forgotten(post: Post) -> None:
    Conversations(post.database).save("{}", NOW, KEY)
    post.put(Outgoing("send", 1, text="size?", key=KEY, asks=True), Outgoing("edit", 1, text="hours?", key=KEY, asks=True))
    await post.deliver(lambda: post.left() == 0)
    assert [name for name, _chat, _text in post.bot.made] == ["send", "edit 101"]
    post.put(Outgoing("edit", 1, text="Hours: 12", key=KEY, ends=True))
    await post.deliver(lambda: post.left() == 0)
    with post.database.reading() as connection:
        assert conversations.question_message(connection, KEY) is None


async def test_an_edit_that_changes_nothing_is_success(post: Post) -> None:
    Conversations(post.database).save("{}", NOW, KEY)
    post.bot.troubles = [error.BadRequest("Message is not modified: specified new message content …")]
    post.put(Outgoing("edit", 1, text="size?", key=KEY, asks=True, message_id=7))
    await post.deliver(lambda: post.left() == 0)
    assert post.bot.made == []
    with post.database.reading() as connection:
        assert conversations.question_message(connection, KEY) == 7


async def test_a_question_whose_message_is_gone_is_put_anew(post: Post) -> None:
    Conversations(post.database).save("{}", NOW, KEY)
    post.bot.troubles = [error.BadRequest("Message to edit not found")]
    post.put(Outgoing("edit", 1, text="size?", key=KEY, asks=True, message_id=7))
    await post.deliver(lambda: post.left() == 0)
    assert post.bot.made == [("send", 1, "size?")]


async def test_a_topic_that_is_gone_does_not_lose_the_message(post: Post) -> None:
    post.bot.troubles = [error.BadRequest("Message thread not found")]
    post.put(Outgoing("send", -1005, 9, text="a"))
    await post.deliver(lambda: post.left(-1005) == 0)
    assert texts(post.bot, -1005) == ["a"]


async def test_what_was_not_sent_before_a_crash_is_sent_once_after_it(post: Post) -> None:
    post.put(Outgoing("send", 1, text="a"))
    with post.database.transaction() as connection:  # a sender that died holds the lease
        outbox.lease(connection, 1, "dead", time.time() - 10, time.time() - 1)
    await post.deliver(lambda: post.left() == 0)
    await post.deliver(lambda: True)
    assert texts(post.bot) == ["a"]


async def test_stopping_finishes_the_call_under_way_and_leaves_the_rest(post: Post) -> None:
    post.bot.wait = 0.1
    post.put(*(Outgoing("send", 1, text=str(number)) for number in range(5)))
    await post.deliver(lambda: len(post.bot.made) >= 1)
    made = len(post.bot.made)
    assert made < 5
    assert post.left() == 5 - made
    with post.database.reading() as connection:
        assert outbox.chats_with_calls(connection, "another", time.time()) == (1,)


def test_how_long_a_429_asks_to_wait() -> None:
    assert seconds_of(error.RetryAfter(timedelta(seconds=7))) == 7.0
    assert seconds_of(SimpleNamespace(retry_after=7)) == 7.0  # type: ignore[arg-type]


def test_errors_that_are_none() -> None:
    assert is_not_modified(error.BadRequest("Message is not modified: specified new …"))
    assert is_too_old(error.BadRequest("Query is too old and response timeout expired or query ID is invalid"))
    assert not is_too_old(error.BadRequest("Message is not modified"))
