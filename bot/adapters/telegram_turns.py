"""One update within its transaction: who it is, whether they may, how often; then the bot's own commands or the conversation.

An `Incoming`, the session as it was and an open transaction enter; the session as it is and the calls to make leave.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from bot import access
from bot.adapters.outgoing import Outgoing, Rows
from bot.adapters.telegram_documents import batch_of
from bot.adapters.telegram_door import House, at_the_door, language_of, membership, opened_by_admin, welcome_operators
from bot.adapters.telegram_effects import Reply, advice, calls_of, chart, reply_of, row
from bot.adapters.telegram_office import own_answer
from bot.adapters.telegram_places import spot_of
from bot.adapters.telegram_prices import imported
from bot.adapters.telegram_recall import recalled, share, shared_entry, whose
from bot.adapters.telegram_settings import keep_language, settings_message, world_of
from bot.adapters.telegram_updates import Incoming, Membership, Moved, Sheet, Unusable, Wordless
from bot.adapters.telegram_visit import Visit
from bot.dialogue import Session, resumed, saved, step
from bot.events import Advise, Chart, Command, Compare, Effect, Event, Recall, Said, Tapped, Tell, Uploaded
from bot.keeping import kept, kept_comparison
from bot.phrases import command_of, label
from bot.rendering import message
from bot.report import file_name, is_cut, report
from bot.store import Connection, conversations, history, outbox, people
from bot.store.unit_of_work import Turn
from engine.recommendation import Recommendation

RESULT = re.compile(r"r_([A-Za-z0-9_-]{6,32})")


def turn_of(house: House, incoming: Incoming, connection: Connection, before: str | None, now: datetime) -> Turn:
    """Everything one update leads to."""
    if isinstance(incoming.what, Moved):
        outbox.move_chat(connection, incoming.what.old, incoming.what.new)
        return Turn(before)
    people.know_place(connection, incoming.chat_id, incoming.chat_kind, incoming.chat_title)
    welcome_operators(connection, house, incoming, now)
    person, place = people.person(connection, incoming.user_id), people.place(connection, incoming.chat_id)
    opened = opened_by_admin(connection, incoming, person, place)
    place = people.place(connection, incoming.chat_id) if opened else place
    lang, spot = language_of(connection, person, place, incoming, house), spot_of(incoming)
    if isinstance(incoming.what, Membership):
        return _turn(before, membership(connection, incoming, incoming.what, person, lang, spot))
    allowed = access.access_of(person, place, incoming.chat_kind == "private")
    if allowed is None:
        return _turn(before, at_the_door(connection, house, incoming, person, lang, spot, now))
    visit = Visit(connection, house, incoming, allowed, lang, spot, now)
    turn = _of_a_guest(visit, before)
    welcome = [call.call for call in visit.says("group_allowed")] if opened and not _allows(incoming) else []
    return replace(turn, calls=(*welcome, *turn.calls))


def _allows(incoming: Incoming) -> bool:
    return isinstance(incoming.what, Command) and incoming.what.name == "allow"


def _turn(session: str | None, calls: tuple[Outgoing, ...], reply: Reply | None = None) -> Turn:
    alert, modal = (reply.alert, reply.modal) if reply else ("", False)
    return Turn(session, tuple(call.call for call in calls), alert, modal)


def _of_a_guest(visit: Visit, before: str | None) -> Turn:
    if visit.incoming.others_button:
        return _not_yours(visit, before)
    if not _for_them(visit):
        return Turn(before)
    verdict = _limit(visit)
    if verdict != "granted":
        told = message("slow_down", visit.lang, "text", {})
        tap = visit.incoming.tap is not None
        return Turn(before, alert=told) if tap else _turn(before, visit.says("slow_down") if verdict == "tell" else ())
    own = own_answer(visit)
    return _turn(before, own) if own is not None else _conversation(visit, before)


def _not_yours(visit: Visit, before: str | None) -> Turn:
    owner = replace(visit.incoming.key, user_id=visit.incoming.owner or 0)
    name = conversations.name_of(visit.connection, owner)
    return Turn(before, alert=message("not_yours", visit.lang, "text", {"name": name}), modal=True)


def _for_them(visit: Visit) -> bool:
    """Whether a text belongs to this person's conversation: in groups a reply counts only to their own open question, an edit
    only of what they wrote last."""
    what, incoming, connection = visit.incoming.what, visit.incoming, visit.connection
    if not isinstance(what, Said):
        return True
    if what.edited:
        return conversations.last_message(connection, incoming.key) == incoming.message_id
    conversations.keep_last_message(connection, incoming.key, incoming.message_id)
    if incoming.chat_kind == "private" or incoming.replied_to is None:
        return True
    question = conversations.question_message(connection, incoming.key)
    if question is not None:
        return question == incoming.replied_to
    return not conversations.carries_a_question(connection, incoming.chat_id, incoming.replied_to)


def _limit(visit: Visit) -> access.Verdict:
    """How often this person, and this chat, may go on."""
    kind, most, length = _allowance(visit)
    number = access.period(visit.now, length)
    user = access.verdict(people.count(visit.connection, visit.incoming.user_id, kind, number), most)
    if user != "granted" or visit.incoming.chat_kind == "private":
        return user
    used = people.count(visit.connection, visit.incoming.chat_id, kind, number)
    return access.verdict(used, most * access.GROUP_FACTOR)


def _allowance(visit: Visit) -> tuple[str, int, timedelta]:
    settings, what = visit.house.settings, visit.incoming.what
    if isinstance(what, Uploaded | Sheet | Unusable):
        return "documents", settings.documents_per_hour, timedelta(hours=1)
    if isinstance(what, Tapped) and what.data.rpartition(":")[2].startswith("chart"):
        return "charts", settings.charts_per_hour, timedelta(hours=1)
    return "messages", settings.messages_per_minute, timedelta(minutes=1)


def _conversation(visit: Visit, before: str | None) -> Turn:
    """What is not the bot's own business: what cannot be read, a file of requests, a shared result, and the talk itself."""
    what = visit.incoming.what
    match what:
        case Wordless():
            return _turn(before, visit.says("words_only"))
        case Unusable():
            return _turn(before, visit.says("refused", {"refusal": what.refusal}))
        case Sheet(prices=True):
            return _turn(before, imported(visit, what))
        case Sheet():
            return _turn(before, (batch_of(visit, what),))
        case Command(name="start"):
            match = RESULT.fullmatch(what.argument)
            shown = shared_entry(visit, match[1]) if match else None
            return _talk(visit, before, Command("start")) if shown is None else _turn(before, shown)
        case Command():
            return _talk(visit, before, what) if _known(what, visit) else Turn(before)
        case Said() | Tapped() | Uploaded():
            return _talk(visit, before, what)
    return Turn(before)


