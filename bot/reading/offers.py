"""The smaller parts of an offer: enters as a page, leaves as readings of power, PUE, resale, interest, maintenance, staff and billing."""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, whole
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.staff import staff

_SHARES = {"resale": "resale_share", "discount": "discount_rate", "maintenance": "maintenance_share_per_year"}
_LINK = r"(?:{equals|about|per|open|comma|most}){0,2}"
_MINUTES = {"minute": 1.0, "hour": 60.0, "day": 1440.0, "month": 43_800.0}


def _watts(page: Page) -> Iterator[Reading]:
    """450 W unter Last, 100 W idle; a number without either word is the load."""
    link = r"(?:{equals|about|per|open|most}){0,2}"
    before = r"(?P<a>{n})(?P<unit>{watt})(?!{per})" + link + r"(?P<kind>{idle|load})"
    after = r"(?P<kind>{idle|load})" + link + r"(?P<a>{n})(?P<unit>{watt})(?!{per})"
    for rule in (before, after, r"(?P<kind>)(?P<a>{n})(?P<unit>{watt})(?!{per})"):
        for found in page.find(rule, needs="n watt"):
            if "gpu" in found.part("a")[0].kinds:
                continue
            watts = (plain_number(found, "a") or 0.0) * float(found.value("unit", "watt"))
            idle = any("idle" in one.kinds for one in found.part("kind"))
            if 0 <= watts <= 1e8:
                yield page.reading(*found.span, "quotes", {"power": {"idle_w" if idle else "load_w": whole(watts)}})


def _shares(page: Page) -> Iterator[Reading]:
    for kind, field in _SHARES.items():
        for rule in ("{" + kind + "}" + _LINK + r"(?P<a>{n}){percent}", r"(?P<a>{n}){percent}" + _LINK + "{" + kind + "}"):
            for found in page.find(rule, needs=f"percent {kind}"):
                share = (plain_number(found, "a") or 0.0) / 100
                if 0 <= share <= 1:
                    yield page.reading(*found.span, "quotes", {field: round(share, 6)})
                else:
                    yield page.reading(*found.span, "quotes", ask_back=())
        for found in page.find(
            "{not}{" + kind + "}|{" + kind + "}" + _LINK + "(?:{free}|(?P<a>{n})(?!{percent|money|scale|.}))", needs=kind
        ):
            if not plain_number(found, "a"):  # "no resale value", "Restwert 0"
                yield page.reading(*found.span, "quotes", {field: 0})


def _pue(page: Page) -> Iterator[Reading]:
    for found in page.find(r"{pue}" + _LINK + r"(?P<a>{n})", needs="pue"):
        value = plain_number(found, "a") or 0.0
        if 1 <= value <= 10:
            yield page.reading(*found.span, "quotes", {"pue": value})


def _billing(page: Page) -> Iterator[Reading]:
    for found in page.find(r"{billing}" + _LINK + r"(?P<a>{n})?(?P<unit>{time})", needs="billing time"):
        minutes = (plain_number(found, "a") or 1.0) * _MINUTES.get(found.value("unit", "time"), 0.0)
        if 0 < minutes <= 44_640:
            yield page.reading(*found.span, "quotes", {"rent": {"billing_step_minutes": whole(minutes)}})


def offers(page: Page) -> Iterator[Reading]:
    """What belongs to the user's own offers beside prices."""
    for rule in (staff, _watts, _shares, _pue, _billing):
        yield from rule(page)
