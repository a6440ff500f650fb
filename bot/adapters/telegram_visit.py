"""Somebody who may use the bot, in one place at one moment, within one transaction: what the parts of a turn are handed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

from bot.access import Access
from bot.adapters.outgoing import Outgoing
from bot.adapters.telegram_door import House
from bot.adapters.telegram_places import Spot
from bot.adapters.telegram_updates import Incoming
from bot.rendering import message
from bot.store import Connection
from engine.request import Language

Answer: TypeAlias = tuple[Outgoing, ...]
OWN = "t:"  # begins the callback data of buttons that are not the conversation's


@dataclass(frozen=True)
class Visit:
    """Somebody who may use the bot, and where."""

    connection: Connection
    house: House
    incoming: Incoming
    access: Access
    lang: Language
    spot: Spot
    now: datetime

    def says(self, name: str, facts: Mapping[str, Any] | None = None, *rows: Any) -> tuple[Outgoing, ...]:
        """A message from the templates."""
        return (self.spot.calls("send", message(name, self.lang, "html", facts or {}), rows),)

    @property
    def is_admin(self) -> bool:
        return self.access.role == "admin"

    @property
    def today(self) -> date:
        """The day to advise for."""
        return self.house.today(self.now)
