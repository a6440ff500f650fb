"""Keyboards under messages: a reply_markup enters, what a message keeps of it leaves, or the server's refusal."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from fakegram.refusals import bad

MOST_BUTTONS = 100
WIDEST_ROW = 8
LONGEST_DATA = 64  # bytes
_ACTIONS = (
    "url", "callback_data", "switch_inline_query", "switch_inline_query_current_chat", "copy_text", "web_app", "login_url",
    "switch_inline_query_chosen_chat", "pay", "callback_game",
)  # fmt: skip


def inline_keyboard(markup: Mapping[str, Any] | None) -> dict[str, Any]:
    """The inline keyboard a message keeps: {} or {"reply_markup": ...}. Errors: ApiError."""
    rows = [row for row in (markup or {}).get("inline_keyboard", []) if row]
    if any(len(row) > WIDEST_ROW for row in rows) or sum(map(len, rows)) > MOST_BUTTONS:
        raise bad("REPLY_MARKUP_TOO_LONG")
    for row in rows:
        for button in row:
            _checked(button)
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def _checked(button: Mapping[str, Any]) -> None:
    label = str(button.get("text") or "").strip()
    if not label:
        raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    actions = [name for name in _ACTIONS if name in button]
    if len(actions) != 1:
        raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= LONGEST_DATA:
        raise bad("BUTTON_DATA_INVALID")
    if "url" in button:
        _address(button["url"])


def _address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "tg") or not parts.netloc:
        raise bad(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")


def is_other_markup(markup: Mapping[str, Any] | None) -> bool:
    """Whether it is a keyboard or a forced reply in place of the typing field: a message with one cannot be edited."""
    return bool(markup) and "inline_keyboard" not in (markup or {})
