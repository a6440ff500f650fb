"""What the bot itself is asked, beside the conversation: members, invitations, groups, the age of prices, forgetting.

Within the update's transaction: a command or a tap enters, outgoing calls leave; None for what the conversation answers.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from bot import access
from bot.adapters.telegram_door import INVITED
from bot.adapters.telegram_effects import row
from bot.adapters.telegram_prices import age
from bot.adapters.telegram_recall import check_entry, exported, open_entry
from bot.adapters.telegram_settings import choose_currency, choose_defaults
from bot.adapters.telegram_visit import OWN, Answer, Visit
from bot.events import Command, Said, Tapped
from bot.phrases import command_of
from bot.rendering import message
from bot.store import conversations, people

_INVITED_AS: Mapping[str, people.Role] = {"admin": "admin", "member": "member", "mitglied": "member"}


def own_answer(visit: Visit) -> Answer | None:
    """The answer to what is not the conversation's business; None where it is."""
    what = visit.incoming.what
    match what:
        case Command(name="settings") if what.argument:
            return choose_defaults(visit, what.argument)
        case Command() if what.name in _COMMANDS:
            return _COMMANDS[what.name](visit, what.argument)
        case Said() if command_of(what.text, visit.lang) == "forget":
            return _forget(visit, "")
        case Said() if _sets_one_thing(what.text, visit):
            return choose_defaults(visit, what.text.split()[1])
        case Tapped() if what.data.startswith(OWN):
            name, _, choice = what.data.removeprefix(OWN).partition(":")
            return _TAPS[name](visit, choice) if name in _TAPS else ()
    return None


def _sets_one_thing(text: str, visit: Visit) -> bool:
    """Whether a text is "settings USD" without the slash; a sentence that begins like it is not."""
    spoken = text.split()
    return len(spoken) == 2 and command_of(spoken[0], visit.lang) == "settings"


def _for_admins(act: Callable[[Visit, str], Answer]) -> Callable[[Visit, str], Answer]:
    def guarded(visit: Visit, argument: str) -> Answer:
        return act(visit, argument) if visit.is_admin else visit.says("admins_only")

    return guarded


def _invite(visit: Visit, argument: str) -> Answer:
    """/invite [admin] [days]: only in private, since whoever sees the link can use it."""
    if visit.incoming.chat_kind != "private":
        return visit.says("in_private_only")
    words = argument.casefold().split()
    role: people.Role = next((_INVITED_AS[word] for word in words if word in _INVITED_AS), "member")
    days = next((int(word) for word in words if word.isdecimal() and 0 < int(word) <= access.LONGEST_INVITATION_DAYS), None)
    expires = visit.now + (timedelta(days=days) if days else access.INVITATION_LASTS)
    code = people.invite(visit.connection, visit.access.team_id, role, visit.incoming.user_id, visit.now, expires)
    link = f"https://t.me/{visit.house.bot_name}?start={INVITED}{code}"
    return visit.says("invitation", {"link": link, "role": role, "expires": expires.astimezone(visit.house.settings.zone)})


def _members(visit: Visit, _argument: str) -> Answer:
    return visit.says("members", {"people": people.people(visit.connection, visit.access.team_id)})


def _remove(visit: Visit, argument: str) -> Answer:
    if not argument.isdecimal() or len(argument) > 16:
        return visit.says("remove_whom")
    if int(argument) == visit.incoming.user_id:
        return visit.says("remove_yourself")
    gone = people.remove(visit.connection, int(argument), visit.access.team_id)
    return visit.says("removed" if gone else "remove_whom", {"user_id": argument})


def _disallow(visit: Visit, _argument: str) -> Answer:
    if visit.incoming.chat_kind != "group":
        return visit.says("in_groups_only")
    people.close_place(visit.connection, visit.incoming.chat_id)
    return visit.says("group_closed")


def _allow(visit: Visit, _argument: str) -> Answer:
    return visit.says("group_allowed" if visit.incoming.chat_kind == "group" else "in_groups_only")


def _forget(visit: Visit, _argument: str) -> Answer:
    return visit.says("forget_sure", {}, row((message("button_forget", visit.lang, "text", {}), f"{OWN}forget:yes")))


def _forgotten(visit: Visit, _choice: str) -> Answer:
    conversations.forget(visit.connection, "telegram", visit.incoming.user_id)
    edit = visit.spot.calls("edit", message("forgotten", visit.lang, "html", {}), message_id=visit.spot.tapped)
    return (edit,)


_COMMANDS: Mapping[str, Callable[[Visit, str], Answer]] = {
    "invite": _for_admins(_invite),
    "members": _for_admins(_members),
    "remove": _for_admins(_remove),
    "allow": _for_admins(_allow),
    "disallow": _for_admins(_disallow),
    "prices": age,
    "forget": _forget,
    "export": exported,
}
_TAPS: Mapping[str, Callable[[Visit, str], Answer]] = {
    "forget": _forgotten,
    "currency": choose_currency,
    "show": open_entry,
    "check": check_entry,
}
