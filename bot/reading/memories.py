"""Memory without a card's name: enters as a page, leaves as readings of 2x24 GB, 32 GB RAM, two GPUs, no GPU at all."""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, whole
from bot.reading.cards import Said, several
from bot.reading.page import Found, Page
from bot.reading.pasted import SOLD
from bot.reading.readings import Reading
from engine.recommendation import Option


def memories(page: Page) -> Iterator[Reading]:
    """Memory without a card's name: 2x24 GB, 24 GB Karte, 96 GB total (4 cards), 32 GB RAM, MacBook 32 GB."""
    size = r"(?P<m>{n}){to}?(?P<unit>{gb|tb}){to}?"
    for rule, kind in (
        (r"(?P<c>{n|count}){mac}(?:{brand|apple_chip|on|equals|comma|each|per}){0,3}" + size + r"(?:{ram|unified|memory}){0,2}", "unified"),
        (r"{mac}(?:{brand|apple_chip|on|equals|comma|laptop}){0,3}" + size + r"(?:{ram|unified|memory}){0,2}", "unified"),
        (size + r"(?:{ram|unified|memory}){0,2}{mac}(?:{apple_chip})?", "unified"),
        (size + r"(?:{on|equals})?{ram}", "ram"),
        (r"{ram}(?:{equals|open}){0,2}" + size, "ram"),
        (size + r"{vram|card|memory}?{total}{open|on|comma}?(?P<c>{n|count}){times}?{card}{close}?", "total"),
        (
            size + r"{vram|memory}?{total}?{across}(?P<c>{n|count}){times}?{card}(?:{open|comma|on}?{n}{gb}{vram}?{each}{close}?)?",
            "total",
        ),
        (r"(?P<c>{n|count}){times}?{card}{comma|on|open}?" + size + r"{total}", "total"),
        (r"{total}" + size + r"(?:{vram|memory|on|open|comma}){0,2}(?P<c>{n|count}){times}?{card}", "total"),
        (r"(?P<c>{n|count}){times}?{card}(?:{on|each|open|times|equals|one|per|comma}){0,2}" + size + r"{vram|memory|used}?{each}", "vram"),
        (r"(?P<c>{n|count}){times}?{card}(?:{on|each|open|times|equals|one|per}){0,2}" + size + r"{vram|memory}?{each}?", "vram"),
        (r"(?P<c>{n|count|one}){times|to}" + size + r"(?:{vram|card|memory}){0,2}", "vram"),
        (r"(?P<c>{n|count|one})?" + size + r"(?:{vram}{card}?|{card})", "vram"),
        (r"{on}{one}{1,2}" + size, "vram"),
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


def unnamed(page: Page) -> Iterator[Reading]:
    """Cards without a name or a memory: "2 GPUs"."""
    for found in page.find(r"(?P<c>{n|count}){times}?{card}", needs="card"):
        count = int(plain_number(found, "c", "whole") or 1)
        if 1 <= count <= 1_000_000:
            yield page.reading(*found.span, "hardware", {"count": count}, ask_back=_sizes(count))
    for found in page.find(r"{not}(?:{own|one|not}){0,3}{card}|{not}{own}{.}??{machine}", needs="not card|machine"):
        yield page.reading(*found.span, "hardware", [])
    if page.slot == "hardware":
        yield from _answered(page)
    for found in page.find(r"{nothing}", needs="nothing"):
        if len(page.lexemes[found.span[0]].text.split()) > 1 or page.slot == "hardware":
            yield page.reading(*found.span, "hardware", [])
    if page.kinds & {"gpu", "gpu_ask", "gpu_taken", "instance"} and page.slot != "hardware":
        return  # a number of gigabytes beside a named card is something else
    yield from _loose(page)


def _answered(page: Page) -> Iterator[Reading]:
    """Short answers to the question for the hardware: "a card", "6000", "16"."""
    for found in page.find(r"{one}{card}", needs="one card"):
        yield page.reading(*found.span, "hardware", {"count": 1}, ask_back=_sizes(1))
    for found in page.find(r"(?P<a>{n})(?!{.})", needs="n"):
        if found.span[0] > 0:
            continue
        number = found.value("a", "n")
        memory = found.numbers("a", "measure")[0]
        if number in page.catalogue.gpu_names:
            yield several(page, found, number, Said(1, None, False, None), "a")
        elif 2 <= memory <= 300:
            value = {"count": 1, "memory_gb": whole(memory), "kind": "vram"}
            yield page.reading(*found.span, "hardware", ask_back=(Option(f"{memory:g} GB", value),))


def _sizes(count: int) -> tuple[Option, ...]:
    return tuple(Option(f"{count} × {size} GB", {"count": count, "memory_gb": size, "kind": "vram"}) for size in (16, 24, 48, 80))


def _loose(page: Page) -> Iterator[Reading]:
    """A bare memory where a card is meant: "hab 24 GB", "reichen 24 GB?", "is 24 GB enough"."""
    for found in page.find(r"(?P<m>{n})(?P<unit>{gb|tb})", needs="gb|tb"):
        meant = (
            _looks_like_a_card(page, found)
            or page.near(*found.span, "own", 2)
            or page.near(*found.span, "on", 2)
            or page.near(*found.span, "enough", 0, 2)
        )
        if page.slot == "hardware" or meant:
            yield _bare(page, found, "vram")


def _looks_like_a_card(page: Page, found: Found) -> bool:
    """A size cards are sold with, beside a model or a method: "8b qlora 24gb"; not what a run takes or a file has."""
    first, last = found.span
    if not page.kinds & {"model", "model_ask", "model_taken", "family", "b", "method"} or page.kinds & {"text_noun", "used"}:
        return False
    before = page.lexemes[first - 1].kinds if first else {}
    beside = last < len(page.lexemes) and bool(page.lexemes[last].kinds.keys() & {"rows", "docs", "ram", "per"})
    return plain_number(found, "m") in SOLD and not before.keys() & {"after", "need", "used", "not"} and not beside


def chips(page: Page) -> Iterator[Reading]:
    """Apple computers by chip or by nothing: their memory is asked."""
    if page.slot != "hardware" and page.kinds & {"gpu", "gpu_ask", "gb", "tb", "card"}:
        return
    rule = r"{mac}{apple_chip}?|{apple_chip}" if page.slot == "hardware" else r"{own}{adjective}?{mac}{apple_chip}?"
    for found in page.find(rule, needs="mac|apple_chip"):
        choices = tuple(Option(f"{size} GB", {"count": 1, "memory_gb": size, "kind": "unified"}) for size in (16, 32, 64, 128))
        yield page.reading(*found.span, "hardware", {"count": 1, "kind": "unified"}, ask_back=choices)
