"""`sizewell bot`: settings enter; the bot runs until it is told to stop. Polling by default, a webhook where an address is set."""

import asyncio
import os
import signal
import sys
import warnings
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.errors import Refusal
from engine.request import Language

if TYPE_CHECKING:
    from telegram import Bot

    from bot.adapters.telegram_handling import Handling
    from bot.settings import Settings
    from bot.store import Database
    from engine.catalogue import Catalogue

LONGEST_WAIT = 60.0
REMEMBERED = timedelta(days=3)  # Telegram repeats an update for a day


def run_bot() -> int:
    """Run the bot. Exit codes: 0 stopped, 1 something outside is in the way, 2 a setting cannot be used."""
    from bot.commands import complain

    os.environ.setdefault("PTB_TIMEDELTA", "true")  # the library's coming way to say how long to wait; it warns about the old one
    try:
        from bot.logs import set_up
        from bot.settings import settings
        from bot.store import open_database

        chosen = settings()
        if chosen.telegram_token is None or not chosen.telegram_token.get_secret_value().strip():
            raise Refusal("token_missing", "SIZEWELL_TELEGRAM_TOKEN")
        set_up(chosen.log_format, chosen.log_level)
        database = open_database(chosen.database_url)
        with database.stay_open():
            return asyncio.run(_run(chosen, database))
    except Refusal as refusal:
        complain(refusal, None)
        return 1 if refusal.code == "database_unreachable" else 2  # what starts the bot may try that again
    except KeyboardInterrupt:
        return 0


async def _run(settings: "Settings", database: "Database") -> int:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    bot = _bot(settings)
    try:
        if not await _known(bot, stop):
            return 0
        return await _work(bot, settings, database, stop)
    finally:
        await bot.shutdown()


def _bot(settings: "Settings") -> "Bot":
    from telegram import Bot
    from telegram.request import HTTPXRequest

    token = settings.telegram_token.get_secret_value().strip() if settings.telegram_token else ""
    calls = HTTPXRequest(connection_pool_size=64, connect_timeout=5, read_timeout=15, write_timeout=15, pool_timeout=10)
    polls = HTTPXRequest(connection_pool_size=2, connect_timeout=5, read_timeout=40)
    if settings.telegram_api_url is None:
        return Bot(token, request=calls, get_updates_request=polls)
    base = str(settings.telegram_api_url).rstrip("/")
    return Bot(token, f"{base}/bot", f"{base}/file/bot", request=calls, get_updates_request=polls)


async def _known(bot: "Bot", stop: asyncio.Event) -> bool:
    """Wait until Telegram knows us; False if told to stop before. Errors: Refusal token_wrong."""
    from telegram.error import InvalidToken, RetryAfter, TelegramError

    from bot.adapters.sender import seconds_of
    from bot.logs import log

    wait, told = 1.0, False
    while not stop.is_set():
        try:
            await bot.initialize()
        except InvalidToken:
            raise Refusal("token_wrong", "SIZEWELL_TELEGRAM_TOKEN") from None
        except TelegramError as trouble:
            wait = seconds_of(trouble) if isinstance(trouble, RetryAfter) else min(LONGEST_WAIT, wait * 2)
            told = told or _tell_unreachable(bot)
            log().warning("telegram unreachable", why=trouble, again_in=wait)
            await asyncio.wait({asyncio.ensure_future(stop.wait())}, timeout=wait)
        else:
            return True
    return False


def _tell_unreachable(bot: "Bot") -> bool:
    from bot.language import default_language
    from bot.rendering import message

    facts = {"host": urlsplit(bot.base_url).netloc}
    print(message("server_unreachable", default_language(), "text", facts), file=sys.stderr, flush=True)
    return True


