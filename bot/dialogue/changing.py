"""Changing one input of a recommendation: its question is opened, and after the answer the advice is given anew."""

from datetime import datetime

from bot.dialogue.session import Result, Session, Stop, World, renewed
from bot.dialogue.taking import given, noted
from bot.dialogue.turns import Turn, conclude, put
from bot.phrases import label
from bot.questions import ASKED
from engine.request import Slot

CHANGES: tuple[str, ...] = (*ASKED, "rag")


def continued(session: Session, result: Result, now: datetime) -> Session:
    """The conversation as it was when a recommendation was given; keyboards of the way there are closed."""
    kept = {
        "intent": result.intent,
        "symptoms": result.symptoms,
        "assumed": result.assumed,
        "doubts": result.doubts,
        "message": session.message,
    }
    passed = ("hardware",) if result.intent == "fit" else ()  # their cards were asked for under that answer
    return renewed(session, now, result.request).changed(begun=True, passed=passed, **kept)


def change(session: Session, result: Result, name: str, now: datetime, world: World) -> Turn:
    """Open the question behind a button of a recommendation; "rag" needs none. Errors: Refusal, KeyError."""
    session = continued(session, result, now)
    if name == "rag":
        return conclude(noted(given(session, {"rag_in_production": True}), label("change.rag", session.lang)), now, world)
    slot: Slot = {str(one): one for one in ASKED}[name]
    return put(session, Stop(slot=slot), world)
