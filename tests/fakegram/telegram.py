"""The emulator as a test uses it: a server on a loopback port in a thread of its own, people and groups, and waiting for the bot."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import tornado.httpserver
import tornado.netutil

from fakegram import acts, methods_bot
from fakegram.faults import Fault, Hold
from fakegram.people import SOON, Room, Voice
from fakegram.server import application
from fakegram.world import Json, World

T = TypeVar("T")
TOKEN = "123456:" + "A" * 35
ME: Json = {
    "id": 123456, "is_bot": True, "first_name": "Sizewell", "username": "sizewell_bot", "can_join_groups": True,
    "can_read_all_group_messages": False, "supports_inline_queries": True, "can_connect_to_business": False, "has_main_web_app": False,
}  # fmt: skip
LARGEST_BODY = 60 << 20


class Telegram:
    """A server for one bot. Use as a context manager."""

    def __init__(self) -> None:
        self.world = World(TOKEN, {**ME})
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fakegram", daemon=True)
        self._users, self._groups = itertools.count(10_001), itertools.count(1_001)
        self.port = 0

    def __enter__(self) -> Telegram:
        self._thread.start()
        self.port = self.do(self._serve)
        return self

    def __exit__(self, *_error: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _serve(self) -> int:
        self._server = tornado.httpserver.HTTPServer(application(self.world), max_body_size=LARGEST_BODY)
        sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
        self._server.add_sockets(sockets)
        return int(sockets[0].getsockname()[1])

    async def _close(self) -> None:
        self._server.stop()
        await self._server.close_all_connections()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """What SIZEWELL_TELEGRAM_API_URL is set to."""
        return f"http://127.0.0.1:{self.port}"

    def do(self, act: Callable[[], T]) -> T:
        """Do something on the server's loop and wake whoever waits."""

        async def done() -> T:
            result = act()
            self.world.tell()
            return result

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(10)

    # ---- people and places

    def person(self, name: str = "Anna", lang: str | None = "de", user_id: int | None = None) -> Voice:
        """Somebody new, in their private chat with the bot."""
        number = user_id or next(self._users)
        user: Json = {"id": number, "is_bot": False, "first_name": name} | ({"language_code": lang} if lang else {})
        self.world.people[number] = user
        self.world.chats[number] = {"id": number, "type": "private", "first_name": name}
        self.world.roles[number, number] = self.world.roles[number, ME["id"]] = "member"
        return Voice(self, user, Room(self, number))

    def group(self, title: str, *members: Voice, kind: str = "supergroup", bot: str = "member") -> Room:
        """A group with the bot in it; `bot`: its role there, as an administrator it sees everything."""
        number = next(self._groups)
        chat_id = -number if kind == "group" else -1_000_000_000_000 - number
        self.world.chats[chat_id] = {"id": chat_id, "type": kind, "title": title}
        self.world.roles[chat_id, ME["id"]] = bot
        for one in members:
            self.world.roles[chat_id, one.id] = "member"
        return Room(self, chat_id)

    def add_bot(self, room: Room, by: Voice, status: str = "member") -> None:
        """Somebody adds the bot to a group, or removes it ("kicked")."""
        self.do(lambda: acts.member_changed(self.world, room.chat_id, by.user, status))

    def anonymous(self, room: Room) -> Voice:
        """A group's anonymous admin."""
        return Voice(self, acts.ANONYMOUS, room)

    def block(self, voice: Voice) -> None:
        """A person blocks the bot."""
        self.world.blocked.add(voice.id)
        self.do(lambda: acts.member_changed(self.world, voice.id, voice.user, "kicked"))

    def unblock(self, voice: Voice) -> None:
        """A person lets the bot write again."""
        self.world.blocked.discard(voice.id)
        self.do(lambda: acts.member_changed(self.world, voice.id, voice.user, "member"))

    def migrate(self, room: Room, by: Voice) -> Room:
        """A group becomes a supergroup."""
        new = -1_000_000_000_000 - next(self._groups)
        self.do(lambda: acts.migrated(self.world, room.chat_id, new, by.user))
        return Room(self, new)

    def inline(self, voice: Voice, words: str, timeout: float = SOON) -> Json:
        """What the bot answers to `@bot words`: the arguments of answerInlineQuery."""
        query = self.do(lambda: acts.searched(self.world, voice.user, words))
        self.until(lambda: query in self.world.answers, f"an answer to @bot {words}", timeout)
        return self.world.answers[query]

    # ---- trouble and time

    def fault(self, method: str, code: int, retry_after: int = 1, times: int = 1, room: Room | None = None) -> Fault:
        """The next calls of a method fail."""
        made = Fault(method, code, retry_after, times, room.chat_id if room else None)
        self.world.faults.faults.append(made)
        return made

    def hold(self, method: str, after: bool = False) -> Hold:
        """Calls of a method wait until `release`."""
        made = Hold(method, after)
        self.world.faults.holds.append(made)
        return made

    def release(self, hold: Hold) -> None:
        """Let held calls go on."""
        self.world.faults.holds.remove(hold)
        self.do(hold.free.set)

    def pass_time(self, seconds: float) -> None:
        """What waits for the bot ages; taps die after 150 s."""
        self.do(lambda: self.world.updates.age(seconds))

    def again(self, update: Json, queue: int = 0) -> None:
        """Deliver an update once more, as if its acknowledgement had been lost."""
        self.do(lambda: self.world.updates.push_again(update, ("again", queue)))

    def remove_webhook(self) -> None:
        """As an operator would, by hand."""
        self.do(lambda: methods_bot.delete_webhook(self.world, {}, {}))

    # ---- waiting

    def until(self, happened: Callable[[], Any], what: str = "something", timeout: float = SOON) -> None:
        """Wait until something has happened. Errors: TimeoutError with the latest calls."""
        self.awaited(lambda: happened() or None, lambda: what, timeout)

    def awaited(self, found: Callable[[], T | None], what: Callable[[], str], timeout: float = SOON) -> T:
        """Wait for a value. Errors: TimeoutError."""
        ends = time.monotonic() + timeout
        with self.world.news:
            while (value := found()) is None:
                left = ends - time.monotonic()
                if left <= 0:
                    latest = [(one.method, one.error) for one in self.world.calls[-6:]]
                    raise TimeoutError(f"waited {timeout} s for {what()}; latest calls: {latest}")
                self.world.news.wait(min(left, 0.05))
        return value

    def settle(self, quiet: float = 0.25, timeout: float = 20.0) -> None:
        """Wait until the bot has taken in every update and has called nothing for a while."""
        ends, calls, since = time.monotonic() + timeout, -1, time.monotonic()
        while time.monotonic() < ends:
            if len(self.world.calls) != calls or self.world.updates.waiting:
                calls, since = len(self.world.calls), time.monotonic()
            elif time.monotonic() - since >= quiet:
                return
            time.sleep(0.01)
        raise TimeoutError(f"the bot is not done after {timeout} s: {len(self.world.updates.waiting)} updates wait")

    # ---- looking back

    def calls(self, method: str) -> list[Any]:
        """Calls of a method."""
        return [one for one in self.world.calls if one.method == method]

    def commands_shown(self, scope: str, lang: str) -> list[str]:
        """The menu a client shows: the most specific scope, then the language, then none."""
        for wanted in (f'{{"type": "{scope}"}}', '{"type": "default"}'):
            for code in (lang, ""):
                if self.world.commands.get((wanted, code)):
                    return [f"{one['command']} {one['description']}" for one in self.world.commands[wanted, code]]
        return []

    def check_clean(self) -> None:
        """Nothing was done against the rules. Errors: AssertionError with the violations; they are forgotten then."""
        found, self.world.violations = self.world.violations, []
        if found:
            raise AssertionError("\n".join(found))
