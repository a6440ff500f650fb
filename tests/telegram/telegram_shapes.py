"""Telegram's updates as the Bot API sends them: plain dictionaries."""

import itertools
from datetime import UTC, datetime
from typing import Any

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BOT_ID, BOT_NAME = 123456, "advisor_bot"


class Telegram:
    """Makes updates: dictionaries as the Bot API sends them."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def user(self, user_id: int, name: str = "Anna", lang: str | None = "de", **more: Any) -> dict[str, Any]:
        return {"id": user_id, "is_bot": False, "first_name": name, **({"language_code": lang} if lang else {}), **more}

    def chat(self, chat_id: int) -> dict[str, Any]:
        return (
            {"id": chat_id, "type": "private", "first_name": "Anna"}
            if chat_id > 0
            else {"id": chat_id, "type": "supergroup", "title": "Team"}
        )

    def message(self, user_id: int = 1, chat_id: int | None = None, **more: Any) -> dict[str, Any]:
        chat = self.chat(user_id if chat_id is None else chat_id)
        return {"message_id": next(self.numbers), "date": int(NOW.timestamp()), "chat": chat, "from": self.user(user_id), **more}

    def said(self, text: str, user_id: int = 1, chat_id: int | None = None, **more: Any) -> dict[str, Any]:
        return {"update_id": next(self.numbers), "message": self.message(user_id, chat_id, text=text, **more)}

    def tapped(self, data: str, message_id: int, user_id: int = 1, chat_id: int | None = None) -> dict[str, Any]:
        message = {**self.message(user_id, chat_id, text="?"), "message_id": message_id, "from": self.user(BOT_ID, "Bot")}
        query = {"id": str(next(self.numbers)), "from": self.user(user_id), "chat_instance": "1", "message": message, "data": data}
        return {"update_id": next(self.numbers), "callback_query": query}

    def by_bot(self, message_id: int, chat_id: int) -> dict[str, Any]:
        sender = {"id": BOT_ID, "is_bot": True, "first_name": "Bot"}
        return {"message_id": message_id, "date": 1, "chat": self.chat(chat_id), "from": sender, "text": "?"}
