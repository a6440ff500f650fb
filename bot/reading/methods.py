"""Methods: enters as a page, leaves as readings of how it is to be done, and of the stage."""

from collections.abc import Iterator

from bot.reading.labels import choices
from bot.reading.negation import denied
from bot.reading.page import Page
from bot.reading.readings import Reading
from bot.reading.using import only_used

_ADAPTERS = frozenset(("lora", "qlora", "lora8", "full"))
_REACH = 8  # lexemes between "finetuned with" and the method
_AMONG = r"(?:{or|comma|and}){1,2}"

_FULL = (
    r"(?P<w>{full_word})(?=" + _AMONG + r"{method})",
    r"(?P<w>{full_word})(?={.}?{symptom})",
    _AMONG + r"(?P<w>{full_word})(?!{.})",
    r"{comma}(?P<w>{full_word})(?={comma})",
    r"{open}(?P<w>{full_word})(?={close})",
    r"{model_word|b|model}(?P<w>{full_word})(?!{ctx|n})",
    r"{method}" + _AMONG + r"(?P<w>{full_word})(?!{ctx|n})",
    r"(?P<w>{full_word}){.}??{train|adapt}",
    r"{stage}(?P<w>{full_word})",
    r"(?P<w>{full_word}){stage}",
    r"{!gb|memory|vram|ram|n|equals|count|card|gpu|gpu_ask|copula}(?P<w>{full_word})(?={stop}|$)",
)


def _named(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<w>{method})", needs="method"):
        value = found.value("w", "method")
        if value in ("rag", "serve") and page.slot != "method" and _in_a_state(page, found.span[0]):
            continue
        refused = denied(page, *found.span)
        if value == "pretrain" and found.part("w")[0].text.startswith("vor") and page.has("method", "lora"):
            value = "continued_pretrain"  # "vortrainieren" with adapters goes on from a model there is
        if value in _ADAPTERS and _told(page, found.span[0]):
            yield page.reading(*found.span, "method", value, aside=True)
        elif refused and value == "lora" and not _others(page):
            denial = page.where(*found.span, "not", 2)
            yield page.reading(found.span[0] if denial is None else denial, found.span[1], "method", "full")
        else:
            yield page.reading(*found.span, "method", value, aside=refused)
    yield from _full_alone(page)


def _others(page: Page) -> bool:
    """Whether another method is named: "not LoRA but QLoRA" means QLoRA, "no LoRA" alone means all weights."""
    return bool({lexeme.kinds.get("method") for lexeme in page.lexemes} - {None, "lora"})


def _told(page: Page, place: int) -> bool:
    """Whether a training is only what was done before: "finetuned with qlora, now I want to serve it"."""
    done = place if "trained_before" in page.lexemes[place].kinds else page.where(place, place + 1, "trained_before", _REACH, 2)
    return done is not None and any(one.kinds.get("method") == "serve" for one in page.lexemes[place:])


def _in_a_state(page: Page, place: int) -> bool:
    return "rag_state" in page.lexemes[place].kinds


def _full_alone(page: Page) -> Iterator[Reading]:
    """ "full vs lora", "full OOM": the word alone, where only the method can be meant."""
    for rule in (*_FULL, r"(?P<w>{full_word})") if page.slot == "method" else _FULL:
        for found in page.find(rule, needs="full_word", free=False):
            place = next(at for at in range(*found.span) if "full_word" in page.lexemes[at].kinds)
            if not page.taken[place]:
                yield page.reading(place, place + 1, "method", "full", aside=denied(page, place, place + 1))


def _vague(page: Page) -> Iterator[Reading]:
    """Words that name no method: parameter-efficient, fine-tune, train."""
    for found in page.find(r"{peft}", needs="peft"):
        yield page.reading(*found.span, "method", "lora", ask_back=choices(page.lang, "lora", "qlora"), aside=denied(page, *found.span))
    named = {lexeme.kinds.get("method") for lexeme in page.lexemes} - {None, "rag", "serve"}
    if page.slot == "method" or not named:
        for kind, methods in (("adapt", ("lora", "qlora", "full")), ("train", ("lora", "pretrain"))):
            for found in page.find("{" + kind + "}", needs=kind):
                refused = denied(page, *found.span) or page.near(found.span[1], found.span[1], "not", 0, 1)
                if _told(page, found.span[0]):
                    yield page.reading(*found.span, "method", ask_back=choices(page.lang, *methods), aside=True)
                elif refused and not page.has("method"):
                    yield page.reading(*found.span, "method", "serve")
                else:
                    yield page.reading(*found.span, "method", ask_back=choices(page.lang, *methods), aside=refused)


def _stage(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<w>{stage})", needs="stage"):
        yield page.reading(*found.span, "stage", found.value("w", "stage"), aside=page.near(*found.span, "not", 1))


def _stage_asks_method(page: Page) -> Iterator[Reading]:
    """A stage is no method: how it is trained is still open."""
    if page.slot in ("stage", "method") and page.has("stage") and not page.has("method"):
        for found in page.find(r"{stage}", needs="stage", free=False):
            yield page.reading(*found.span, "method", ask_back=choices(page.lang, "lora", "full"))


def methods(page: Page) -> Iterator[Reading]:
    """Methods and stage of a message; in an answer about hours such words only say what the hours are for."""
    if page.slot == "usage":
        return
    yield from _named(page)
    yield from _stage(page)
    yield from _stage_asks_method(page)
    yield from _vague(page)
    yield from only_used(page)
