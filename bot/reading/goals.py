"""Goals: enters as a page, leaves as readings of what the model is to learn, or that it is only to be used."""

from collections.abc import Iterator

from bot.reading.labels import choices
from bot.reading.negation import denied
from bot.reading.page import Page
from bot.reading.readings import Reading

_KNOWLEDGE = (  # asking about it first: a verb for training near it is weaker
    r"(?:{facts_verb}(?:{!stop}){0,6}?{facts_noun|docs}|{facts_noun|docs}(?:{!stop}){0,16}?{facts_verb})",
    r"(?:{train|adapt|method}(?:{!stop}){0,6}?{facts_noun|docs}|{facts_noun|docs}(?:{!stop}){0,6}?{train|adapt})",
)


def goals(page: Page) -> Iterator[Reading]:
    """What they want: facts, a style, a format, a new skill, a base model, only to use it."""
    if page.slot == "usage":
        return
    known = list(_facts(page))
    known = known or list(_weighed(page))
    yield from known or _documents(page)
    if page.slot == "goal" and not known and not page.has("goal"):
        for found in page.find(r"{facts_noun|facts_verb}", needs="facts_noun|facts_verb"):
            yield page.reading(*found.span, "goal", "facts")
            break
    if page.slot == "goal" and not page.has("goal"):
        yield from _by_method(page)
    for found in page.find(r"(?P<w>{goal})", needs="goal", free=False):
        value = found.value("w", "goal")
        if found.span[0] and page.lexemes[found.span[0] - 1].kinds.keys() & {"model", "model_ask", "model_taken"}:
            continue  # "R1 style training" is no style to learn
        if value == "style" and found.span[0] and not page.lexemes[found.span[0]].gap:
            continue  # nor is "FAQ-style"
        yield page.reading(*found.span, "goal", value, aside=value != "style" and denied(page, *found.span))


def _facts(page: Page) -> Iterator[Reading]:
    """Knowledge from documents: a noun for what is known near a verb for learning it or asking about it."""
    for found in page.find(r"{facts_phrase}", needs="facts_phrase", free=False):
        yield page.reading(*found.span, "goal", "facts")
    for rule, verbs in zip(_KNOWLEDGE, ("facts_verb", "train|adapt|method"), strict=True):
        for found in page.find(rule, needs=f"facts_noun|docs {verbs}", free=False):
            first, last = found.span
            noun = next(at for at in range(first, last) if page.lexemes[at].kinds.keys() & {"facts_noun", "docs"})
            if not page.near(first, last, "stage", 1) and not _else(page, first, last):
                text, span = page.place(first, last)
                yield Reading("goal", text, span, "facts")
                page.take(noun, noun + 1)
                return


def _weighed(page: Page) -> Iterator[Reading]:
    """ "Fine-tune or RAG?" beside documents: what is in them is to be known."""
    if page.has("rag_state") or page.has("goal") or not page.has("method", "rag"):
        return
    for found in page.find(r"{train|adapt|method}{or}{method}|{method}{or}{train|adapt|method}", needs="or method", free=False):
        names_rag = any(one.kinds.get("method") == "rag" for one in page.lexemes[slice(*found.span)])
        if names_rag and page.kinds & {"docs", "facts_noun"}:
            text, span = page.place(*found.span)
            yield Reading("goal", text, span, "facts")
            return


def _else(page: Page, first: int, last: int) -> bool:
    """ "Write like our tickets" is a style although it names documents, "fields of our PDFs as JSON" a format."""
    asked = any("facts_verb" in lexeme.kinds for lexeme in page.lexemes[first:last])
    styled = any(one.kinds.get("goal") == "style" and (one.gap or place == 0) for place, one in enumerate(page.lexemes))
    return styled or (page.has("goal", "format") and not asked)


def _documents(page: Page) -> Iterator[Reading]:
    """Many documents without a purpose: to look things up in, or to learn a style from?"""
    if page.has("goal") or page.has("facts_phrase") or page.has("method"):
        return
    for found in page.find(r"(?:{n}){scale|gb|tb|mb}?{least}?{.}??{docs}", needs="docs", free=False):
        text, span = page.place(*found.span)
        yield Reading("goal", text, span, ask_back=choices(page.lang, "facts", "style", "new_skill"))
        return


def _by_method(page: Page) -> Iterator[Reading]:
    """An answer to the question for the goal that names a method: only to use it, a model of one's own."""
    for method, goal in (("serve", "serve"), ("pretrain", "base_model"), ("rag", "facts")):
        for lexeme in page.lexemes:
            if lexeme.kinds.get("method") == method:
                yield Reading("goal", page.text[lexeme.start : lexeme.end], (lexeme.start, lexeme.end), goal)
                return
