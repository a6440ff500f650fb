"""What the engine raises: always with what was read, why it cannot be used and what to write instead."""

import dataclasses
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass
class Refusal(Exception):
    """An input that cannot be used. `code` names the words (templates/errors), `facts` fill them in.

    field: path into the Request, such as usage.training_hours_per_month; None where the input is no request at all.
    read: what was read, as it came.
    """

    code: str
    field: str | None = None
    read: str | None = None
    facts: Mapping[str, Any] = dataclasses.field(default_factory=dict)


class CatalogueError(Exception):
    """The catalogue is wrong; the message names file and line."""
