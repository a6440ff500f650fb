"""The history in a chat: what a conversation wants to recall, share or open by a link, within the update's transaction."""

from dataclasses import replace
from typing import Any

from bot.adapters.batches import ANSWER_COLUMNS, answer_cells, table
from bot.adapters.outgoing import Outgoing
from bot.adapters.telegram_effects import row
from bot.adapters.telegram_visit import OWN, Answer, Visit
from bot.events import Recall, Tell
from bot.history import answered_again, shown
from bot.rendering import message
from bot.store import Entry, Whose, history, people
from engine.request import Request

SHOWN = 8
SEARCHED = 50
EXPORTED = 500
_COLUMNS = ("number", "date", "author", "message", "answer", *ANSWER_COLUMNS)
RESULT = "r_"


def whose(visit: Visit) -> Whose:
    """The team's history, with the person's name for new entries; who is no member of it sees what was asked in this chat."""
    person = people.person(visit.connection, visit.incoming.user_id)
    guest = person is None or person.team_id != visit.access.team_id
    return Whose(visit.incoming.key, visit.access.team_id, visit.incoming.user_name, guest=guest)


def recalled(visit: Visit, recall: Recall) -> Answer:
    """One entry, or those found, or the latest; one asked again."""
    if recall.checks:
        return check_entry(visit, recall.item or "")
    if recall.item is not None:
        entry = history.by_number(visit.connection, whose(visit), history.number_of(recall.item))
        if entry is not None:
            return (_one(visit, entry),)
    zone = visit.house.settings.zone
    query = recall.query or recall.item or ""
    entries = (
        history.found(visit.connection, whose(visit), query, zone, SHOWN)
        if query
        else history.newest(visit.connection, whose(visit), SHOWN)
    )
    local = [replace(entry, created=entry.created.astimezone(zone)) for entry in entries]
    buttons = tuple((str(entry.id), f"{OWN}show:{entry.id}") for entry in entries)
    rows = tuple(row(*buttons[start : start + 3]) for start in range(0, len(buttons), 3))
    return (visit.spot.calls("send", message("history_list", visit.lang, "html", {"entries": local, "query": query}), rows),)


def open_entry(visit: Visit, number: str) -> Answer:
    """A button under the list: the entry it names."""
    return recalled(visit, Recall(item=number)) if number.isdecimal() else ()


def _one(visit: Visit, entry: Entry) -> Outgoing:
    text = message("history_entry", visit.lang, "html", shown(entry, visit.house.settings.zone))
    again = row((message("button_check", visit.lang, "text", {}), f"{OWN}check:{entry.id}"))
    return visit.spot.calls("send", text, (again,))


def check_entry(visit: Visit, number: str) -> Answer:
    """The same question with today's catalogue, and what changed."""
    entry = history.by_number(visit.connection, whose(visit), history.number_of(number))
    if entry is None:
        return recalled(visit, Recall(query=number))
    facts = {**shown(entry, visit.house.settings.zone), **answered_again(entry, visit.house.catalogue, visit.today)}
    return visit.says("history_check", facts)


def exported(visit: Visit, _argument: str) -> Answer:
    """The team's history as a file for a spreadsheet; only in private, since guests of a group would read what members asked elsewhere."""
    if visit.incoming.chat_kind != "private":
        return visit.says("in_private_only")
    entries = history.newest(visit.connection, whose(visit), EXPORTED)
    if not entries:
        return recalled(visit, Recall())
    content = table([_cells(entry, visit) for entry in entries], _COLUMNS, visit.lang).decode()
    made = visit.spot.calls("document", content=content)
    return (replace(made, name=f"sizewell-{visit.today.isoformat()}.csv"),)


def _cells(entry: Entry, visit: Visit) -> dict[str, Any]:
    local = entry.created.astimezone(visit.house.settings.zone)
    value = {
        "number": entry.id,
        "date": f"{local:%Y-%m-%d %H:%M}",
        "author": entry.author,
        "message": entry.message,
        "answer": entry.summary,
    }
    return {**value, **answer_cells(entry.answer)}


def share(visit: Visit, told: Tell) -> Answer:
    """A link to the recommendation: from now on whoever may use the bot and has the link sees it."""
    entry = _latest_of(visit, told.facts["recommendation"].request)
    if entry is None:
        return (visit.spot.calls("send", message(told.template, visit.lang, "html", told.facts), told.buttons),)
    history.share(visit.connection, entry.id)
    link = f"https://t.me/{visit.house.bot_name}?start={RESULT}{entry.token}"
    text = message("share_link", visit.lang, "html", {**told.facts, "link": link})
    return (visit.spot.calls("send", text, told.buttons),)


def _latest_of(visit: Visit, request: Request) -> Entry | None:
    """The person's newest entry for a request, in whatever language it was given."""
    wanted = {**request.contract(), "lang": None}
    mine = (one for one in history.newest(visit.connection, whose(visit), SEARCHED) if one.author_id == visit.incoming.key.user_id)
    return next((one for one in mine if {**one.request, "lang": None} == wanted), None)


def shared_entry(visit: Visit, token: str) -> Answer | None:
    """What a link leads to: shown to the same team, or where it was shared; None otherwise, and nothing is said about it."""
    entry = history.by_token(visit.connection, token)
    if entry is None or not (entry.shared or entry.team_id == visit.access.team_id):
        return None
    return (_one(visit, entry),)
