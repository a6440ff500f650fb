"""Sources, figures and exchange rates: what enters are sources.csv, figures.csv and exchange_rates.csv, what leaves is checked by key."""

import datetime
from collections.abc import Mapping
from pathlib import Path

from engine.catalogue.tables import Row, rows
from engine.catalogue.things import Figure, Source
from engine.units import CURRENCIES, unit

_SOURCE_COLUMNS = "key title address read review_by"
_FIGURE_COLUMNS = "id low typical high unit source date review_by verified note"
_RATE_COLUMNS = "currency low typical high source date review_by verified note"


def sources(folder: Path) -> dict[str, Source]:
    """All sources by key. Errors: CatalogueError."""
    found: dict[str, Source] = {}
    for row in rows(folder / "sources.csv", _SOURCE_COLUMNS):
        key, read, review = row.needed("key"), row.day("read"), row.day("review_by")
        if key in found:
            row.wrong(f"source {key!r} stands there twice")
        if read is None or review is None:
            row.wrong("read and review_by are needed")
        checked_review(row, read, review)
        found[key] = Source(key, row.needed("title"), row.text("address") or None, read, review)
    return found


def figures(folder: Path, known: Mapping[str, Source]) -> dict[str, Figure]:
    """All figures by id. Errors: CatalogueError."""
    found: dict[str, Figure] = {}
    for row in rows(folder / "figures.csv", _FIGURE_COLUMNS):
        figure = _figure(row, row.needed("id"), row.needed("unit"), known)
        if figure.id in found:
            row.wrong(f"figure {figure.id!r} stands there twice")
        found[figure.id] = figure
    return found


def rates(folder: Path, known: Mapping[str, Source]) -> dict[str, Figure]:
    """The newest rate of each currency, `exchange_rate_eur_usd` …: units of it for one euro. Errors: CatalogueError."""
    newest: dict[str, Figure] = {}
    for row in rows(folder / "exchange_rates.csv", _RATE_COLUMNS):
        currency = row.word("currency", CURRENCIES)
        rate = _figure(row, f"exchange_rate_eur_{currency.lower()}", f"{currency}/EUR", known)
        if rate.low <= 0:
            row.wrong("a rate is above zero")
        before = newest.get(rate.id)
        if before is None or _day(before) <= _day(rate):
            newest[rate.id] = rate
    return newest


def _day(figure: Figure) -> datetime.date:
    return figure.date or datetime.date.min


def source_of(row: Row, known: Mapping[str, Source]) -> Source:
    """The source a row names first. Errors: CatalogueError: missing or not in sources.csv."""
    return known[cited(row, known)[0].partition(":")[0]]


def cited(row: Row, known: Mapping[str, Source]) -> tuple[str, ...]:
    """Everything a row cites, each `key` or `key: what was read there`. Errors: CatalogueError."""
    entries = row.words("source")
    if not entries:
        row.wrong("source is empty")
    for entry in entries:
        if entry.partition(":")[0] not in known:
            row.wrong(f"source {entry.partition(':')[0]!r} is not in sources.csv")
    return entries


def checked_review(row: Row, date: datetime.date | None, review: datetime.date | None) -> None:
    """Errors: CatalogueError where a figure was to be reviewed before it held."""
    if date is not None and review is not None and review < date:
        row.wrong(f"review_by {review} is before {date}")


def _figure(row: Row, name: str, of: str, known: Mapping[str, Source]) -> Figure:
    source = source_of(row, known)
    date, review = row.day("date"), row.day("review_by") or source.review_by
    if date is None:
        row.wrong("date is empty")
    checked_review(row, date, review)
    value, middle = _value(row)
    verified = row.flag("verified")
    return Figure(name, value, _unit(row, of), source.key, date, review, verified is not False, row.text("note"), middle)


def _value(row: Row) -> tuple[float | tuple[float, float], float | None]:
    low, typical, high = row.number("low"), row.number("typical"), row.number("high")
    if low is None and high is None:
        return row.needed_number("typical"), None
    if low is None or high is None or low > high:
        row.wrong("a range needs low and high, in that order")
    if typical is not None and not low <= typical <= high:
        row.wrong("typical lies outside the range")
    return (low, high), typical


def _unit(row: Row, name: str) -> str:
    try:
        unit(name)
    except Exception:  # pint has many ways to say that it does not know a unit
        row.wrong(f"unknown unit {name!r}")
    return name
