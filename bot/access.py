"""Who may do what, and how often: what is known of a person and a place enters, what they may do leaves. Pure.

Closed by default: only members may use the bot in private, only allowed groups in groups.
"""

import hashlib
import hmac
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.store.people import Person, Place, Role

INVITATION_LASTS = timedelta(days=7)
LONGEST_INVITATION_DAYS = 60
GROUP_FACTOR = 4  # a whole group may do this many times as much as one person
Verdict = Literal["granted", "tell", "silent"]


@dataclass(frozen=True, slots=True)
class Access:
    """What somebody may do here: their role, and the team whose history this is."""

    role: Role
    team_id: int


def access_of(person: Person | None, place: Place | None, private: bool) -> Access | None:
    """A member in private, anybody in an allowed group; admins only where the group is their team's. None: a stranger."""
    if private:
        return None if person is None else Access(person.role, person.team_id)
    if place is None or place.team_id is None:
        return None
    own = person is not None and person.team_id == place.team_id
    return Access(person.role if own and person is not None else "member", place.team_id)


def claim_code(secret: str, salt: str) -> str:
    """The code that makes the first admin: the same at every start and in every replica until it is used, and kept nowhere."""
    made = hmac.new(secret.encode(), f"claim/{salt}".encode(), hashlib.sha256).digest()
    letters = b32encode(made).decode()
    return "-".join(letters[start : start + 5] for start in (0, 5, 10))


def is_code(said: str, code: str) -> bool:
    """Whether somebody sent the code, compared in constant time; spelling of case and dashes does not matter."""
    return hmac.compare_digest(_bare(said[:100]), _bare(code))


def _bare(code: str) -> bytes:
    return "".join(letter for letter in code.upper() if letter.isalnum()).encode()


def period(now: datetime, length: timedelta) -> int:
    """The number of the period a moment lies in."""
    return int(now.timestamp() // length.total_seconds())


def verdict(used: int, most: int) -> Verdict:
    """Within the limit it is granted; the first time above it one is told, after that nothing is answered."""
    if used <= most:
        return "granted"
    return "tell" if used == most + 1 else "silent"
