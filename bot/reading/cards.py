"""Cards and machines by name: enters as a page, leaves as readings of what they are, how many, and with which memory.

Memory is what people say a card has (24 GB), per card, never a sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.reading.amounts import plain_number, whole
from bot.reading.lexemes import Lexeme
from bot.reading.numbers import meanings
from bot.reading.page import Found, Page
from bot.reading.pieces import MACHINE_OF, pieces_of
from bot.reading.readings import Reading
from engine.catalogue import Gpu
from engine.recommendation import Option

_COUNT = r"(?:(?!{gpu|gpu_ask})(?P<c>{n|count|one})(?P<x>{times|to})?{adjective}?)?"  # "from 3090 to 5090" counts nothing
_MEMORY = (
    r"(?:(?:{open|on|each|to|equals|comma|per|or|adjective}){0,2}(?P<m>{n})(?P<unit>{gb|tb})(?!{used})"
    r"(?P<what>(?:{vram|memory|unified|total|each|ram|card}){0,2}){close}?{each}?)?"
)
_CARD = (
    r"(?:(?P<nodes>{n|count})(?:{!n|gpu|gpu_ask}??{node}(?:{each|each_person|per}{own}|{times|each|each_person|on|comma|per|equals|open}){0,4}"
    r"|{times}{open}?(?={n}{times}?{gpu|gpu_ask})))?"
    + _COUNT
    + r"(?:(?P<before>{n}){gb}(?:{vram|open|to|mac|brand}){0,2})?(?P<kind>(?:{brand|mac|laptop|dgx}){0,3})"
    + r"(?P<g>{gpu|gpu_ask|gpu_taken|instance}){suffix}?(?P<late>{laptop}{0,2}{card}?)"
    + r"(?:{open}?{times}(?P<c2>{n}){close}?)?"
    + _MEMORY
    + r"(?:{times}(?P<c3>{n}))?{close}?"
    + r"(?:"
    + MACHINE_OF
    + r"(?!{gpu|gpu_ask}))?"
    + r"(?:(?:{on|per|each}){1,2}(?P<spread>{n|count}){node})?"
    + r"(?P<link>(?:{on|and|comma|per|own|not|open}){0,3}{nvlink}(?:{equals|on|or}{0,2}{inactive})?)?"
)
_NODES = r"(?P<nodes>{n|count})(?P<g>{gpu|gpu_ask}){suffix}?(?:(?P<m>{n}){gb})?{node}"  # "6 L40 nodes with 2 GPUs each"
_NODES += r"{on|comma|each}{0,2}(?P<each>{n|count}){times}?{card}{each}?"
_COUNTED = frozenset(("gpu", "gpu_ask", "time", "times", "b", "money", "card", "token", "users", "rows", "epoch", "percent", "or", "to"))
_IN_A_SERVER = 8
_CLOSE = 0.07  # a "15 GB" T4 is the 16 GB card: what the driver shows is a little less than the name


@dataclass(frozen=True, slots=True)
class Said:
    """What was said about one kind of card."""

    count: int
    memory: float | None
    total: bool
    nodes: int | None
    linked: bool | None = None
    each: bool = False  # the count came behind the memory ("22 GB x2"), which is that of one card
    ram: bool = False  # the memory was called RAM, which may be the computer's


def _linked(found: Found) -> bool | None:
    """Whether the cards are said to have NVLink between them."""
    words = found.part("link")
    return not any(one.kinds.keys() & {"not", "inactive"} for one in words) if words else None


def _count(found: Found) -> int:
    counts = [plain_number(found, name, "whole") for name in ("c", "c2", "c3", "c4", "c5") if name != "c" or not _of_a_name(found)]
    product = 1.0
    for count in counts:
        product *= count if count and count >= 1 and float(count).is_integer() else 1
    nodes = plain_number(found, "nodes", "whole") or plain_number(found, "spread", "whole") or 1.0
    if found.has("spread") and product > _IN_A_SERVER and product % nodes == 0:
        return int(min(product, 1_000_000))  # "24 V100 in 3 nodes" are all of them
    return int(min(product * nodes, 1_000_000))


def _of_a_name(found: Found) -> bool:
    """Whether the number before a card ends another name: the 96 of "ND96 H100"."""
    if not found.part("c"):
        return False
    place = found.page.index[found.match.start("c")]
    before = found.page.lexemes[place - 1] if place else None
    if before is None or "times" in before.kinds or found.page.lexemes[place].gap:
        return False
    return before.text[-1:].isalpha() and found.part("c")[0].number


def _said(found: Found) -> Said:
    memory = plain_number(found, "m") or plain_number(found, "before")
    if memory is not None and any("tb" in one.kinds for one in found.part("unit")):
        memory *= 1000
    total = any("total" in one.kinds for one in found.part("what"))
    nodes = plain_number(found, "nodes", "whole") or plain_number(found, "spread", "whole")
    ram = any("ram" in one.kinds for one in found.part("what"))
    return Said(_count(found), memory, total, int(nodes) if nodes else None, _linked(found), found.has("c3"), ram)


def _value(card: Gpu, said: Said, memory: float | None = None) -> dict[str, Any]:
    value: dict[str, Any] = {
        "gpu": card.name,
        "count": said.count,
        "memory_gb": whole(memory or card.memory_nominal),
        "kind": "unified" if card.unified else "vram",
    }
    if said.nodes and said.nodes > 1:
        value["nodes"] = said.nodes
    if said.linked is not None or (said.count > 1 and not card.nvlink and not card.unified):
        value["nvlink"] = bool(said.linked)
    return value


def _per_card(said: Said, nominal: float) -> float | None:
    """The memory of one card, where the number said may be that of all."""
    if said.memory is None:
        return None
    if said.count > 1 and not said.each and (said.total or abs(said.memory / said.count - nominal) <= _CLOSE * nominal):
        return said.memory / said.count
    return said.memory


def _one_card(page: Page, found: Found, card: Gpu, said: Said) -> Reading:
    memory = _per_card(said, card.memory_nominal)
    place = found.span
    if card.unified and card.memory_options:
        if memory is None:
            choices = tuple(Option(f"{size:g} GB", _value(card, said, size)) for size in card.memory_options)
            return page.reading(*place, "hardware", {"gpu": card.name, "count": said.count, "kind": "unified"}, ask_back=choices)
        return page.reading(*place, "hardware", _value(card, said, memory))
    if memory is not None and abs(memory - card.memory_nominal) > _CLOSE * card.memory_nominal:
        if said.ram:  # "2x A5000, 128 GB RAM"
            return page.reading(*place, "hardware", {**_value(card, said), "cpu_ram_gb": whole(said.memory or 0)})
        return page.reading(*place, "hardware", _value(card, said, memory))
    return page.reading(*place, "hardware", _value(card, said))


def _bare_size(page: Page, place: int, sizes: list[float]) -> float | None:
    """The memory said without a unit: the 80 of "A100 80"."""
    following = page.lexemes[place] if place < len(page.lexemes) else None
    later = page.lexemes[place + 1] if place + 1 < len(page.lexemes) else None
    if following is None or not following.number or (later is not None and later.kinds and "stop" not in later.kinds):
        return None
    written = following.get("n")
    return float(written) if written.isdecimal() and float(written) in sizes else None


def _chosen(cards: list[Gpu], said: Said) -> list[Gpu]:
    """Cards with the memory said; of one card before that of all together ("2x A100 80GB")."""
    exact = [card for card in cards if said.memory and not said.total and abs(said.memory - card.memory_nominal) <= _CLOSE * said.memory]
    return exact or [card for card in cards if _meant(said, card)] or cards


def _meant(said: Said, card: Gpu) -> bool:
    """Whether the memory said is this card's."""
    memory = _per_card(said, card.memory_nominal)
    return memory is not None and abs(memory - card.memory_nominal) <= _CLOSE * card.memory_nominal


