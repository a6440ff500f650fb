"""Prices in a chat: how old they are, and a price list that an admin sends as a file with the caption /prices."""

from bot.adapters.telegram_updates import Sheet
from bot.adapters.telegram_visit import Answer, Visit
from bot.prices.importing import read_list, sorted_out
from bot.prices.lines import Sheet as PriceSheet
from bot.store.price_book import enter
from engine.errors import Refusal


def age(visit: Visit, _argument: str) -> Answer:
    """How many prices the catalogue holds, and how old they are."""
    catalogue = visit.house.catalogue
    dated = sorted(date for date in [*(one.date for one in catalogue.offers), *(one.date for one in catalogue.listings)] if date)
    facts = {
        "version": catalogue.version,
        "offers": len(catalogue.offers),
        "listings": len(catalogue.listings),
        "oldest": dated[0] if dated else None,
        "newest": dated[-1] if dated else None,
        "days": (visit.today - dated[-1]).days if dated else None,
        "admin": visit.is_admin,
    }
    return visit.says("prices", facts)


def imported(visit: Visit, sheet: Sheet) -> Answer:
    """Enter a price list: what cannot be right is held back and said."""
    if not visit.is_admin:
        return visit.says("admins_only")
    who = visit.incoming.user_name or str(visit.incoming.user_id)
    try:
        made = read_list(sheet.text, PriceSheet("", visit.today, sheet.name, None, "unknown", who, visit.today), visit.house.catalogue)
    except Refusal as refusal:
        return visit.says("refused", {"refusal": refusal})
    numbers = enter(visit.connection, made.drafts, who, visit.now)
    return visit.says("prices_imported", sorted_out(made.drafts, numbers, made.lines, made.merged))