async def _work(bot: "Bot", settings: "Settings", database: "Database", stop: asyncio.Event) -> int:
    from bot.adapters.telegram_menu import set_menu
    from bot.logs import log

    handling = await _handling(bot, settings, database)
    await asyncio.to_thread(_announce, handling, settings)
    sending = asyncio.create_task(handling.sender.run(stop))
    beside = [asyncio.create_task(set_menu(bot, database)), asyncio.create_task(_tidy(database))]
    log().info("started", bot=bot.username, mode="webhook" if settings.webhook_url else "polling")
    try:
        return await (_webhook(bot, handling, settings, database, stop) if settings.webhook_url else _poll(bot, handling, database, stop))
    finally:
        stop.set()
        for task in beside:
            task.cancel()
        await asyncio.gather(sending, *beside, return_exceptions=True)
        log().info("stopped")


async def _tidy(database: "Database") -> None:
    """Once an hour: forget the ids of updates that cannot come again."""
    from bot.store.unit_of_work import forget_old_updates

    def forget() -> None:
        with database.transaction() as connection:
            forget_old_updates(connection, datetime.now(UTC) - REMEMBERED)

    while True:
        await asyncio.to_thread(forget)
        await asyncio.sleep(3600)


async def _handling(bot: "Bot", settings: "Settings", database: "Database") -> "Handling":
    """All parts put together, with everything slow loaded before the first update comes."""
    from bot.adapters.deliveries import Deliveries
    from bot.adapters.sender import Sender
    from bot.adapters.telegram_door import House
    from bot.adapters.telegram_handling import Handling
    from bot.store.price_book import PriceBook

    known = await asyncio.to_thread(PriceBook(database).catalogue)
    await asyncio.to_thread(_warm_up, known)
    house = House(known, settings, bot.id, bot.username, bot.token)
    return Handling(bot, house, database, Sender(database, Deliveries(bot, database)))


def _warm_up(known: "Catalogue") -> None:
    """Have word lists, templates and translations at hand before the first message: it should be answered as fast as the others."""
    from bot.answering import answer_message
    from bot.rendering import answer, message

    day = datetime.now(UTC).date()
    for lang in ("de", "en"):
        answer(answer_message("8B LoRA, 12 h, 5000 €", lang, known, day), lang, "html")
        message("start", lang, "html", {})


def _announce(handling: "Handling", settings: "Settings") -> None:
    """Print the code that makes the first admin, while there is none."""
    from bot.adapters.telegram_door import open_claim
    from bot.language import default_language
    from bot.rendering import message

    with handling.database.transaction() as connection:
        code = open_claim(connection, handling.house)
    if code is not None:
        facts = {"code": code, "bot": handling.house.bot_name}
        print(message("claim", settings.lang_default or default_language(), "text", facts), flush=True)


async def _poll(bot: "Bot", handling: "Handling", database: "Database", stop: asyncio.Event) -> int:
    from bot.adapters import telegram_webhook
    from bot.adapters.telegram_polling import Polling
    from bot.language import default_language
    from bot.rendering import message

    lang: Language = handling.house.settings.lang_default or default_language()
    host = await telegram_webhook.in_the_way(bot, database, handling.house.settings.take_over)
    if host is not None:
        print(message("webhook_in_the_way", lang, "text", {"host": host}), file=sys.stderr, flush=True)
        return 1
    warnings.filterwarnings("ignore", message="Please use 'Bot.getUpdates'")  # it would fail a whole batch for one strange update
    return await Polling(bot, handling.handle, lang).run(stop)


async def _webhook(bot: "Bot", handling: "Handling", settings: "Settings", database: "Database", stop: asyncio.Event) -> int:
    from bot.adapters import telegram_webhook

    url, given = str(settings.webhook_url), settings.webhook_secret
    secret = given.get_secret_value() if given else telegram_webhook.secret_of(bot.token)
    hook = telegram_webhook.Webhook(bot, handling.handle, secret, ready=lambda: not stop.is_set())
    app = hook.application(telegram_webhook.path_of(url))
    listener = telegram_webhook.listening(settings.listen)
    registering = asyncio.create_task(telegram_webhook.keep_registered(bot, database, url, secret, stop))
    try:
        return await telegram_webhook.serve(app, listener, stop)
    finally:
        stop.set()
        await registering