def several(page: Page, found: Found, name: str, said: Said, part: str = "g") -> Reading:
    """A name that stands for several cards: the memory said decides, else it is asked."""
    ids = page.catalogue.gpu_names[name].options
    place = found.span[1]
    bare = _bare_size(page, place, [page.catalogue.gpus[one].memory_nominal for one in ids])
    if said.memory is None and bare is not None:
        page.take(place, place + 1)
        said = replace(said, memory=bare)
    mobile = [one for one in (f"{card}-laptop" for card in ids) if one in page.catalogue.gpus and _is_laptop(page, found)]
    if said.memory is None and (size := _size_behind(page, found)) is not None:
        said = replace(said, memory=size)  # "A100-80"
    cards = _chosen([page.catalogue.gpus[one] for one in mobile or ids], said)
    if mobile and said.memory is not None and not any(_meant(said, card) for card in cards):
        cards = _chosen([page.catalogue.gpus[one] for one in ids], said)  # the memory said is no laptop's
    if len(cards) == 1:
        return _one_card(page, found, cards[0], said)
    lexeme = found.part(part)[0]
    label = page.text[lexeme.start : lexeme.end]
    sure = {"gpu": label, "count": said.count}
    choices = tuple(Option(f"{card.name} · {card.memory_nominal:g} GB", _value(card, said)) for card in cards)
    return page.reading(*found.span, "hardware", sure, ask_back=choices)


