"""Money for people: amounts and prices enter, text in the language's form leaves ("5.000 €", "€0.66/h", "129–300 €")."""

import re
from typing import Any

from babel.numbers import format_currency

from bot.rendering.numbers import MINUS, NBSP, is_quantity, locale_of, number, rounded
from engine.units import CURRENCIES, Quantity, magnitude


def currency_of(value: Quantity) -> str:
    """The currency in a quantity of money or of a price. Errors: ValueError where there is none."""
    for name in CURRENCIES:
        if name in str(value.units):
            return name
    raise ValueError(f"no money: {value.units}")


def money(value: Quantity, language: str, digits: int | None = 3) -> str:
    """An amount of money: three significant digits (computed), or whole with `digits=None` (stated by somebody)."""
    currency = currency_of(value)
    return amount(magnitude(value, currency), language, currency, digits)


def money_span(low: Quantity, language: str, high: Quantity) -> str:
    """A range of money with the currency once: "129–300 €", "€129–300"."""
    first, last = money(low, language), money(high, language)
    if language == "de":
        return f"{first.rsplit(NBSP, 1)[0]}–{last}"
    return f"{first}–{last.lstrip('€$£CHF' + NBSP)}"


def amount(value: float, language: str, currency: str, digits: int | None = None) -> str:
    """A stated amount: decimals only if it has some."""
    shown = value if digits is None else rounded(value, digits)
    whole = shown == round(shown) if digits is None else abs(shown) >= 10 or shown == 0
    return _currency(shown, language, currency, 0 if whole else 2)


def price(value: Any, language: str, currency: str = "", unit: str = "h") -> str:
    """A price per unit: "€0.66/h"; `value` is a quantity, or a number with its currency. Below a cent three decimals."""
    if is_quantity(value):
        currency = currency_of(value)
        value = magnitude(value, f"{currency}/{unit}")
    decimals = 2 if value >= 0.1 or value == 0 else 3
    return f"{_currency(float(value), language, currency, decimals)}/{unit}"


def price_span(low: Quantity, language: str, high: Quantity) -> str:
    """A range of prices per unit with currency and unit once: "0,23–0,55 €/h", "€0.23–0.55/h"."""
    first, last = price(low, language), price(high, language)
    if language == "de":
        return f"{first.rsplit(NBSP, 1)[0]}–{last}"
    return f"{first.rsplit('/', 1)[0]}–{last.lstrip('€$£CHF' + NBSP)}"


def _currency(value: float, language: str, currency: str, decimals: int) -> str:
    pattern = locale_of(language).currency_formats["standard"].pattern
    body = "#,##0" + ("." + "0" * decimals if decimals else "")
    shaped = pattern.replace("#,##0.00", body)
    text = format_currency(value, currency, format=shaped, locale=locale_of(language), currency_digits=False)
    return re.sub(r"(?<=[A-Z])(?=[0-9])", NBSP, text).replace("-", MINUS)


def figure_value(value: float, language: str, unit: str) -> str:
    """A figure's number: money whole from 100 on and with at most two decimals from 10, all else with up to four digits after the point."""
    is_money = any(unit == name or unit.startswith(f"{name}/") for name in CURRENCIES)
    decimals = 0 if is_money and value >= 100 else 2 if is_money and value >= 10 else 4
    return number(value, language, decimals)
