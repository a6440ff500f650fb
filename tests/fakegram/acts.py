"""What people do, as updates for the bot: they write, edit, send files, tap, search inline, add and remove the bot."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from fakegram.world import Change, Json, World

if TYPE_CHECKING:
    from fakegram.people import Room

COMMAND = re.compile(r"(?:(?<=\s)|^)/[A-Za-z0-9_]{1,32}(?:@(\w+))?(?!\S*/)")
RIGHTS = (
    "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members", "can_change_info",
    "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories", "can_send_welcome_messages",
)  # fmt: skip
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}


def written(text: str) -> Json:
    """Text with the entities the server finds in it."""
    found = [{"type": "bot_command", "offset": one.start(), "length": len(one[0])} for one in COMMAND.finditer(text)]
    return {"text": text, **({"entities": found} if found else {})}


def said(world: World, user: Json, room: Room, text: str, reply_to: int | None = None) -> Json | None:
    """A text; None where privacy mode keeps it from the bot."""
    content = written(text)
    if reply_to is not None:
        replied = world.messages[room.chat_id, reply_to]
        content["reply_to_message"] = {name: part for name, part in replied.items() if name != "reply_to_message"}
    return _posted(world, user, room, content)


def _posted(world: World, user: Json, room: Room, content: Json) -> Json | None:
    if user["id"] == ANONYMOUS["id"]:
        content["sender_chat"] = world.chats[room.chat_id]
    message = world.new_message(room.chat_id, user, content, room.thread)
    if room.chat_id > 0:
        world.blocked.discard(room.chat_id)
    return world.updates.push("message", message, ("message", room.chat_id)) if seen(world, message) else None


def seen(world: World, message: Json) -> bool:
    """Whether the bot gets to see a message: everything in private, in groups what privacy mode lets through."""
    chat, me = message["chat"], world.me
    mine = world.roles.get((chat["id"], me["id"]))
    if chat["type"] == "private" or me["can_read_all_group_messages"] or mine == "administrator":
        return chat["type"] == "private" or mine not in ("left", "kicked", None)
    if mine != "member":
        return False
    command = COMMAND.match(str(message.get("text") or message.get("caption") or ""))
    if command is not None:
        return command[1] is None or command[1].lower() == me["username"].lower()
    replied = message.get("reply_to_message")
    return replied is not None and replied["from"]["id"] == me["id"]


def edited(world: World, message: Json, text: str) -> Json:
    """A text that is changed afterwards."""
    kept = world.messages[message["chat"]["id"], message["message_id"]]
    kept.pop("entities", None)
    kept |= {**written(text), "edit_date": int(time.time())}
    world.changes.append(Change("edit", dict(kept), by_bot=False))
    return world.updates.push("edited_message", kept, ("message", kept["chat"]["id"]))


def file_sent(world: World, user: Json, room: Room, name: str, content: bytes, caption: str) -> Json:
    """A document."""
    stored = world.files.keep(name, content)
    body: Json = {"document": {**stored.as_file, "file_name": name, "mime_type": "application/octet-stream"}}
    if caption:
        words = written(caption)
        body |= {"caption": words["text"]} | ({"caption_entities": words["entities"]} if "entities" in words else {})
    update = _posted(world, user, room, body)
    assert update is not None, "the bot does not see this file"
    return update


def tapped(world: World, user: Json, message: Json, data: str, old: bool, lasts: float) -> tuple[str, Json]:
    """A tap: the id of its query and the update. Queues of taps are the user's, as in the real server."""
    chat_id = message["chat"]["id"]
    now = world.messages.get((chat_id, message["message_id"]), message)
    shown = {"chat": now["chat"], "message_id": now["message_id"], "date": 0} if old else now
    query_id = world.new_query(lasts)
    query: Json = {"id": query_id, "from": user, "chat_instance": str(chat_id), "message": shown, "data": data}
    return query_id, world.updates.push("callback_query", query, ("tap", user["id"]))


def searched(world: World, user: Json, words: str) -> str:
    """`@bot words` in some chat: the id of the query."""
    query_id = world.new_query()
    world.updates.push("inline_query", {"id": query_id, "from": user, "query": words, "offset": ""}, ("inline", user["id"]))
    return query_id


def standing(user: Json, status: str) -> Json:
    """Somebody in a chat, as ChatMember."""
    more: dict[str, Json] = {
        "creator": {"is_anonymous": False},
        "administrator": {"can_be_edited": False, "is_anonymous": False, **dict.fromkeys(RIGHTS, False), "can_manage_chat": True},
        "kicked": {"until_date": 0},
    }
    return {"status": status, "user": user, **more.get(status, {})}


def member_changed(world: World, chat_id: int, by: Json, status: str) -> None:
    """The bot is added to a chat, removed or blocked."""
    me = world.me
    before = world.roles.get((chat_id, me["id"]), "left")
    world.roles[chat_id, me["id"]] = status
    change = {
        "chat": world.chats[chat_id], "from": by, "date": int(time.time()),
        "old_chat_member": standing(me, before), "new_chat_member": standing(me, status),
    }  # fmt: skip
    world.check("ChatMemberUpdated", change)
    world.updates.push("my_chat_member", change, ("message", chat_id))


def migrated(world: World, old: int, new: int, by: Json) -> None:
    """A group becomes a supergroup: another id, two service messages."""
    world.chats[new] = {**world.chats[old], "id": new, "type": "supergroup"}
    for (chat, user), role in list(world.roles.items()):
        if chat == old:
            world.roles[new, user] = role
    farewell = world.new_message(old, by, {"migrate_to_chat_id": new})
    world.moved[old] = new
    world.updates.push("message", farewell, ("message", old))
    arrival = world.new_message(new, by, {"migrate_from_chat_id": old})
    world.updates.push("message", arrival, ("message", new))
