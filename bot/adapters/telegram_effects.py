"""What a conversation answers, as calls of the Bot API: effects enter, outgoing calls and the answer to a tap leave.

A question is one message: edited in place where a button was tapped, frozen when it is answered, put anew below after free text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.adapters.outgoing import Outgoing, Rows
from bot.adapters.telegram_places import Spot
from bot.dialogue import Session, World
from bot.dialogue.asking import freeze
from bot.events import Advise, Alert, Ask, Button, Chart, Compare, Effect, Explain, Freeze, Recall, Tell
from bot.rendering import answer, comparison, explanation, message
from engine.recommendation import Recommendation
from engine.request import Language


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes out after a turn."""

    calls: tuple[Outgoing, ...]
    alert: str = ""
    modal: bool = False


def reply_of(effects: Sequence[Effect], calls: Sequence[Outgoing], before: Session, after: Session, spot: Spot, world: World) -> Reply:
    """The calls of a step with what belongs around them: an old question's keyboard is taken away, a tap is answered."""
    alert = next((effect for effect in effects if isinstance(effect, Alert)), None)
    made = _answering([*_closing(effects, before, after, spot, world), *calls], spot)
    if alert is None:
        return Reply(made)
    return Reply(made, message(alert.template, after.lang, "text", alert.facts), alert.modal)


def _closing(effects: Sequence[Effect], before: Session, after: Session, spot: Spot, world: World) -> Iterator[Outgoing]:
    """What becomes of a question that was open, where no effect says it: its last answer stays as a line, else its keyboard goes."""
    asked_anew = any(isinstance(one, Ask) and not one.edits for one in effects)
    said = any(isinstance(one, Freeze) or (isinstance(one, Ask) and one.edits) for one in effects)
    if before.open is None or said or not (after.open is None or asked_anew):
        return
    line = freeze(after, before.open, world)
    if any(isinstance(one, Advise | Compare) for one in effects) and line.facts.get("label"):
        yield from calls_of(line, after, spot)
    else:
        yield spot.calls("close", ends=True)


def _answering(calls: list[Outgoing], spot: Spot) -> tuple[Outgoing, ...]:
    """In a group the first new message replies to what it answers."""
    place = next((place for place, call in enumerate(calls) if call.kind in ("send", "chart", "batch")), None)
    if place is not None and spot.reply_to is not None:
        calls[place] = replace(calls[place], reply_to=spot.reply_to)
    return tuple(calls)


def calls_of(effect: Effect, session: Session, spot: Spot) -> Iterator[Outgoing]:
    """The calls of one effect."""
    lang = session.lang
    match effect:
        case Ask():
            yield _question(effect, lang, spot)
        case Freeze():
            yield spot.calls("edit", message("answered", lang, "html", effect.facts), ends=True)
        case Tell():
            yield told(effect, message(effect.template, lang, "html", effect.facts), effect.buttons, spot)
        case Compare():
            yield spot.calls("send", comparison(effect.recommendations, lang, "html"), effect.buttons)
        case Explain():
            yield spot.calls("send", explanation(effect.recommendation, effect.part, lang, "html"), effect.buttons)
        case Chart():
            yield chart(effect.recommendation, effect.kind, lang, spot)
        case Advise() | Alert() | Recall():
            return


def told(effect: Tell, text: str, buttons: Rows, spot: Spot) -> Outgoing:
    """A message, new or in place of the one whose button was tapped."""
    edits = effect.edits and spot.tapped is not None
    return spot.calls("edit" if edits else "send", text, buttons, message_id=spot.tapped if edits else None)


def _question(ask: Ask, lang: Language, spot: Spot) -> Outgoing:
    parts = [message(ask.template, lang, "html", {**ask.facts, "slot": ask.slot})]
    if ask.again is not None:
        parts.insert(0, message(ask.again.template, lang, "html", ask.again.facts))
    if spot.in_group:
        parts.append(message("reply_here", lang, "html", {}))
    made = spot.calls("edit" if ask.edits else "send", "\n\n".join(parts), ask.buttons, asks=True)
    return replace(made, force_reply=spot.in_group, message_id=spot.tapped if ask.edits else None)


def advice(recommendation: Recommendation, buttons: Rows, lang: Language, spot: Spot) -> Outgoing:
    """A recommendation as a new message."""
    return spot.calls("send", answer(recommendation, lang, "html", buttons=True), buttons)


def chart(recommendation: Recommendation, kind: str, lang: Language, spot: Spot) -> Outgoing:
    """A picture, drawn when it is sent."""
    made = spot.calls("chart")
    request: dict[str, Any] = recommendation.request.contract()
    name = f"sizewell-{kind}-{recommendation.today.isoformat()}.png"
    return replace(
        made,
        lang=lang,
        request=request,
        part=kind,
        today=recommendation.today.isoformat(),
        name=name,
        in_question=recommendation.in_question,
    )


def row(*buttons: tuple[str, str]) -> tuple[Button, ...]:
    """A row of buttons from labels and data."""
    return tuple(Button(label, data) for label, data in buttons)
