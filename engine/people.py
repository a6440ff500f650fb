"""People of a company: enters how many there are, leaves how many of them write to a model in the same moment.

users = ceil(people x share), at least one. Nobody measured it for them, so the answer says that it was taken.
"""

import math

from engine.catalogue import Catalogue

PEOPLE = "people"  # before the number of people, among the symptoms: "people:200"


def at_once_of(people: int, catalogue: Catalogue) -> int:
    """Those of a company's people who write at once (figure share_at_once)."""
    return max(1, math.ceil(people * catalogue.figure("share_at_once").typical))
