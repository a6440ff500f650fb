"""Chats and their members."""

from fakegram import acts
from fakegram.calling import Uploads, method
from fakegram.refusals import bad
from fakegram.world import Json, World

_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")


def member(world: World, chat_id: int, user_id: int) -> Json:
    """Somebody in a chat, as ChatMember."""
    status = world.roles.get((chat_id, user_id), "left")
    user = world.me if user_id == world.me["id"] else world.people.get(user_id)
    if user is None:
        raise bad("PARTICIPANT_ID_INVALID")
    return acts.standing(user, status)


@method("getChat")
def get_chat(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """A chat in full."""
    chat = world.chats[world.target(arguments)]
    return {**chat, "accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": dict.fromkeys(_GIFTS, False)}


@method("getChatMember")
def get_chat_member(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """One member."""
    return member(world, world.target(arguments), arguments["user_id"])


@method("getChatAdministrators")
def get_chat_administrators(world: World, arguments: Json, _uploads: Uploads) -> list[Json]:
    """Who runs a group."""
    chat_id = world.target(arguments)
    if chat_id > 0:
        raise bad("there are no administrators in the private chat")
    ruling = [user for (chat, user), role in world.roles.items() if chat == chat_id and role in ("creator", "administrator")]
    return [member(world, chat_id, user) for user in ruling]


@method("getChatMemberCount")
def get_chat_member_count(world: World, arguments: Json, _uploads: Uploads) -> int:
    """How many are in a chat."""
    chat_id = world.target(arguments)
    return sum(chat == chat_id and role not in ("left", "kicked") for (chat, _user), role in world.roles.items())


@method("leaveChat")
def leave_chat(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """The bot goes."""
    chat_id = world.target(arguments)
    if chat_id > 0:
        raise bad("chat member status can't be changed in private chats")
    world.roles[chat_id, world.me["id"]] = "left"
    return True
