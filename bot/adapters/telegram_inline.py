"""Inline mode: `@bot 70B qlora 2000 EUR` in any chat gives up to five cards, personal and soon stale; nothing private in them."""

import asyncio
import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from bot.adapters.deliveries import is_too_old
from bot.adapters.telegram_door import House
from bot.adapters.telegram_effects import row
from bot.adapters.telegram_keyboard import keyboard
from bot.logs import log
from bot.rendering import answer, message
from bot.store import Database, people
from engine.errors import Refusal
from engine.recommendation import Recommendation
from engine.request import Language, Method

if TYPE_CHECKING:
    from telegram import Bot, InlineQuery, InlineQueryResultArticle

MOST_CARDS = 5
FRESH = 20  # seconds Telegram may show the same cards again
LONGEST_QUERY = 256
_OTHERS: tuple[Method, ...] = ("qlora", "lora", "full")


async def answer_inline(bot: "Bot", house: House, database: Database, query: "InlineQuery") -> None:
    """Answer a query; members get cards, others a button that leads to the bot."""
    from telegram import InlineQueryResultsButton
    from telegram.error import TelegramError

    lang = await asyncio.to_thread(_language, house, database, query.from_user.id, query.from_user.language_code or "")
    cards: list[InlineQueryResultArticle] = []
    if lang is not None and query.query.strip():
        cards = await asyncio.to_thread(_cards, house, query.query[:LONGEST_QUERY], lang)
    button = None if cards else InlineQueryResultsButton(message("inline_button", lang or "en", "text", {}), start_parameter="inline")
    try:
        await bot.answer_inline_query(query.id, cards, cache_time=FRESH, is_personal=True, button=button)
    except TelegramError as refusal:
        level = log().debug if is_too_old(refusal) else log().warning
        level("inline query not answered", why=refusal)


def _language(house: House, database: Database, user_id: int, code: str) -> Language | None:
    """A member's language; None for somebody who may not use the bot."""
    with database.reading() as connection:
        person = people.person(connection, user_id)
    if person is None and user_id not in house.settings.admins:
        return None
    spoken: Language = "de" if code[:2].lower() == "de" else house.settings.lang_default or "en"
    return (person.lang if person else None) or spoken


def _cards(house: House, text: str, lang: Language) -> "list[InlineQueryResultArticle]":
    from telegram import InlineQueryResultArticle, InputTextMessageContent

    opens = keyboard((row((message("inline_button", lang, "text", {}), f"https://t.me/{house.bot_name}?start=inline")),))
    made: dict[str, InlineQueryResultArticle] = {}  # by id: two methods may lead to the same words, and Telegram takes an id once
    for one in _advice(house, text, lang, house.today(datetime.now(UTC))):
        html = answer(one, lang, "html")
        title, rest = _lines(answer(one, lang, "text"))
        number = hashlib.blake2b(html.encode(), digest_size=12).hexdigest()
        content = InputTextMessageContent(html, parse_mode="HTML")
        made.setdefault(number, InlineQueryResultArticle(number, title, content, opens, description=rest))
    return list(made.values())[:MOST_CARDS]


def _advice(house: House, text: str, lang: Language, today: date) -> Iterator[Recommendation]:
    """The answer to the text, then the same with other methods, where a model is named."""
    from bot.answering import answer_message
    from engine import advise

    try:
        first = answer_message(text, lang, house.catalogue, today)
        yield first
        if first.sizings and first.questions == ():
            for method in _OTHERS:
                if method != first.sizings[0].method:
                    yield advise(first.request.model_copy(update={"methods": (method,)}), house.catalogue, today)
    except Refusal as refusal:
        log().debug("inline query not usable", why=refusal.code)


def _lines(text: str) -> tuple[str, str]:
    """The verdict as a card's title, what was understood as its second line."""
    lines = [line for line in text.splitlines() if line.strip()]
    return (lines[0][:120], " ".join(lines[1:3])[:200]) if lines else ("–", "")
