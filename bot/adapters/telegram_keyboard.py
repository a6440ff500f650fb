"""Buttons as Telegram takes them, and whose they are: in a group the callback data carries the person they were made for.

A button's data may also be an address (`https:`): then it opens it instead of coming back to us.
"""

from typing import TYPE_CHECKING, Any

from bot.adapters.outgoing import Rows

if TYPE_CHECKING:
    from telegram import InlineKeyboardMarkup

LONGEST_DATA = 64
LONGEST_LABEL = 40
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MARK = "~"


def keyboard(rows: Rows, owner: int | None = None) -> "InlineKeyboardMarkup | None":
    """An inline keyboard; None where there are no buttons."""
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    def made(label: str, data: str) -> InlineKeyboardButton:
        target: dict[str, Any] = {"url": data} if data.startswith("https:") else {"callback_data": marked(data, owner)}
        return InlineKeyboardButton(label[:LONGEST_LABEL], **target)

    buttons = [[made(button.label, button.data) for button in row] for row in rows if row]
    return InlineKeyboardMarkup(buttons) if buttons else None


def marked(data: str, owner: int | None) -> str:
    """The data with its owner in front, where there is one and room for it."""
    if owner is None:
        return data
    owned = f"{_in_base_36(owner)}{_MARK}{data}"
    return owned if len(owned.encode()) <= LONGEST_DATA else data


def owner_and_data(data: str) -> tuple[int | None, str]:
    """Whose button it is, None for anybody's, and the data itself."""
    before, mark, after = data.partition(_MARK)
    if not mark or not before.isalnum() or not before.isascii() or len(before) > 11:
        return None, data
    return int(before, 36), after


def _in_base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
