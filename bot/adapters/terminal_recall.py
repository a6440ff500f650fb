"""The history in the terminal: what a conversation wants to recall enters, the name of a message and its facts leave."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.events import Recall

if TYPE_CHECKING:
    from bot.dialogue import World
    from bot.store import Database


def recalled(database: "Database", recall: Recall, world: "World") -> tuple[str, Mapping[str, Any]]:
    """The latest recommendations, those found, one of them, or one asked again today. Errors: Refusal."""
    from bot.history import answered_again, shown
    from bot.settings import settings
    from bot.store import History
    from bot.store.history import number_of

    history, zone = History(database), settings().zone
    entry = history.show(number_of(recall.item or ""))
    if entry is not None and recall.checks:
        return "history_check", {**shown(entry, zone), **answered_again(entry, world.catalogue, world.today)}
    if entry is not None:
        return "history_entry", {**shown(entry, zone), "hint": True}
    query = recall.query or recall.item or ""
    entries = history.search(query, zone) if query else history.list()
    local = [replace(one, created=one.created.astimezone(zone)) for one in entries]
    return "history_list", {"entries": local, "query": query, "hint": True}
