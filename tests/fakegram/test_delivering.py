"""How the emulator brings updates: long polling, webhooks, privacy, time; through python-telegram-bot where a library matters."""

import asyncio
import http.server
import json
import os
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

os.environ.setdefault("PTB_TIMEDELTA", "true")

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, Conflict, TelegramError

from fakegram import Telegram, Voice


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.fixture
def telegram() -> Iterator[Telegram]:
    with Telegram() as made:
        yield made


@pytest.fixture
def anna(telegram: Telegram) -> Voice:
    return telegram.person()


def library(telegram: Telegram) -> Bot:
    """python-telegram-bot at the emulator."""
    return Bot(telegram.world.token, f"{telegram.url}/bot", f"{telegram.url}/file/bot")


async def test_a_library_sends_pictures_and_files_and_fetches_them(telegram: Telegram, anna: Voice) -> None:
    async with library(telegram) as bot:
        picture = await bot.send_photo(anna.id, png(30, 20), caption="<b>c</b>", parse_mode="HTML")
        assert (picture.photo[-1].width, picture.photo[-1].height, picture.caption) == (30, 20, "c")
        sent = await bot.send_document(anna.id, b"a;b\n", filename="plan.csv")
        assert sent.document is not None
        assert sent.document.file_name == "plan.csv"
        file = await bot.get_file(sent.document.file_id)
        assert bytes(await file.download_as_bytearray()) == b"a;b\n"
        again = await bot.send_photo(anna.id, picture.photo[-1].file_id)
        assert again.photo[-1].file_id == picture.photo[-1].file_id
        for refused in (bot.send_photo(anna.id, b"no picture"), bot.send_photo(anna.id, png(2, 100)), bot.get_file("nope")):
            with pytest.raises(BadRequest):
                await refused
    telegram.check_clean()


async def test_polling_hands_out_until_it_is_confirmed(telegram: Telegram, anna: Voice) -> None:
    async with library(telegram) as bot:
        anna.say("eins")
        anna.say("zwei")
        first = await bot.get_updates(timeout=1)
        assert [one.message.text for one in first if one.message] == ["eins", "zwei"]
        assert len(await bot.get_updates(timeout=0)) == 2
        rest = await bot.get_updates(offset=first[0].update_id + 1, timeout=0)
        assert [one.update_id for one in rest] == [first[1].update_id]
        assert await bot.get_updates(offset=first[1].update_id + 1, timeout=0) == ()


async def test_a_second_poller_ends_the_first(telegram: Telegram, anna: Voice) -> None:
    async with library(telegram) as bot, library(telegram) as another:
        waiting = asyncio.create_task(bot.get_updates(timeout=5))
        await asyncio.sleep(0.2)
        second = asyncio.create_task(another.get_updates(timeout=1))
        with pytest.raises(Conflict):
            await waiting
        anna.say("hallo")
        assert len(await second) == 1


async def test_polling_beside_a_webhook_is_a_conflict(telegram: Telegram) -> None:
    async with library(telegram) as bot:
        await bot.set_webhook("http://127.0.0.1:9/hook")
        with pytest.raises(Conflict):
            await bot.get_updates(timeout=0)
        assert (await bot.get_webhook_info()).url == "http://127.0.0.1:9/hook"
        with pytest.raises(TelegramError):
            await bot.set_webhook("http://127.0.0.1:9/other")  # twice within a second
        await bot.delete_webhook()
        assert await bot.get_updates(timeout=0) == ()


async def test_only_what_was_asked_for_comes(telegram: Telegram, anna: Voice) -> None:
    async with library(telegram) as bot:
        await bot.get_updates(timeout=0, allowed_updates=["message"])
        await bot.send_message(anna.id, "q", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data="y")]]))
        anna.tap("x")
        said = anna.say("hallo")
        assert said is not None
        anna.edits(said, "hallo!")
        assert [one.message is not None for one in await bot.get_updates(timeout=0)] == [True]


def test_privacy_mode(telegram: Telegram, anna: Voice) -> None:
    team = telegram.group("Team", anna)
    here = anna.at(team)
    assert here.say("70B") is None
    assert here.say("@sizewell_bot 70B") is None
    assert here.say("/start@other_bot") is None
    assert here.say("/start") is not None
    assert here.say("/start@sizewell_bot") is not None
    telegram.world.roles[team.chat_id, telegram.world.me["id"]] = "administrator"
    assert here.say("70B") is not None
    telegram.world.roles[team.chat_id, telegram.world.me["id"]] = "kicked"
    assert here.say("/start") is None


def test_taps_die_after_150_seconds_and_texts_do_not(telegram: Telegram, anna: Voice) -> None:
    anna.say("hallo")
    message = telegram.do(
        lambda: telegram.world.new_message(
            anna.id, telegram.world.me, {"text": "q", "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "y"}]]}}
        )
    )
    assert message["text"] == "q"
    anna.tap("x")
    telegram.pass_time(140)
    assert len(telegram.world.updates.waiting) == 2
    telegram.pass_time(20)
    assert [one.kind for one in telegram.world.updates.waiting] == ["message"]


@dataclass
class Hook:
    """A webhook that answers as told. `statuses`: the answers to come, 200 after them."""

    statuses: list[int] = field(default_factory=list)
    got: list[tuple[float, dict[str, Any], str | None]] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    delay: float = 0.0


@pytest.fixture
def hook(telegram: Telegram) -> Iterator[Hook]:
    """A server for the webhook, set with a secret."""
    made = Hook()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.got.append((time.monotonic(), json.loads(body), self.headers.get("X-Telegram-Bot-Api-Secret-Token")))
            made.busy += 1
            made.most_busy = max(made.most_busy, made.busy)
            time.sleep(made.delay)
            made.busy -= 1
            self.send_response(made.statuses.pop(0) if made.statuses else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    from fakegram import methods_bot

    given = {"url": f"http://127.0.0.1:{server.server_port}/hook", "secret_token": "s3cret"}
    telegram.do(lambda: methods_bot.set_webhook(telegram.world, given, {}))
    yield made
    telegram.remove_webhook()
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_what_is_not_taken_in_comes_again_in_order(telegram: Telegram, anna: Voice, hook: Hook) -> None:
    hook.statuses = [500, 503]
    anna.say("eins")
    anna.say("zwei")
    telegram.until(lambda: not telegram.world.updates.waiting, "delivery")
    assert [update["message"]["text"] for _, update, _ in hook.got] == ["eins", "eins", "eins", "zwei"]
    assert {secret for _, _, secret in hook.got} == {"s3cret"}
    times = [when for when, _, _ in hook.got]
    assert times[1] - times[0] < times[2] - times[1]  # at once, then with a pause


def test_chats_are_side_by_side_and_one_chat_is_not(telegram: Telegram, anna: Voice, hook: Hook) -> None:
    hook.delay = 0.1
    for _ in range(3):
        anna.say("eins")
    telegram.until(lambda: not telegram.world.updates.waiting, "delivery")
    assert hook.most_busy == 1
    for one in [telegram.person(name) for name in ("Ben", "Cem", "Dora")]:
        one.say("zwei")
    telegram.until(lambda: not telegram.world.updates.waiting, "delivery")
    assert hook.most_busy > 1
