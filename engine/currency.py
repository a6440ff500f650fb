"""Conversion between currencies: an amount, two currencies and the dated rates of the catalogue enter; an amount leaves.

Rates are figures `exchange_rate_eur_usd` … (how many of the second one buy one of the first). No rate is ever undated.
"""

from engine.catalogue import Catalogue, Figure
from engine.request import Currency


def rate(catalogue: Catalogue, source: Currency, target: Currency) -> float:
    """How many of `target` one of `source` buys, by way of the euro. Errors: KeyError without a rate."""
    return _per_euro(catalogue, target) / _per_euro(catalogue, source)


def converted(amount: float, source: Currency, target: Currency, catalogue: Catalogue) -> float:
    """The amount in another currency at the catalogue's dated rate; the same amount in the same currency."""
    return amount if source == target else amount * rate(catalogue, source, target)


def rates_used(catalogue: Catalogue, currencies: frozenset[str]) -> tuple[Figure, ...]:
    """The dated rates behind conversions among these currencies; none for a single currency."""
    if len(currencies) < 2:
        return ()
    return tuple(catalogue.figure(_id(one)) for one in sorted(currencies) if one != "EUR")


def _per_euro(catalogue: Catalogue, currency: Currency) -> float:
    return 1.0 if currency == "EUR" else catalogue.figure(_id(currency)).typical


def _id(currency: str) -> str:
    return f"exchange_rate_eur_{currency.lower()}"
