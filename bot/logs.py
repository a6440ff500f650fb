"""Logging of the bot: events with fields enter, one line each leaves on stderr, as JSON or for a terminal; never a token, never a text.

httpx would log every address with the bot's token in it: it is kept at WARNING, and whatever still names one is blacked out.
Messages of exceptions may hold what people wrote ("invalid literal: …", values of a statement): a traceback shows where and what
kind, and the message only of what came from the network, the disk or the database file.
"""

import hashlib
import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, Literal

TOKEN = re.compile(r"(?:bot)?\d{5,}:[\w-]{20,}|bot\d+:[\w-]+")
_TELLING = ("telegram", "httpx", "sqlite3")  # packages whose exceptions hold nothing people wrote
_MOST_CAUSES = 5
_QUIET = ("httpx", "httpcore", "telegram", "uvicorn", "uvicorn.access", "alembic", "asyncio", "matplotlib")


def redacted(text: str) -> str:
    """The text without bot tokens."""
    return TOKEN.sub("bot<token>", text)


def subject(chat_id: int) -> str:
    """A chat in a log line: recognisable, but not its id."""
    return hashlib.blake2b(str(chat_id).encode(), digest_size=4).hexdigest()


def _without_tokens(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {key: _clean(value) for key, value in event.items()}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, BaseException):
        return redacted(named(value))
    return value


def named(error: BaseException) -> str:
    """The kind of an exception, with its message where that cannot hold what people wrote."""
    kind = type(error)
    telling = isinstance(error, OSError) or kind.__module__.split(".")[0] in _TELLING
    return f"{kind.__name__}: {error}" if telling else kind.__name__


def traced(error: BaseException | None) -> str:
    """A traceback with its causes, the first cause first."""
    chain: list[str] = []
    while error is not None and len(chain) < _MOST_CAUSES:
        frames = "".join(traceback.format_tb(error.__traceback__))
        chain.insert(0, f"Traceback (most recent call last):\n{frames}{named(error)}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(chain)


class _Redacting(logging.Formatter):
    """For what libraries log by themselves."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))

    def formatException(self, ei: Any) -> str:  # the name is logging's
        return traced(ei[1])


def set_up(form: Literal["auto", "json", "console"], level: str) -> None:
    """Once per process, before the first event."""
    import structlog

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Redacting("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    as_json = form == "json" or (form == "auto" and not sys.stderr.isatty())
    last: Any = structlog.processors.JSONRenderer(ensure_ascii=False) if as_json else _console()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(lambda info: traced(info[1])),
            _without_tokens,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _console() -> Any:
    """Plain lines; the traceback is text by then, since a prettier one would show what people wrote."""
    import structlog

    return structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


def log() -> Any:
    """The logger; structlog is imported only by those who log."""
    import structlog

    return structlog.get_logger()
