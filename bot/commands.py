"""What the contract's commands do: read streams, call the engine, print. Each returns its exit code; none touches a database."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from bot.streams import echoed, finite, lines_of, parsed, text_of
from engine.errors import Refusal
from engine.request import Language, Slot

if TYPE_CHECKING:
    from engine.recommendation import Recommendation
    from engine.request import ModelChoice

ANSWERED, UNUSABLE, ASKED_BACK = 0, 2, 3
FORMATS = ("text", "html", "json")
SCHEMAS = ("request", "answer", "readings", "memory_row", "memory_out")
LONGEST_MESSAGE = 100_000


def size(
    message: str | None,
    lang: str | None,
    form: str,
    today: str | None,
    request: str | None,
    batch: str | None,
    config: str | None = None,
) -> int:
    """`sizewell size`: one message (with a config.json where it has a model of its own), one request or a batch."""
    if config is not None and message is None and request is None and batch is None:
        message = ""
    return _in_words(lang, lambda: _size(message, lang, form, today, request, batch, config))


def _size(
    message: str | None, lang: str | None, form: str, today: str | None, request: str | None, batch: str | None, config: str | None
) -> int:
    _one_of("format", form, FORMATS)
    day, language = day_of(today), _language(lang)
    if sum(given is not None for given in (message, request, batch)) != 1 or (config is not None and message is None):
        raise Refusal("one_input", "message")
    if batch is not None:
        if form != "json":
            raise Refusal("batch_is_json", "format", form)
        return _size_batch(batch, language, day)
    line = _message_line(message, language) if message is not None else parsed(text_of(request or "-"))
    model = None if config is None else _model_of(config)
    return _in_words(_spoken(line) or lang, lambda: _size_line(line, language, form, day, model))


def _model_of(source: str) -> "ModelChoice":
    """The model a config.json describes. Errors: Refusal."""
    from pydantic import ValidationError

    from bot.contract import refusal_of
    from engine.request import ModelChoice

    config = finite(parsed(text_of(source)))
    if not isinstance(config, dict):
        raise Refusal("not_an_object", "config", echoed(config))
    try:
        return ModelChoice.model_validate({"config": {key: value for key, value in config.items() if value is not None}})
    except ValidationError as error:
        raise refusal_of(error) from None


def _size_line(line: Any, lang: Language | None, form: str, today: date, model: "ModelChoice | None" = None) -> int:
    answered, spoken = _answer_line(finite(line), lang, today, model)
    print(_shown(answered, spoken, form))
    if isinstance(line, dict) and "message" in line:
        from bot.complaints import tell_unread

        tell_unread(line["message"], spoken)
    return ASKED_BACK if answered.questions else ANSWERED


def _size_batch(source: str, lang: Language | None, today: date) -> int:
    from bot.contract import answer_value, error_value
    from engine.catalogue import catalogue

    for line in lines_of(source):
        given: Any = None
        try:
            given = parsed(line)
            answered, language = _answer_line(finite(given), lang, today)
            value = answer_value(answered, language, catalogue())
        except Refusal as refusal:
            value = {"error": error_value(refusal, _spoken(given) or lang or "en")}
        print(_dumped(value), flush=True)
    return ANSWERED


def _spoken(line: Any) -> Language | None:
    """The language a line asks for, where it names one we speak: its errors are told in it too."""
    named = line.get("lang") if isinstance(line, dict) else None
    return next((language for language in get_args(Language) if language == named), None)


def _message_line(message: str, lang: Language | None) -> dict[str, Any]:
    return {"message": message} if lang is None else {"message": message, "lang": lang}


def _answer_line(line: Any, lang: Language | None, today: date, model: "ModelChoice | None" = None) -> tuple["Recommendation", Language]:
    """A line of the batch: a Request or {"message", "lang"}. Errors: Refusal."""
    if not isinstance(line, dict):
        raise Refusal("not_an_object", None, echoed(line))
    return _answer_message(line, lang, today, model) if "message" in line else _answer_request(line, lang, today)


def _answer_message(
    line: dict[str, Any], lang: Language | None, today: date, model: "ModelChoice | None"
) -> tuple["Recommendation", Language]:
    from bot.answering import answer_message
    from bot.language import default_language, language_of
    from engine.catalogue import catalogue

    for key in line:
        if key not in ("message", "lang"):
            raise Refusal("unknown_key", key, echoed(line[key]), {"key": key})
    message = line["message"]
    if not isinstance(message, str):
        raise Refusal("not_text", "message", echoed(message))
    if len(message) > LONGEST_MESSAGE:
        raise Refusal("too_long", "message", message[:80] + "…", {"limit": LONGEST_MESSAGE})
    if "lang" in line:
        _one_of("lang", line["lang"], get_args(Language))
    language: Language = line.get("lang") or lang or language_of(message) or default_language()
    return answer_message(message, language, catalogue(), today, model), language


def _answer_request(line: dict[str, Any], lang: Language | None, today: date) -> tuple["Recommendation", Language]:
    from pydantic import ValidationError

    from bot.contract import refusal_of
    from bot.language import default_language
    from engine import advise
    from engine.catalogue import catalogue
    from engine.request import Request

    try:
        request = Request.model_validate(line)
    except ValidationError as error:
        raise refusal_of(error) from None
    return advise(request, catalogue(), today), request.lang or lang or default_language()


def _shown(answered: "Recommendation", lang: Language, form: str) -> str:
    if form == "json":
        from bot.contract import answer_value
        from engine.catalogue import catalogue

        return _dumped(answer_value(answered, lang, catalogue()))
    from bot.rendering import answer

    return answer(answered, lang, "html" if form == "html" else "text")


def memory(source: str, lang: str | None) -> int:
    """`sizewell memory --batch`: one value a row, in the same order; a bad row gives an error in its place."""
    return _in_words(lang, lambda: _memory(source, lang))


def _memory(source: str, lang: str | None) -> int:
    from bot.contract import error_value
    from bot.language import default_language
    from engine.catalogue import catalogue
    from engine.memory import row

    language = _language(lang) or default_language()
    for number, line in enumerate(lines_of(source), 1):
        value: Any = None
        try:
            value = parsed(line)
            if not isinstance(value, dict):
                raise Refusal("not_an_object", None, echoed(value))
            out = row(finite(value), catalogue())
        except Refusal as refusal:
            named = replace(refusal, facts={**refusal.facts, "schema": "memory_row"})
            out = {"id": _row_id(value, number), "error": error_value(named, language)}
        print(_dumped(out), flush=True)
    return ANSWERED


def _row_id(value: Any, number: int) -> str:
    """The row's own id; where it has none that can be read, its line number."""
    given = value.get("id") if isinstance(value, dict) else None
    return given if isinstance(given, str) else f"line {number}"