def cards(page: Page) -> Iterator[Reading]:
    """Cards and cloud machines by name, with how many of them."""
    yield from _a_few(page)
    yield from _in_nodes(page)
    for found in page.find(_CARD, needs="gpu|gpu_ask|gpu_taken|instance"):
        said = _said(found)
        later = pieces_of(page, page.index[found.match.start("g")]) if said.count == 1 else 1
        yield _named(page, found, found.part("g")[0], replace(said, count=later) if later > 1 else said)


def _a_few(page: Page) -> Iterator[Reading]:
    for found in page.find(r"{few}(?P<g>{gpu})", needs="few gpu"):
        card = page.catalogue.gpus[found.value("g", "gpu")]
        choices = tuple(Option(f"{count} × {card.name}", _value(card, Said(count, None, False, None))) for count in (2, 3, 4, 8))
        yield page.reading(*found.span, "hardware", {"gpu": card.name}, ask_back=choices)


def _in_nodes(page: Page) -> Iterator[Reading]:
    """Machines of a card with so many of it in each."""
    for found in page.find(_NODES, needs="gpu|gpu_ask node"):
        nodes, each = (int(plain_number(found, part, "whole") or 1) for part in ("nodes", "each"))
        yield _named(page, found, found.part("g")[0], Said(min(nodes * each, 1_000_000), plain_number(found, "m"), False, nodes))


def _named(page: Page, found: Found, lexeme: Lexeme, said: Said) -> Reading:
    """The reading of one name: a machine of a cloud, one card, one of several, or a notebook's."""
    if "instance" in lexeme.kinds:
        return _instance(page, found, lexeme.kinds["instance"], said.count)
    box = any("dgx" in one.kinds for one in found.part("kind")) or lexeme.text.startswith(("dgx", "hgx"))
    if box and "spark" not in lexeme.text:
        said = Said(said.count * 8, said.memory, said.total, said.count, said.linked)
    if "gpu" in lexeme.kinds:
        card = page.catalogue.gpus[lexeme.kinds["gpu"]]
        with_memory = lexeme.text.endswith((" gb", " g"))  # "3060 12gb" is the 12 GB card, also in a laptop
        return _one_card(page, found, card if with_memory else _laptop(page, found, card.id, said), said)
    if "gpu_ask" in lexeme.kinds:
        return several(page, found, lexeme.kinds["gpu_ask"], said)
    return _taken(page, found, lexeme.kinds["gpu_taken"], said)


def _size_behind(page: Page, found: Found) -> float | None:
    """A number behind a card's name that is no count of anything: its memory."""
    place = found.span[1]
    place += place + 1 < len(page.lexemes) and page.lexemes[place].text == "-" and not page.lexemes[place].gap
    if place >= len(page.lexemes) or not page.lexemes[place].number:
        return None
    following = page.lexemes[place + 1].kinds.keys() if place + 1 < len(page.lexemes) else set()
    return None if set(following) & _COUNTED else meanings(page.lexemes[place].get("n"), page.lang, "measure")[0]


def _taken(page: Page, found: Found, name: str, said: Said) -> Reading:
    """A name that means one card nobody named (the free notebook): to be confirmed."""
    value = _value(page.catalogue.gpus[page.catalogue.gpu_names[name].options[0]], said)
    return page.reading(*found.span, "hardware", value, ask_back=(Option(value["gpu"], value),))


def _laptop(page: Page, found: Found, card: str, said: Said) -> Gpu:
    """The mobile card of that name where a laptop is meant, unless the memory said is the other one's."""
    mobile = page.catalogue.gpus.get(f"{card}-laptop") if _is_laptop(page, found) else None
    if mobile is not None and said.memory is not None and not _meant(said, mobile) and _meant(said, page.catalogue.gpus[card]):
        return page.catalogue.gpus[card]
    return mobile or page.catalogue.gpus[card]


def _is_laptop(page: Page, found: Found) -> bool:
    said = (*found.part("kind"), *found.part("late"))
    return any("laptop" in one.kinds for one in said) or page.near(*found.span, "laptop", 2)


def _instance(page: Page, found: Found, name: str, count: int) -> Reading:
    instance = next(one for one in page.catalogue.instances if one.name == name)
    said = Said(instance.count * count, None, False, count if count > 1 else None)
    value = _value(page.catalogue.gpus[instance.gpu], said, instance.memory_each)
    return page.reading(*found.span, "hardware", value)
