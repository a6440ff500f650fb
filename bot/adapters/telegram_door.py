"""Who comes in: the claim code, invitations, groups, and the one polite line that a stranger gets. Within the update's transaction."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING

from bot import access
from bot.adapters.outgoing import Outgoing
from bot.adapters.telegram_places import Spot
from bot.adapters.telegram_updates import ANONYMOUS_ADMIN, Incoming, Membership
from bot.events import Command, Said
from bot.rendering import message
from bot.store import Connection, outbox, people
from bot.store.conversations import chosen_language
from engine.catalogue import Catalogue
from engine.request import Language

if TYPE_CHECKING:
    from bot.settings import Settings

INVITED = "inv_"
SALT = "claim"


@dataclass(frozen=True)
class House:
    """What all turns share. `secret`: what the claim code is made of."""

    catalogue: Catalogue
    settings: "Settings"
    bot_id: int
    bot_name: str
    secret: str = field(repr=False, default="")

    def today(self, now: datetime) -> date:
        """The day to advise for."""
        given: date | None = self.settings.today
        return given or now.astimezone(self.settings.zone).date()


def welcome_operators(connection: Connection, house: House, incoming: Incoming, now: datetime) -> None:
    """Whom the settings name as an admin is one, without a claim."""
    if incoming.user_id not in house.settings.admins:
        return
    known = people.person(connection, incoming.user_id)
    if known is None or known.role != "admin":
        people.admit(connection, incoming.user_id, people.first_team(connection, now), "admin", incoming.user_name, now)


def language_of(
    connection: Connection, person: people.Person | None, place: people.Place | None, incoming: Incoming, house: House
) -> Language:
    """The person's setting, what they chose here, the chat's, that of their Telegram, the installation's, English."""
    app = incoming.language_code.partition("-")[0].lower()
    known: tuple[Language, ...] = ("de", "en")
    spoken = next((lang for lang in known if lang == app), None)
    fallback: Language = house.settings.lang_default or "en"
    own = (person.lang if person else None) or chosen_language(connection, incoming.key)
    return own or (place.lang if place else None) or spoken or fallback


def opened_by_admin(connection: Connection, incoming: Incoming, person: people.Person | None, place: people.Place | None) -> bool:
    """Whether an admin just let this group in by using the bot there. One that was shut out needs /allow."""
    opens = person is not None and person.role == "admin" and isinstance(incoming.what, Command | Said)
    if not opens or person is None or incoming.chat_kind != "group" or place is None or place.team_id is not None or place.closed:
        return False
    people.allow_place(connection, incoming.chat_id, person.team_id)
    return True


def at_the_door(
    connection: Connection, house: House, incoming: Incoming, person: people.Person | None, lang: Language, spot: Spot, now: datetime
) -> tuple[Outgoing, ...]:
    """What a stranger is told: that they are in now, one polite line, or nothing. An admin may open a group's door."""
    what = incoming.what
    if isinstance(what, Command) and what.name == "allow" and person is not None and person.role == "admin":
        people.allow_place(connection, incoming.chat_id, person.team_id)
        return (spot.calls("send", message("group_allowed", lang, "html", {})),)
    if incoming.chat_kind == "private":
        if isinstance(what, Said) and _claims(connection, house, what.text):
            return (_let_in_as_admin(connection, incoming, lang, spot, now),)
        if isinstance(what, Command) and what.name == "start" and what.argument.startswith(INVITED):
            return _invited(connection, incoming, what.argument.removeprefix(INVITED), lang, spot, now)
    if not people.greet_once(connection, incoming.chat_id):
        return ()
    name = "stranger" if incoming.chat_kind == "private" else "strange_group"
    return (spot.calls("send", message(name, lang, "html", {"user_id": incoming.user_id})),)


def open_claim(connection: Connection, house: House) -> str | None:
    """The code that makes the first admin; None where there is one already."""
    if house.settings.admins or people.admins_exist(connection):
        return None
    salt = people.noted(connection, SALT)
    if salt is None:
        salt = people.fresh_code()
        people.note(connection, SALT, salt)
    return access.claim_code(house.secret, salt)


def _claims(connection: Connection, house: House, text: str) -> bool:
    code = open_claim(connection, house)
    return code is not None and access.is_code(text, code)


def _let_in_as_admin(connection: Connection, incoming: Incoming, lang: Language, spot: Spot, now: datetime) -> Outgoing:
    people.admit(connection, incoming.user_id, people.first_team(connection, now), "admin", incoming.user_name, now)
    people.note(connection, SALT, people.fresh_code())
    return spot.calls("send", message("claimed", lang, "html", {}))


def _invited(connection: Connection, incoming: Incoming, code: str, lang: Language, spot: Spot, now: datetime) -> tuple[Outgoing, ...]:
    role = people.accept(connection, code, incoming.user_id, incoming.user_name, now)
    if role is not None:
        return (spot.calls("send", message("joined", lang, "html", {"role": role})),)
    if people.greet_once(connection, incoming.chat_id):
        return (spot.calls("send", message("invitation_unusable", lang, "html", {})),)
    return ()


def membership(
    connection: Connection, incoming: Incoming, change: Membership, person: people.Person | None, lang: Language, spot: Spot
) -> tuple[Outgoing, ...]:
    """The bot was added to a chat or taken out of it. A group that an admin adds it to is allowed by that."""
    if not change.present:
        outbox.close_chat(connection, incoming.chat_id)
        return ()
    if incoming.chat_kind == "private":
        return ()
    if person is not None and person.role == "admin" and incoming.user_id != ANONYMOUS_ADMIN:
        people.allow_place(connection, incoming.chat_id, person.team_id)
        return (spot.calls("send", message("group_allowed", lang, "html", {})),)
    known = people.place(connection, incoming.chat_id)
    if known is not None and known.team_id is None and people.greet_once(connection, incoming.chat_id):
        return (spot.calls("send", message("strange_group", lang, "html", {"user_id": incoming.user_id})),)
    return ()
