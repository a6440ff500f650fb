"""The bot's profile in both languages: commands for private chats and groups, descriptions. Set once per deployment, by one replica."""

import hashlib
import json
from typing import TYPE_CHECKING, Any

from bot.logs import log
from bot.rendering import message
from bot.store import Database, people
from engine.request import Language

if TYPE_CHECKING:
    from telegram import Bot

PRIVATE = ("start", "new", "size", "fit", "compare", "history", "find", "export", "prices", "settings", "privacy", "help", "cancel")
GROUP = ("size", "fit", "new", "history", "help", "cancel")
_LANGUAGES: tuple[tuple[Language, str], ...] = (("en", ""), ("de", "de"))  # English is for all who speak neither


def menu(names: tuple[str, ...], lang: Language) -> tuple[tuple[str, str], ...]:
    """Commands with their descriptions."""
    lines = message("menu", lang, "text", {}).splitlines()
    words = dict(line.split(" ", 1) for line in lines if " " in line)
    return tuple((name, words[name]) for name in names)


def profile() -> dict[str, Any]:
    """Everything that is set, as a value that can be compared."""
    return {
        lang: {
            "private": menu(PRIVATE, lang),
            "group": menu(GROUP, lang),
            "description": message("description", lang, "text", {}),
            "short": message("short_description", lang, "text", {}),
        }
        for lang, _code in _LANGUAGES
    }


async def set_menu(bot: "Bot", database: Database) -> None:
    """Set the profile if it is not what was set last; of several replicas one does. Trouble is logged and left for the next start."""
    from telegram.error import TelegramError

    wanted = hashlib.sha256(json.dumps([bot.id, profile()], ensure_ascii=False).encode()).hexdigest()
    if not _noted(database, wanted):
        return
    done = False
    try:
        for lang, code in _LANGUAGES:
            await _set(bot, profile()[lang], code)
        done = True
    except TelegramError as refusal:
        log().warning("menu not set", why=refusal)
    finally:
        if not done:  # also where the process is stopped halfway
            _noted(database, "")


def _noted(database: Database, content: str) -> bool:
    with database.transaction() as connection:
        return people.note(connection, "menu", content)


async def _set(bot: "Bot", words: dict[str, Any], code: str) -> None:
    from telegram import BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

    await bot.set_my_commands(words["private"], language_code=code or None)
    await bot.set_my_commands(words["private"], scope=BotCommandScopeAllPrivateChats(), language_code=code or None)
    await bot.set_my_commands(words["group"], scope=BotCommandScopeAllGroupChats(), language_code=code or None)
    await bot.set_my_description(words["description"], language_code=code or None)
    await bot.set_my_short_description(words["short"], language_code=code or None)
