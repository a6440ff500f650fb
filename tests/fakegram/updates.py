"""From people to the bot: updates wait in queues until they are fetched by long polling or taken in by the webhook.

As in the real server: one queue per chat for messages, per user for taps and inline queries; by webhook one update per queue
is under way, queues side by side; what is not answered with 2xx comes again, at once the first time, then after growing
pauses; taps wait 150 s, inline queries 30 s, messages a day. The pauses are shortened by `HURRY`.
"""

import asyncio
import itertools
import json
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import tornado.httpclient

from fakegram.refusals import ApiError

Json = dict[str, Any]
Queue = tuple[str, int]
HURRY = 0.05
PAUSES = (0.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
LASTS = {"message": 86_400.0, "edited_message": 86_400.0, "my_chat_member": 86_400.0, "callback_query": 150.0, "inline_query": 30.0}
BESIDE_A_WEBHOOK = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
ANOTHER_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"
SECRET = "X-Telegram-Bot-Api-Secret-Token"


@dataclass
class Waiting:
    """An update on its way."""

    update: Json
    kind: str
    queue: Queue
    dies: float


@dataclass
class Updates:
    """What waits for one bot. `ports`: where a webhook is really served, in turn, as by a proxy before several replicas."""

    waiting: deque[Waiting] = field(default_factory=deque)
    allowed: list[str] | None = None
    hook: Json | None = None
    ports: list[int] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(700_001))
    _turns: Iterator[int] = field(default_factory=itertools.count)
    polls: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _workers: dict[Queue, "asyncio.Task[None]"] = field(default_factory=dict)

    def push(self, kind: str, content: Json, queue: Queue) -> Json:
        """A new update; one the bot did not ask for goes nowhere."""
        update = {"update_id": next(self._ids), kind: content}
        if self.allowed is None or kind in self.allowed:
            self.push_again(update, queue)
        return update

    def push_again(self, update: Json, queue: Queue) -> None:
        """An update that may have been delivered before."""
        kind = next(name for name in update if name != "update_id")
        self.waiting.append(Waiting(json.loads(json.dumps(update)), kind, queue, time.monotonic() + LASTS.get(kind, 86_400.0)))
        self.stir()

    def stir(self) -> None:
        """Something changed: let pollers look, and see that every queue is worked on."""
        self._wake.set()
        for queue in {one.queue for one in self.waiting} if self.hook else ():
            if queue not in self._workers or self._workers[queue].done():
                self._workers[queue] = asyncio.ensure_future(self._deliver(queue))

    def age(self, seconds: float) -> None:
        """Time passes; what is too old is gone."""
        for one in self.waiting:
            one.dies -= seconds
        self._bury()

    def _bury(self) -> None:
        now = time.monotonic()
        for one in [one for one in self.waiting if one.dies < now]:
            self.waiting.remove(one)

    async def fetched(self, arguments: Json) -> list[Json]:
        """getUpdates. Errors: ApiError 409 beside a webhook, and when another one asks."""
        if self.hook:
            raise ApiError(409, f"Conflict: {BESIDE_A_WEBHOOK}")
        self.polls += 1
        mine, ends = self.polls, time.monotonic() + min(float(arguments.get("timeout") or 0), 50.0)
        self._wake.set()
        self.allowed = arguments.get("allowed_updates") or self.allowed
        self._confirm(int(arguments.get("offset") or 0))
        while not self.waiting and time.monotonic() < ends:
            self._wake.clear()
            await _at_most(self._wake.wait(), min(0.5, ends - time.monotonic()))
            self._bury()
            if mine != self.polls:
                raise ApiError(409, f"Conflict: {ANOTHER_POLLER}")
        return [one.update for one in itertools.islice(self.waiting, max(1, min(100, int(arguments.get("limit") or 100))))]

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            while len(self.waiting) > -offset:
                self.waiting.popleft()
        while offset > 0 and self.waiting and self.waiting[0].update["update_id"] < offset:
            self.waiting.popleft()

    async def _deliver(self, queue: Queue) -> None:
        tries = 0
        while self.hook:
            self._bury()
            one = next((one for one in self.waiting if one.queue == queue), None)
            if one is None:
                return
            pause = await self._posted(one.update)
            if pause is None:
                if one in self.waiting:
                    self.waiting.remove(one)
                tries = 0
                continue
            await asyncio.sleep(pause if pause > 0 else PAUSES[min(tries, len(PAUSES) - 1)] * HURRY + 0.01)
            tries += 1

    async def _posted(self, update: Json) -> float | None:
        """Seconds to wait before it is sent again (0: as usual); None when it was taken in."""
        hook = self.hook or {}
        headers = {"Content-Type": "application/json"} | ({SECRET: hook["secret_token"]} if hook.get("secret_token") else {})
        client = tornado.httpclient.AsyncHTTPClient(force_instance=True)
        try:
            answer = await client.fetch(
                self._address(hook["url"]), method="POST", headers=headers, body=json.dumps(update), raise_error=False, request_timeout=60
            )
        except (OSError, tornado.httpclient.HTTPError) as error:
            hook["last_error_message"] = f"Connection failed: {type(error).__name__}"
            self.refusals.append(0)
            return 0.0
        finally:
            client.close()
        if 200 <= answer.code < 300:
            return None
        self.refusals.append(answer.code)
        hook["last_error_message"] = f"Wrong response from the webhook: {answer.code}"
        return min(3600.0, float(answer.headers.get("Retry-After", 0)))

    def _address(self, url: str) -> str:
        if not self.ports:
            return url
        parts = urlsplit(url)
        return urlunsplit(parts._replace(netloc=f"127.0.0.1:{self.ports[next(self._turns) % len(self.ports)]}"))


async def _at_most(waiting: Any, seconds: float) -> None:
    try:
        await asyncio.wait_for(waiting, max(0.001, seconds))
    except TimeoutError:
        return
