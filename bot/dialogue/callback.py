"""Callback data of buttons: v1:<session>:<revision>:<step>:<choice>, at most 64 bytes, made and read in one place."""

import re
from dataclasses import dataclass

from bot.dialogue.session import Session
from bot.events import Button

LONGEST = 64
PICK = "pick-"  # begins the choice of a button that answers what a recommendation asks back: pick-<question>-<option>
_FORM = re.compile(r"v1:([0-9A-Za-z]{1,16}):(\d{1,9}):([a-z0-9]{1,8}):([\w.+-]{1,28})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tap:
    """What a button's data says. `step`: q<number> a question, r a result, s settings, o an old conversation."""

    session: str
    revision: int
    step: str
    choice: str

    @property
    def question(self) -> int | None:
        """Which question of the conversation it belongs to."""
        return int(self.step[1:]) if re.fullmatch(r"q\d{1,3}", self.step) else None


def button(label: str, session: Session, step: str, choice: str) -> Button:
    """A button of this conversation as it stands now."""
    made = f"v1:{session.id}:{session.revision}:{step}:{choice}"
    assert len(made) <= LONGEST, made  # noqa: S101  # a typo in the code, not in the input
    assert _FORM.fullmatch(made), made  # noqa: S101
    return Button(label, made)


def read(text: str) -> Tap | None:
    """What callback data says; None for what no button of ours ever carried."""
    found = _FORM.fullmatch(text)
    return Tap(found[1], int(found[2]), found[3], found[4]) if found else None


def is_pick(one: Button) -> bool:
    """Whether a button answers what a recommendation asks back."""
    return one.data.rpartition(":")[2].startswith(PICK)


def in_rows(buttons: tuple[Button, ...], widest: int = 3) -> tuple[tuple[Button, ...], ...]:
    """Buttons in rows of at most three; long labels in rows of two."""
    width = widest if all(len(one.label) <= 14 for one in buttons) else 2
    return tuple(buttons[start : start + width] for start in range(0, len(buttons), width))
