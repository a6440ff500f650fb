"""What they want and how: enters as a page, leaves as readings of goal, method, stage, site and constraints."""

from collections.abc import Iterator

from bot.reading.labels import label
from bot.reading.page import Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_AMONG = r"(?:{or|comma|and}){1,2}"

_KNOWLEDGE = (
    r"(?:{facts_verb|train|adapt|method}(?:{!stop}){0,6}?{facts_noun|docs}"
    r"|{facts_noun|docs}(?:{!stop}){0,6}?{facts_verb|train|adapt})"
)
_FULL = (
    r"(?P<w>{full_word})(?=" + _AMONG + r"{method})",
    r"(?P<w>{full_word})(?={.}?{symptom})",
    _AMONG + r"(?P<w>{full_word})(?!{.})",
    r"{comma}(?P<w>{full_word})(?={comma})",
    r"{model_word|b|model}(?P<w>{full_word})(?!{ctx|n})",
    r"{method}" + _AMONG + r"(?P<w>{full_word})(?!{ctx|n})",
    r"(?P<w>{full_word}){.}??{train|adapt}",
    r"{stage}(?P<w>{full_word})",
    r"(?P<w>{full_word}){stage}",
)


def _choices(page: Page, *values: str) -> tuple[Option, ...]:
    return tuple(Option(label(page.lang, value), value) for value in values)


def _named(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<w>{method})", needs="method"):
        value = found.value("w", "method")
        if value in ("rag", "serve") and page.slot != "method" and _in_a_state(page, found.span[0]):
            continue
        denied = page.near(*found.span, "not", 2)
        if denied and value == "lora" and not _others(page):
            denial = page.where(*found.span, "not", 2)
            yield page.reading(found.span[0] if denial is None else denial, found.span[1], "method", "full")
        else:
            yield page.reading(*found.span, "method", value, aside=denied)
    yield from _full_alone(page)


def _others(page: Page) -> bool:
    """Whether another method is named: "not LoRA but QLoRA" means QLoRA, "no LoRA" alone means all weights."""
    return bool({lexeme.kinds.get("method") for lexeme in page.lexemes} - {None, "lora"})


def _in_a_state(page: Page, place: int) -> bool:
    return "rag_state" in page.lexemes[place].kinds


def _full_alone(page: Page) -> Iterator[Reading]:
    """ "full vs lora", "full OOM": the word alone, where only the method can be meant."""
    for rule in (*_FULL, r"(?P<w>{full_word})") if page.slot == "method" else _FULL:
        for found in page.find(rule, needs="full_word", free=False):
            place = next(at for at in range(*found.span) if "full_word" in page.lexemes[at].kinds)
            if not page.taken[place]:
                yield page.reading(place, place + 1, "method", "full", aside=page.near(place, place, "not", 1))


def _vague(page: Page) -> Iterator[Reading]:
    """Words that name no method: parameter-efficient, fine-tune, train."""
    for found in page.find(r"{peft}", needs="peft"):
        yield page.reading(*found.span, "method", "lora", ask_back=_choices(page, "lora", "qlora"), aside=page.near(*found.span, "not", 2))
    named = {lexeme.kinds.get("method") for lexeme in page.lexemes} - {None, "rag", "serve"}
    if page.slot == "method" or not named:
        for kind, methods in (("adapt", ("lora", "qlora", "full")), ("train", ("lora", "pretrain"))):
            for found in page.find("{" + kind + "}", needs=kind):
                denied = page.near(*found.span, "not", 1)
                yield page.reading(*found.span, "method", ask_back=_choices(page, *(("rag", "serve") if denied else methods)), aside=denied)


def _stage(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<w>{stage})", needs="stage"):
        yield page.reading(*found.span, "stage", found.value("w", "stage"), aside=page.near(*found.span, "not", 1))


def _stage_asks_method(page: Page) -> Iterator[Reading]:
    """A stage is no method: how it is trained is still open."""
    if page.slot in ("stage", "method") and page.has("stage") and not page.has("method"):
        for found in page.find(r"{stage}", needs="stage", free=False):
            yield page.reading(*found.span, "method", ask_back=_choices(page, "lora", "full"))


