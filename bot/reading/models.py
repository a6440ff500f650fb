"""Models: enters as a page, leaves as readings of names and sizes.

A catalogue name carries its exact count of parameters; a bare size stays a bare size. A name that comes in several sizes is asked,
unless a size stands elsewhere in the message.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bot.reading.amounts import plain_number, whole
from bot.reading.families import SizesSaid, of_size
from bot.reading.negation import denied
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from bot.reading.sizes import LARGEST, sizes, vague
from bot.reading.text import key_tokens
from engine.catalogue import Architecture
from engine.recommendation import Option

_MANY = 6  # options a question can carry
_ALIKE = 0.12  # a model of "7B" has 6.7 or 7.6


def choice(one: Architecture) -> dict[str, Any]:
    """A catalogue model as the value of the slot."""
    value = {"name": one.name, "params_b": _billions(one.parameters)}
    if one.active_parameters < one.parameters:
        value["active_params_b"] = _billions(one.active_parameters)
    return value


def _billions(parameters: float) -> float:
    return float(f"{parameters / 1e9:.4g}")


def _asked(page: Page, found: Found, ids: Iterable[str], value: Any = None) -> Reading:
    options = tuple(Option(page.catalogue.architectures[one].name, choice(page.catalogue.architectures[one])) for one in tuple(ids)[:_MANY])
    return page.reading(*found.span, "model", value, ask_back=options)


def _other_size(page: Page) -> Iterator[Reading]:
    """A name followed by a size: the family's model of that size, or the size alone where the catalogue has none."""
    rule = r"(?P<name>{model|model_taken|model_ask|family}){to}?(?P<a>{n}){b}(?:{to}?{letter_a}(?P<e>{n}){b})?(?!{active|token})"
    for found in page.find(rule, needs="b"):
        kinds, size = found.part("name")[0].kinds, found.numbers("a", "measure")[0]
        if not 0 < size <= LARGEST:
            continue
        one = page.catalogue.architectures.get(kinds.get("model", ""))
        if one is None or abs(one.parameters / 1e9 - size) > _ALIKE * size:
            name = next((kinds[kind] for kind in ("model_ask", "family", "model_taken") if kind in kinds), found.part("name")[0].text)
            sized = of_size(page, name, f"{size:g}")
            one = page.catalogue.architectures[sized] if sized else None
        active = plain_number(found, "e")
        bare = {"params_b": whole(size), **({"active_params_b": whole(active)} if active and active < size else {})}
        yield page.reading(*found.span, "model", choice(one) if one else bare)


def _named(page: Page) -> Iterator[Reading]:
    architectures, rules = page.catalogue.architectures, page.catalogue.model_names
    said = SizesSaid(page)
    for found in page.find(r"(?P<name>{model|model_taken})", needs="model|model_taken"):
        kinds = found.part("name")[0].kinds
        closer = _sized(page, found, said, kinds["family"]) if "family" in kinds else None
        if closer is not None:
            yield closer  # "gemma 3 (12B)"
            continue
        one = architectures[kinds["model"] if "model" in kinds else rules[kinds["model_taken"]].options[0]]
        yield page.reading(*found.span, "model", choice(one))
    for found in page.find(r"(?P<name>{model_ask|model_closed})", needs="model_ask|model_closed"):
        kinds = found.part("name")[0].kinds
        name = kinds.get("model_ask") or kinds["model_closed"]
        following = page.lexemes[found.span[1]] if found.span[1] < len(page.lexemes) else None
        if following and following.number and (sized := of_size(page, name, following.get("n"))):
            last = found.span[1] + 1
            last += last < len(page.lexemes) and "b" in page.lexemes[last].kinds
            yield page.reading(found.span[0], last, "model", choice(architectures[sized]))
            continue
        yield _sized(page, found, said, name) or _asked(page, found, rules[name].options)


def _families(page: Page) -> Iterator[Reading]:
    said = SizesSaid(page)
    for found in page.find(r"(?P<name>{family})", needs="family"):
        name = found.value("name", "family")
        yield _sized(page, found, said, name) or _asked(page, found, page.names.families[name])


