"""What is set once and holds for every request: currency and language of a person, tariff and net or gross of a team.

Within the update's transaction: a visit enters, the world of the conversation or outgoing calls leave.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.adapters.telegram_effects import row, told
from bot.adapters.telegram_visit import OWN, Answer, Visit
from bot.dialogue import World, opened
from bot.dialogue.commanding import settings_told
from bot.events import Tell
from bot.phrases import language_of
from bot.rendering import message
from bot.store import conversations, people
from engine.request import Currency, Language

CURRENCIES: tuple[Currency, ...] = ("EUR", "USD", "GBP", "CHF")
_KEPT = ("tariff", "power", "pue", "maintenance_share_per_year", "admin", "colocation_per_month")  # of quotes, for a whole team
_TAX: Mapping[str, str] = {"net": "net", "netto": "net", "gross": "gross", "brutto": "gross"}


def world_of(visit: Visit) -> World:
    """What the conversation needs to know here."""
    person = people.person(visit.connection, visit.incoming.user_id)
    place = people.place(visit.connection, visit.incoming.chat_id)
    spoken = visit.incoming.language_code[:2].lower() in ("de", "en")
    own = (person.lang if person else None) or conversations.chosen_language(visit.connection, visit.incoming.key)
    chosen = own is not None or (place is not None and place.lang is not None)
    return World(
        visit.house.catalogue,
        visit.today,
        defaults=_request_defaults(visit),
        currency=currency_of(visit),
        detects_language=not chosen and not spoken,
    )


def _request_defaults(visit: Visit) -> Mapping[str, Any]:
    """Contract JSON that stands under every request of the team."""
    defaults = people.team_defaults(visit.connection, visit.access.team_id)
    quotes = {**defaults.get("quotes", {}), **({"purchase": {"tax": defaults["tax"]}} if defaults.get("tax") else {})}
    return {"quotes": quotes} if quotes else {}


def currency_of(visit: Visit) -> Currency:
    """The person's currency, the team's, or euros."""
    person = people.person(visit.connection, visit.incoming.user_id)
    own = person.settings.get("currency") if person else None
    chosen: Currency = own or people.team_defaults(visit.connection, visit.access.team_id).get("currency") or "EUR"
    return chosen


def settings_message(visit: Visit, effect: Tell) -> Answer:
    """The conversation's settings with the currency to choose and the team's defaults below."""
    chosen = currency_of(visit)
    currencies = row(*((f"✓ {name}" if name == chosen else name, f"{OWN}currency:{name}") for name in CURRENCIES))
    defaults = people.team_defaults(visit.connection, visit.access.team_id)
    facts = {"defaults": defaults, "admin": visit.is_admin}
    own = message(effect.template, visit.lang, "html", {**effect.facts, "currency": chosen})
    text = f"{own}\n\n{message('team_defaults', visit.lang, 'html', facts)}"
    return (told(effect, text, (*effect.buttons, currencies[:2], currencies[2:]), visit.spot),)


def choose_currency(visit: Visit, choice: str) -> Answer:
    """The person's currency; an admin's is the team's too. A tap moves the mark, a word is answered."""
    person = people.person(visit.connection, visit.incoming.user_id)
    if choice not in CURRENCIES or person is None:
        return ()
    people.keep_settings(visit.connection, person.user_id, {**person.settings, "currency": choice})
    if visit.is_admin:
        _keep(visit, {"currency": choice})
    if visit.spot.tapped is None:
        return visit.says("currency_changed", {"currency": choice})
    session = opened(visit.lang, visit.now)
    return settings_message(visit, settings_told(session, World(visit.house.catalogue, visit.today), edits=True))


def choose_defaults(visit: Visit, words: str) -> Answer:
    """/settings 0,32 €/kWh netto: an admin sets what holds for every request of the team; "none" or "keine" clears it.

    A language or a currency is the person's own.
    """
    lang = language_of(words)
    if lang is not None:
        keep_language(visit, lang)
        return replace(visit, lang=lang).says("language_changed", {"lang": lang})
    if words.strip().upper() in CURRENCIES:
        return choose_currency(visit, words.strip().upper())
    if not visit.is_admin:
        return visit.says("admins_only")
    if words.strip().casefold() in ("none", "keine", "-"):
        _keep(visit, {"quotes": {}, "tax": None})
        return visit.says("team_defaults", {"defaults": people.team_defaults(visit.connection, visit.access.team_id), "admin": True})
    quotes, tax = _quotes_in(visit, words), _tax_in(words)
    if not quotes and tax is None:
        return visit.says("defaults_unread")
    before = people.team_defaults(visit.connection, visit.access.team_id)
    _keep(visit, {"quotes": {**before.get("quotes", {}), **quotes}, **({"tax": tax} if tax else {})})
    return visit.says("team_defaults", {"defaults": people.team_defaults(visit.connection, visit.access.team_id), "admin": True})


def keep_language(visit: Visit, lang: Language) -> None:
    """The person's language; an admin's choice in a group is also that of all who chose none."""
    people.keep_language(visit.connection, visit.incoming.user_id, lang)
    conversations.keep_language(visit.connection, visit.incoming.key, lang)
    if visit.incoming.chat_kind == "group" and visit.is_admin:
        people.keep_place_language(visit.connection, visit.incoming.chat_id, lang)


def _quotes_in(visit: Visit, words: str) -> dict[str, Any]:
    from bot.reading import read, understood

    found = understood(read(words[:500], visit.lang, visit.house.catalogue, "quotes"), visit.lang).request.contract()
    return {name: value for name, value in (found.get("quotes") or {}).items() if name in _KEPT}


def _tax_in(words: str) -> str | None:
    return next((_TAX[word] for word in re.findall(r"\w+", words.casefold()) if word in _TAX), None)


def _keep(visit: Visit, defaults: Mapping[str, Any]) -> None:
    before = people.team_defaults(visit.connection, visit.access.team_id)
    people.keep_team_defaults(visit.connection, visit.access.team_id, {**before, **defaults})
