"""Machines in question: enters as a page and a reading of hardware, leaves whether the machine is asked about and not theirs.

"A server with an RTX PRO 6000 to lease", "what does it cost on a 4090", "why no 4090": whether it fits is what they want to know,
but nothing there is owned.
"""

from bot.reading.page import Page
from bot.reading.readings import Reading

_REACH = 9  # lexemes before a machine that may still be about it
_FAR = 14  # and where price and term stand between: "leasing at 450 € a month for 36 months for a server with …"
_OPENING = 3  # lexemes
_GETTING = ("rent", "buy", "need", "dealer")


def in_question(page: Page, reading: Reading, first: int, last: int) -> bool:
    """Whether the only machine of a message is asked about: offered, rented by its name, or supposed."""
    if not isinstance(reading.value, dict) or "gpu" not in reading.value:
        return False
    owned = page.near(first, first, "own", _REACH) or page.near(last, last, "own", 0, 2)
    imagined = page.near(first, first, "supposing", 4) and not page.near(first, first, "own", 2) and not reading.aside
    if imagined or _offered_with(page, first):
        return True
    return not owned and (_by_its_offer(page, first, last) or supposed(page, first, last))


def supposed(page: Page, first: int, last: int) -> bool:
    """Whether it is only imagined: "was kostet das mit einer 4090", "und auf zwei A100?", "why not a 4090"."""
    if page.near(first, last, "why", 3) and (page.near(first, last, "not", 2) or page.near(first, first, "why", 1)):
        return True
    if _goes_on(page, first):
        return True
    on = page.where(first, first, "on", 2)
    return on is not None and (page.near(on, on, "tell_price", 4) or page.near(last, last, "tell_price", 0, 2))


def _goes_on(page: Page, first: int) -> bool:
    """Whether a question begins with it: "und mit einer H100?", "what about a 4090?"."""
    opening = page.lexemes[0].kinds.keys()
    return first <= _OPENING and "?" in page.text and ("proposal" in opening or ("and" in opening and page.near(first, first, "on", 2)))


def _offered_with(page: Page, first: int) -> bool:
    """Whether it is the content of a machine that is to be got: "Leasing für einen Server mit …", "offer for a box with …"."""
    on = page.where(first, first, "on", 2)
    if on is None or on == 0 or not page.lexemes[on - 1].kinds.keys() & {"node", "machine"}:
        return False
    got = max((place for kind in _GETTING if (place := page.where(on - 1, on - 1, kind, _FAR)) is not None), default=None)
    owned = page.where(on - 1, on - 1, "own", _FAR)
    return got is not None and (owned is None or owned < got)


def _by_its_offer(page: Page, first: int, last: int) -> bool:
    """Whether it is named as a provider names the machine it rents out: "GEX44", "p4d.24xlarge"."""
    return any("instance" in one.kinds for one in page.lexemes[first:last])
