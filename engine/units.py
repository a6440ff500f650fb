"""The one unit registry: what numbers enter the engine as, and what they leave it as.

The registry starts empty and holds only what the field needs, so that `GB` has a dimension, `7B` is no bytes and
currencies never mix. Text from users never comes here: `bot.reading` turns it into numbers first.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

_NOT_NEEDED = ("numpy", "babel")  # pint takes them up where it finds them: a third of the start-up time for nothing


@contextmanager
def _plain() -> Iterator[None]:
    """Hide what pint would import only because it is installed: nothing here is an array, and words are made elsewhere."""
    hidden = [name for name in _NOT_NEEDED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


with _plain():
    import pint

DimensionalityError = pint.DimensionalityError
Quantity: TypeAlias = pint.Quantity[Any]

_DEFINITIONS = """
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
peta- = 1e15 = P-
kibi- = 1024 = Ki-
mebi- = 1048576 = Mi-
gibi- = 1073741824 = Gi-
tebi- = 1099511627776 = Ti-
bit = [data]
byte = 8 * bit = B
parameter = [parameter]
token = [token]
row = [row]
gpu = [gpu]
flop = [computation] = FLOP
second = [time] = s
minute = 60 * second
hour = 60 * minute = h
day = 24 * hour
week = 7 * day
month = 730 * hour
year = 12 * month
joule = [energy] = J
watt = joule / second = W
EUR = [currency_eur]
USD = [currency_usd]
GBP = [currency_gbp]
CHF = [currency_chf]
"""


def _registry() -> Any:
    registry: Any = pint.UnitRegistry(None)
    registry.load_definitions(_DEFINITIONS.strip().splitlines())  # in one go: a quarter faster than one by one
    return registry


ureg: Any = _registry()
CURRENCIES = ("EUR", "USD", "GBP", "CHF")


@cache
def unit(name: str) -> Any:
    """A unit by its name, parsed once. Errors: pint.UndefinedUnitError for a unit the registry does not hold."""
    return ureg.Unit(name)


def quantity(value: float, name: str) -> Quantity:
    """A number with its unit, such as `quantity(0.3, "EUR/kW/h")`. Errors: pint.UndefinedUnitError."""
    made: Quantity = ureg.Quantity(value, unit(name))
    return made


def magnitude(value: Quantity, name: str) -> float:
    """The plain number of a quantity in a unit. Errors: DimensionalityError."""
    return float(value.m_as(unit(name)))


def gigabytes(value: Quantity) -> float:
    """The plain number of decimal gigabytes (10^9 bytes)."""
    return magnitude(value, "GB")
