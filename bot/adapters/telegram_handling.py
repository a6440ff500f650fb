"""One update from its arrival to its acknowledgement: a tap is answered at once, a file fetched, the turn kept, the sender woken.

Returns when the update may be acknowledged. Raises what stood in the way: then it must come again. An update that fails again
and again is given up, so that those behind it get through: the person is told an id that is in the log.
"""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from bot.access import access_of
from bot.adapters import telegram_documents as documents
from bot.adapters.deliveries import is_too_old
from bot.adapters.sender import Sender
from bot.adapters.telegram_door import House, language_of
from bot.adapters.telegram_inline import answer_inline
from bot.adapters.telegram_places import spot_of
from bot.adapters.telegram_turns import turn_of
from bot.adapters.telegram_updates import Attached, Incoming, Unusable, incoming
from bot.logs import log, subject
from bot.rendering import message
from bot.store import Connection, Database, people
from bot.store.price_book import PriceBook
from bot.store.unit_of_work import Turn, unit_of_work

if TYPE_CHECKING:
    from telegram import Bot, Update

PATIENCE = 1.0  # seconds a tap may wait for its turn before it is answered without words
TRIES = 3  # how often an update may fail before it is given up
LONGEST_ALERT = 200


@dataclass
class Handling:
    """What handling an update needs."""

    bot: "Bot"
    house: House
    database: Database
    sender: Sender
    _failures: OrderedDict[int, int] = field(default_factory=OrderedDict)

    async def handle(self, update: "Update") -> None:
        """Work an update off. Errors: whatever stood in the way, for the first tries."""
        if update.inline_query is not None:
            await answer_inline(self.bot, self.house, self.database, update.inline_query)
            return
        received = self._read(update)
        if received is None:
            return
        try:
            await self._worked_off(received)
        except Exception as failure:
            if not self._given_up(received.update_id):
                raise
            await self._give_up(received, failure)
        self._failures.pop(received.update_id, None)

    def _read(self, update: "Update") -> Incoming | None:
        """What an update means; one that misses what it should have is passed over: it would miss it at every try."""
        try:
            return incoming(update, self.house.bot_id, self.house.bot_name)
        except (AttributeError, TypeError, ValueError):
            log().exception("update incomplete", update=update.update_id)
            return None

    async def _worked_off(self, received: Incoming) -> None:
        now = datetime.now(UTC)
        if isinstance(received.what, Attached):
            received = await self._fetched(received, received.what)
        working = asyncio.create_task(asyncio.to_thread(self._kept, received, now))
        if received.tap is not None:
            await self._answer_tap(received.tap, working)
        turn = await working
        self.sender.wake()
        log().info("update", chat=subject(received.chat_id), what=type(received.what).__name__, new=turn is not None)

    def _kept(self, received: Incoming, now: datetime) -> Turn | None:
        house = replace(self.house, catalogue=PriceBook(self.database).catalogue())  # prices may have been entered since
        work = partial(turn_of, house, received, now=now)
        return unit_of_work(self.database, received.update_id, received.key, work, now, received.user_name)

    async def _answer_tap(self, tap: str, working: "asyncio.Task[Turn | None]") -> None:
        """Stop the spinner: with what the turn says, or without words if the turn has to wait."""
        from telegram.error import TelegramError

        await asyncio.wait({working}, timeout=PATIENCE)
        done = working.done() and not working.cancelled() and working.exception() is None
        turn = working.result() if done else None
        text = turn.alert[:LONGEST_ALERT] if turn is not None else ""
        try:
            await self.bot.answer_callback_query(tap, text or None, show_alert=bool(text) and turn is not None and turn.modal)
        except TelegramError as refusal:
            level = log().debug if is_too_old(refusal) else log().warning
            level("tap not answered", why=refusal)

    async def _fetched(self, received: Incoming, file: Attached) -> Incoming:
        """The file's content in place of its name, if whoever sent it may use the bot and it is of a kind that is read."""
        from telegram.error import BadRequest

        if not await asyncio.to_thread(self._welcome, received):
            return received
        refusal = documents.checked(file)
        if refusal is not None:
            return replace(received, what=Unusable(refusal))
        try:
            source = await self.bot.get_file(file.file_id)
            content = bytes(await source.download_as_bytearray())
        except BadRequest:
            return replace(received, what=Unusable(documents.gone(file)))
        return replace(received, what=documents.opened(file, content))

    def _welcome(self, received: Incoming) -> bool:
        with self.database.reading() as connection:
            person, place = people.person(connection, received.user_id), people.place(connection, received.chat_id)
        named = received.user_id in self.house.settings.admins
        return named or access_of(person, place, received.chat_kind == "private") is not None

    def _given_up(self, update_id: int) -> bool:
        self._failures[update_id] = self._failures.get(update_id, 0) + 1
        while len(self._failures) > 1000:
            self._failures.popitem(last=False)
        return self._failures[update_id] >= TRIES

    async def _give_up(self, received: Incoming, failure: Exception) -> None:
        number = secrets.token_hex(4)
        log().error("update given up", update=received.update_id, fault=number, exc_info=failure)
        await asyncio.to_thread(
            unit_of_work, self.database, received.update_id, received.key, partial(self._fault, received, number), datetime.now(UTC)
        )
        self.sender.wake()

    def _fault(self, received: Incoming, number: str, connection: Connection, before: str | None) -> Turn:
        """Tell somebody who may use the bot that it is our fault, with an id that stands in the log."""
        person, place = people.person(connection, received.user_id), people.place(connection, received.chat_id)
        if access_of(person, place, received.chat_kind == "private") is None:
            return Turn(before)
        lang = language_of(connection, person, place, received, self.house)
        call = spot_of(received).calls("send", message("fault", lang, "html", {"number": number}))
        return Turn(before, (call.call,))
