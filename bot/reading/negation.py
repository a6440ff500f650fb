"""Negation: a place on a page enters, whether it is denied there leaves."""

from bot.reading.page import Page

_REACH = 4
_ENDS = frozenset(("stop", "comma", "or", "model", "b", "gpu", "gpu_ask"))  # what a "not" does not reach across


def denied(page: Page, first: int, last: int, reach: int = _REACH) -> bool:
    """Whether a "no", "not", "kein" before it, or an "is no option" behind it, denies a run of lexemes."""
    for place in range(first - 1, max(-1, first - 1 - reach), -1):
        kinds = page.lexemes[place].kinds
        if "not" in kinds:
            return True
        if kinds.keys() & _ENDS or "method" in kinds:
            break
    for place in range(last, min(len(page.lexemes), last + reach)):
        kinds = page.lexemes[place].kinds
        if "rejected" in kinds:
            return True
        if kinds.keys() & _ENDS:
            break
    return False
