"""What goes to stderr: a refusal inside a typer command, as words with exit code 2 and never a traceback; and what was not used."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from engine.errors import Refusal
from engine.request import Language


@contextmanager
def refusals_in_words(lang: str | None = None) -> Iterator[None]:
    """Around everything a command does."""
    try:
        yield
    except Refusal as refusal:
        from bot.commands import complain

        complain(refusal, lang)
        raise typer.Exit(2) from None


def tell_unread(text: str, lang: Language) -> None:
    """Say what of a message nobody could make anything of, so that an answer without it is no surprise."""
    from bot.unread import unread
    from engine.catalogue import catalogue

    pieces = unread(text, lang, catalogue())
    if pieces:
        from bot.rendering import message

        print(message("unread", lang, "text", {"pieces": pieces}), file=sys.stderr)
