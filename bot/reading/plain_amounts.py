"""Amounts without a currency: enters as a page, leaves as budgets or offers whose currency is asked.

Only what nothing else has read comes here: a number that could be a length, rows or hours is none of these.
"""

from collections.abc import Iterator

from bot.reading.budgets import as_budget
from bot.reading.money import as_quote
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.sums import AMOUNT, BARE, Amount, amount_of, ends

_NO_YEAR = range(2020, 2041)
_LEAST_PLAIN = 500  # below this a plain number behind "for" is rather a count
_SAID_FOR = frozenset(("price", "own", "most"))  # "for 5k", "we have 5k", "max 5k"
_COMPLETE = frozenset(("method", "b", "model", "gpu", "time", "gb", "rate", "close"))  # what a plain number does not go on with


def bare_amounts(page: Page) -> Iterator[Reading]:
    """Plain thousands of a message, and plain numbers that answer the question for the budget or an offer."""
    if page.slot is None and "budget" not in page.kinds:
        yield from _thousands(page)
    if page.slot not in ("budget", "quotes"):
        return
    for found in page.find(AMOUNT, needs="n|number_word|count|half"):
        amount = amount_of(page, found)
        if amount is None:
            continue
        if page.slot == "budget":
            yield as_budget(page, amount)
        else:
            small = amount.period == "hour" or max(amount.highs) < BARE
            yield as_quote(page, amount, "per_hour" if small else "purchase")


def _thousands(page: Page) -> Iterator[Reading]:
    """ "5k, A100, fine-tune mistral", "8b lora for 5k", "5k for 8b lora", "8b lora für 3000"."""
    for found in page.find(AMOUNT, needs="n|number_word"):
        amount = amount_of(page, found)
        if amount is None or amount.currency is not None or amount.period not in ("once", "month"):
            continue
        if (_stands_alone if found.has("scale_a") or found.has("scale_b") else _is_paid)(page, amount):
            yield as_budget(page, amount)


def _stands_alone(page: Page, amount: Amount) -> bool:
    """Whether thousands are neither a usual length (4k, 8k, 16k …) nor the count of anything that is named beside them."""
    before = _kinds(page, amount.first - 1) - _kinds_of_lengths(page, amount.first - 1)
    inside = {kind for one in page.lexemes[amount.first : amount.last] for kind in one.kinds}
    opens = ends(page, amount.first - 1) or bool(before & (_SAID_FOR | _COMPLETE) or inside & {"most", "about"})
    paid_for = "price" in _kinds(page, amount.last) and "equals" not in _kinds(page, amount.last)  # "5k for 8b lora"
    if paid_for and ends(page, amount.first - 1):
        return True
    return opens and (paid_for or ends(page, amount.last)) and not _is_length(max(amount.highs))


def _is_paid(page: Page, amount: Amount) -> bool:
    """Whether a plain number stands at the end of its clause behind a word for a price: "8b lora für 3000"."""
    before = _kinds(page, amount.first - 1)
    much = max(amount.highs) >= _LEAST_PLAIN and max(amount.highs) not in _NO_YEAR and "gpu" not in _kinds(page, amount.first)
    return much and "price" in before and "equals" not in before and ends(page, amount.last) and bool(page.kinds & {"method", "b", "model"})


def _kinds_of_lengths(page: Page, place: int) -> frozenset[str]:
    """ "at 5k" is said of lengths as well as of prices."""
    return _SAID_FOR if "equals" in _kinds(page, place) else frozenset()


def _kinds(page: Page, place: int) -> frozenset[str]:
    return frozenset(page.lexemes[place].kinds) if 0 <= place < len(page.lexemes) else frozenset()


def _is_length(value: float) -> bool:
    """Powers of two in thousands are how lengths are said."""
    thousands = value / 1000
    return not thousands.is_integer() or thousands < 1 or int(thousands) & (int(thousands) - 1) == 0
