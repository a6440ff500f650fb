"""`step`: where a conversation stands and what happens enter; where it stands then and what is to be shown leave. No I/O."""

from datetime import datetime

from pydantic import ValidationError

from bot.dialogue.commanding import commanded, language
from bot.dialogue.merging import checked
from bot.dialogue.saying import said
from bot.dialogue.session import Session, World
from bot.dialogue.taking import given, settled
from bot.dialogue.tapping import tapped
from bot.dialogue.turns import Turn, onward, refused, tell
from bot.events import Command, Effect, Event, Said, Tapped, Uploaded
from bot.language import language_of as language_written
from bot.phrases import command_of, language_of, term_of
from bot.questions import Json
from bot.unread import unread
from engine.errors import Refusal

_WITH_ARGUMENT = ("compare", "chart", "why", "language", "settings", "history", "find", "check", "new")


def step(session: Session, event: Event, now: datetime, world: World) -> tuple[Session, tuple[Effect, ...]]:
    """One turn of a conversation. Never raises for what a person did: an unusable input is told, and the way stays open."""
    turn = session.changed(revision=session.revision + 1)
    try:
        after, effects = _turned(turn, event, now, world)
    except Refusal as refusal:
        after, effects = refused(turn, refusal, world)
    except ValidationError as error:
        from bot.contract import refusal_of

        after, effects = refused(turn, refusal_of(error), world)
    return (session if after == turn else after.changed(spoken_at=now)), effects


def _turned(session: Session, event: Event, now: datetime, world: World) -> Turn:
    match event:
        case Tapped():
            return tapped(session, event, now, world)
        case Command():
            return commanded(session, event, now, world)
        case Uploaded():
            return _uploaded(session, event, now, world)
        case Said():
            return _said(_in_their_language(session, event.text, world), event, now, world)


def _in_their_language(session: Session, text: str, world: World) -> Session:
    """The language of the first message, where nobody chose one."""
    written = language_written(text) if world.detects_language and not session.message else None
    return session.changed(lang=written) if written else session


def _said(session: Session, event: Said, now: datetime, world: World) -> Turn:
    """Bare words that are commands, a question for a term, or an answer."""
    code = language_of(event.text)
    if code:
        return language(session, code, world)
    command = typed_command(event.text, session)
    if command:
        return commanded(session, command, now, world)
    after, effects = said(session, event, now, world)
    took = (after.message, after.said, after.request) != (session.message, session.said, session.request)
    slot = session.open.slot if session.open else None
    lost = unread(event.text, session.lang, world.catalogue, slot) if took else ()
    return after, (tell("unread", pieces=lost), *effects) if lost else effects


def typed_command(text: str, session: Session) -> Command | None:
    """The command that a text without a slash means; also with one ("/back", "compare 7b vs 13b")."""
    stripped = text.strip()
    if stripped.startswith("/") and stripped[1:2].isalpha():
        word, _, argument = stripped[1:].partition(" ")
        return Command(command_of(word, session.lang) or word.partition("@")[0].lower(), argument)
    name = command_of(text, session.lang)
    if name:
        return Command(name)
    term = term_of(text, session.lang)
    if term:
        return Command("term", term)
    return _command_with_argument(stripped, session)


def _command_with_argument(text: str, session: Session) -> Command | None:
    first, _, rest = text.partition(" ")
    name = command_of(first, session.lang) or ""
    return Command(name, rest) if rest and name in _WITH_ARGUMENT and _takes(name, rest) else None


def _takes(name: str, argument: str) -> bool:
    """Whether a word with something behind it is that command ("why memory") and not the start of a sentence ("why is it …")."""
    if name in ("compare", "find"):
        return True
    if name == "language":
        return language_of(argument) is not None
    if name == "settings":
        return len(argument.split()) == 1
    if name == "check":
        return argument.strip().isdecimal()
    if name == "history":
        return len(argument.split()) <= 3
    return name in ("chart", "why") and command_of(argument, "en") in ("memory", "money", "sources")


def _uploaded(session: Session, event: Uploaded, now: datetime, world: World) -> Turn:
    """A config.json describes the model of the request."""
    sets: Json = {"models": [checked_config(event)]}
    last = session.last
    if session.open is None and last is not None:
        session = session.changed(request=last.request, intent=last.intent)
    session = given(session, sets).changed(begun=True, doubts=tuple(one for one in session.doubts if one.slot != "model"))
    if session.open is not None and session.open.slot == "model":
        session = settled(session, session.open)
    after, effects = onward(session, now, world)
    return after, (tell("uploaded", name=event.name, known=after.request), *effects)


def checked_config(event: Uploaded) -> Json:
    """A config as a model of the request. Errors: Refusal."""
    model: Json = {"config": dict(event.config)}
    checked({"models": [model]})
    return model
