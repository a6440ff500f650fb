"""Owned or only talked about: enters as the hardware read in a message, leaves with what is not at hand marked.

A card somebody might buy, rent or compare is no hardware at hand; one whose fit is asked about ("is one A100 enough") is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.reading.amounts import plain_number
from bot.reading.in_question import in_question
from bot.reading.page import Page
from bot.reading.readings import IN_QUESTION, Reading

_REACH = 9  # words before a card that may still be about it


def _wanted(page: Page, first: int) -> bool:
    """Whether the nearest words before say that it is to be got, not that it is there."""
    for place in range(first - 1, max(-1, first - 1 - _REACH), -1):
        kinds = page.lexemes[place].kinds
        if "stop" in kinds and page.lexemes[place].text not in (".", ";"):
            return False
        owned = "own" in kinds and not page.near(place, place, "not", 3)
        if owned or "nvlink" in kinds or ("on" in kinds and first - place <= 2):
            return False
        if kinds.keys() & {"buy", "need", "which", "rent"}:
            users = "how_many" in kinds and page.near(place, place + 1, "users", 0, 3)  # "how many users can a 4090 serve"
            return not users and not _of_a_method(page, place, first)
    return False


def _of_a_method(page: Page, place: int, first: int) -> bool:
    """Whether what is wanted is a way of training, and the card only follows: "thinking of full finetuning, 2x H100"."""
    between = page.lexemes[place:first]
    at = next((number for number, one in enumerate(between) if one.kinds.keys() & {"adapt", "train", "method"}), None)
    return at is not None and any("comma" in one.kinds for one in between[at:])


def _wanted_after(page: Page, first: int, last: int) -> bool:
    """Whether what follows in the clause says so: "eine H100 mieten", "is a 4090 worth buying"."""
    if page.near(first, first, "own", _REACH):
        return False
    for place in range(last, min(len(page.lexemes), last + 5)):
        kinds = page.lexemes[place].kinds
        if kinds.keys() & {"stop", "comma", "own", "gpu", "gpu_ask"}:
            return False
        if kinds.keys() & {"buy", "rent"}:
            return True
    return False


def _class_of_card(page: Page, first: int, last: int) -> bool:
    """ "A100s": a kind of card, nobody says how many."""
    lexemes = page.lexemes[first:last]
    plural = any("suffix" in one.kinds and one.text == "s" for one in lexemes)
    return plural and not any(one.kinds.keys() & {"count", "one"} or (one.number and not one.kinds.keys() & {"gpu"}) for one in lexemes)


def _offer(page: Page, first: int, last: int) -> bool:
    """Whether a price stands beside it: a machine that could be had for it."""
    return any(last <= at <= last + 3 or first - 6 <= at < first for at in page.offers)


def _alternative(page: Page, first: int, earlier: bool) -> bool:
    """Whether something else stood there before: "or a 4090", "instead of a 4090", "no faster than one 4090"."""
    proposed = earlier and page.near(first, first, "proposal", 3)
    return (
        proposed or page.near(first, first, "alternative", 3) or page.near(first, first, "comparison", 2) or _after_or(page, first, earlier)
    )


def _after_or(page: Page, first: int, earlier: bool) -> bool:
    place = first - 1
    while place >= 0 and "adjective" in page.lexemes[place].kinds:
        place -= 1  # "or a new 5070"
    return earlier and place >= 0 and "or" in page.lexemes[place].kinds


def _asked_about(page: Page, first: int, last: int) -> bool:
    """Whether the question is if just this card is enough: "what GPU …, is a single A800 enough?"."""
    behind = page.where(last, last, "enough", 0, 3)
    if behind is not None and not any(one.kinds.keys() & {"or", "alternative"} for one in page.lexemes[last : behind + 1]):
        return True
    return page.near(first, first, "enough", 3) and not page.near(first, first, "not", 3)


def _asked_how_many(page: Page, first: int, last: int) -> bool:
    """Whether the number of cards is the question: "how many GPUs for a 70B on H200?"."""
    counted = any(one.kinds.keys() & {"count", "one"} or (one.number and "gpu" not in one.kinds) for one in page.lexemes[first:last])
    asked = page.where(first, first, "how_many", 12)
    if counted or asked is None:
        return False
    return any(one.kinds.keys() & {"card", "gpu", "gpu_ask"} for one in page.lexemes[asked + 1 : asked + 3])  # not "how many hours on a T4"


def _elsewhere(page: Page, first: int, last: int) -> bool:
    """Whether it is in a cloud and money is the question, or was sold."""
    place = page.where(last, last, "provider", 0, 3)
    costs = bool(page.offers) or bool(page.kinds & {"tell_price", "rent", "buy", "money", "or"})
    return (place is not None and (costs or page.lexemes[place].text == "cloud")) or page.near(first, first, "gone", 3)


def _in_the_balance(page: Page, first: int) -> bool:
    """Whether the message asks if to rent or to buy, or from whom: what it names is there only where it says so."""
    choice = r"{rent}{or}{buy}|{buy}{or}{rent}|{provider}{or}{provider}"
    asked = next(page.find(choice, needs="or rent|buy|provider", free=False), None)
    return asked is not None and not page.near(first, first, "own", 3)


def _costs_rent(page: Page, first: int) -> bool:
    """Whether it is rented and the question is what that costs: "12 h on a rented H100, cost?"."""
    return page.has("tell_price") and page.near(first, first, "rented", 2)


def _hours_of_one(page: Page, first: int) -> bool:
    """Whether hours of it are set against a purchase: "700 h of a 4090, time to buy?"."""
    of_it = first > 1 and "time" in page.lexemes[first - 2].kinds and bool(page.lexemes[first - 1].kinds.keys() & {"equals", "on"})
    if not of_it or page.near(first, first, "own", _REACH) or "buy" not in page.kinds:
        return False
    bought = (place for place, one in enumerate(page.lexemes) if "buy" in one.kinds)
    return not any(page.near(place, place + 1, kind, 0, 3) for place in bought for kind in ("gpu", "gpu_ask", "count"))


def not_at_hand(page: Page, reading: Reading) -> bool:
    """Whether an answer says a card is not there, or only wanted: "no 4090 yet", "wollen zwei L40S kaufen"."""
    first, last = page.lexeme_at(reading.span[0]), page.lexeme_at(reading.span[1])
    wanted = page.near(first, first, "buy", 4) or page.near(last, last, "buy", 0, 2) or page.near(first, first, "gone", 3)
    return reading.value != [] and (wanted or page.near(first, first, "not", 2))


def talked_about(page: Page, readings: Sequence[Reading]) -> Iterator[Reading]:
    """The readings, in the order of the text, with `aside` where the hardware is not at hand."""
    ordered = sorted(readings, key=lambda reading: reading.span)
    places = [(page.lexeme_at(one.span[0]), page.lexeme_at(one.span[1])) for one in ordered]
    marked: list[Reading] = []
    for number, (reading, (first, last)) in enumerate(zip(ordered, places, strict=True)):
        following = places[number + 1][0] if number + 1 < len(places) else None
        joined = following is not None and (_after_or(page, following, True) or page.near(following, following, "alternative", 3))
        denied = page.near(first, last, "not", 2) and reading.value != []
        offered = joined and not page.near(first, last, "own", _REACH, 2) and not page.near(first, last, "on", 2)
        aside = (
            denied
            or _in_the_balance(page, first)
            or _costs_rent(page, first)
            or _hours_of_one(page, first)
            or offered
            or _class_of_card(page, first, last)
            or _offer(page, first, last)
            or _alternative(page, first, number > 0)
            or _elsewhere(page, first, last)
            or _asked_how_many(page, first, last)
            or (_wanted(page, first) and not _asked_about(page, first, last))
            or _wanted_after(page, first, last)
            or page.near(last, last, "rent", 0, 1)  # "H200 mieten"
            or page.near(last, last, "buy", 0, 1)
        )
        marked.append(replace(reading, aside=reading.aside or aside, says=("denied", True) if denied else reading.says))
    if len(marked) == 1 and _is_question(page, marked[0], *places[0]):
        yield replace(marked[0], aside=False, says=IN_QUESTION)
        return
    if all(one.aside for one in marked):
        asked = [at for at, place in enumerate(places) if _asked_about(page, *place) and not _asked_how_many(page, *place)]
        marked = [replace(one, aside=False) if [at] == asked else one for at, one in enumerate(marked)]
    yield from _counted_later(page, marked)


def _is_question(page: Page, reading: Reading, first: int, last: int) -> bool:
    """Whether the one machine named is in question; of a computer without cards nothing can be offered, so its fit is what they ask."""
    computer = reading.aside and isinstance(reading.value, dict) and reading.value.get("kind") == "unified"
    return in_question(page, reading, first, last) or (computer and reading.says is None)


def _counted_later(page: Page, readings: Sequence[Reading]) -> Iterator[Reading]:
    """ "How many A100s? We only have 4": the number at hand follows the card that was asked about."""
    at_hand = page.find(r"{own}(?P<c>{n})(?:{stop}|$)", needs="own")
    of_them = page.find(r"(?P<c>{n|count}){equals}?{those}", needs="those", free=False)  # "on four of those cards"
    counts = [int(plain_number(found, "c", "whole") or 1) for found in (*at_hand, *of_them)]
    for reading in readings:
        if reading.aside and counts and isinstance(reading.value, dict) and 1 <= counts[0] <= 1_000_000 and reading.value.get("gpu"):
            yield _recounted(reading, counts.pop(0))
        else:
            yield reading


def _recounted(reading: Reading, count: int) -> Reading:
    options = reading.ask_back and tuple(replace(one, value={**one.value, "count": count}) for one in reading.ask_back)
    return replace(reading, value={**reading.value, "count": count}, ask_back=options, aside=False)