def methods(page: Page) -> Iterator[Reading]:
    """Methods and stage of a message; in an answer about hours such words only say what the hours are for."""
    if page.slot == "usage":
        return
    yield from _named(page)
    yield from _stage(page)
    yield from _stage_asks_method(page)
    yield from _vague(page)


def goals(page: Page) -> Iterator[Reading]:
    """What they want: facts, a style, a format, a new skill, a base model, only to use it."""
    if page.slot == "usage":
        return
    known = list(_facts(page))
    yield from known or _documents(page)
    if page.slot == "goal" and not known and not page.has("goal"):
        for found in page.find(r"{facts_noun|facts_verb}", needs="facts_noun|facts_verb"):
            yield page.reading(*found.span, "goal", "facts")
            break
    for found in page.find(r"(?P<w>{goal})", needs="goal", free=False):
        value = found.value("w", "goal")
        if found.span[0] and page.lexemes[found.span[0] - 1].kinds.keys() & {"model", "model_ask", "model_taken"}:
            continue  # "R1 style training" is no style to learn
        yield page.reading(*found.span, "goal", value, aside=page.near(*found.span, "not", 2))


def _facts(page: Page) -> Iterator[Reading]:
    """Knowledge from documents: a noun for what is known near a verb for learning it or asking about it."""
    for found in page.find(r"{facts_phrase}", needs="facts_phrase", free=False):
        yield page.reading(*found.span, "goal", "facts")
    for found in page.find(_KNOWLEDGE, needs="facts_noun|docs facts_verb|train|adapt|method", free=False):
        first, last = found.span
        noun = next(at for at in range(first, last) if page.lexemes[at].kinds.keys() & {"facts_noun", "docs"})
        if not page.near(first, last, "stage", 1) and not _style_of(page):
            text, span = page.place(first, last)
            yield Reading("goal", text, span, "facts")
            page.take(noun, noun + 1)
            return


def _style_of(page: Page) -> bool:
    """ "Write like our tickets" is a style although it names documents."""
    return page.has("goal", "style") or page.has("goal", "format")


_SAYS = {"rag_state": ("rag_in_production", {"yes": True, "no": False}), "baseline": ("lora_baseline", None), "symptom": ("symptom", None)}


def _documents(page: Page) -> Iterator[Reading]:
    """Many documents without a purpose: to look things up in, or to learn a style from?"""
    if page.has("goal") or page.has("facts_phrase") or page.has("method"):
        return
    for found in page.find(r"(?:{n}){scale}?{least}?{.}??{docs}", needs="docs", free=False):
        text, span = page.place(*found.span)
        yield Reading("goal", text, span, ask_back=_choices(page, "facts", "style", "new_skill"))
        return


def remarks(page: Page) -> Iterator[Reading]:
    """What they say about RAG, a LoRA tried before, and symptoms: no slot of their own, but the advice depends on it."""
    for kind, (field, values) in _SAYS.items():
        for found in page.find("(?P<w>{" + kind + "})", needs=kind, free=False):
            word = found.value("w", kind)
            text, span = page.place(*found.span)
            if kind != "symptom":
                page.take(*found.span)
            yield Reading("training", text, span, {}, says=(field, values[word] if values else word))


def settings(page: Page) -> Iterator[Reading]:
    """Site and constraints."""
    for found in page.find(r"(?P<w>{site})", needs="site", free=False):
        yield page.reading(*found.span, "site", found.value("w", "site"), aside=page.near(*found.span, "not", 2))
    for found in page.find(r"(?P<w>{constraints})", needs="constraints", free=False):
        word = found.value("w", "constraints")
        value = {"no_cloud": False} if word == "cloud_ok" else {word: True}
        yield page.reading(*found.span, "constraints", value, aside=page.near(*found.span, "not", 1))
    for found in page.find(r"{site_ask}", needs="site_ask", free=False):
        yield page.reading(*found.span, "site", ask_back=_choices(page, "server_room", "colocation"))
    if page.slot == "constraints":
        for found in page.find(r"{nothing}", needs="nothing"):
            yield page.reading(*found.span, "constraints", {})
