"""An open question that is not answered: it is put again once, then the usual is taken for what is open and the answer given."""

from datetime import datetime

from bot.dialogue.asking import MOST_QUESTIONS, ask
from bot.dialogue.session import Session, World
from bot.dialogue.taking import skipped
from bot.dialogue.turns import Turn, went_on
from bot.events import Effect, Freeze, Tell

_PATIENCE = 2  # messages that speak of other things


def left_open(session: Session, told: Tell, now: datetime, world: World) -> Turn:
    """Put the question again below what is told, or go on without its answer where it was left open before. Errors: Refusal."""
    session = session.changed(unanswered=session.unanswered + 1)
    if session.unanswered < _PATIENCE:
        return session, (ask(session, world, again=told),)
    after, effects = _without_answers(session, now, world)
    return after, (ask(after, world, again=told),) if after.open else effects


def _without_answers(session: Session, now: datetime, world: World) -> Turn:
    """The recommendation, which says that the usual was taken for every question still open; else the one nothing can be said without."""
    frozen: tuple[Effect, ...] = ()
    shown: tuple[Effect, ...] = ()
    asked: list[str] = []
    while session.open is not None and session.open.name not in asked and len(asked) <= 2 * MOST_QUESTIONS:
        asked.append(session.open.name)
        session, effects = went_on(session, skipped(session, world), now, world)
        frozen = frozen or tuple(one for one in effects if isinstance(one, Freeze))
        shown = tuple(one for one in effects if not isinstance(one, Freeze))
    return session, (*frozen, *shown)
