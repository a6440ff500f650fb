"""Hardware: enters as a page, leaves as readings of cards, machines and memory.

Memory is what people say a card has (24 GB), per card, never a sum. Whether a card is owned or only talked about is marked:
what somebody might buy or rent is no hardware at hand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.reading.amounts import plain_number, whole
from bot.reading.ownership import talked_about
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.catalogue import Gpu
from engine.recommendation import Option

_COUNT = r"(?:(?!{gpu|gpu_ask})(?P<c>{n|count|one})(?P<x>{times|to})?)?"  # "from 3090 to 5090" counts nothing
_MEMORY = (
    r"(?:(?:{open|on|each|to|equals|comma}){0,2}(?P<m>{n})(?P<unit>{gb|tb})"
    r"(?P<what>(?:{vram|memory|unified|total|each|ram|card}){0,2}){close}?{each}?)?"
)
_CARD = (
    r"(?:(?P<nodes>{n|count}){node}(?:{times|each|on|comma|per|equals}){0,2})?"
    + _COUNT
    + r"(?:(?P<before>{n}){gb}(?:{vram|open|to|mac|brand}){0,2})?(?P<kind>(?:{brand|mac|laptop|dgx}){0,3})"
    + r"(?P<g>{gpu|gpu_ask|gpu_taken|instance}){suffix}?(?P<late>{laptop}{0,2}{card}?)"
    + r"(?:{open}?{times}(?P<c2>{n}){close}?)?"
    + _MEMORY
    + r"(?:{times}(?P<c3>{n}))?"
    + r"(?P<link>(?:{on|and|comma|per|own|not|open}){0,3}{nvlink}(?:{equals|on|or}{0,2}{inactive})?)?"
)
_CLOSE = 0.07  # a "15 GB" T4 is the 16 GB card: what the driver shows is a little less than the name


@dataclass(frozen=True, slots=True)
class Said:
    """What was said about one kind of card."""

    count: int
    memory: float | None
    total: bool
    nodes: int | None
    linked: bool | None = None
    ram: bool = False  # the memory was called RAM, which may be the computer's


def _linked(found: Found) -> bool | None:
    """Whether the cards are said to have NVLink between them."""
    words = found.part("link")
    return not any(one.kinds.keys() & {"not", "inactive"} for one in words) if words else None


def _count(found: Found) -> int:
    counts = [plain_number(found, name, "whole") for name in ("c", "c2", "c3")]
    product = 1.0
    for count in counts:
        product *= count if count and count >= 1 and float(count).is_integer() else 1
    nodes = plain_number(found, "nodes", "whole") or 1.0
    return int(min(product * nodes, 1_000_000))


def _said(found: Found) -> Said:
    memory = plain_number(found, "m") or plain_number(found, "before")
    if memory is not None and any("tb" in one.kinds for one in found.part("unit")):
        memory *= 1000
    total = any("total" in one.kinds for one in found.part("what"))
    nodes = plain_number(found, "nodes", "whole")
    ram = any("ram" in one.kinds for one in found.part("what"))
    return Said(_count(found), memory, total, int(nodes) if nodes else None, _linked(found), ram)


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
    if said.count > 1 and (said.total or abs(said.memory / said.count - nominal) <= _CLOSE * nominal):
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


def _several(page: Page, found: Found, name: str, said: Said, part: str = "g") -> Reading:
    """A name that stands for several cards: the memory said decides, else it is asked."""
    ids = page.catalogue.gpu_names[name].options
    place = found.span[1]
    bare = _bare_size(page, place, [page.catalogue.gpus[one].memory_nominal for one in ids])
    if said.memory is None and bare is not None:
        page.take(place, place + 1)
        said = replace(said, memory=bare)
    mobile = [one for one in (f"{card}-laptop" for card in ids) if one in page.catalogue.gpus and _is_laptop(page, found)]
    cards = _chosen([page.catalogue.gpus[one] for one in mobile or ids], said)
    if len(cards) == 1:
        return _one_card(page, found, cards[0], said)
    lexeme = found.part(part)[0]
    label = page.text[lexeme.start : lexeme.end]
    sure = {"gpu": label, "count": said.count}
    choices = tuple(Option(f"{card.name} · {card.memory_nominal:g} GB", _value(card, said)) for card in cards)
    return page.reading(*found.span, "hardware", sure, ask_back=choices)


def _cards(page: Page) -> Iterator[Reading]:
    for found in page.find(_CARD, needs="gpu|gpu_ask|gpu_taken|instance"):
        lexeme = found.part("g")[0]
        said = _said(found)
        if "instance" in lexeme.kinds:
            yield _instance(page, found, lexeme.kinds["instance"], said.count)
            continue
        box = any("dgx" in one.kinds for one in found.part("kind")) or lexeme.text.startswith(("dgx", "hgx"))
        if box and "spark" not in lexeme.text:
            said = Said(said.count * 8, said.memory, said.total, said.count, said.linked)
        if "gpu" in lexeme.kinds:
            yield _one_card(page, found, _laptop(page, found, lexeme.kinds["gpu"]), said)
        elif "gpu_ask" in lexeme.kinds:
            yield _several(page, found, lexeme.kinds["gpu_ask"], said)
        else:
            yield _taken(page, found, lexeme.kinds["gpu_taken"], said)


def _taken(page: Page, found: Found, name: str, said: Said) -> Reading:
    """A name that means one card nobody named (the free notebook): to be confirmed."""
    value = _value(page.catalogue.gpus[page.catalogue.gpu_names[name].options[0]], said)
    return page.reading(*found.span, "hardware", value, ask_back=(Option(value["gpu"], value),))


def _laptop(page: Page, found: Found, card: str) -> Gpu:
    mobile = page.catalogue.gpus.get(f"{card}-laptop") if _is_laptop(page, found) else None
    return mobile or page.catalogue.gpus[card]


def _is_laptop(page: Page, found: Found) -> bool:
    said = (*found.part("kind"), *found.part("late"))
    return any("laptop" in one.kinds for one in said) or page.near(*found.span, "laptop", 2)


def _instance(page: Page, found: Found, name: str, count: int) -> Reading:
    instance = next(one for one in page.catalogue.instances if one.name == name)
    said = Said(instance.count * count, None, False, count if count > 1 else None)
    value = _value(page.catalogue.gpus[instance.gpu], said, instance.memory_each)
    return page.reading(*found.span, "hardware", value)


def _memory(page: Page) -> Iterator[Reading]:
    """Memory without a card's name: 2x24 GB, 24 GB Karte, 96 GB total (4 cards), 32 GB RAM, MacBook 32 GB."""
    size = r"(?P<m>{n})(?P<unit>{gb|tb})"
    for rule, kind in (
        (r"{mac}(?:{brand|apple_chip|on|equals|comma|laptop}){0,3}" + size + r"(?:{ram|unified|memory}){0,2}", "unified"),
        (size + r"(?:{ram|unified|memory}){0,2}{mac}(?:{apple_chip})?", "unified"),
        (size + r"(?:{on|equals})?{ram}", "ram"),
        (r"{ram}(?:{equals|open}){0,2}" + size, "ram"),
        (size + r"{vram|card|memory}?{total}{open|on|comma}?(?P<c>{n|count}){times}?{card}{close}?", "total"),
        (r"(?P<c>{n|count}){times}?{card}{comma|on|open}?" + size + r"{total}", "total"),
        (r"(?P<c>{n|count}){times}?{card}(?:{on|each|open|times|equals}){0,2}" + size + r"{vram|memory}?{each}?", "vram"),
        (r"(?P<c>{n|count|one}){times|to}" + size + r"(?:{vram|card|memory}){0,2}", "vram"),
        (r"(?P<c>{n|count|one})?" + size + r"(?:{vram}{card}?|{card})", "vram"),
        (r"(?:{card}|{vram})(?:{on|equals|each|open|have|of}){0,2}" + size, "vram"),
    ):
        for found in page.find(rule, needs="gb|tb"):
            yield _bare(page, found, kind)


