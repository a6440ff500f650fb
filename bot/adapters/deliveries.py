"""One outgoing call becomes one or a few calls of the Bot API; the message it made or changed leaves.

What Telegram calls an error and is none (nothing to change, a message that is gone) ends here; real errors pass.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.adapters.outgoing import Outgoing
from bot.adapters.telegram_keyboard import keyboard
from bot.logs import log
from bot.rendering import message
from bot.store import Connection, Database, outbox
from bot.store.conversations import keep_question_message, question_message
from engine.catalogue import Catalogue
from engine.errors import Refusal
from engine.request import Language, Request

if TYPE_CHECKING:
    from telegram import Bot, Message

HTML = "HTML"
ACTION_LASTS = 4.5  # seconds; Telegram shows it for five


@dataclass(frozen=True)
class Deliveries:
    """How calls are made: by a bot, with what the database knows about open questions."""

    bot: "Bot"
    database: Database

    async def deliver(self, call: Outgoing) -> int | None:
        """Make the call; the id of its message, None where there is none. Errors: telegram.error.TelegramError."""
        from bot.adapters.batches import deliver_batch

        match call.kind:
            case "send":
                return await self._send(call)
            case "edit":
                return await self._edit(call)
            case "close":
                await self._close(call)
                return None
            case "chart":
                return await self._chart(call)
            case "document":
                return await self.document(call, call.content.encode(), call.text)
            case "batch":
                return await deliver_batch(self, call)
            case "leave":
                await self.bot.leave_chat(call.chat_id)
                return None

    def catalogue(self) -> Catalogue:
        """The catalogue with the prices that were entered."""
        from bot.store.price_book import PriceBook

        return PriceBook(self.database).catalogue()

    def note_delivered(self, connection: Connection, call_id: int, call: Outgoing, message_id: int | None) -> None:
        """Take a call out of the outbox, and remember which message carries the open question now."""
        outbox.done(connection, call_id)
        if call.key is not None and (call.asks or call.ends):
            keep_question_message(connection, call.key, message_id if call.asks else None)

    def give_up(self, connection: Connection, call_id: int, call: Outgoing) -> None:
        """Take a call out that cannot be made, and say so where something was promised."""
        outbox.done(connection, call_id)
        if call.kind in ("chart", "batch", "document"):
            number = secrets.token_hex(4)
            log().error("call given up", fault=number, kind=call.kind)
            text = message("fault", _language(call), "html", {"number": number})
            outbox.put(connection, Outgoing("send", call.chat_id, call.thread_id, text, key=call.key).call, datetime.now(UTC))

    async def reachable(self) -> bool:
        """Whether Telegram answers at all: a call that fails while it does is at fault itself."""
        from telegram.error import TelegramError

        try:
            await self.bot.get_me()
        except TelegramError:
            return False
        return True

    async def _send(self, call: Outgoing) -> int:
        from telegram import ForceReply

        markup: Any = keyboard(call.buttons, _owner(call))
        if markup is None and call.force_reply:
            markup = ForceReply(selective=True)
        made = await self._in_thread(
            call, lambda place: self.bot.send_message(text=call.text, parse_mode=HTML, reply_markup=markup, **place)
        )
        return made.message_id

    async def _in_thread(self, call: Outgoing, send: Callable[[dict[str, Any]], Any]) -> "Message":
        """Send into the topic; if it is gone, into the chat."""
        from telegram.error import BadRequest

        try:
            made: Message = await send(_place(call))
        except BadRequest as refusal:
            if not call.thread_id or "thread not found" not in refusal.message.lower():
                raise
            made = await send({**_place(call), "message_thread_id": None})
        return made

    async def _edit(self, call: Outgoing) -> int | None:
        """Change a message; one that cannot be changed any more is sent anew if it still has something to ask."""
        from telegram.error import BadRequest

        message_id = call.message_id or await asyncio.to_thread(self._question_of, call)
        if message_id is None:
            return await self._send(call) if call.asks else None
        try:
            await self.bot.edit_message_text(
                call.text, call.chat_id, message_id, parse_mode=HTML, reply_markup=keyboard(call.buttons, _owner(call))
            )
        except BadRequest as refusal:
            if is_not_modified(refusal):
                log().debug("message not modified")
                return message_id
            log().debug("message not editable", why=refusal.message)
            return await self._send(call) if call.asks else None
        return message_id

    async def _close(self, call: Outgoing) -> None:
        from telegram.error import BadRequest

        message_id = call.message_id or await asyncio.to_thread(self._question_of, call)
        if message_id is None:
            return
        try:
            await self.bot.edit_message_reply_markup(call.chat_id, message_id, reply_markup=None)
        except BadRequest as refusal:
            log().debug("keyboard not closed", why=refusal.message)

    def _question_of(self, call: Outgoing) -> int | None:
        if call.key is None:
            return None
        with self.database.reading() as connection:
            return question_message(connection, call.key)

    async def _chart(self, call: Outgoing) -> int:
        try:
            async with self.acting(call, "upload_photo"):
                drawing = asyncio.get_running_loop().run_in_executor(_easel(), lambda: drawn(call, self.catalogue()))
                picture, words = await drawing
        except Refusal as refusal:
            return await self._send(replace(call, text=message("refused", _language(call), "html", {"refusal": refusal}), buttons=()))
        markup = keyboard(call.buttons, _owner(call))
        made = await self._in_thread(
            call,
            lambda place: self.bot.send_photo(
                photo=picture, caption=words, parse_mode=HTML, reply_markup=markup, filename=call.name, **place
            ),
        )
        return made.message_id

    async def document(self, call: Outgoing, content: bytes, caption: str) -> int:
        """Send a file with a caption."""
        made = await self._in_thread(
            call,
            lambda place: self.bot.send_document(document=content, filename=call.name, caption=caption or None, parse_mode=HTML, **place),
        )
        return made.message_id

    @contextlib.asynccontextmanager
    async def acting(self, call: Outgoing, action: str) -> AsyncIterator[None]:
        """Show in the chat that something is being made, as long as it takes."""
        from telegram.error import TelegramError

        async def show() -> None:
            with contextlib.suppress(TelegramError):
                while True:
                    await self.bot.send_chat_action(call.chat_id, action, message_thread_id=call.thread_id or None)
                    await asyncio.sleep(ACTION_LASTS)

        showing = asyncio.create_task(show())
        try:
            yield
        finally:
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await showing


@cache
def _easel() -> ThreadPoolExecutor:
    """One thread for all pictures: drawn in many, each keeps the memory of its largest picture for itself."""
    return ThreadPoolExecutor(1, "pictures")


def is_not_modified(refusal: Exception) -> bool:
    """Whether an edit changed nothing, which is success."""
    return "message is not modified" in str(refusal).lower()


def is_too_old(refusal: Exception) -> bool:
    """Whether a tap or an inline query can no longer be answered, which nobody waits for any more."""
    return "query is too old" in str(refusal).lower() or "query id is invalid" in str(refusal).lower()


def drawn(call: Outgoing, catalogue: Catalogue) -> tuple[bytes, str]:
    """A picture of a recommendation and its words; the same request on the same day gives the same one."""
    from bot.charts import picture
    from bot.rendering import caption
    from engine import advise
    from engine.rules.asked import IN_QUESTION

    lang = _language(call)
    kind: Any = call.part
    symptoms = frozenset((IN_QUESTION,) if call.in_question else ())
    made = advise(Request.model_validate(call.request), catalogue, date.fromisoformat(call.today), symptoms=symptoms)
    return picture(made, kind, lang), caption(made, kind, lang, "html")


def _language(call: Outgoing) -> Language:
    return "de" if call.lang == "de" else "en"


def _owner(call: Outgoing) -> int | None:
    """In a group a button belongs to the person whose conversation it goes on with."""
    return call.key.user_id if call.key is not None and call.chat_id < 0 else None


def _place(call: Outgoing) -> dict[str, Any]:
    from telegram import ReplyParameters

    reply = None if call.reply_to is None else ReplyParameters(call.reply_to, allow_sending_without_reply=True)
    return {
        "chat_id": call.chat_id,
        "message_thread_id": call.thread_id or None,
        "reply_parameters": reply,
        "disable_notification": call.silent or None,
    }
