"""`sizewell history`: words and numbers enter, past recommendations leave, in the local time, as text or as JSON."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.complaints import refusals_in_words
from engine.errors import Refusal

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.store import Entry, History
    from engine.catalogue import Catalogue

history_app = typer.Typer(help="Past recommendations: list, show, search, check.", no_args_is_help=True)

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many, newest first.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for other programs.")]
Lang = Annotated[str | None, typer.Option("--lang", help="de or en.")]
Number = Annotated[int, typer.Argument(help="The number the list shows.")]


@history_app.command("list")
def list_entries(limit: Limit = 10, as_json: AsJson = False, lang: Lang = None) -> None:
    """The newest recommendations."""
    with refusals_in_words(lang):
        _print_list(_history().list(limit), "", as_json, lang)


@history_app.command()
def show(number: Number, as_json: AsJson = False, lang: Lang = None) -> None:
    """One recommendation as it was given."""
    with refusals_in_words(lang):
        entry = _entry(number)
        if as_json:
            _print_json(contract(entry))
        else:
            _print("history_entry", lang, shown(entry, _zone()))


@history_app.command()
def search(words: Annotated[list[str], typer.Argument(help="Words of the message, a model, a method, a card, a date.")],
           limit: Limit = 10, as_json: AsJson = False, lang: Lang = None) -> None:  # fmt: skip
    """Recommendations that hold every word; a date as 2026-11-30, 2026-11, 30.11.2026 or 11.2026."""
    with refusals_in_words(lang):
        query = " ".join(words)
        _print_list(_history().search(query, _zone(), limit), query, as_json, lang)


@history_app.command()
def check(number: Number, as_json: AsJson = False, lang: Lang = None) -> None:
    """Ask a past question again with today's catalogue and show what changed."""
    with refusals_in_words(lang):
        entry = _entry(number)
        after = answered_again(entry, *_now())
        if as_json:
            _print_json({"number": entry.id, "changes": [_plain(one) for one in after["changes"]], "answer": after["answer"]})
        else:
            _print("history_check", lang, {**shown(entry, _zone()), **after})


def answered_again(entry: "Entry", catalogue: "Catalogue", today: date) -> dict[str, Any]:
    """The same request today: its contract answer and the changes against the one that was given."""
    from pydantic import ValidationError

    from bot.changes import changes
    from bot.contract import answer_value, refusal_of
    from engine import advise
    from engine.request import Request

    try:
        request = Request.model_validate(entry.request)
    except ValidationError as error:  # kept under an older contract
        raise refusal_of(error) from None
    recommendation = advise(request, catalogue, today, symptoms=_taken(entry.answer))
    answer = answer_value(recommendation, entry.lang, catalogue)
    return {"answer": answer, "changes": changes(entry.answer, answer), "today": today}


def _taken(answer: Mapping[str, Any]) -> frozenset[str]:
    """What an answer took beside its request: cards in question that are not theirs, and whose share the users are."""
    from engine.people import PEOPLE
    from engine.rules.asked import IN_QUESTION

    assumed = answer.get("assumed") or {}
    people = assumed.get("serving.people")
    return frozenset((*((f"{PEOPLE}:{people[1]}",) if people else ()), *((IN_QUESTION,) if assumed.get("hardware.owned") is False else ())))


def shown(entry: "Entry", zone: tzinfo | None) -> dict[str, Any]:
    """What templates show of an entry, its moment in a time zone."""
    from markupsafe import Markup

    return {"entry": replace(entry, created=entry.created.astimezone(zone)), "shown": Markup(entry.shown)}  # noqa: S704  # our own HTML


def contract(entry: "Entry") -> dict[str, Any]:
    """An entry as JSON."""
    return {
        "number": entry.id,
        "created": entry.created.isoformat(),
        "author": entry.author,
        "lang": entry.lang,
        "message": entry.message,
        "summary": entry.summary,
        "request": entry.request,
        "answer": entry.answer,
    }


def _history() -> "History":
    from bot.store import History, Whose, open_database

    return History(open_database(_settings().database_url), Whose(everybody=True))


def _entry(number: int) -> "Entry":
    entry = _history().show(number)
    if entry is None:
        raise Refusal("no_such_recommendation", "number", str(number))
    return entry


def _settings() -> "Settings":
    from bot.settings import settings

    return settings()


def _now() -> "tuple[Catalogue, date]":
    """Today's catalogue, with the prices that were entered, and today."""
    from bot.store import open_database
    from bot.store.price_book import PriceBook

    chosen = _settings()
    today = chosen.today or datetime.now(UTC).astimezone(chosen.zone).date()
    return PriceBook(open_database(chosen.database_url)).catalogue(), today


def _zone() -> tzinfo | None:
    return _settings().zone


def _print_list(entries: "Iterable[Entry]", query: str, as_json: bool, lang: str | None) -> None:
    if as_json:
        _print_json([contract(entry) for entry in entries])
    else:
        zone = _zone()
        local = [replace(entry, created=entry.created.astimezone(zone)) for entry in entries]
        _print("history_list", lang, {"entries": local, "query": query})


def _print(template: str, lang: str | None, facts: dict[str, Any]) -> None:
    from bot.language import wished_language
    from bot.rendering import message

    typer.echo(message(template, wished_language(lang), "text", **facts))


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _plain(change: Any) -> dict[str, Any]:
    return {"field": change.field, "before": change.before, "after": change.after}