def _bare(page: Page, found: Found, kind: str) -> Reading:
    count = int(plain_number(found, "c", "whole") or 1)
    memory = (plain_number(found, "m") or 0.0) * (1000 if any("tb" in one.kinds for one in found.part("unit")) else 1)
    if kind == "total":
        memory, kind = memory / count, "vram"
    if memory <= 0:
        return page.reading(*found.span, "hardware", ask_back=(), aside=True)
    return page.reading(*found.span, "hardware", {"count": count, "memory_gb": whole(memory), "kind": kind})


def _unnamed(page: Page) -> Iterator[Reading]:
    """Cards without a name or a memory: "2 GPUs"."""
    for found in page.find(r"(?P<c>{n|count}){times}?{card}", needs="card"):
        count = int(plain_number(found, "c", "whole") or 1)
        if 1 <= count <= 1_000_000:
            yield page.reading(*found.span, "hardware", {"count": count}, ask_back=_sizes(count))
    for found in page.find(r"{not}(?:{own|one|not}){0,3}{card}", needs="not card"):
        yield page.reading(*found.span, "hardware", [])
    if page.slot == "hardware":
        yield from _answered(page)
    for found in page.find(r"{nothing}", needs="nothing"):
        if len(page.lexemes[found.span[0]].text.split()) > 1 or page.slot == "hardware":
            yield page.reading(*found.span, "hardware", [])
    if page.slot == "hardware" or page.has("own") or page.has("on") or page.has("enough"):
        yield from _loose(page)


