"""What the price commands share: their options, the book of prices, the card, day and language meant, how something is said."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.errors import Refusal

if TYPE_CHECKING:
    from bot.store.price_book import PriceBook
    from engine.catalogue import Gpu

AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for other programs.")]
Lang = Annotated[str | None, typer.Option("--lang", help="de or en.")]
Today = Annotated[str | None, typer.Option("--today", envvar="SIZEWELL_TODAY", help="YYYY-MM-DD (default: today).")]


def book() -> "PriceBook":
    """The prices of the database the settings name."""
    from bot.settings import settings
    from bot.store.database import open_database
    from bot.store.price_book import PriceBook

    return PriceBook(open_database(settings().database_url))


def day_of(given: str | None) -> date:
    """The day to look from. Errors: Refusal."""
    from bot.commands import day_of

    return day_of(given)


def card_of(name: str) -> "Gpu":
    """The card a name means. Errors: Refusal card_unknown, card_ambiguous, with what to write instead."""
    from engine.catalogue import Gpu, catalogue
    from engine.catalogue.names import Ambiguity, gpu_named, suggestions

    found = gpu_named(name, catalogue())
    if isinstance(found, Gpu):
        return found
    if isinstance(found, Ambiguity):
        raise Refusal("card_ambiguous", "gpu", name, {"limit": ", ".join(option.label for option in found.options)})
    close = suggestions(name, catalogue(), "gpu")
    raise Refusal("card_unknown", "gpu", name, {"limit": ", ".join(str(option.value["gpu"]) for option in close)})


def one_of(field: str, given: str | None, allowed: Iterable[str]) -> None:
    """Errors: Refusal not_one_of."""
    choices = tuple(allowed)
    if given is not None and given not in choices:
        raise Refusal("not_one_of", field, given, {"limit": ", ".join(choices), "key": field})


def say(template: str, lang: str | None, facts: Mapping[str, Any], as_json: bool) -> None:
    """Words from a template, or the facts as JSON."""
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False, allow_nan=False, default=_plain))
        return
    from bot.language import wished_language
    from bot.rendering import message

    typer.echo(message(template, wished_language(lang), "text", facts))


def _plain(value: Any) -> Any:
    """Rows know their own JSON; other things are their fields, cards their id, days and moments ISO."""
    if hasattr(value, "json"):
        return value.json()
    if isinstance(value, date | datetime):
        return value.isoformat()
    if hasattr(value, "memory_nominal"):
        return value.id
    if isinstance(value, frozenset):
        return sorted(value)
    return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
