"""What an amount of money is: enters as an amount on its page, leaves as its side: a limit, a purchase, a rent, a tariff, a fee.

Its period and the words around it decide. What stands behind a comma is about something else, unless it stands right at it
("Server im Büro, 10.000 € brutto" is a limit, "Server, 10.000 € brutto" an offer).
"""

from bot.reading.page import Page
from bot.reading.sums import Amount

_DEAREST_KWH = 2  # an amount behind "electricity" below this is a price of a kilowatt hour
_HOURLY = 20  # beside a price per hour an amount below this is another one
_THINGS = ("machine", "gpu", "gpu_ask")
_NO_CHOICE = r"(?:{!stop|comma|or}){0,4}"
_RENT_PRICED = r"{rent|rented}" + _NO_CHOICE + "{money}|{money}" + _NO_CHOICE + "{rent|rented}"
_RENT_OR_BUY = r"{rent}{or}{.}??{buy|purchase}|{buy|purchase}{or}{.}??{rent}"


def side_of(page: Page, amount: Amount) -> str:
    """What an amount is, by its period and the words around it."""
    if _near(page, amount, "paid", 2):
        return "paid"
    if amount.period == "kwh" or (_near(page, amount, "tariff", 2) and amount.period == "once" and max(amount.highs) < _DEAREST_KWH):
        return "tariff"
    if _near(page, amount, "budget", 4, 1):
        return "budget"
    if amount.period == "hour":
        return "budget" if "most" in _inside(page, amount) else "per_hour"
    if amount.period == "month":
        return _monthly(page, amount)
    return _single(page, amount) if amount.period == "once" else "budget"


def _single(page: Page, amount: Amount) -> str:
    """What an amount without a period is."""
    if _near(page, amount, "rent_bill", 3, 2) or _monthly_rent_before(page, amount):
        return "per_month"
    if max(amount.highs) < _HOURLY and (page.prices_hours or _near(page, amount, "time", 2)):
        return "per_hour"  # "$0.34/h spot vs $0.69 on demand", "100 hours at $2.40"
    if page.prices_hours and _explicitly_capped(page, amount):
        return "monthly_cap"
    if _for_setting_up(page, amount):
        return "setup_fee"
    return "purchase" if _offered(page, amount) or _to_be_bought(page, amount) else "budget"


def _near(page: Page, amount: Amount, kind: str, before: int = 4, after: int = 0) -> bool:
    return page.near(amount.first, amount.last, kind, before, after)


def _inside(page: Page, amount: Amount) -> set[str]:
    """The kinds of the amount's own words: "höchstens 900 € netto"."""
    return {kind for one in page.lexemes[amount.first : amount.last] for kind in one.kinds}


def _with(page: Page, amount: Amount, kinds: tuple[str, ...], before: int = 4, after: int = 0, next_to: bool = True) -> bool:
    """Whether a word of these kinds stands in the amount's own clause, or (`next_to`) is the last one of the clause before."""
    for place in range(amount.first - 1, max(-1, amount.first - 1 - before), -1):
        said = page.lexemes[place].kinds.keys()
        if "stop" in said:
            break
        if "comma" in said:
            if next_to and place and page.lexemes[place - 1].kinds.keys() & set(kinds):
                return True
            break
        if said & set(kinds):
            return True
    for place in range(amount.last, min(len(page.lexemes), amount.last + after)):
        said = page.lexemes[place].kinds.keys()
        if said & {"stop", "comma"}:
            return False
        if said & set(kinds):
            return True
    return False


def _explicitly_capped(page: Page, amount: Amount) -> bool:
    """A ceiling of a price ("with a monthly cap of 900"), not a limit on what may be spent ("max 900")."""
    place = page.where(amount.first, amount.last, "cap", 3)
    return place is not None and "most" not in page.lexemes[place].kinds


def _for_setting_up(page: Page, amount: Amount) -> bool:
    """The word stands right behind the amount, or before it with no machine or purchase nearer to the amount."""
    if page.near(amount.first, amount.last, "setup_fee", 0, 1):
        return True
    place = page.where(amount.first, amount.last, "setup_fee", 4)
    nearer = [page.where(amount.first, amount.last, kind, 4) for kind in ("machine", "gpu", "purchase")]
    return place is not None and all(one is None or one < place for one in nearer)