def _known(command: Command, visit: Visit) -> bool:
    """In a group, a command that is nobody's here may be another bot's."""
    return visit.incoming.chat_kind == "private" or command_of(command.name, visit.lang) is not None or command.name in ("size", "fit")


def _talk(visit: Visit, before: str | None, event: Event) -> Turn:
    """One step of the conversation, with all it leads to."""
    key = visit.incoming.key
    session = resumed(before, visit.lang, visit.now, f"{key.chat_id}/{key.thread_id}/{key.user_id}")
    session = session.changed(lang=visit.lang)
    world = world_of(visit)
    after, effects = step(session, event, visit.now, world)
    if after.lang != session.lang:
        keep_language(visit, after.lang)
    spoken = replace(visit, lang=after.lang)
    calls = [call for effect in effects for call in _calls(spoken, effect, after)]
    reply = reply_of(effects, calls, session, after, visit.spot, world)
    return _turn(saved(after), reply.calls, reply)


def _calls(visit: Visit, effect: Effect, session: Session) -> Iterable[Outgoing]:
    """The calls of one effect; the history is read and written here, within the transaction."""
    match effect:
        case Advise():
            return _advised(visit, effect)
        case Compare():
            calls = tuple(calls_of(effect, session, visit.spot))
            entry = kept_comparison(effect, visit.lang, calls[0].text, visit.house.catalogue)
            history.add(visit.connection, whose(visit), entry, visit.now)
            return calls
        case Chart():
            return (replace(chart(effect.recommendation, effect.kind, visit.lang, visit.spot), buttons=_other_chart(visit, effect)),)
        case Recall():
            return recalled(visit, effect)
        case Tell() if effect.template.endswith("/share.j2"):
            return share(visit, effect)
        case Tell() if effect.template.endswith("/settings.j2"):
            return settings_message(visit, effect)
    return calls_of(effect, session, visit.spot)


def _advised(visit: Visit, effect: Advise) -> Iterator[Outgoing]:
    """The recommendation as a message, and kept in the history; what no message can hold follows as a file."""
    call = advice(effect.recommendation, effect.buttons, visit.lang, visit.spot)
    if not effect.again:
        _keep(visit, effect.recommendation, effect.message, call.text)
    yield call
    if is_cut(call.text):
        whole = visit.spot.calls("document", content=report(effect.recommendation, visit.lang), silent=True)
        yield replace(whole, name=file_name(effect.recommendation, visit.lang))


def _keep(visit: Visit, recommendation: Recommendation, said: str, shown: str) -> None:
    entry = kept(recommendation, visit.lang, said, shown, visit.house.catalogue)
    history.add(visit.connection, whose(visit), entry, visit.now)


def _other_chart(visit: Visit, effect: Chart) -> Rows:
    """Under one picture the button for the other, where there is one to draw and a button led here."""
    made, what = effect.recommendation, visit.incoming.what
    drawable = {"memory": bool(made.sizings), "money": bool(made.acquisition.curve)}
    other = "money" if effect.kind == "memory" else "memory"
    if not isinstance(what, Tapped) or not drawable[other]:
        return ()
    return (row((label(other, visit.lang), f"{what.data.rpartition(':')[0]}:chart-{other}")),)
