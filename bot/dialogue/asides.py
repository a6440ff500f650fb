"""Short words about the money of an answer: "und netto?", "brutto bitte", "in dollars": a text enters, what is to be told leaves."""

from bot.dialogue.session import Session, World
from bot.dialogue.turns import tell
from bot.events import Tell
from bot.phrases import currency_meant, option_named
from engine.currency import converted
from engine.quotes import answer_currency
from engine.request import Currency, Request


def aside(text: str, session: Session, world: World) -> Tell | None:
    """That amounts are net, and what tax adds; or how to get an answer in another currency. None for any other text."""
    tax = option_named(text)
    if tax in ("net", "gross"):
        return tell("tax", wanted=tax, vat=world.catalogue.figure("vat_de").typical)
    wanted = currency_meant(text)
    return _currency(wanted, session, world) if wanted else None


def _currency(wanted: Currency, session: Session, world: World) -> Tell:
    """The currency follows what they stated; their budget in the wanted one as the example to write."""
    request = session.last.request if session.last and session.open is None else session.request
    current = answer_currency(Request.model_validate(request))
    budget = next((one for one in request.get("budget", ()) if one.get("currency")), None)
    amount = converted(budget["amount"], budget["currency"], wanted, world.catalogue) if budget else None
    return tell("other_currency", wanted=wanted, current=current, amount=amount, period=budget.get("period") if budget else None)