def _sized(page: Page, found: Found, said: SizesSaid, name: str) -> Reading | None:
    """The model of a family, where its size is named elsewhere."""
    one = said.chosen(name)
    if one is None:
        return None
    said.take(one)
    return page.reading(*found.span, "model", choice(one))


def _experts(page: Page) -> Iterator[Reading]:
    """8x22B, 30B-A3B, 30B with 3B active."""
    for found in page.find(r"(?P<k>{n}){times}(?P<a>{n}){b}", needs="times b"):
        wanted = (found.part("k")[0].text, "x", found.part("a")[0].text, "b")
        ids = [one.id for one in page.catalogue.architectures.values() if _ends_with(one, wanted)]
        if len(ids) == 1:
            yield page.reading(*found.span, "model", choice(page.catalogue.architectures[ids[0]]))
        else:
            yield _asked(page, found, ids)
    for found in page.find(r"(?P<e>{letter_e}){n}{b}", needs="letter_e b"):
        name = "gemma e" + page.lexemes[found.span[0] + 1].text + "b"
        if page.lexemes[found.span[0] + 1].gap == 0 and name in page.catalogue.model_names:
            yield _asked(page, found, page.catalogue.model_names[name].options)
    both = r"(?P<a>{n}){b}{parameter|total|model_word}?(?:{to|or|comma|on|open|and|equals}){0,3}"
    both += r"(?:{letter_a}(?P<e>{n}){b}|(?P<f>{n}){b}{active}){close}?"
    either = r"(?P<f>{n}){b}{active}(?:{to|or|comma|on|open|equals|and}){0,2}(?P<a>{n}){b}{parameter|total}?{close}?"
    for rule in (both, either):
        for found in page.find(rule, needs="b letter_a|active"):
            total = found.numbers("a", "measure")[0]
            active = found.numbers("e" if found.has("e") else "f", "measure")[0]
            if active <= total and not _article(found):
                yield page.reading(*found.span, "model", {"params_b": whole(total), "active_params_b": whole(active)})
    for found in page.find(r"(?:{letter_a}(?P<e>{n}){b}|(?P<f>{n}){b}{active})", needs="b letter_a|active"):
        if _article(found):
            continue
        active = found.numbers("e" if found.has("e") else "f", "measure")[0]
        ids = [one.id for one in page.catalogue.architectures.values() if one.active_parameters < one.parameters and _close(one, active)]
        yield _asked(page, found, ids)


def _article(found: Found) -> bool:
    """Whether the "a" is the article of "a 130B model"."""
    return found.has("e") and found.part("e")[0].gap > 0


def _close(one: Architecture, active: float) -> bool:
    return f"a{active:g}b" in one.id


def _ends_with(one: Architecture, wanted: tuple[str, ...]) -> bool:
    return any(tuple(key_tokens(alias)[-4:]) == wanted for alias in one.aliases if "/" not in alias)


def models(page: Page) -> Iterator[Reading]:
    """Names and sizes of a message; one that is said to work while another is asked about stands aside."""
    found = [reading for rule in (_other_size, _named, _experts, _families, sizes, vague) for reading in rule(page)]
    stories = [reading for reading in found if _works(page, page.lexeme_at(reading.span[1])) or _refused(page, reading)]
    for reading in found:
        yield replace(reading, aside=True) if reading in stories and len(stories) < len(found) else reading


def _refused(page: Page, reading: Reading) -> bool:
    return denied(page, page.lexeme_at(reading.span[0]), page.lexeme_at(reading.span[1]), 2)


def _works(page: Page, last: int) -> bool:
    """Whether the clause goes on to say that it works: "7b mit 3060 klappt"."""
    for lexeme in page.lexemes[last : last + 6]:
        if lexeme.kinds.keys() & {"comma", "stop", "or", "to"}:
            return False
        if "works" in lexeme.kinds:
            return True
    return False
