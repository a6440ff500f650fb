"""Looking closer at a recommendation that was given: why, memory, money, sources, chart. Nothing of the conversation changes."""

from typing import Literal, TypeAlias

from bot.charts import drawable
from bot.dialogue.advising import recommendation_of
from bot.dialogue.asking import ask
from bot.dialogue.callback import button
from bot.dialogue.session import Result, Session, World
from bot.dialogue.turns import Turn, tell
from bot.events import Chart, Effect, Explain, Tell
from bot.phrases import label, plain
from bot.questions import message_template
from engine.recommendation import Recommendation

Part: TypeAlias = Literal["why", "memory", "money", "sources"]
_PARTS: tuple[Part, ...] = ("why", "memory", "money", "sources")


def shown(session: Session, result: Result | None, what: str, world: World) -> Turn:
    """One view of a recommendation; without one the way to it. The open question stays open."""
    effects: tuple[Effect, ...] = (tell("nothing_yet"),)
    if result is not None:
        made = recommendation_of(result, session.lang, world)
        effects = (_view(session, result, made, what),)
    return session, (*effects, *_open_again(session, world))


def _open_again(session: Session, world: World) -> tuple[Effect, ...]:
    return (ask(session, world),) if session.open else ()


def _view(session: Session, result: Result, made: Recommendation, what: str) -> Effect:
    if what.startswith("chart"):
        kind = chart_kind(made, what)
        return Chart(made, kind) if kind else tell("no_chart", kind=part_of(what.removeprefix("chart").strip(" -")))
    if what == "share":
        return Tell(message_template("share"), {"known": result.request, "recommendation": made})
    at = session.changed(revision=result.revision)
    others = tuple(button(label(part, session.lang), at, "r", part) for part in _PARTS if part != what)
    return Explain(made, next((part for part in _PARTS if part == what), "why"), (others,))


def chart_kind(made: Recommendation, what: str) -> Literal["memory", "money"] | None:
    """Memory or money: the one that was named, else one there is something to see of; None where that cannot be drawn."""
    kinds = drawable(made)
    named = part_of(what.removeprefix("chart").strip(" -"))
    return next((kind for kind in kinds if named in (kind, None)), None)


def part_of(word: str) -> Part | None:
    """The part of an explanation a word names in any language."""
    from bot.phrases import command_of

    command = command_of(plain(word), "en") if word else None
    return next((part for part in _PARTS if part == command), None)
