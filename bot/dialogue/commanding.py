"""Commands, with a slash or as bare words: each is a function of the session; the open question never gets lost."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeAlias, get_args

from bot.dialogue.advising import standing
from bot.dialogue.asking import ask, chosen_label, currency_of
from bot.dialogue.callback import button
from bot.dialogue.changing import continued
from bot.dialogue.hearing import hear
from bot.dialogue.saying import message
from bot.dialogue.session import Result, Session, Stop, World, renewed
from bot.dialogue.showing import part_of, shown
from bot.dialogue.taking import noted, settled, skipped
from bot.dialogue.turns import Turn, conclude, onward, put, tell, went_on
from bot.events import Button, Command, Effect, Recall, Tell
from bot.phrases import label, language_of, named_term, term_names
from bot.questions import DEFAULTS, Json, message_template
from engine.request import Currency

_NAME = 32  # characters of a command, as Telegram takes them
_Doing: TypeAlias = Callable[[Session, str, datetime, World], Turn]


def commanded(session: Session, event: Command, now: datetime, world: World) -> Turn:
    """Do what a command says; of an unknown one that it is none, and what there is. Errors: Refusal."""
    does = _COMMANDS.get(event.name.lower())
    return does(session, event.argument.strip(), now, world) if does else _unknown(session, event.name, world)


def with_open(session: Session, world: World, *effects: Effect) -> Turn:
    """Effects that leave the thread: the open question is put again behind them."""
    return session, (*effects, ask(session, world)) if session.open else effects


def _start(session: Session, _argument: str, now: datetime, world: World) -> Turn:
    session = (renewed(session, now) if session.begun else session).changed(guided=True)
    session, effects = put(session, Stop(slot="goal"), world)
    return session, (tell("start"), *effects)


def _new(session: Session, argument: str, now: datetime, world: World) -> Turn:
    session = renewed(session, now) if session.begun else session
    if argument:
        return message(session, argument, now, world, fresh=True)
    return put(session.changed(guided=True), Stop(slot="goal"), world)


def _size(session: Session, argument: str, now: datetime, world: World) -> Turn:
    return message(session, argument, now, world, fresh=True) if argument else _new(session, "", now, world)


def _fit(session: Session, argument: str, now: datetime, world: World) -> Turn:
    if argument:
        return message(session, argument, now, world, intent="fit", fresh=True)
    session = (renewed(session, now) if session.begun else session).changed(intent="fit", begun=True)
    return onward(session, now, world)


def _resume(session: Session, _argument: str, _now: datetime, world: World) -> Turn:
    """The terminal opens again in the middle of a conversation."""
    return with_open(session, world, tell("resumed", known=session.request))


def _help(session: Session, _argument: str, _now: datetime, world: World) -> Turn:
    return with_open(session, world, tell("help", open=session.open.slot if session.open else None))


def _unknown(session: Session, name: str, world: World) -> Turn:
    return with_open(session, world, tell("no_such_command", name=name[:_NAME]), tell("help", open=None))


def cancel(session: Session, now: datetime, _world: World) -> Turn:
    """End the conversation; its results stay in the history."""
    if session.open is None:
        return session, (tell("nothing_to_cancel"),)
    return renewed(session, now), (tell("cancelled"),)


def _cancel(session: Session, _argument: str, now: datetime, world: World) -> Turn:
    return cancel(session, now, world)


def back(session: Session, now: datetime, world: World, edits: bool = False) -> Turn:
    """The question before; after a recommendation its last one; before the first the start."""
    place = (len(session.way) if session.at is None else session.at) - 1
    if place >= 0:
        session = session.changed(at=place, finished_at=None)
        return session, (ask(session, world, edits),)
    if session.at is None:
        return _before_last(session, now, world)
    if session.last is not None and session.changes_last:  # they think better of it
        closed = session.changed(at=None, finished_at=now, request=session.last.request)
        return closed, (standing(closed, world),)
    if session.last is not None:  # a new question was begun after an answer: back to the answer
        return _given_again(session.changed(results=session.results[:-1]), session.last, now, world)
    return session, (tell("start"), ask(session, world))


def _given_again(session: Session, result: Result, now: datetime, world: World) -> Turn:
    """An earlier recommendation becomes the newest one again."""
    again = continued(session.changed(results=(*session.results, result)), result, now).changed(results=session.results)
    return conclude(again, now, world, again=True)


def _before_last(session: Session, now: datetime, world: World) -> Turn:
    """After a follow-up: the recommendation before it."""
    if len(session.results) < 2:
        return session, (tell("nothing_to_go_back"),)
    return _given_again(session.changed(results=session.results[:-2]), session.results[-2], now, world)


def _back(session: Session, _argument: str, now: datetime, world: World) -> Turn:
    return back(session, now, world)


def language(session: Session, wanted: str, world: World) -> Turn:
    """Speak another language; what was said stays as it was understood."""
    code = language_of(wanted)
    if code is None:
        return with_open(session, world, _languages(session))
    session = session.changed(lang=code)
    return with_open(session, world, tell("language_changed", lang=code))


def _languages(session: Session) -> Tell:
    return Tell(message_template("language"), {"lang": session.lang}, (language_buttons(session),))


def language_buttons(session: Session) -> tuple[Button, ...]:
    """The languages to choose from, the one that is spoken marked."""
    named = {code: label(name, session.lang) for name, code in (("german", "de"), ("english", "en"))}
    marked = {code: label("chosen", session.lang, label=name) if code == session.lang else name for code, name in named.items()}
    return tuple(button(name, session, "s", f"lang-{code}") for code, name in marked.items())


def _language(session: Session, argument: str, _now: datetime, world: World) -> Turn:
    return language(session, argument, world)


def _settings(session: Session, argument: str, _now: datetime, world: World) -> Turn:
    """What is set; "settings USD" and "settings Deutsch" set it."""
    if language_of(argument):
        return language(session, argument, world)
    chosen = next((one for one in get_args(Currency) if one == argument.upper()), None)
    session = session.changed(currency=chosen) if chosen else session
    return with_open(session, world, settings_told(session, world))


def settings_told(session: Session, world: World, edits: bool = False) -> Tell:
    """What is set, with buttons to change it."""
    facts = {"lang": session.lang, "currency": currency_of(session, world), "typed": world.numbered}
    return Tell(message_template("settings"), facts, (language_buttons(session),), edits)


def _view(what: str) -> _Doing:
    def view(session: Session, argument: str, _now: datetime, world: World) -> Turn:
        part = part_of(argument) if what == "why" else None
        return shown(session, session.last, part or f"{what} {argument}".strip() if what == "chart" else part or what, world)

    return view


def _history(session: Session, argument: str, _now: datetime, world: World) -> Turn:
    item = argument.removeprefix("show").strip() if argument.split()[:1] == ["show"] else argument
    recall = Recall(item=item) if item.isdecimal() else Recall(query=argument)
    return with_open(session, world, recall)


def _check(session: Session, argument: str, _now: datetime, world: World) -> Turn:
    """Ask a past question again; without its number the list says which there are."""
    return with_open(session, world, Recall(item=argument, checks=True) if argument.isdecimal() else Recall())


def _compare(session: Session, argument: str, now: datetime, world: World) -> Turn:
    if not argument:
        return with_open(session, world, tell("compare_what"))
    heard = hear(argument, session.lang, world)
    known = session.request if session.open else session.last.request if session.last else {}
    if known and "models" not in heard.sets and heard.sets.get("methods"):
        return onward(_beside(session, known, heard.sets, argument), now, world)
    fresh = "models" in heard.sets or session.last is None
    return message(session, argument, now, world, intent="compare", fresh=fresh)


def _beside(session: Session, known: Json, said: Json, text: str) -> Session:
    """What is known so far with the methods to compare; one alone stands beside that of the answer before."""
    methods = said["methods"] if len(said["methods"]) > 1 else [*known.get("methods", ()), *said["methods"]]
    request = {**DEFAULTS["model"], **known, **said, "methods": list(dict.fromkeys(methods))}
    return noted(session.changed(request=request, intent="compare", doubts=(), guided=False, at=None), text)


def _privacy(session: Session, _argument: str, _now: datetime, world: World) -> Turn:
    return with_open(session, world, tell("privacy"))


def _thanks(session: Session, _argument: str, _now: datetime, world: World) -> Turn:
    return with_open(session, world, tell("thanks"))


def _term(session: Session, argument: str, _now: datetime, world: World) -> Turn:
    found = named_term(argument, session.lang)
    told = tell("term", term=found) if found else tell("terms", terms=term_names(session.lang))
    return with_open(session, world, told)


def _keep(session: Session, _argument: str, now: datetime, world: World) -> Turn:
    if session.open is None:
        return _help(session, "", now, world)
    if chosen_label(session, session.open, world) is None:
        return _skip(session, "", now, world)
    return onward(settled(session, session.open), now, world)


def _skip(session: Session, _argument: str, now: datetime, world: World) -> Turn:
    return went_on(session, skipped(session, world), now, world) if session.open else _help(session, "", now, world)


_COMMANDS: Mapping[str, _Doing] = {
    "start": _start,
    "resume": _resume,
    "restart": _start,
    "new": _new,
    "size": _size,
    "fit": _fit,
    "help": _help,
    "cancel": _cancel,
    "quit": _cancel,
    "back": _back,
    "language": _language,
    "lang": _language,
    "settings": _settings,
    "why": _view("why"),
    "memory": _view("memory"),
    "money": _view("money"),
    "sources": _view("sources"),
    "chart": _view("chart"),
    "share": _view("share"),
    "history": _history,
    "find": _history,
    "check": _check,
    "compare": _compare,
    "privacy": _privacy,
    "thanks": _thanks,
    "term": _term,
    "glossary": _term,
    "keep": _keep,
    "skip": _skip,
}
