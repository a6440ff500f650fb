"""The search for the largest number that fits, and what it costs in looks."""

from hypothesis import given
from hypothesis import strategies as st

from engine.placement.limits import largest_fitting


class Counted:
    """A need that counts how often it is asked."""

    def __init__(self, need: object) -> None:
        self.need, self.looks = need, 0

    def __call__(self, number: int) -> float:
        self.looks += 1
        return self.need(number)  # type: ignore[operator,no-any-return]


@given(fixed=st.floats(0, 50), each=st.floats(0.001, 5), usable=st.floats(1, 100), high=st.integers(2, 5000))
def test_proportional_needs_are_found_exactly(fixed: float, each: float, usable: float, high: int) -> None:
    need = Counted(lambda number: fixed + each * number)
    found = largest_fitting(need, usable, 1, high)
    if found is None:
        assert fixed + each > usable
        return
    assert fixed + each * found <= usable
    assert found == high or fixed + each * (found + 1) > usable
    assert need.looks <= 12


@given(knees=st.lists(st.tuples(st.floats(0, 60), st.floats(0.001, 1)), min_size=1, max_size=4), usable=st.floats(1, 100))
def test_the_largest_of_several_moments_is_found_too(knees: list[tuple[float, float]], usable: float) -> None:
    def need(number: int) -> float:
        return max(fixed + each * number for fixed, each in knees)

    found = largest_fitting(need, usable, 1, 4096)
    expected = [number for number in range(1, 4097) if need(number) <= usable]
    assert found == (expected[-1] if expected else None)


@given(usable=st.floats(1, 100), curve=st.floats(1e-6, 1e-2))
def test_curved_needs_are_found(usable: float, curve: float) -> None:
    counted = Counted(lambda number: 0.5 + curve * number * number)
    found = largest_fitting(counted, usable, 1, 100_000)
    assert found is not None
    assert counted(found) <= usable
    assert found == 100_000 or counted(found + 1) > usable
    assert counted.looks <= 45


def test_everything_fits() -> None:
    assert largest_fitting(lambda number: 1.0, 2.0, 1, 77) == 77


def test_nothing_fits() -> None:
    assert largest_fitting(lambda number: 3.0, 2.0, 1, 77) is None
