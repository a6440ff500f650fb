"""Circumstances: enters as a page, leaves as what they say about RAG, a LoRA tried before, symptoms, the site and constraints."""

from collections.abc import Iterator

from bot.reading.labels import choices
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.residency import residency

_SEEING = frozenset(("vl", "vision", "llava"))  # parts of names
_SAYS = {"rag_state": ("rag_in_production", {"yes": True, "no": False}), "baseline": ("lora_baseline", None), "symptom": ("symptom", None)}


def remarks(page: Page) -> Iterator[Reading]:
    """What they say about RAG, a LoRA tried before, and symptoms: no slot of their own, but the advice depends on it."""
    for kind, (field, values) in _SAYS.items():
        for found in page.find("(?P<w>{" + kind + "})", needs=kind, free=False):
            word = found.value("w", kind)
            text, span = page.place(*found.span)
            if kind != "symptom":
                page.take(*found.span)
            yield Reading("training", text, span, {}, says=(field, values[word] if values else word))
    yield from _implied(page)
    for found in page.find(r"{already}(?:{!stop|comma|not}){0,5}?(?P<w>{method})", needs="already method", free=False):
        if found.value("w", "method") == "rag" and not page.has("rag_state"):
            text, span = page.place(*found.span)
            yield Reading("training", text, span, {}, says=("rag_in_production", True))
    for kind, outcome in (("not_enough", "insufficient"), ("good_enough", "good")):
        judged = r"(?P<w>{method})(?:(?:{!stop|comma|method}){0,8}?|{to}?{baseline_word}(?:{!stop|method}){0,6}?){" + kind + "}"
        for found in page.find(judged, needs=f"method {kind}", free=False):
            if found.value("w", "method") in ("lora", "qlora") and not page.has("baseline"):
                text, span = page.place(*found.span)
                yield Reading("training", text, span, {}, says=("lora_baseline", outcome))


def _implied(page: Page) -> Iterator[Reading]:
    """What a name or a sum says without saying it: models that see, cards counted as one."""
    for lexeme in page.lexemes:
        if lexeme.kinds.keys() & {"model", "model_taken", "model_ask", "family"} and _SEEING.intersection(lexeme.text.split(" ")):
            yield Reading("training", lexeme.text, (lexeme.start, lexeme.end), {}, says=("symptom", "images"))
    sums = r"{calculate}(?:{!stop}){0,5}?{figures_noun}|{figures_noun}(?:{!stop}){0,5}?{calculate}"
    for found in page.find(sums, needs="calculate figures_noun", free=False):
        text, span = page.place(*found.span)
        yield Reading("training", text, span, {}, says=("symptom", "calculation"))
    summed = r"{n}{gb}(?:{on|equals}){0,1}{total}|{total}{n}{gb}|{n}{gb}{vram|memory}?{across}{n|count}{times}?{card}"
    for found in page.find(summed, needs="gb total|across", free=False):
        text, span = page.place(*found.span)
        yield Reading("training", text, span, {}, says=("symptom", "pooled"))


def settings(page: Page) -> Iterator[Reading]:
    """Site and constraints."""
    for found in page.find(r"(?P<w>{site})", needs="site", free=False):
        yield page.reading(*found.span, "site", found.value("w", "site"), aside=page.near(*found.span, "not", 2))
    yield from residency(page)
    for found in page.find(r"(?P<w>{constraints})", needs="constraints"):
        word = found.value("w", "constraints")
        value = {"no_cloud": False} if word == "cloud_ok" else {word: True}
        yield page.reading(*found.span, "constraints", value, aside=page.near(*found.span, "not", 1))
    for found in page.find(r"{site_ask}", needs="site_ask", free=False):
        yield page.reading(*found.span, "site", ask_back=choices(page.lang, "server_room", "colocation"))
    if page.slot == "constraints":
        for found in page.find(r"{nothing}", needs="nothing"):
            yield page.reading(*found.span, "constraints", {})
