"""How many things a price holds for: enters as an amount on its page, leaves as its possible counts, one where it is sure.

"2 used 3090 (700 € each)", "RTX 3090 für 700 €, zwei Stück", "8x H100 at 2.50 €/h per GPU"; where it is the price of one and nobody
says of how many, all usual counts leave.
"""

from bot.reading.amounts import plain_number
from bot.reading.lexemes import Lexeme
from bot.reading.page import Found, Page
from bot.reading.sums import Amount

_MANY = 64  # cards somebody buys at once
USUAL = (1.0, 2.0, 4.0, 8.0)  # cards of one machine
_REACH = 8  # lexemes between what is counted and the price of one
_CARD = r"(?:{gpu|gpu_ask}(?:{n}{gb})?{suffix}?)"
_END = r"(?={card|stop|comma|price|dealer|close}|$)"
MACHINE_OF = (
    r"(?:(?:{minus|to}?{node|machine})?{open}?(?P<c4>{n|count}){times}{close}?|{minus|to}?{node|machine}(?:{equals|on}){1,2}(?P<c5>{n|count})"
    + _END
    + ")"
)
_COUNTED = (
    r"(?P<c>{n|count}){times}?(?:{adjective|brand}){0,2}(?:{gpu|gpu_ask}|{card})",  # 8x H100
    _CARD + r"(?:{minus|to}?{node|machine})?{open}?(?:(?P<c>{n|count}){times}|{times}(?P<d>{n}))",  # H100 server 8x, H100 x8
    r"(?P<c>{n|count}){times}{node|machine}",  # 8x server
    r"{node|machine}(?:{equals|on}){1,2}(?P<c>{n|count})" + _END,  # H100 server with 8
)
_PIECES = r"(?P<c>{n|count}){adjective}?(?:{piece}|{equals}?{those})|(?P<d>{pair})|{buy|need}(?P<e>{count})(?={comma|stop}|$)"
_HOW = r"(?P<how>(?:{comma|open|each|and}){1,3})(?:{!n|count|stop|comma|money}){0,3}?(?:" + _PIECES + ")"
_BEHIND = r"(?:{net|gross}){0,2}" + _HOW  # "700 €, zwei Stück"
_SERVERS = ("server", "node", "cluster", "knoten")  # beginnings of words for machines that rarely hold a single card


def counts_of(page: Page, amount: Amount, side: str) -> tuple[float, ...]:
    """Every count a price can hold for: one number where it is sure."""
    if side in ("per_hour", "per_month"):
        return _cards_rented(page, amount)
    if side != "purchase":
        return (1.0,)
    behind = _pieces_behind(page, amount)
    if _of_each(page, amount):
        count = _counted_before(page, amount) or (behind[1] if behind else None) or _counted(page)
        return (count,) if count else USUAL
    if behind is None:
        return (1.0,)
    return (1.0, behind[1]) if behind[0] else (behind[1],)  # "1.400 € (2 Stück)": of both, or of each?


def pieces_of(page: Page, card: int) -> int:
    """How many of a card there are where the number follows its price: "RTX 3090 für 700 €, zwei Stück"."""
    rule = r"{gpu|gpu_ask}(?:{!stop|gpu|gpu_ask|money}){0,5}?(?:{n}{scale}?{money}|{money}{n}{scale}?)" + _BEHIND
    found = next((one for one in page.find(rule, needs="money piece|pair|those|count", free=False) if one.span[0] == card), None)
    return int(_number(found) or 1) if found else 1


def _number(found: Found) -> float | None:
    """The count a rule has found; None for one nobody buys at once."""
    pair = next((float(one.get("pair")) for one in found.part("d") if "pair" in one.kinds), None)
    said = pair or plain_number(found, "c", "whole") or plain_number(found, "d", "whole") or plain_number(found, "e", "whole")
    return said if said and 1 <= said <= _MANY and float(said).is_integer() else None


def _of_each(page: Page, amount: Amount) -> bool:
    """ "je 700 €", "700 € das Stück", "at $700 each"; the "a" of "a $700 card" is none."""
    places = (page.where(amount.last, amount.last, "each", 0, 1), page.where(amount.first, amount.first, "each", 2))
    return any(place is not None and page.text[page.lexemes[place].start : page.lexemes[place].end].lower() != "a" for place in places)


def _pieces_behind(page: Page, amount: Amount) -> tuple[bool, float] | None:
    """The number of pieces right behind an amount, and whether it stands in brackets."""
    for found in page.find(_HOW, needs="piece|pair|those|count", free=False):
        count = _number(found)
        if found.span[0] == amount.last and count:
            return any("open" in one.kinds for one in found.part("how")), count
    return None


def _counted_before(page: Page, amount: Amount) -> float | None:
    """The number of the nearest thing before the amount."""
    rule = r"(?P<c>{n|count|one}){times}?(?:{adjective|brand}){0,2}(?:{gpu|gpu_ask}|{card}|{node}|{machine}|{piece})"
    found = [one for one in page.find(rule, free=False) if amount.first - _REACH <= one.span[0] and one.span[1] <= amount.first]
    counts = [_number(one) for one in found]
    nodes = [
        one for one in found if any(part.kinds.keys() & {"gpu", "gpu_ask", "card", "piece"} for part in page.lexemes[slice(*one.span)])
    ]
    return _number((nodes or found)[-1]) if counts else None


def _counted(page: Page) -> float | None:
    """The number of cards the message names anywhere."""
    return next((count for rule in _COUNTED for count in map(_number, page.find(rule, free=False)) if count), None)


def _cards_rented(page: Page, amount: Amount) -> tuple[float, ...]:
    """How many cards a price of one holds for; hours of GPUs are priced as they are."""
    inside = page.lexemes[amount.first : amount.last]
    behind = page.lexemes[amount.last : amount.last + 2]
    of_one = any("gpu_hours" in one.kinds or "card" in one.kinds or _each_card(one) for one in (*inside, *behind[:1]))
    of_one = of_one or (len(behind) == 2 and "per" in behind[0].kinds and bool(behind[1].kinds.keys() & {"card", "gpu", "gpu_ask"}))
    outside = (*page.lexemes[: amount.first], *page.lexemes[amount.last :])
    if not of_one or any("gpu_hours" in one.kinds for one in outside):
        return (1.0,)
    count = _counted(page)
    return USUAL if count is None and _several(page) else (count or 1.0,)


def _several(page: Page) -> bool:
    """Whether cards are named of which nobody says how many: "H100s", "H100 server"."""
    for found in page.find(_CARD + r"(?P<w>{node})?", needs="gpu|gpu_ask", free=False):
        plural = any("suffix" in one.kinds and one.text == "s" for one in page.lexemes[slice(*found.span)])
        if plural or any(one.text.startswith(_SERVERS) for one in found.part("w")):
            return True
    return False


def _each_card(lexeme: Lexeme) -> bool:
    """ "per GPU", "je Karte", said as one."""
    return "each" in lexeme.kinds and any(word in lexeme.text for word in ("gpu", "card", "karte"))
