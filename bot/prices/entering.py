"""`sizewell prices import|add|accept`: price lists and single prices enter and are kept, with who and when; what is held back is said."""

import getpass
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from bot.complaints import refusals_in_words
from bot.prices.commands import prices_app
from bot.prices.options import AsJson, Lang, book, day_of, one_of, say
from engine.errors import Refusal
from engine.request import Currency

if TYPE_CHECKING:
    from bot.prices.lines import Sheet

By = Annotated[str | None, typer.Option("--by", help="Who enters it (default: the name you are logged in with).")]
Provider = Annotated[str, typer.Option("--provider", help="Whose prices these are, where the list does not say.")]
Held = Annotated[str | None, typer.Option("--date", help="YYYY-MM-DD: the day the prices held, where the list does not say.")]
Source = Annotated[str, typer.Option("--source", help="Address or title of where they were read.")]
In = Annotated[str | None, typer.Option("--currency", help="EUR, USD, GBP or CHF.")]
Tax = Annotated[str, typer.Option("--tax", help="net, gross or unknown.")]


@prices_app.command("import")
def import_prices(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A CSV price list with a header line.")],
    provider: Provider = "",
    day: Held = None,
    source: Source = "",
    currency: In = None,
    tax: Tax = "unknown",
    by: By = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be kept and held back; keep nothing.")] = False,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Enter a price list. Columns are known by name; what cannot be right is held back and said."""
    with refusals_in_words(lang):
        from bot.prices.importing import read_list, sorted_out

        kept = book()
        made = read_list(text_of(file), _sheet(provider, day, source, currency, tax, by), kept.catalogue())
        numbers = () if dry_run else kept.add(made.drafts, who(by), datetime.now(UTC))
        say("prices_imported", lang, sorted_out(made.drafts, numbers, made.lines, made.merged), as_json)


@prices_app.command()
def add(
    gpu: Annotated[str, typer.Option("--gpu", help="A card: 4090, A100 80GB.")],
    per_hour: Annotated[str, typer.Option("--per-hour", help="Rent of the whole machine an hour.")] = "",
    per_month: Annotated[str, typer.Option("--per-month", help="Rent of the whole machine a month.")] = "",
    purchase: Annotated[str, typer.Option("--purchase", help="Price to buy, of all cards together.")] = "",
    count: Annotated[int, typer.Option("--count", min=1, help="How many cards.")] = 1,
    cap: Annotated[str, typer.Option("--cap", help="Most the rent comes to in a month.")] = "",
    setup: Annotated[str, typer.Option("--setup", help="Set-up fee.")] = "",
    region: Annotated[str, typer.Option("--region", help="Where it runs.")] = "",
    eu: Annotated[bool | None, typer.Option("--eu/--outside-eu", help="Whether it runs in the EU.")] = None,
    market: Annotated[str, typer.Option("--market", help="Where it is sold: DE, Geizhals.")] = "",
    note: Annotated[str, typer.Option("--note", help="What else to know.")] = "",
    provider: Provider = "",
    day: Held = None,
    source: Source = "",
    currency: In = None,
    tax: Tax = "unknown",
    by: By = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Enter one price: to rent by the hour or the month, or to buy."""
    with refusals_in_words(lang):
        if sum(bool(one) for one in (per_hour, per_month, purchase)) != 1:
            raise Refusal("price_one_of", "price")
        cells = {
            "gpu": gpu,
            "per_hour": per_hour,
            "per_month": per_month,
            "low": purchase,
            "count": str(count),
            "monthly_cap": cap,
            "note": note,
        }
        cells |= {"setup_fee": setup, "region": region, "market": market, "eu": {None: "", True: "yes", False: "no"}[eu]}
        _enter(cells, _sheet(provider, day, source, currency, tax, by), as_json, lang)


@prices_app.command()
def accept(
    number: Annotated[int, typer.Argument(help="The number of a price held back.")],
    by: By = None,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Let a price through that an import held back for its jump."""
    with refusals_in_words(lang):
        from bot.prices.importing import sorted_out

        kept = book()
        held = next((one for one in kept.quarantined() if one.id == number), None)
        if held is None or held.draft.price is None:
            raise Refusal("no_such_quarantine", "number", str(number))
        draft = replace(held.draft, state="accepted", released=held.id)
        numbers = kept.add([draft], who(by), datetime.now(UTC))
        say("prices_imported", lang, sorted_out([draft], numbers), as_json)


def _sheet(provider: str, day: str | None, source: str, currency: str | None, tax: str, by: str | None) -> "Sheet":
    """What holds for every line. Errors: Refusal."""
    from bot.prices.lines import Sheet

    one_of("currency", currency, get_args(Currency))
    one_of("tax", tax, ("net", "gross", "unknown"))
    held, today = None if day is None else day_of(day), day_of(None)
    if held is not None and held > today:
        raise Refusal("date_in_future", "date", day, {"today": today})
    return Sheet(provider.strip(), held, source.strip(), currency, tax, who(by), today)  # type: ignore[arg-type]  # checked above


def who(by: str | None) -> str:
    """The name to keep with an entry. Errors: Refusal missing where nobody can be named."""
    try:
        name = (by or getpass.getuser()).strip()
    except OSError:
        name = ""
    return name or _nobody()


def _nobody() -> str:
    raise Refusal("missing", "by", None, {"key": "by"})


def _enter(cells: Mapping[str, str], sheet: "Sheet", as_json: bool, lang: str | None) -> None:
    """Keep one price; what cannot be one is refused at once, a jump is held back."""
    from bot.prices.importing import draft_of, jumps_held, sorted_out

    kept = book()
    known = kept.catalogue()
    draft = jumps_held(draft_of(cells, sheet, known), known)
    if draft.price is None:
        raise Refusal("price_unusable", "price", cells["gpu"], {"reason": draft.reason})
    numbers = kept.add([draft], sheet.entered_by, datetime.now(UTC))
    say("prices_imported", lang, sorted_out([draft], numbers), as_json)


def text_of(file: str) -> str:
    """A file, or standard input for `-`, as UTF-8. Errors: Refusal no_file."""
    if file == "-":
        return sys.stdin.buffer.read().decode("utf-8", errors="replace")
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise Refusal("no_file", None, file, {"reason": error.strerror}) from None