def _answered(page: Page) -> Iterator[Reading]:
    """Short answers to the question for the hardware: "a card", "6000", "16"."""
    for found in page.find(r"{one}{card}", needs="one card"):
        yield page.reading(*found.span, "hardware", {"count": 1}, ask_back=_sizes(1))
    for found in page.find(r"(?P<a>{n})(?!{.})", needs="n"):
        number = found.value("a", "n")
        memory = found.numbers("a", "measure")[0]
        if number in page.catalogue.gpu_names:
            yield _several(page, found, number, Said(1, None, False, None), "a")
        elif 2 <= memory <= 300:
            value = {"count": 1, "memory_gb": whole(memory), "kind": "vram"}
            yield page.reading(*found.span, "hardware", ask_back=(Option(f"{memory:g} GB", value),))


def _sizes(count: int) -> tuple[Option, ...]:
    return tuple(Option(f"{count} × {size} GB", {"count": count, "memory_gb": size, "kind": "vram"}) for size in (16, 24, 48, 80))


def _loose(page: Page) -> Iterator[Reading]:
    """A bare memory where a card is meant: "hab 24 GB", "reichen 24 GB?", "is 24 GB enough"."""
    for found in page.find(r"(?P<m>{n})(?P<unit>{gb|tb})", needs="gb|tb"):
        meant = page.near(*found.span, "own", 2) or page.near(*found.span, "on", 2) or page.near(*found.span, "enough", 0, 2)
        if page.slot == "hardware" or meant:
            yield _bare(page, found, "vram")


def _chips(page: Page) -> Iterator[Reading]:
    """Apple computers by chip or by nothing: their memory is asked."""
    if page.slot != "hardware":
        return
    for found in page.find(r"{mac}{apple_chip}?|{apple_chip}", needs="mac|apple_chip"):
        choices = tuple(Option(f"{size} GB", {"count": 1, "memory_gb": size, "kind": "unified"}) for size in (16, 32, 64, 128))
        yield page.reading(*found.span, "hardware", {"count": 1, "kind": "unified"}, ask_back=choices)


def hardware(page: Page) -> Iterator[Reading]:
    """Cards, machines and memory of a message; those only talked about are marked."""
    found = [reading for rule in (_cards, _memory, _unnamed, _chips) for reading in rule(page)]
    named = {reading.value["gpu"] for reading in found if reading.ask_back is None and reading.value and "gpu" in reading.value}
    found = [reading for reading in found if not _said_closer(reading, named) or (page.slot == "hardware" and reading.sure)]
    yield from talked_about(page, found) if page.slot != "hardware" else found


def _said_closer(reading: Reading, named: set[str]) -> bool:
    """Whether an open card is named exactly elsewhere: "Kaggle 2x T4", "the T4 on Colab"."""
    return bool(reading.ask_back) and any(isinstance(one.value, dict) and one.value.get("gpu") in named for one in reading.ask_back or ())