def read(text: str, slot: str | None, lang: str | None) -> int:
    """`sizewell read`: the readings of a text."""
    return _in_words(lang, lambda: _read(text, slot, lang))


def _read(text: str, slot: str | None, lang: str | None) -> int:
    from bot.language import default_language, language_of
    from bot.reading import read as readings_of
    from engine.catalogue import catalogue

    if slot is not None:
        _one_of("slot", slot, get_args(Slot))
    language = _language(lang) or language_of(text) or default_language()
    readings = readings_of(text, language, catalogue(), slot)  # type: ignore[arg-type]  # checked above
    said = [one.contract() for one in readings if one.means_it and not one.aside]
    print(_dumped({"readings": said}))
    return ASKED_BACK if any(one["ask_back"] for one in said) else ANSWERED


def schema(name: str | None) -> int:
    """`sizewell schema`: the names, or one schema."""
    return _in_words(None, lambda: _schema(name))


def _schema(name: str | None) -> int:
    if name is None:
        print("\n".join(SCHEMAS))
        return ANSWERED
    _one_of("name", name, SCHEMAS)
    print((Path(__file__).parent / "contract" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8").rstrip())
    return ANSWERED


def chat(lang: str | None, today: str | None) -> int:
    """`sizewell chat`."""
    from bot.adapters.terminal import run_chat

    return _in_words(lang, lambda: run_chat(_language(lang), day_of(today)))


def bot() -> int:
    """`sizewell bot`."""
    from bot.adapters.telegram import run_bot

    return run_bot()


def day_of(given: str | None) -> date:
    """The day to advise for. Errors: Refusal."""
    given = given or os.environ.get("SIZEWELL_TODAY")
    if not given:
        return datetime.now(UTC).astimezone().date()
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise Refusal("not_a_date", "today", given) from None


def _language(given: str | None) -> Language | None:
    if given is None:
        return None
    _one_of("lang", given, get_args(Language))
    return given  # type: ignore[return-value]  # checked above


def _one_of(field: str, given: Any, allowed: Iterable[str]) -> None:
    choices = tuple(allowed)
    if given not in choices:
        raise Refusal("not_one_of", field, echoed(given), {"limit": ", ".join(choices), "key": field})


def _in_words(lang: str | None, command: Callable[[], int]) -> int:
    """Run a command; a Refusal becomes words on stderr and the exit code 2, never a traceback."""
    try:
        return command()
    except Refusal as refusal:
        complain(refusal, lang)
        return UNUSABLE


def complain(refusal: Refusal, lang: str | None) -> None:
    """What was read, why it cannot be used, what to write instead; on stderr."""
    from bot.contract import error_value
    from bot.language import wished_language

    words = error_value(refusal, wished_language(lang))
    place = f"{words['field']}: " if words["field"] else ""
    shown = f"{words['read']!r}: " if words["read"] is not None else ""
    print(f"sizewell: {place}{shown}{words['why']}\n{words['instead']}", file=sys.stderr)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
