"""What an answer leaves open: its questions become buttons under it; a button or words that name an option settle one of them."""

from datetime import datetime

from bot.dialogue.advising import recommendation_of
from bot.dialogue.answering import chosen_option
from bot.dialogue.asking import offered
from bot.dialogue.callback import PICK
from bot.dialogue.changing import continued
from bot.dialogue.choices import Choice
from bot.dialogue.session import Doubt, Result, Session, Stop, World
from bot.dialogue.taking import picked
from bot.dialogue.turns import Turn, onward


def clarified(session: Session, last: Result, text: str, world: World) -> Session | None:
    """The session with an option taken that a text names; None for any other text. Errors: Refusal, ValidationError."""
    for stop in _open_stops(session, last, world):
        choice = chosen_option(offered(session, stop, world), text)
        if choice is not None:
            return _taken(session, stop, choice)
    return None


def clarify(session: Session, result: Result, key: str, now: datetime, world: World) -> Turn | None:
    """The advice anew with the option of a button taken; None for a button the answer never had. Errors: Refusal, ValidationError."""
    before = continued(session, result, now)
    place, _, option = key.removeprefix(PICK).partition("-")
    stops = _open_stops(before, result, world)
    stop = stops[int(place)] if place.isdecimal() and int(place) < len(stops) else None
    choice = next((one for one in offered(before, stop, world) if one.key == option), None) if stop else None
    return onward(_taken(before, stop, choice), now, world) if stop and choice else None


def _open_stops(session: Session, result: Result, world: World) -> tuple[Stop, ...]:
    """The questions of a recommendation, in the order of its buttons."""
    doubts = map(Doubt.of, recommendation_of(result, session.lang, world).questions)
    return tuple(Stop(slot=doubt.slot, doubt=doubt) for doubt in doubts)


def _taken(session: Session, stop: Stop, choice: Choice) -> Session:
    return picked(session.changed(way=(stop,), at=0), choice)
