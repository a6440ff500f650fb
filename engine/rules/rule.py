"""What a rule is and how rules are evaluated: typed tuples in order, `when` one expression over a `Case`, no side effects."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.recommendation import Verdict
from engine.rules.case import Case

Condition: TypeAlias = Callable[[Case], bool]
Facts: TypeAlias = Callable[[Case], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says: prefer or exclude a method or way, warn with a code, ask a slot."""

    kind: Literal["prefer", "exclude", "warn", "ask"]
    subject: str


def prefer(subject: str) -> Outcome:
    return Outcome("prefer", subject)


def exclude(subject: str) -> Outcome:
    return Outcome("exclude", subject)


def warn(code: str) -> Outcome:
    return Outcome("warn", code)


def ask(slot: str) -> Outcome:
    return Outcome("ask", slot)


def _no_facts(_: Case) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id (the name of its words), when it holds, what it says, the facts its words need, its source key."""

    id: str
    when: Condition
    outcome: Outcome | Callable[[Case], Outcome]
    source: str
    facts: Facts = _no_facts

    def verdict(self, case: Case) -> Verdict:
        outcome = self.outcome if isinstance(self.outcome, Outcome) else self.outcome(case)
        return Verdict(self.id, outcome.kind, outcome.subject, dict(self.facts(case)), self.source)


def fired(rules: Iterable[Rule], case: Case) -> tuple[Verdict, ...]:
    """The verdicts of all rules that hold, in their order."""
    return tuple(rule.verdict(case) for rule in rules if rule.when(case))
