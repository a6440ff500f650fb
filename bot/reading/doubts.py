"""What is left open: readings and the Request made of them enter, the questions that matter leave, most decisive first."""

from bot.reading.readings import Reading
from engine.recommendation import Question
from engine.request import Request, Slot

_DECISIVE: tuple[Slot, ...] = (
    "model", "hardware", "goal", "method", "stage", "usage", "quotes", "budget", "training", "dataset", "serving", "site", "constraints",
)  # fmt: skip
SLOT_OF: dict[str, Slot] = {
    "goal": "goal", "models": "model", "methods": "method", "stage": "stage", "training": "training", "dataset": "dataset",
    "usage": "usage", "serving": "serving", "budget": "budget", "hardware": "hardware", "site": "site", "constraints": "constraints",
    "quotes": "quotes",
}  # fmt: skip
_FIELD_OF: dict[Slot, str] = {slot: field for field, slot in SLOT_OF.items()}


def questions(said: list[Reading], request: Request, nothing_aside: bool) -> tuple[Question, ...]:
    """What is open, most decisive first, one question a slot."""
    open_readings = [one for one in said if one.ask_back is not None and not one.sure and _matters(one, said, request, nothing_aside)]
    asked: dict[Slot, Question] = {}
    for reading in open_readings:
        asked.setdefault(reading.slot, Question(reading.slot, reading.text, reading.ask_back or (), _FIELD_OF[reading.slot]))
    return tuple(sorted(asked.values(), key=lambda question: _DECISIVE.index(question.slot)))


def _matters(reading: Reading, said: list[Reading], request: Request, nothing_aside: bool) -> bool:
    """Whether the answer would change anything: an open model beside a clear one, or hours beside hours, need no question."""
    alone = nothing_aside and all(one.slot in (reading.slot, "stage", "method") or not one.means_it for one in said)
    if reading.slot == "model":
        return request.models is None
    if reading.slot == "usage" and request.goal == "facts":
        return False
    if reading.slot == "usage":
        return request.usage is None or request.usage.model_dump(exclude={"horizon_months"}, exclude_none=True) == {}
    if reading.slot in ("method", "dataset"):
        return alone and request.methods is None
    if reading.slot == "budget":
        return request.budget is None
    return True
