"""A button was pressed: on the open question, on one that is answered, under a result, or in a conversation that is over."""

from datetime import datetime, timedelta
from typing import Any

from bot.dialogue import showing
from bot.dialogue.asking import chosen_label, is_chosen, offered
from bot.dialogue.callback import PICK, Tap, button, read
from bot.dialogue.changing import CHANGES, change
from bot.dialogue.choices import Choice
from bot.dialogue.clarifying import clarify
from bot.dialogue.commanding import back, cancel, settings_told, with_open
from bot.dialogue.session import Session, Stop, World, renewed
from bot.dialogue.taking import picked, settled, skipped
from bot.dialogue.turns import Turn, onward, went_on
from bot.events import Alert, Tapped, Tell
from bot.phrases import label, language_of
from bot.questions import message_template

_DOUBLE = timedelta(minutes=1)  # a second tap within it is a double tap, not a wish to change


def tapped(session: Session, event: Tapped, now: datetime, world: World) -> Turn:
    """Answer to a tap. Errors: Refusal."""
    tap = read(event.data)
    if tap is None:
        return session, (alert("stale"),)
    if tap.step == "r":
        return _under_result(session, tap, now, world)
    if tap.step == "s":
        return _setting(session, tap, world)
    if tap.step == "o":
        return _again(session, tap, now, world)
    return _on_question(session, tap, now, world)


def alert(name: str, /, modal: bool = False, **facts: Any) -> Alert:
    """The answer to a tap alone."""
    return Alert(message_template(name), facts, modal)


def _on_question(session: Session, tap: Tap, now: datetime, world: World) -> Turn:
    place = tap.question
    if tap.session != session.id or place is None or place >= len(session.way):
        return _closed(session, tap)
    if place == session.at:
        return _answered(session, session.way[place], tap.choice, now, world)
    return _late(session, session.way[place], tap, now, world)


def _answered(session: Session, stop: Stop, key: str, now: datetime, world: World) -> Turn:
    """A tap on the open question."""
    if key == "back":
        return back(session, now, world, edits=True)
    if key == "cancel":
        return cancel(session, now, world)
    if key == "skip":
        return went_on(session, skipped(session, world), now, world, edits=True)
    if key == "keep":
        return onward(settled(session, stop), now, world, edits=True)
    choice = _by_key(session, stop, key, world)
    return went_on(session, picked(session, choice), now, world, edits=True) if choice else (session, (alert("stale"),))


def _by_key(session: Session, stop: Stop, key: str, world: World) -> Choice | None:
    return next((choice for choice in offered(session, stop, world) if choice.key == key), None)


def _late(session: Session, stop: Stop, tap: Tap, now: datetime, world: World) -> Turn:
    """A tap on a question that is answered: the same choice again is silence, another one is told how to change it."""
    if session.finished_at is not None and now - session.finished_at > _DOUBLE:
        return _closed(session, tap)
    choice = _by_key(session, stop, tap.choice, world)
    if tap.choice in ("skip", "keep") or (choice is not None and is_chosen(session, stop, choice)):
        return session, (alert("already_chosen"),)
    if session.finished_at is not None:
        return _closed(session, tap)
    return session, (alert("already_answered", slot=stop.slot, label=chosen_label(session, stop, world)),)


def _closed(session: Session, tap: Tap) -> Turn:
    """The conversation of this button is over; it can be begun again with its values."""
    known = tap.session == session.id or any(past.id == tap.session for past in session.past)
    if not known:
        return session, (alert("closed", modal=True),)
    again = button(label("again", session.lang), session, "o", tap.session)
    return session, (alert("closed", modal=True), Tell(message_template("closed"), {"offers": True}, ((again,),)))


def _again(session: Session, tap: Tap, now: datetime, world: World) -> Turn:
    """Begin anew with the values of an old conversation."""
    own = session.last.request if session.last else session.request
    requests = {**{past.id: past.request for past in session.past}, session.id: own}
    if tap.choice not in requests:
        return session, (alert("closed", modal=True),)
    session = renewed(session, now, requests[tap.choice]).changed(begun=True)
    return onward(session, now, world)


def _under_result(session: Session, tap: Tap, now: datetime, world: World) -> Turn:
    """A button under a recommendation: of this one, or of an earlier one that is still remembered."""
    result = next((one for one in session.results if one.revision == tap.revision), None)
    if result is None:
        return session, (alert("closed", modal=True),)
    name = tap.choice.removeprefix("change-")
    if name != tap.choice:
        return change(session, result, name, now, world) if name in CHANGES else (session, (alert("stale"),))
    if tap.choice.startswith(PICK):
        return clarify(session, result, tap.choice, now, world) or (session, (alert("stale"),))
    return showing.shown(session, result, tap.choice, world)


def _setting(session: Session, tap: Tap, world: World) -> Turn:
    """The language buttons."""
    code = language_of(tap.choice.removeprefix("lang-"))
    if code is None or code == session.lang:
        return session, (alert("already_chosen"),)
    session = session.changed(lang=code)
    return with_open(session, world, alert("language_changed", lang=code), settings_told(session, world, edits=True))
