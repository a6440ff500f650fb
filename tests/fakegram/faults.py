"""Trouble on order: a method fails with a code some times, or its answer is held back until the test lets it go."""

import asyncio
from dataclasses import dataclass, field

from fakegram.refusals import ApiError, forbidden, too_many


@dataclass
class Fault:
    """`code` 429, 403 or 5xx for the next `times` calls of a method, in one chat or everywhere."""

    method: str
    code: int
    retry_after: int = 1
    times: int = 1
    chat_id: int | None = None

    def hits(self, method: str, chat_id: object) -> bool:
        """Whether this call is struck."""
        return self.times > 0 and self.method.lower() in (method.lower(), "*") and self.chat_id in (None, chat_id)

    def error(self) -> ApiError:
        """What the call is answered with."""
        if self.code == 429:
            return too_many(self.retry_after)
        if self.code == 403:
            return forbidden("bot was blocked by the user")
        return ApiError(self.code, "Internal Server Error" if self.code >= 500 else "Bad Request: something is wrong")


@dataclass
class Hold:
    """Calls of a method wait here. `after`: the server has done what was asked and only the answer waits."""

    method: str
    after: bool
    caught: int = 0
    free: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Faults:
    """All trouble on order."""

    faults: list[Fault] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)

    def strike(self, method: str, chat_id: object) -> None:
        """Errors: the ApiError that was ordered."""
        for fault in self.faults:
            if fault.hits(method, chat_id):
                fault.times -= 1
                raise fault.error()

    async def wait(self, method: str, after: bool) -> None:
        """Wait while calls of this method are held."""
        for hold in self.holds:
            if hold.method.lower() == method.lower() and hold.after == after and not hold.free.is_set():
                hold.caught += 1
                await hold.free.wait()
