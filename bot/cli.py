"""The command `sizewell`: what enters are words and streams, what leaves are answers on stdout and errors on stderr.

Exit codes of the contract's commands: 0 answered, 2 the input cannot be used, 3 something is asked back.
Everything heavy is imported where it is needed.
"""

import io
import os
import re
import sys
from typing import Annotated, Any

import typer

from bot import commands
from bot.databases import db_app
from bot.history import history_app
from bot.prices import prices_app
from bot.usage import UsageError, asked_language, refusal_of_line
from engine.errors import CatalogueError

app = typer.Typer(
    name="sizewell",
    help="Sizing advice for LLM hardware: do you need training, does it fit, what to rent or buy, what it costs.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(history_app, name="history")
app.add_typer(prices_app, name="prices")
app.add_typer(db_app, name="db")

TEXT_WITH_DASH = re.compile(r"-(\d|\s|[^-=]*\s)")

Lang = Annotated[str | None, typer.Option("--lang", help="de or en; default: the language of the message, else SIZEWELL_LANG_DEFAULT.")]
Today = Annotated[str | None, typer.Option("--today", envvar="SIZEWELL_TODAY", help="YYYY-MM-DD: the day to advise for (default: today).")]


@app.command()
def size(
    message: Annotated[str | None, typer.Argument(help="What you would write in the chat: '8B LoRA, 12 h a month, 5000 EUR'.")] = None,
    lang: Lang = None,
    format: Annotated[str, typer.Option("--format", help="text, html or json.")] = "text",  # noqa: A002  # the contract's name
    today: Today = None,
    request: Annotated[str | None, typer.Option("--request", metavar="FILE|-", help="A Request as JSON.")] = None,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE|-", help="JSON lines: Requests or {message, lang}.")] = None,
    config: Annotated[
        str | None, typer.Option("--config", metavar="FILE|-", help="A Hugging Face config.json: the message's model.")
    ] = None,
) -> None:
    """Answer one message, one request, or a batch of them. Nothing is stored."""
    raise typer.Exit(commands.size(message, lang, format, today, request, batch, config))


@app.command()
def memory(
    batch: Annotated[str, typer.Option("--batch", metavar="FILE|-", help="JSON lines of memory rows (see: sizewell schema memory_row).")],
    lang: Lang = None,
) -> None:
    """Compute the memory of typed training setups, one JSON line each."""
    raise typer.Exit(commands.memory(batch, lang))


@app.command()
def read(
    text: Annotated[str, typer.Argument(help="A message, or the answer to one question.")],
    slot: Annotated[str | None, typer.Option("--slot", help="The question that was asked: model, budget, usage …")] = None,
    lang: Lang = None,
) -> None:
    """Show what is read from a text, as JSON."""
    raise typer.Exit(commands.read(text, slot, lang))


@app.command()
def schema(
    name: Annotated[str | None, typer.Argument(help="request, answer, readings, memory_row or memory_out; without: all names.")] = None,
) -> None:
    """Print a JSON Schema of the machine contract."""
    raise typer.Exit(commands.schema(name))


@app.command()
def chat(lang: Lang = None, today: Today = None) -> None:
    """Talk in the terminal; reads plain lines when its input is not a terminal."""
    raise typer.Exit(commands.chat(lang, today))


@app.command()
def bot() -> None:
    """Run the Telegram bot (needs SIZEWELL_TELEGRAM_TOKEN)."""
    raise typer.Exit(commands.bot())


def _version(wanted: bool) -> None:
    if wanted:
        from engine.version import ENGINE_VERSION

        typer.echo(f"sizewell {ENGINE_VERSION}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")] = False,
) -> None:
    """Sizewell."""


def arguments(given: list[str]) -> list[str]:
    """The words of the command line; what begins like a list or a negative number is a text, not an option, and goes to the end."""
    if given[:1] not in (["size"], ["read"]):
        return given
    texts = [word for word in given if TEXT_WITH_DASH.match(word)]
    return [*(word for word in given if word not in texts), "--", *texts] if texts and "--" not in given else given


def main() -> None:
    """Entry point. A line that cannot be read is told in the language it asks for, a closed pipe and Ctrl-C end quietly, and a wrong
    table is named with its line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # half an emoji stays the escape it is in JSON
    given = arguments(sys.argv[1:])
    try:
        sys.exit(app(given, standalone_mode=False))
    except UsageError as error:
        sys.exit(_unread(error, given))
    except CatalogueError as error:
        print(f"sizewell: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes stdout once more at exit
        sys.exit(141)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def _unread(error: Any, given: list[str]) -> int:
    """Say why a command line cannot be used; without a command there is nothing wrong, and the help says which there are."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
    else:
        commands.complain(refusal_of_line(error), asked_language(given))
    return commands.UNUSABLE
