"""`sizewell prices list|show|check`: filters enter, words or JSON leave. The catalogue here is the shipped one with what was entered."""

from typing import Annotated

import typer

from bot.complaints import refusals_in_words
from bot.prices.options import AsJson, Lang, Today, book, card_of, day_of, one_of, say

prices_app = typer.Typer(help="Prices to rent and to buy: list, show, import, add, accept, check.", no_args_is_help=True)


@prices_app.command("list")
def list_prices(
    gpu: Annotated[str | None, typer.Option("--gpu", help="A card: 4090, A100 80GB.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="rent or buy.")] = None,
    eu: Annotated[bool, typer.Option("--eu", help="Only offers that run in the EU.")] = False,
    quarantined: Annotated[bool, typer.Option("--quarantined", help="What an import held back.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="How many.")] = 20,
    as_json: AsJson = False,
    lang: Lang = None,
    today: Today = None,
) -> None:
    """The newest price of each offer: of one card cheapest first, of all cards newest first."""
    with refusals_in_words(lang):
        if quarantined:
            say("prices_quarantined", lang, {"entries": book().quarantined()[:limit]}, as_json)
            return
        from bot.prices.views import Wanted, listed

        one_of("kind", kind, ("rent", "buy"))
        wanted = Wanted(None if gpu is None else card_of(gpu), kind, eu)  # type: ignore[arg-type]  # checked above
        rows = listed(book().catalogue(), wanted, day_of(today))
        say("prices_list", lang, {"rows": rows[:limit], "more": max(0, len(rows) - limit), "wanted": wanted}, as_json)


@prices_app.command()
def show(
    gpu: Annotated[str, typer.Argument(help="A card: 4090, A100 80GB.")], as_json: AsJson = False, lang: Lang = None, today: Today = None
) -> None:
    """Everything known about a card's prices: which offer counts, all others, where they were read, how they moved."""
    with refusals_in_words(lang):
        from bot.prices.views import Wanted, listed, moved
        from engine.renting import rented
        from engine.request import Request

        known, day, card = book().catalogue(), day_of(today), card_of(gpu)
        chosen = rented(card, 1, Request(), known, day, "EUR")
        facts = {
            "card": card,
            "rows": listed(known, Wanted(card), day),
            "chosen": chosen.offer.id if chosen else None,
            "moves": moved(known, card, day),
        }
        say("prices_show", lang, facts, as_json)


@prices_app.command()
def check(
    within: Annotated[int, typer.Option("--within", min=0, max=3_650, help="Also what is due in so many days.")] = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 where something is due.")] = False,
    as_json: AsJson = False,
    lang: Lang = None,
    today: Today = None,
) -> None:
    """What should be read again: prices, figures, exchange rates and sources past their day."""
    with refusals_in_words(lang):
        from bot.prices.views import due_for_review

        found = due_for_review(book().catalogue(), day_of(today), within)
        say("prices_check", lang, {"due": found}, as_json)
        if strict and found.total:
            raise typer.Exit(1)
