"""A refusal inside a typer command becomes words on stderr and exit code 2, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from engine.errors import Refusal


@contextmanager
def refusals_in_words(lang: str | None = None) -> Iterator[None]:
    """Around everything a command does."""
    try:
        yield
    except Refusal as refusal:
        from bot.commands import complain

        complain(refusal, lang)
        raise typer.Exit(2) from None
