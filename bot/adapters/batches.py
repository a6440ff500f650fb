"""A CSV of many requests: its text enters, a CSV of answers leaves, with progress shown by editing one message.

The answer opens in a German Excel: byte-order mark, semicolons and a decimal comma; in English commas and points.
"""

import asyncio
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING, Any

from bot.adapters.outgoing import Outgoing
from engine.catalogue import Catalogue
from engine.errors import Refusal
from engine.request import Language

if TYPE_CHECKING:
    from bot.adapters.deliveries import Deliveries

MOST_ROWS = 500
LONGEST_MESSAGE = 1000
PROGRESS_EVERY = 2.0  # seconds between edits of the progress message
_MESSAGE_COLUMNS = frozenset({"message", "request", "question", "text", "nachricht", "anfrage", "frage"})
ANSWER_COLUMNS = (
    "method", "fit", "needed_gb", "usable_gb", "acquisition", "break_even_hours", "plan", "cost", "currency", "warnings", "open",
)  # fmt: skip
COLUMNS = ("line", "message", *ANSWER_COLUMNS, "error")


@dataclass(frozen=True, slots=True)
class Line:
    """A request of the file, with the number of its line."""

    number: int
    message: str


def lines_of(text: str) -> tuple[Line, ...]:
    """The requests of a CSV: the column that is called so, else all cells of a row. Errors: Refusal csv_*."""
    rows = [
        (number, [cell.strip() for cell in row]) for number, row in _rows(text.removeprefix("\ufeff")) if any(cell.strip() for cell in row)
    ]
    if not rows:
        raise Refusal("csv_empty")
    heading = [cell.casefold() for cell in rows[0][1]]
    column = next((place for place, name in enumerate(heading) if name in _MESSAGE_COLUMNS), None)
    body = rows if column is None else rows[1:]
    if not body:
        raise Refusal("csv_empty")
    if len(body) > MOST_ROWS:
        raise Refusal("csv_too_long", read=str(len(body)), facts={"limit": MOST_ROWS})
    return tuple(Line(number, _message(cells, column)) for number, cells in body)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    first = text.lstrip().partition("\n")[0]
    delimiter = max(";\t,", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error:
        raise Refusal("csv_unreadable", facts={"line": reader.line_num}) from None


def _message(cells: list[str], column: int | None) -> str:
    if column is None:
        return ", ".join(cell for cell in cells if cell)
    return cells[column] if column < len(cells) else ""


def answered(line: Line, lang: Language, today: date, catalogue: Catalogue) -> Mapping[str, Any]:
    """One request as a row of the answer; what cannot be used says why."""
    from bot.answering import answer_message
    from bot.contract import answer_value
    from bot.rendering import error

    start = {"line": line.number, "message": line.message}
    try:
        if not line.message or len(line.message) > LONGEST_MESSAGE:
            raise Refusal("csv_line_empty" if not line.message else "too_long", facts={"limit": LONGEST_MESSAGE})
        value = answer_value(answer_message(line.message, lang, catalogue, today), lang, catalogue)
        if not value["understood"].keys() - {"lang"} and not any(one["read"] for one in value["ask_back"]):
            raise Refusal("nothing_read", read=line.message)
    except Refusal as refusal:
        words = error(refusal, lang)
        return {**start, "error": f"{words.why} {words.instead}"}
    return {**start, **answer_cells(value)}


def answer_cells(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a spreadsheet shows of an answer of the machine contract."""
    fit, acquisition = value["fit"], value["acquisition"]
    plan = (value["plans"] or [{}])[0]
    cost = plan.get("cost") or {}
    return {
        "method": (value["approach"] or {}).get("method") or fit["method"],
        "fit": fit["verdict"],
        "needed_gb": _amount(fit["needed"]),
        "usable_gb": _amount(fit["usable"]),
        "acquisition": acquisition["verdict"],
        "break_even_hours": _amount(acquisition.get("break_even_hours")),
        "plan": " ".join(str(part) for part in (plan.get("count"), plan.get("gpu"), plan.get("provider")) if part),
        "cost": _amount(cost),
        "currency": cost.get("unit") if isinstance(cost, Mapping) else None,
        "warnings": " ".join(value["warnings"]),
        "open": " ".join(one["slot"] for one in value["ask_back"]),
    }


def _amount(quantity: Any) -> Any:
    return quantity.get("value") if isinstance(quantity, Mapping) else quantity


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], lang: Language) -> bytes:
    """Rows as a CSV file for the spreadsheets of a language."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if lang == "de" else ",", lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column), lang) for column in columns] for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _cell(value: Any, lang: Language) -> str:
    """A cell; text that a spreadsheet would run as a formula is disarmed."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.10g}".replace(".", "," if lang == "de" else ".")
    text = str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


async def deliver_batch(deliveries: "Deliveries", call: Outgoing) -> int:
    """Answer every line and send the file; one message shows how far it is."""
    from bot.rendering import message

    lang: Language = "de" if call.lang == "de" else "en"
    lines, today = lines_of(call.content), date.fromisoformat(call.today)
    catalogue = await asyncio.to_thread(deliveries.catalogue)
    progress = await deliveries.bot.send_message(
        call.chat_id, message("batch_progress", lang, "html", {"done": 0, "total": len(lines)}), message_thread_id=call.thread_id or None
    )
    rows: list[Mapping[str, Any]] = []
    shown = monotonic()
    for line in lines:
        rows.append(await asyncio.to_thread(answered, line, lang, today, catalogue))
        if monotonic() - shown >= PROGRESS_EVERY:
            shown = monotonic()
            await _show(
                deliveries, call, progress.message_id, message("batch_progress", lang, "html", {"done": len(rows), "total": len(lines)})
            )
    bad = [(row["line"], row["error"]) for row in rows if row.get("error")]
    done = message("batch_done", lang, "html", {"total": len(lines), "bad": bad[:10], "more": max(0, len(bad) - 10)})
    sent = await deliveries.document(call, table(rows, COLUMNS, lang), "")
    await _show(deliveries, call, progress.message_id, done)
    return sent


async def _show(deliveries: "Deliveries", call: Outgoing, message_id: int, text: str) -> None:
    """Progress is a kindness: if it cannot be shown, the work goes on."""
    from telegram.error import TelegramError

    from bot.logs import log

    try:
        await deliveries.bot.edit_message_text(text, call.chat_id, message_id, parse_mode="HTML")
    except TelegramError as refusal:
        log().debug("progress not shown", why=refusal.message)