def _monthly(page: Page, amount: Amount) -> str:
    """A price by the month: of a place in a rack, of a rented machine, or what may be spent."""
    inside = _inside(page, amount)
    if page.prices_hours and ("cap" in inside or _near(page, amount, "cap")):
        return "monthly_cap"
    if _near(page, amount, "hosting") or _with(page, amount, ("hosting",), 0, 2):
        return "colocation"
    if ("most" in inside or _near(page, amount, "to", 1)) and page.slot != "quotes":
        return "budget"
    provided = _near(page, amount, "provider", 6, 6) or _near(page, amount, "instance")
    return "per_month" if provided or page.slot == "quotes" or _rented(page, amount) else "budget"


def _rented(page: Page, amount: Amount) -> bool:
    """Whether a monthly amount is what a machine costs to rent, not what "rent or buy?" may cost."""
    if _near(page, amount, "rent_bill", 3, 2) or _with(page, amount, ("rented",), 6, 4):
        return True
    if _with(page, amount, ("paying",), 4, 2) and _with(page, amount, (*_THINGS, "rented"), 6, 6):
        return True
    choices = [found.span for found in page.find(_RENT_OR_BUY, needs="or rent", free=False)]
    reach = 7 if _with(page, amount, ("rent",), 7, next_to=False) else 4
    before, behind = page.where(amount.first, amount.first, "rent", reach), page.where(amount.last, amount.last, "rent", 0, 4)
    if behind is not None and any("comma" in one.kinds for one in page.lexemes[amount.last : behind]):
        behind = None
    return any(place is not None and not any(first <= place < last for first, last in choices) for place in (before, behind))


def _monthly_rent_before(page: Page, amount: Amount) -> bool:
    """ "monatliche Miete 889 €", "Miete monatlich: 889 €"."""
    place = page.where(amount.first, amount.first, "rate", 3)
    return place is not None and page.lexemes[place].get("rate") == "month" and _with(page, amount, ("rent",), 4)


def _compared(page: Page) -> bool:
    """Whether the price of a rent is named beside it."""
    if page.prices_hours or page.has("rent_bill"):
        return True
    return next(page.find(_RENT_PRICED, needs="rent|rented money", free=False), None) is not None


def _offered(page: Page, amount: Amount) -> bool:
    """An amount for a thing is an offer: by a dealer, with its tax or price word, in brackets behind it, or beside a rent."""
    inside = _inside(page, amount)
    compared, taxed = _compared(page) or page.has("rent"), bool(inside & {"net", "gross"})
    thing = _with(page, amount, ("gpu", "gpu_ask"), 6) or _with(page, amount, ("machine",), 6, next_to=compared)
    if compared and _near(page, amount, "price", 0, 1) and (_near(page, amount, "machine", 0, 7) or _near(page, amount, "gpu", 0, 6)):
        return True  # "$9,000 for a dual-4090 box"
    if _near(page, amount, "dealer", 3) or (thing and (taxed or _near(page, amount, "price", 2) or _near(page, amount, "equals", 1))):
        return True  # "Angebot: 7.500 €", "eigener Server für 8.990 € netto", "a workstation is $8,000"
    if thing and (_near(page, amount, "open", 1) or _near(page, amount, "each", 1)) and "most" not in inside:
        return True  # "eine H100 (28.000 €)"
    if (compared or thing) and _near(page, amount, "each", 0, 1):
        return True  # "4.500 € pro Karte"
    return compared and (
        _near(page, amount, "machine", 1) or _with(page, amount, ("machine", "buy"), 0, 2)
    )  # "a $2,400 pc", "für 7.500 € kaufen"


def _to_be_bought(page: Page, amount: Amount) -> bool:
    """An amount one has, or may spend, is a limit; one beside a word of buying or a rent is a price."""
    inside = _inside(page, amount)
    if (_near(page, amount, "own") and not inside & {"net", "gross"}) or ("most" in inside and not _near(page, amount, "price", 2)):
        return False
    if page.slot == "quotes" or _with(page, amount, ("purchase",), next_to=False) or (_compared(page) and _near(page, amount, "purchase")):
        return True
    if _near(page, amount, "price", 2) and _with(page, amount, _THINGS, 0, 5):
        return True
    near = any(_near(page, amount, kind) for kind in _THINGS)
    return (near and _compared(page)) or (_with(page, amount, _THINGS) and page.has("rent"))
