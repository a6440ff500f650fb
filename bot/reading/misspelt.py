"""Names written almost right, and cards the catalogue does not hold: enters as a page, leaves as readings that ask "did you mean".

Only words that look like a name are compared: an unknown word before a size, an unknown number behind a brand.
"""

from collections.abc import Iterator

from bot.reading.amounts import plain_number, whole
from bot.reading.lexicon import longest
from bot.reading.models import choice
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from bot.reading.text import tokens
from engine.catalogue import Gpu
from engine.recommendation import Option

_ALIKE, _SURE = 75, 85  # of 100: worth asking; only to be confirmed
_SHORTEST, _SLIPS = 4, 2
_AHEAD = 40  # characters behind a word that can belong to its name
_MEMORIES = (4, 6, 8, 12, 16, 24)  # GB of cards nobody knows


def models(page: Page) -> Iterator[Reading]:
    """An unknown word before a size: "lama 3 8b" is Llama 3 8B, to be confirmed."""
    for place, lexeme in enumerate(page.lexemes):
        if lexeme.kinds or page.taken[place] or len(lexeme.text) < _SHORTEST or not lexeme.text.isalpha():
            continue
        if page.slot == "model" or any("b" in one.kinds for one in page.lexemes[place + 1 : place + 4]):
            yield from _model(page, place)


def _model(page: Page, place: int) -> Iterator[Reading]:
    """The model whose name begins almost like a word, with what follows it."""
    lexeme = page.lexemes[place]
    heads = sorted(head for head in page.names.heads if _comparable(lexeme.text, head))
    if not heads:
        return
    from rapidfuzz import fuzz, process

    for head, score, _ in process.extract(lexeme.text, heads, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=3):
        said = tokens(head + page.text[lexeme.end : lexeme.end + _AHEAD])
        found = longest(page.names.models, said, 0)
        named = _named(page, dict(found[1])) if found else ()
        if found and named:
            end = page.lexeme_at(lexeme.end + said[found[0] - 1].end - len(head))
            if len(named) > 1 and end < len(page.lexemes) and page.lexemes[end].number:
                continue  # a size the family does not come in: something else
            value = named[0].value if len(named) == 1 and score >= _SURE else None
            yield page.reading(place, max(end, place + 1), "model", value, ask_back=named)
            return


def _comparable(word: str, head: str) -> bool:
    """A quick look before the comparison is even loaded: slips rarely touch the first letter or change the length by much."""
    return word[0] == head[0] and abs(len(word) - len(head)) <= _SLIPS and len(set(head) - set(word)) <= _SLIPS


def _named(page: Page, kinds: dict[str, str]) -> tuple[Option, ...]:
    architectures, rules = page.catalogue.architectures, page.catalogue.model_names
    if "model" in kinds:
        ids: tuple[str, ...] = (kinds["model"],)
    elif "family" in kinds:
        ids = page.names.families[kinds["family"]]
    else:
        ids = next((rules[kinds[kind]].options for kind in ("model_taken", "model_ask") if kind in kinds), ())
    return tuple(Option(architectures[one].name, choice(architectures[one])) for one in ids[:6])


def cards(page: Page) -> Iterator[Reading]:
    """An unknown number behind a brand: "RTX 4909" may be a 4090; of a card nobody knows the memory is asked."""
    rule = r"(?:(?P<c>{n|count|one}){times}?)?(?P<brand>{brand|gtx}{1,2})(?P<a>{n})(?:{open|on|comma}?(?P<m>{n}){gb})?"
    for found in page.find(rule, needs="brand|gtx"):
        if "gpu" in found.part("a")[0].kinds or len(found.part("a")[0].text) < 3:
            continue
        yield _unknown(page, found)


def _unknown(page: Page, found: Found) -> Reading:
    count = max(1, int(plain_number(found, "c", "whole") or 1))
    memory = plain_number(found, "m")
    if memory:
        return page.reading(*found.span, "hardware", {"count": count, "memory_gb": whole(memory), "kind": "vram"})
    alike = tuple(Option(card.name, _held(card, count)) for card in _alike(page, found.part("a")[0].text))
    sizes = tuple(Option(f"{size} GB", {"count": count, "memory_gb": size, "kind": "vram"}) for size in _MEMORIES)
    return page.reading(*found.span, "hardware", ask_back=alike or sizes)


def _held(card: Gpu, count: int) -> dict[str, object]:
    return {"gpu": card.name, "count": count, "memory_gb": whole(card.memory_nominal), "kind": "vram"}


def _alike(page: Page, number: str) -> list[Gpu]:
    """Cards whose number is a slip or two of the finger away."""
    from rapidfuzz.distance import OSA

    known = {name: one for name, one in page.catalogue.gpu_aliases.items() if name.isdigit() and len(name) == len(number)}
    slips = {name: OSA.distance(name, number) for name in known}
    nearest = min(slips.values(), default=_SLIPS + 1)
    return [page.catalogue.gpus[known[name]] for name, count in sorted(slips.items()) if count == nearest <= _SLIPS][:4]
