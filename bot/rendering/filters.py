"""What templates may do with values: numbers in the language's form, and the handling of text already rendered."""

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from bot.rendering import money, numbers, sources
from bot.rendering.medium import PARAGRAPH
from engine.units import gigabytes

_UNKNOWN = "–"
_FILTERS: Mapping[str, Callable[..., str]] = {
    "amount": money.amount,
    "bare_hours": numbers.bare_hours,
    "bare_size": numbers.bare_size,
    "billions": numbers.billions,
    "card": numbers.card,
    "config_size": numbers.config_size,
    "day": numbers.day,
    "figure_value": money.figure_value,
    "formula": numbers.formula,
    "hours": numbers.hours,
    "input": numbers.any_input,
    "kilowatt_hours": numbers.kilowatt_hours,
    "long_number": numbers.long_number,
    "moment": numbers.moment,
    "month": numbers.month,
    "money": money.money,
    "monthly": numbers.monthly,
    "money_span": money.money_span,
    "plain_title": sources.plain_title,
    "price_span": money.price_span,
    "number": numbers.number,
    "percent": numbers.percent,
    "price": money.price,
    "seconds": numbers.seconds,
    "size": numbers.size,
    "span": numbers.span,
    "speed": numbers.speed,
    "plain_number": numbers.plain_number,
    "tokens": numbers.tokens,
    "tokens_floor": numbers.tokens_floor,
    "watts": numbers.watts,
    "weekly": numbers.weekly,
}


def filters(language: str) -> dict[str, Callable[..., Any]]:
    """The filters of a language by name."""
    forms: dict[str, Callable[..., Any]] = {name: _in(language, form) for name, form in _FILTERS.items()}
    return {
        **forms,
        "capitalised": _capitalised,
        "gigabytes": gigabytes,
        "one_line": _one_line,
        "paragraphs": _paragraphs,
    }


def _capitalised(text: str) -> str:
    """The first letter as a capital, the rest untouched (unlike Jinja's own filter); markup stays markup."""
    return text[:1].upper() + text[1:]


def _one_line(text: str) -> str:
    """All white space as single spaces."""
    return type(text)(" ".join(text.split()))


def _paragraphs(text: str) -> str:
    """Blank lines of a finished text kept when it stands inside another template."""
    return text.replace("\n\n", Markup(f"\n{PARAGRAPH}\n"))  # noqa: S704  # a constant


def _in(language: str, form: Callable[..., str]) -> Callable[..., str]:
    """A number's form in one language; what is not known shows as a dash instead of failing a whole answer."""

    def shown(value: Any, *arguments: Any, **options: Any) -> str:
        if value is None or isinstance(value, Undefined):
            return _UNKNOWN
        return form(value, language, *arguments, **options)

    return shown
