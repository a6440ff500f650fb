"""Delivers the outbox: calls leave in order per chat, several chats at once. Whoever holds a chat's lease sends to it.

A call is taken out only after Telegram took it in: what a crash interrupts is made again (at least once). 429 makes one chat
wait and no other; 403 closes a chat; a group that became a supergroup is followed.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.adapters.deliveries import Deliveries
from bot.adapters.outgoing import Outgoing, outgoing_of, without_overtaken
from bot.adapters.pace import Pace
from bot.logs import log, subject
from bot.store import Database, outbox

if TYPE_CHECKING:
    from telegram.error import RetryAfter

IDLE = 0.5  # seconds between looks into the outbox while nothing wakes the sender: another process may have put something in
LEASE = 5.0  # seconds a lease lasts unless it is renewed
MOST_ATTEMPTS = 8  # of a call that Telegram does not take while it answers others
MOST_BREAKS = 3  # of a call that breaks here, before it reaches Telegram
PATIENCE = 5.0  # seconds for calls under way when the sender stops


@dataclass
class Sender:
    """One per process."""

    database: Database
    deliveries: Deliveries
    owner: str = field(default_factory=lambda: secrets.token_hex(6))
    pace: Pace = field(default_factory=Pace)
    _something: asyncio.Event = field(default_factory=asyncio.Event)
    _under_way: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    def wake(self) -> None:
        """Something was put into the outbox."""
        self._something.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until told to stop; then finish what is under way and give up the leases."""
        stopping = asyncio.ensure_future(stop.wait())
        try:
            while not stop.is_set():
                await self._start_due(stop)
                woken = asyncio.ensure_future(self._something.wait())
                await asyncio.wait({woken, stopping}, timeout=IDLE, return_when=asyncio.FIRST_COMPLETED)
                woken.cancel()
                self._something.clear()
        finally:
            stopping.cancel()
            await self._wind_up()

    async def _start_due(self, stop: asyncio.Event) -> None:
        try:
            chats = await asyncio.to_thread(self._due)
        except Exception:
            log().exception("outbox unreadable")
            return
        for chat_id in chats:
            if chat_id not in self._under_way:
                task = asyncio.create_task(self._deliver(chat_id, stop))
                self._under_way[chat_id] = task
                task.add_done_callback(partial(self._ended, chat_id))

    def _due(self) -> tuple[int, ...]:
        with self.database.reading() as connection:
            return outbox.chats_with_calls(connection, self.owner, time.time())

    def _ended(self, chat_id: int, _task: asyncio.Task[None]) -> None:
        self._under_way.pop(chat_id, None)
        self.wake()  # something may have been put in after the last look

    async def _wind_up(self) -> None:
        tasks = list(self._under_way.values())
        if tasks:
            _done, late = await asyncio.wait(tasks, timeout=PATIENCE)
            for task in late:
                task.cancel()
        with contextlib.suppress(Exception):
            await asyncio.to_thread(self._in_transaction, outbox.release, self.owner)

    def _in_transaction(self, act: Any, *arguments: Any) -> Any:
        with self.database.transaction() as connection:
            return act(connection, *arguments)

    async def _deliver(self, chat_id: int, stop: asyncio.Event) -> None:
        """Send what waits for a chat, as long as nothing stands in the way."""
        try:
            going_on = await asyncio.to_thread(self._take, chat_id)
            async with self._leased(chat_id):
                while going_on and not stop.is_set():
                    going_on = await self._deliver_some(chat_id, stop)
            await asyncio.to_thread(self._in_transaction, outbox.release, self.owner, chat_id)
        except Exception:
            log().exception("delivery failed", chat=subject(chat_id))
            await asyncio.sleep(IDLE)

    def _take(self, chat_id: int) -> bool:
        now = time.time()
        return bool(self._in_transaction(outbox.lease, chat_id, self.owner, now, now + LEASE))

    async def _deliver_some(self, chat_id: int, stop: asyncio.Event) -> bool:
        with_ids = await asyncio.to_thread(self._waiting, chat_id)
        calls = tuple((one.id, outgoing_of(one.payload, chat_id)) for one in with_ids)
        needless = without_overtaken(calls)
        for waiting, (call_id, call) in zip(with_ids, calls, strict=True):
            if stop.is_set():
                return False
            if call_id in needless:
                await asyncio.to_thread(self._in_transaction, outbox.done, call_id)
            elif not await self._deliver_one(call_id, call, waiting.attempts):
                return False
        return bool(calls)

    def _waiting(self, chat_id: int) -> tuple[outbox.Waiting, ...]:
        with self.database.reading() as connection:
            return outbox.waiting(connection, chat_id)

    async def _deliver_one(self, call_id: int, call: Outgoing, attempts: int) -> bool:
        """Make one call; whether the chat's next one may follow at once."""
        wait = self.pace.wait(call.chat_id, time.monotonic())
        if wait > 2:
            await self._postpone(call.chat_id, wait)
            return False
        await asyncio.sleep(wait)
        self.pace.sent(call.chat_id, time.monotonic())
        return await self._made(call_id, call, attempts)

    async def _made(self, call_id: int, call: Outgoing, attempts: int) -> bool:
        from telegram import error

        try:
            message_id = await self.deliveries.deliver(call)
        except error.RetryAfter as refusal:
            await self._postpone(call.chat_id, seconds_of(refusal))
            return False
        except error.Forbidden:
            log().info("chat closed", chat=subject(call.chat_id))
            await asyncio.to_thread(self._in_transaction, outbox.close_chat, call.chat_id)
            return False
        except error.ChatMigrated as moved:
            await asyncio.to_thread(self._in_transaction, outbox.move_chat, call.chat_id, moved.new_chat_id)
            self.wake()
            return False
        except error.BadRequest as refusal:
            log().warning("call refused", kind=call.kind, chat=subject(call.chat_id), why=refusal.message)
            await asyncio.to_thread(self._in_transaction, outbox.done, call_id)
            return True
        except error.TelegramError as trouble:
            given_up = attempts + 1 >= MOST_ATTEMPTS and await self.deliveries.reachable()
            return await self._try_again(call_id, call, attempts, trouble, given_up)
        except Exception as bug:
            log().exception("call broken", kind=call.kind, chat=subject(call.chat_id))
            return await self._try_again(call_id, call, attempts, bug, attempts + 1 >= MOST_BREAKS)
        await asyncio.to_thread(self._in_transaction, self.deliveries.note_delivered, call_id, call, message_id)
        return True

    async def _try_again(self, call_id: int, call: Outgoing, attempts: int, trouble: Exception, given_up: bool) -> bool:
        """Later, at growing intervals; a call that never gets through is given up, so that those behind it do."""
        log().warning("call failed", kind=call.kind, chat=subject(call.chat_id), why=trouble, attempt=attempts + 1, given_up=given_up)
        if given_up:
            await asyncio.to_thread(self._in_transaction, self.deliveries.give_up, call_id, call)
            return True
        await asyncio.to_thread(self._in_transaction, outbox.failed, call_id)
        await self._postpone(call.chat_id, min(60.0, 0.5 * 2**attempts))
        return False

    async def _postpone(self, chat_id: int, seconds: float) -> None:
        await asyncio.to_thread(self._in_transaction, outbox.postpone, chat_id, time.time() + seconds)
        asyncio.get_running_loop().call_later(seconds + 0.01, self.wake)

    @contextlib.asynccontextmanager
    async def _leased(self, chat_id: int) -> AsyncIterator[None]:
        """Keep the lease as long as it takes."""

        async def renew() -> None:
            while True:
                await asyncio.sleep(LEASE / 3)
                await asyncio.to_thread(self._take, chat_id)

        renewing = asyncio.create_task(renew())
        try:
            yield
        finally:
            renewing.cancel()


def seconds_of(refusal: "RetryAfter") -> float:
    """How long a 429 asks to wait, whatever type the library gives it in."""
    wait: Any = refusal.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
