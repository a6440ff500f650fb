"""What resolving a name can bring up besides the thing itself: a question with its options, or a contradiction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from engine.recommendation import Question

Kind: TypeAlias = Literal["memory_of_card", "size_of_model"]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two things that cannot be true together: its kind (the words' key), where it stands, what was read, what is known."""

    kind: Kind
    field: str
    read: str
    facts: Mapping[str, Any]


class Finding(Protocol):
    """Anything resolved from a request."""

    @property
    def question(self) -> Question | None: ...

    @property
    def contradiction(self) -> Contradiction | None: ...
