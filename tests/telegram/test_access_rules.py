"""Closed by default: who may do what, at both sides of every line."""

from datetime import timedelta

import pytest
from telegram_shapes import NOW

from bot import access
from bot.access import Access
from bot.store.people import Person, Place

ANNA = Person(1, 1, "admin", "Anna", None)
BEN = Person(2, 1, "member", "Ben", None)


def group(team_id: int | None) -> Place:
    return Place(-5, "group", "Team", team_id, False, True, None, False)


@pytest.mark.parametrize(
    ("person", "place", "private", "allowed"),
    [
        (None, None, True, None),
        (BEN, None, True, Access("member", 1)),
        (ANNA, None, True, Access("admin", 1)),
        (ANNA, group(None), False, None),
        (None, group(1), False, Access("member", 1)),
        (ANNA, group(1), False, Access("admin", 1)),
        (ANNA, group(2), False, Access("member", 2)),
    ],
)
def test_access(person: Person | None, place: Place | None, private: bool, allowed: Access | None) -> None:
    assert access.access_of(person, place, private) == allowed


def test_the_claim_code_is_stable_secret_and_forgiving() -> None:
    code = access.claim_code("123456:SECRET", "salt")
    assert code == access.claim_code("123456:SECRET", "salt")
    assert code != access.claim_code("123456:SECRET", "other salt")
    assert code != access.claim_code("123456:OTHER", "salt")
    assert access.is_code(code.lower().replace("-", " "), code)
    assert not access.is_code("", code)
    assert not access.is_code(code[:-1], code)
    assert not access.is_code("ä" * 5000, code)


def test_limits_tell_once() -> None:
    assert [access.verdict(used, 3) for used in range(1, 7)] == ["granted", "granted", "granted", "tell", "silent", "silent"]


def test_periods_follow_each_other() -> None:
    minute = timedelta(minutes=1)
    assert access.period(NOW, minute) + 1 == access.period(NOW + minute, minute)
    assert access.period(NOW, minute) == access.period(NOW + timedelta(seconds=59), minute)
