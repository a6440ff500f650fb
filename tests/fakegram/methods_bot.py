"""The bot itself: who it is, how its updates come, its menu and its description."""

import json
import re
import time
from typing import Any

from fakegram.calling import Uploads, method
from fakegram.refusals import bad, too_many
from fakegram.world import Json, World

LONGEST = {"name": 64, "description": 512, "short_description": 120}
MOST_COMMANDS = 100


@method("getMe")
def get_me(world: World, _arguments: Json, _uploads: Uploads) -> Json:
    """The bot."""
    return world.me


@method("getUpdates")
async def get_updates(world: World, arguments: Json, _uploads: Uploads) -> list[Json]:
    """Long polling."""
    return await world.updates.fetched(arguments)


@method("setWebhook")
def set_webhook(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Have updates sent; at most once a second."""
    secret, url = arguments.get("secret_token"), arguments.get("url", "")
    if secret and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
        raise bad("secret token contains unallowed characters")
    before = world.updates.hook or {}
    if url and all(before.get(name) == arguments.get(name) for name in ("url", "secret_token", "allowed_updates")):
        return True
    if time.monotonic() - before.get("set_at", -9.0) < 1.0:
        raise too_many(1)
    if url and not re.match(r"https?://[^/\s]+", url):
        raise bad("bad webhook: invalid webhook URL specified")
    _drop(world, arguments)
    world.updates.hook = {**arguments, "set_at": time.monotonic()} if url else None
    world.updates.allowed = arguments.get("allowed_updates") or world.updates.allowed
    world.updates.stir()
    return True


@method("deleteWebhook")
def delete_webhook(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Back to polling."""
    _drop(world, arguments)
    world.updates.hook = None
    return True


def _drop(world: World, arguments: Json) -> None:
    if arguments.get("drop_pending_updates"):
        world.violations.append("what people sent while the bot was away was dropped")
        world.updates.waiting.clear()


@method("getWebhookInfo")
def get_webhook_info(world: World, _arguments: Json, _uploads: Uploads) -> Json:
    """Where updates go."""
    hook = world.updates.hook or {}
    shown: Json = {name: hook[name] for name in ("last_error_message", "allowed_updates") if name in hook}
    return {"url": hook.get("url", ""), "has_custom_certificate": False, "pending_update_count": len(world.updates.waiting), **shown}


def _scope(arguments: Json) -> tuple[str, str]:
    scope = arguments.get("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), arguments.get("language_code") or ""


@method("setMyCommands")
def set_my_commands(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """The menu of a scope in a language."""
    commands = arguments["commands"]
    if len(commands) > MOST_COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for one in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", one["command"]):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(one["description"]) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    world.commands[_scope(arguments)] = commands
    return True


@method("getMyCommands")
def get_my_commands(world: World, arguments: Json, _uploads: Uploads) -> list[Json]:
    """Exactly what was set for a scope and a language."""
    return world.commands.get(_scope(arguments), [])


@method("deleteMyCommands")
def delete_my_commands(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Forget a menu."""
    world.commands.pop(_scope(arguments), None)
    return True


def _keep(world: World, arguments: Json, name: str) -> bool:
    text = arguments.get(name) or ""
    if len(text) > LONGEST[name]:
        raise bad(f"bot {name.replace('_', ' ')} is too long")
    world.words[name, arguments.get("language_code") or ""] = text
    return True


def _kept(world: World, arguments: Json, name: str) -> Json:
    return {name: world.words.get((name, arguments.get("language_code") or ""), "")}


@method("setMyDescription")
def set_my_description(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """What stands in an empty chat."""
    return _keep(world, arguments, "description")


@method("setMyShortDescription")
def set_my_short_description(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """What stands in the profile."""
    return _keep(world, arguments, "short_description")


@method("getMyDescription")
def get_my_description(world: World, arguments: Json, _uploads: Uploads) -> Any:
    """The description in a language."""
    return _kept(world, arguments, "description")


@method("getMyShortDescription")
def get_my_short_description(world: World, arguments: Json, _uploads: Uploads) -> Any:
    """The short description in a language."""
    return _kept(world, arguments, "short_description")
