"""A webhook of our own: an update is answered with 200 only after it is kept; without the right secret it is not even read."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import os
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.adapters.telegram_updates import ALLOWED_UPDATES, Json, readable
from bot.logs import log
from bot.store import Database, people
from engine.errors import Refusal

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from telegram import Bot, Update

SIGN_OF_LIFE = 20.0  # seconds
LARGEST = 1024 * 1024  # bytes of an update
HEADER = "X-Telegram-Bot-Api-Secret-Token"
Handle = Callable[["Update"], Awaitable[None]]


def secret_of(token: str) -> str:
    """A secret for the webhook that every replica knows, where none is set."""
    return hmac.new(token.encode(), b"webhook", hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Webhook:
    """Takes updates over HTTP. `ready`: whether the process takes any."""

    bot: "Bot"
    handle: Handle
    secret: str
    ready: Callable[[], bool]

    def application(self, path: str) -> "Starlette":
        """The web application: the webhook, and whether the process lives and takes updates."""
        from starlette.applications import Starlette
        from starlette.routing import Route

        hook = Route(path, self._receive, methods=["POST"])
        return Starlette(routes=[hook, Route("/healthz", self._alive), Route("/readyz", self._readiness)])

    async def _receive(self, request: "Request") -> "Response":
        from starlette.responses import Response

        return Response(status_code=await self._status(request))

    async def _status(self, request: "Request") -> int:
        given = request.headers.get(HEADER, "")
        if not hmac.compare_digest(given.encode(), self.secret.encode()):
            log().warning("webhook without its secret")
            return 403
        body = await _body(request)
        if body is None:
            return 413
        raw = _json(body)
        if raw is None:
            log().warning("webhook without an update")
            return 400
        update = readable(raw, self.bot)
        if update is None:
            return 200  # it would come again and again, and nobody could ever read it
        try:
            await self.handle(update)
        except Exception:
            log().exception("update failed", update=update.update_id)
            return 500
        return 200

    async def _alive(self, _request: "Request") -> "Response":
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("ok")

    async def _readiness(self, _request: "Request") -> "Response":
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("ok" if self.ready() else "stopping", status_code=200 if self.ready() else 503)


async def _body(request: "Request") -> bytes | None:
    """The body; None for one that is larger than any update."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return None
    return body


def _json(body: bytes) -> Json | None:
    """An update as it came; None for what is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("update_id"), int) else None


async def register(bot: "Bot", database: Database, url: str, secret: str) -> None:
    """Tell Telegram where the webhook is; of several replicas one does, and only if something changed. Errors: TelegramError."""
    wanted = hashlib.sha256(f"{bot.id} {url} {secret} {ALLOWED_UPDATES}".encode()).hexdigest()
    changed = await _noted(database, "webhook", wanted)
    if not changed and (await bot.get_webhook_info()).url == url:
        return
    try:
        await bot.set_webhook(url, secret_token=secret, allowed_updates=ALLOWED_UPDATES, drop_pending_updates=False)
    except BaseException:
        await _noted(database, "webhook", "")
        raise


async def keep_registered(bot: "Bot", database: Database, url: str, secret: str, stop: asyncio.Event) -> None:
    """Register, again after trouble, and leave signs of life until told to stop."""
    from telegram.error import TelegramError

    registered = False
    while not stop.is_set():
        try:
            if not registered:
                await register(bot, database, url, secret)
                registered = True
        except TelegramError as trouble:
            log().warning("webhook not set", why=trouble)
        await _noted(database, "webhook alive", str(int(time.time())))
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stop.wait(), SIGN_OF_LIFE if registered else 5)
    await _noted(database, "webhook alive", "0")


async def in_the_way(bot: "Bot", database: Database, take_over: bool) -> str | None:
    """The host of a webhook that keeps this bot from polling; one that nobody serves any more is taken away."""
    url = (await bot.get_webhook_info()).url
    if not url:
        return None
    with database.reading() as connection:
        seen = people.noted(connection, "webhook alive")
    if not take_over and (seen is None or time.time() - float(seen) < 3 * SIGN_OF_LIFE):
        return urlsplit(url).hostname or url
    await bot.delete_webhook(drop_pending_updates=False)
    await _noted(database, "webhook", "")
    return None


async def _noted(database: Database, name: str, content: str) -> bool:
    """Note something beside the event loop: another process may hold the database for seconds."""

    def note() -> bool:
        with database.transaction() as connection:
            return people.note(connection, name, content)

    return await asyncio.to_thread(note)


def path_of(url: str) -> str:
    """The path of the webhook's address; a proxy is expected to pass it on unchanged."""
    return urlsplit(url).path or "/"


def listening(address: str) -> socket.socket:
    """A socket on host:port. Errors: Refusal listen_unusable."""
    host, _, port = address.rpartition(":")
    bare = host.strip("[]")
    try:
        return socket.create_server((bare, int(port)), family=socket.AF_INET6 if ":" in bare else socket.AF_INET)
    except (OSError, OverflowError) as error:
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno and error.errno > 0 else str(error)
        raise Refusal("listen_unusable", "SIZEWELL_LISTEN", address, {"why": why}) from None


async def serve(app: "Starlette", listener: socket.socket, stop: asyncio.Event) -> int:
    """Serve until told to stop; requests under way are finished. Exit code."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield  # signals are the whole program's business

    server = Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=5))
    serving = asyncio.create_task(server.serve([listener]))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    stopping.cancel()
    await serving
    return 0 if stop.is_set() else 1
