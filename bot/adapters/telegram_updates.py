"""From Telegram's updates to what the bot understands: an Update enters, an `Incoming` leaves, or None for what is not for us.

In groups only commands, replies to the bot and mentions are for us. A topic counts only where the message says so: in "General"
a chain of replies has a thread id that nothing may be sent to.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bot.adapters.telegram_keyboard import owner_and_data
from bot.events import Command, Said, Tapped, Uploaded
from bot.logs import log
from bot.store.conversations import Key
from engine.errors import Refusal

if TYPE_CHECKING:
    from telegram import Bot, CallbackQuery, Chat, ChatMemberUpdated, Document, Message, Update, User

ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "inline_query", "my_chat_member")
ANONYMOUS_ADMIN = 1087968824  # the sender of everything that a group's anonymous admins write
_SERVICE_ACCOUNTS = frozenset({777000, 136817688})  # forwarded channel posts, people writing as a channel
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+(.*))?", re.DOTALL)
LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Attached:
    """A file was sent; it is fetched only after it is known to be welcome."""

    file_id: str
    name: str
    size: int
    caption: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV that was fetched, as text that can be read: requests, or with `prices` a price list."""

    name: str
    text: str
    prices: bool = False


@dataclass(frozen=True, slots=True)
class Unusable:
    """A file that is not taken, and why."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Wordless:
    """A picture, a voice message, a sticker: nothing the bot can read."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The bot was added to a chat, or removed or blocked."""

    present: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """A group became a supergroup."""

    old: int
    new: int


Json: TypeAlias = dict[str, Any]
What: TypeAlias = Said | Tapped | Command | Attached | Uploaded | Sheet | Unusable | Wordless | Membership | Moved


@dataclass(frozen=True, slots=True)
class Incoming:
    """An update that is for us. `owner`: whose button was tapped; `replied_to`: which message of ours was replied to."""

    update_id: int
    what: What
    chat_id: int
    chat_kind: Literal["private", "group"]
    chat_title: str
    user_id: int
    user_name: str
    language_code: str
    thread_id: int = 0
    message_id: int | None = None
    tap: str | None = None
    owner: int | None = None
    replied_to: int | None = None

    @property
    def key(self) -> Key:
        """Whose conversation this belongs to. What an anonymous admin began, any tap on it goes on with."""
        person = ANONYMOUS_ADMIN if self.owner == ANONYMOUS_ADMIN else self.user_id
        return Key("telegram", self.chat_id, self.thread_id, person)

    @property
    def others_button(self) -> bool:
        """Whether somebody tapped a button that was made for another person."""
        return self.owner not in (None, self.user_id, ANONYMOUS_ADMIN)


def readable(update: Json, bot: "Bot | None") -> "Update | None":
    """An update as the library reads it; None for one from a newer Bot API that it cannot read and never will."""
    from telegram import Update

    try:
        return Update.de_json(update, bot)
    except (TypeError, ValueError, KeyError, AttributeError) as trouble:
        log().warning("unreadable update", update=update.get("update_id"), why=type(trouble).__name__)
        return None


def incoming(update: "Update", bot_id: int, bot_name: str) -> Incoming | None:
    """What an update means for the bot."""
    if update.callback_query is not None:
        return _tapped(update.update_id, update.callback_query)
    if update.my_chat_member is not None:
        return _membership(update.update_id, update.my_chat_member)
    message = update.message or update.edited_message
    if message is None or not _from_a_person(message):
        return None
    what = _said(message, bot_id, bot_name, edited=update.edited_message is not None)
    return None if what is None else _of_message(update.update_id, message, what, bot_id)


def _from_a_person(message: "Message") -> bool:
    sender = message.from_user
    if sender is None or sender.id in _SERVICE_ACCOUNTS:
        return False
    return not sender.is_bot or sender.id == ANONYMOUS_ADMIN


def _of_message(update_id: int, message: "Message", what: What, bot_id: int) -> Incoming:
    return replace(
        _base(update_id, what, message.chat, message.from_user),
        thread_id=(message.message_thread_id or 0) if message.is_topic_message else 0,
        message_id=message.message_id,
        replied_to=message.reply_to_message.message_id if _replies(message, bot_id) and message.reply_to_message else None,
    )


def _base(update_id: int, what: What, chat: "Chat", user: "User | None") -> Incoming:
    return Incoming(
        update_id=update_id,
        what=what,
        chat_id=chat.id,
        chat_kind="private" if chat.type == "private" else "group",
        chat_title=(chat.title or "")[:LONGEST_NAME],
        user_id=user.id if user else 0,
        user_name=(user.full_name if user else "")[:LONGEST_NAME],
        language_code=(user.language_code if user else None) or "",
    )


def _said(message: "Message", bot_id: int, bot_name: str, edited: bool) -> What | None:
    if message.migrate_to_chat_id:
        return Moved(message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Moved(message.migrate_from_chat_id, message.chat.id)
    if message.via_bot is not None and message.via_bot.id == bot_id:
        return None
    text = message.text or message.caption or ""
    command = _command(text, bot_name)
    if isinstance(command, _Others):
        return None
    if message.document is not None:
        welcome = command is not None or _for_us(message, text, bot_id, bot_name)
        return _attached(message.document, text) if welcome and not edited else None
    if command is not None:
        return None if edited else command
    return _words(message, text, bot_name, edited) if _for_us(message, text, bot_id, bot_name) else None


def _attached(file: "Document", caption: str) -> Attached:
    return Attached(file.file_id, file.file_name or "", file.file_size or 0, caption)


def _words(message: "Message", text: str, bot_name: str, edited: bool) -> What | None:
    if message.text is not None:
        words = re.sub(rf"@{re.escape(bot_name)}\b[,:]?", "", text, flags=re.IGNORECASE).strip()
        return Said(words, edited) if words else None
    wordless = message.effective_attachment is not None and not edited and message.chat.type == "private"
    return Wordless() if wordless else None


class _Others:
    """A command for another bot."""


def _command(text: str, bot_name: str) -> Command | _Others | None:
    match = _COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    if match[2] and match[2].casefold() != bot_name.casefold():
        return _Others()
    return Command(match[1].lower(), (match[3] or "").strip())


def _for_us(message: "Message", text: str, bot_id: int, bot_name: str) -> bool:
    in_private = message.chat.type == "private"
    return in_private or _replies(message, bot_id) or re.search(rf"@{re.escape(bot_name)}\b", text, re.IGNORECASE) is not None


def _replies(message: "Message", bot_id: int) -> bool:
    before = message.reply_to_message
    return before is not None and before.from_user is not None and before.from_user.id == bot_id


def _tapped(update_id: int, query: "CallbackQuery") -> Incoming | None:
    message = query.message
    if message is None or query.data is None:
        return None
    owner, tapped = owner_and_data(query.data)
    topic = getattr(message, "is_topic_message", None)  # an old message comes without it
    return replace(
        _base(update_id, Tapped(tapped), message.chat, query.from_user),
        thread_id=(getattr(message, "message_thread_id", None) or 0) if topic else 0,
        message_id=message.message_id,
        tap=query.id,
        owner=owner,
    )


def _membership(update_id: int, change: "ChatMemberUpdated") -> Incoming | None:
    if change.chat.type == "channel":
        return None
    present = change.new_chat_member.status not in ("left", "kicked")
    return _base(update_id, Membership(present), change.chat, change.from_user)
