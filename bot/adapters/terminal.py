"""`sizewell chat`: lines of text enter, the conversation's effects leave as plain text at most 80 columns wide.

Interactive with line editing where the input is a terminal; from a pipe it reads line by line and echoes what it reads, so that
the output is the whole conversation. Every turn is kept before the next line is read; the next start goes on from there.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from bot.adapters.terminal_recall import recalled
from bot.adapters.terminal_text import Screen, printable
from bot.dialogue import Session, World, resumed, saved, step
from bot.events import Advise, Chart, Command, Compare, Effect, Event, Recall, Said
from bot.phrases import command_of
from bot.uploads import file_named
from engine.errors import Refusal
from engine.request import Language

if TYPE_CHECKING:
    from bot.store import Database

PROMPT = "> "


@dataclass(frozen=True)
class Talk:
    """One terminal: where it is kept, what the conversation knows, and how things are said."""

    database: "Database"
    world: World

    def begin(self, lang: Language | None) -> tuple[Session, tuple[Effect, ...]]:
        """The conversation as it was left, with its open question; otherwise the first screen."""
        from bot.language import default_language
        from bot.store import Conversations

        now = datetime.now(UTC)
        session = resumed(Conversations(self.database).load(), lang or default_language(), now, "terminal")
        session = session.changed(lang=lang) if lang else session
        if session.open is None:
            return step(session, Command("start"), now, self.world)
        return step(session, Command("resume"), now, self.world)

    def turn(self, session: Session, event: Event) -> tuple[Session, tuple[Effect, ...]]:
        """One step, kept together with the recommendation it led to."""
        now = datetime.now(UTC)
        after, effects = step(session, event, now, self.world)
        self.keep(after, effects, now)
        return after, effects

    def keep(self, session: Session, effects: tuple[Effect, ...], now: datetime) -> None:
        """Write session and recommendations in one transaction."""
        from bot.keeping import kept, kept_comparison
        from bot.rendering import answer, comparison
        from bot.store import history
        from bot.store.conversations import TERMINAL, keep_session, lock

        with self.database.transaction() as connection:
            lock(connection, TERMINAL, now)
            keep_session(connection, TERMINAL, saved(session))
            for effect in effects:
                if isinstance(effect, Advise) and not effect.again:
                    shown = answer(effect.recommendation, session.lang, "html")
                    entry = kept(effect.recommendation, session.lang, effect.message, shown, self.world.catalogue)
                    history.add(connection, history.Whose(), entry, now)
                elif isinstance(effect, Compare):
                    shown = comparison(effect.recommendations, session.lang, "html")
                    history.add(connection, history.Whose(), kept_comparison(effect, session.lang, shown, self.world.catalogue), now)

    def forget(self, session: Session) -> Session:
        """Delete the conversation and the history; a conversation that has not begun."""
        from bot.store.conversations import TERMINAL, forget

        with self.database.transaction() as connection:
            forget(connection, TERMINAL.channel, TERMINAL.user_id)
        return resumed(None, session.lang, datetime.now(UTC), "terminal")


def run_chat(lang: Language | None, today: date) -> int:
    """Talk until the input ends. Exit code 0; errors: Refusal where the database cannot be used."""
    from bot.settings import settings
    from bot.store import open_database
    from bot.store.price_book import PriceBook

    _speak_utf8()
    database = open_database(settings().database_url)
    talk = Talk(database, World(PriceBook(database).catalogue(), today, numbered=True, detects_language=lang is None))
    session, effects = talk.begin(lang)
    talk.keep(session, effects, datetime.now(UTC))
    screen = Screen(sys.stdout)
    _show(talk, screen, session, effects)
    with suppress(KeyboardInterrupt):
        session = _talk(talk, screen, session)
    screen.message("goodbye", session.lang)
    return 0


def _talk(talk: Talk, screen: Screen, session: Session) -> Session:
    asked = False  # whether everything is to be forgotten
    for line in _lines():
        if not line.strip():
            continue
        command = command_of(line, session.lang)
        if command == "quit":
            break
        if asked and command == "keep":
            asked, session = False, talk.forget(session)
            screen.message("forgotten", session.lang)
            continue
        asked = command == "forget"
        if asked:
            screen.message("forget_sure", session.lang)
            continue
        try:
            session, effects = talk.turn(session, file_named(line) or Said(line))
        except Refusal as refusal:
            screen.message("refused", session.lang, {"refusal": refusal})
            continue
        _show(talk, screen, session, effects)
    return session


def _speak_utf8() -> None:
    """Read and write UTF-8 whatever the locale says; what cannot be shown becomes a question mark, never an error."""
    for stream in (sys.stdin, sys.stdout):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]


def _lines() -> Iterator[str]:
    """What is typed, line by line, until the end of the input or Ctrl-C."""
    if sys.stdin.isatty():
        yield from _typed_lines()
        return
    for line in sys.stdin:
        print(PROMPT + printable(line), flush=True)
        yield line.rstrip("\r\n")


def _typed_lines() -> Iterator[str]:
    """Lines with editing and recall by the platform's own line editor, where there is one."""
    with suppress(ImportError):
        import readline  # noqa: F401  # its presence changes what input() can do
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started us may have had it ignored
    try:
        while True:
            yield input(PROMPT)
    except (EOFError, KeyboardInterrupt):
        print()  # what follows begins on a line of its own


def _show(talk: Talk, screen: Screen, session: Session, effects: tuple[Effect, ...]) -> None:
    for effect in effects:
        if isinstance(effect, Recall):
            name, facts = recalled(talk.database, effect, talk.world)
            screen.message(name, session.lang, facts)
        elif isinstance(effect, Chart):
            _show_chart(screen, session, effect)
        else:
            screen.show(effect, session.lang)
    screen.flush()


def _show_chart(screen: Screen, session: Session, effect: Chart) -> None:
    """The numbers of the chart in words, and where the picture lies."""
    from bot.charts import picture
    from bot.settings import settings

    folder = settings().data_dir / "charts"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sizewell-{effect.kind}.png"
    path.write_bytes(picture(effect.recommendation, effect.kind, session.lang))
    screen.caption(effect, session.lang, path)
