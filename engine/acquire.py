"""Own, rent or buy for a case: the ways the rules leave open, the money of quotes and catalogue. Leaves the money stage's result."""

from dataclasses import replace

from engine.money import Money, money_of
from engine.recommendation import Approach
from engine.rules.case import Case
from engine.rules.ways import ways_of


def acquired(case: Case, approach: Approach | None) -> Money:
    """Verdict, plans and break-evens. What they own and what holds the task is used, unless they ask about offers of their own."""
    ways, _ = ways_of(case, approach)
    money = money_of(case.request, case.catalogue, ways)
    if case.owned_fits and case.request.quotes is None:
        return replace(money, acquisition=replace(money.acquisition, verdict="owned"))
    return money
