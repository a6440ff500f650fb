"""A command line that cannot be read: the parser's error enters, a Refusal in our words leaves; and the language asked for on that line."""

import re
from collections.abc import Sequence
from typing import Any

import typer

from engine.errors import Refusal

UsageError: Any = typer.BadParameter.__base__  # what the parser raises for any line it cannot read
_NAMED = re.compile(r"'([^']*)'|\(([^()]*)\)\.?$")  # the word the parser complains about


def refusal_of_line(error: Any) -> Refusal:
    """Why a command line cannot be used, with the word it fails on and the command that explains it."""
    facts = {"command": error.ctx.command_path if error.ctx else "sizewell"}
    kind = type(error).__name__
    if kind == "NoSuchOption":
        return Refusal("unknown_option", None, error.option_name, {**facts, "limit": ", ".join(error.possibilities or ())})
    if kind == "BadOptionUsage":
        return Refusal("option_without_value", None, error.option_name, facts)
    if kind == "MissingParameter":
        return Refusal("word_missing", None, None, {**facts, "key": _name(error)})
    if kind == "BadParameter":
        return Refusal("option_value", None, _name(error), facts)
    named = _NAMED.search(error.message)
    word = next(filter(None, named.groups()), None) if named else None
    return Refusal("unknown_command" if hasattr(getattr(error.ctx, "command", None), "commands") else "too_many_words", None, word, facts)


def _name(error: Any) -> str:
    """The option or argument as it is written on the line."""
    if error.param is None:
        return str(error.param_hint or "")
    options = [one for one in error.param.opts if one.startswith("-")]
    return max(options, key=len) if options else str(error.param.name)


def asked_language(words: Sequence[str]) -> str | None:
    """What follows --lang on a line, whatever else is wrong with it."""
    for word, following in zip(words, [*words[1:], None], strict=False):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return None
