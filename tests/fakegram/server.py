"""The HTTP side: /bot<token>/<method> and /file/bot<token>/<path>; forms, JSON and multipart bodies."""

import json
from typing import Any

import tornado.web

from fakegram import calling, methods_bot, methods_chats, methods_messages, methods_queries
from fakegram.refusals import ApiError
from fakegram.world import World

ALL_METHODS = (methods_bot, methods_chats, methods_messages, methods_queries)  # importing them enters their methods


class BotApi(tornado.web.RequestHandler):
    """One method."""

    world: World

    def initialize(self, world: World) -> None:
        """Called by tornado for every request."""
        self.world = world

    async def get(self, token: str, name: str) -> None:
        """Methods may be called by GET too."""
        await self.post(token, name)

    async def post(self, token: str, name: str) -> None:
        """Answer with a result or a refusal."""
        try:
            if token != self.world.token:
                raise ApiError(401, "Unauthorized")
            fields, as_text = self._fields()
            uploads = {key: (parts[0].filename, parts[0].body) for key, parts in self.request.files.items()}
            result = await calling.answered(self.world, name, fields, uploads, as_text)
            self.finish({"ok": True, "result": result})
        except ApiError as refusal:
            self._refuse(refusal)

    def _fields(self) -> tuple[dict[str, Any], bool]:
        if "json" in self.request.headers.get("Content-Type", ""):
            return json.loads(self.request.body or b"{}"), False
        return {name: values[-1].decode() for name, values in self.request.arguments.items()}, True

    def _refuse(self, refusal: ApiError) -> None:
        self.set_status(refusal.code)
        if "retry_after" in refusal.parameters:
            self.set_header("Retry-After", str(refusal.parameters["retry_after"]))
        body: dict[str, Any] = {"ok": False, "error_code": refusal.code, "description": refusal.description}
        self.finish(body | ({"parameters": refusal.parameters} if refusal.parameters else {}))


class Download(tornado.web.RequestHandler):
    """One file."""

    world: World

    def initialize(self, world: World) -> None:
        """Called by tornado for every request."""
        self.world = world

    def get(self, token: str, path: str) -> None:
        """The content, or 404."""
        content = self.world.files.by_path(path)
        if content is None or token != self.world.token:
            raise tornado.web.HTTPError(404)
        self.finish(content)


def application(world: World) -> tornado.web.Application:
    """The server of one bot."""
    given = {"world": world}
    routes = [(r"/bot([^/]+)/(\w+)", BotApi, given), (r"/file/bot([^/]+)/(.+)", Download, given)]
    return tornado.web.Application(routes, log_function=lambda _handler: None)
