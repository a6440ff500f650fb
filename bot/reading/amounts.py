"""Numbers with their scale and their range: enters as parts of a match, leaves as plain numbers, low before high."""

from bot.reading.lexemes import Lexeme
from bot.reading.numbers import Sort
from bot.reading.page import Found

_FEW_KINDS = ("number_word", "count", "one", "half", "often")


def scale_of(lexemes: tuple[Lexeme, ...]) -> float:
    """Thousand, million … as a factor; 1 without one."""
    for lexeme in lexemes:
        if "scale" in lexeme.kinds:
            return float(lexeme.kinds["scale"])
        if "mille" in lexeme.kinds:
            return 1e3
        if "mega" in lexeme.kinds or "mio" in lexeme.kinds:
            return 1e6
        if lexeme.text == "billionen":
            return 1e12  # German counts on where English starts again
        if "b" in lexeme.kinds or "billion" in lexeme.kinds:
            return 1e9
        if "tera" in lexeme.kinds:
            return 1e12
    return 1.0


def spelled(lexeme: Lexeme) -> float | None:
    """A number written as a word: two, zwei, a, half."""
    for kind in _FEW_KINDS:
        if kind in lexeme.kinds:
            return float(lexeme.kinds[kind])
    return None


def plain_number(found: Found, name: str, sort: Sort = "measure") -> float | None:
    """The most likely value of a part that is a number or a small number word; None where the part is absent."""
    part = found.part(name)
    if not part:
        return None
    if any(lexeme.number for lexeme in part):
        return found.numbers(name, sort)[0]
    return next((value for value in map(spelled, part) if value is not None), None)


def written(found: Found, name: str, sort: Sort) -> tuple[float, ...]:
    """What a number can mean, in digits or in words ("fünftausend", "five" thousand)."""
    lexeme = found.part(name)[0]
    if not lexeme.number:
        return (spelled(lexeme) or 0.0,)
    return found.numbers(name, sort)


def rounded(value: float) -> float:
    """Three significant digits: nobody means more by "48 h a week"."""
    return float(f"{value:.3g}") if value < 1000 else float(f"{value:.4g}")


def whole(value: float) -> float | int:
    """An integer where it is one."""
    return int(value) if float(value).is_integer() else value
