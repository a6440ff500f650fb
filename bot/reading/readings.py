"""One thing read in a message: what leaves the grammar, and what `sizewell read` prints."""

from dataclasses import dataclass
from typing import Any

from engine.recommendation import Option
from engine.request import Slot

IN_QUESTION = ("in_question", True)  # said of a machine that is asked about, and not theirs


@dataclass(frozen=True, slots=True)
class Reading:
    """A value, a range of values, or something to ask back; `text` stands at `span` of the message.

    A value beside an `ask_back` is the sure part of it. An empty list as value says "none": nothing owned, no limit. `aside` marks
    what was read but does not describe the case: an alternative, something they say they do not want, a story.
    """

    slot: Slot
    text: str
    span: tuple[int, int]
    value: Any = None
    range: tuple[Any, Any] | None = None
    ask_back: tuple[Option, ...] | None = None
    aside: bool = False
    says: tuple[str, Any] | None = None  # a field of the Request, or a symptom, that no slot has a word for

    @property
    def sure(self) -> bool:
        """Whether nothing is left to ask: no question, or one that only confirms the value."""
        if self.ask_back is None:
            return True
        return bool(self.value) and len(self.ask_back) > 0 and self.ask_back[0].value == self.value

    @property
    def means_it(self) -> bool:
        """Whether it is the value of its slot, and no symptom or field that has no slot."""
        return self.says is None or self.says == IN_QUESTION

    def contract(self) -> dict[str, Any]:
        """As the contract's JSON. "None" has no form of its own there: it is confirmed by an option whose value is the empty list."""
        asked = self.ask_back
        if self.value == [] and asked is None:
            asked = (Option(self.text, []),)
        said: dict[str, Any] = {"slot": self.slot, "text": self.text, "span": list(self.span)}
        if self.range is not None:
            said["range"] = list(self.range)
        else:
            said["value"] = None if self.value == [] else self.value
        said["ask_back"] = None if asked is None else {"options": [{"label": one.label, "value": one.value} for one in asked]}
        return said


def option(label: str, **value: Any) -> Option:
    """A choice of a question, in the form of the slot's values."""
    return Option(label, dict(value))
