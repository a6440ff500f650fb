"""Long polling: batches of updates come, each is worked off, and only then the offset moves past it.

Updates of one chat or person keep their order; different ones are worked off at the same time.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.adapters.sender import seconds_of
from bot.adapters.telegram_updates import ALLOWED_UPDATES, Json, readable
from bot.logs import log
from bot.rendering import message
from engine.request import Language

if TYPE_CHECKING:
    from telegram import Bot, Update

LONG = 25  # seconds Telegram waits for an update before it answers with none
MOST_CONFLICTS = 3
LONGEST_WAIT = 60.0

Handle = Callable[["Update"], Awaitable[None]]


@dataclass
class Polling:
    """One loop; there must be only one per bot anywhere."""

    bot: "Bot"
    handle: Handle
    lang: Language
    offset: int = 0
    _conflicts: int = 0
    _failures: int = 0

    async def run(self, stop: asyncio.Event) -> int:
        """Poll until told to stop. Exit code: 0, or 1 where another process keeps polling for the same bot."""
        stopping = asyncio.ensure_future(stop.wait())
        while not stop.is_set():
            fetching = asyncio.ensure_future(self._fetched())
            await asyncio.wait({fetching, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not fetching.done():
                fetching.cancel()
                break
            wait = await self._next(fetching, stop)
            if self._conflicts >= MOST_CONFLICTS:
                stopping.cancel()
                return 1
            if wait:
                await asyncio.wait({stopping}, timeout=wait)
        stopping.cancel()
        return 0

    async def _fetched(self) -> Sequence[Json]:
        """The next updates as they come: the library would give up a whole batch for one update it cannot read."""
        wanted = {"timeout": LONG, "limit": 100, "allowed_updates": ALLOWED_UPDATES, **({"offset": self.offset} if self.offset else {})}
        fetched: Sequence[Json] = await self.bot.do_api_request("getUpdates", api_kwargs=wanted, read_timeout=LONG + 10)
        return fetched

    async def _next(self, fetching: "asyncio.Future[Sequence[Json]]", stop: asyncio.Event) -> float:
        """Work a batch off; seconds to wait before the next one."""
        from telegram import error

        try:
            updates = fetching.result()
        except error.Conflict as conflict:
            return self._conflict(conflict)
        except error.RetryAfter as refusal:
            return seconds_of(refusal)
        except error.TelegramError as trouble:
            return self._unreachable(trouble)
        self._conflicts = self._failures = 0
        await self._work_off(updates, stop)
        return 0.0

    def _conflict(self, conflict: Exception) -> float:
        self._conflicts += 1
        print(message("second_poller", self.lang, "text", {"why": str(conflict)}), flush=True)
        return _jittered(min(LONGEST_WAIT, 2.0 * 2.0**self._conflicts))

    def _unreachable(self, trouble: Exception) -> float:
        self._failures += 1
        wait = _jittered(min(LONGEST_WAIT, 0.5 * 2.0 ** min(self._failures, 10)))
        log().warning("telegram unreachable", why=trouble, again_in=round(wait, 1))
        return wait

    async def _work_off(self, fetched: Sequence[Json], stop: asyncio.Event) -> None:
        """Each queue in order, queues side by side; the offset moves past what is done, up to the first that is not."""
        read = {one["update_id"]: readable(one, self.bot) for one in fetched}
        done = {number for number, update in read.items() if update is None}
        await asyncio.gather(*(self._queue(queue, done, stop) for queue in queues(one for one in read.values() if one is not None)))
        for number in sorted(read):
            if number not in done:
                break
            self.offset = number + 1

    async def _queue(self, updates: Iterable["Update"], done: set[int], stop: asyncio.Event) -> None:
        for update in updates:
            if stop.is_set():
                return
            try:
                await self.handle(update)
            except Exception:
                log().exception("update failed", update=update.update_id)
                await asyncio.sleep(0.5)
                return
            done.add(update.update_id)


def _jittered(seconds: float) -> float:
    return seconds * random.uniform(0.8, 1.2)


def queues(updates: Iterable["Update"]) -> tuple[tuple["Update", ...], ...]:
    """Updates that must not overtake each other: those of one chat, since taps and texts there belong together."""
    grouped: defaultdict[int, list[Update]] = defaultdict(list)
    for update in updates:
        chat, user = update.effective_chat, update.effective_user
        grouped[chat.id if chat else user.id if user else 0].append(update)
    return tuple(tuple(queue) for queue in grouped.values())
