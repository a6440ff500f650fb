"""`sizewell db`: bring the tables up to date, say where they stand, copy the database."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.complaints import refusals_in_words

db_app = typer.Typer(help="The database: upgrade, current, backup.", no_args_is_help=True)

Folder = Annotated[Path | None, typer.Argument(help="Where to put the copy; default: the folder backups beside the database.")]


@db_app.command()
def upgrade() -> None:
    """Bring the tables up to date (a SQLite file is brought up to date by itself)."""
    from bot.settings import settings
    from bot.store import schema
    from bot.store.database import database_at

    with refusals_in_words():
        database = database_at(settings().database_url)
        schema.upgrade(database)
        typer.echo(schema.current(database))


@db_app.command()
def current() -> None:
    """The revision of the tables and the one this version expects; exit code 1 where they differ."""
    from bot.settings import settings
    from bot.store import schema
    from bot.store.database import database_at

    with refusals_in_words():
        found = schema.current(database_at(settings().database_url))
        typer.echo(f"{found or '-'} ({schema.newest()})")
        raise typer.Exit(0 if found == schema.newest() else 1)


@db_app.command()
def backup(folder: Folder = None) -> None:
    """Copy the database into one file while others go on writing; prints its path."""
    from bot.settings import settings
    from bot.store import schema
    from bot.store.database import database_at

    with refusals_in_words():
        chosen = settings()
        into = folder or chosen.data_dir / "backups"
        typer.echo(schema.backup(database_at(chosen.database_url), into, datetime.now(UTC)))
