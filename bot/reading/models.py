"""Models: enters as a page, leaves as readings of names and sizes.

A catalogue name carries its exact count of parameters; a bare size stays a bare size. A name that comes in several sizes is asked,
unless a size stands elsewhere in the message.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from bot.reading.amounts import scale_of, whole
from bot.reading.labels import label
from bot.reading.numbers import meanings
from bot.reading.page import Found, Page
from bot.reading.readings import Reading, option
from bot.reading.text import key_tokens
from engine.catalogue import Architecture
from engine.recommendation import Option

_MANY = 6  # options a question can carry
_MOST = 100_000  # 10^9 parameters
_SMALL = 50  # "7 Mio." is hardly seven million parameters, "124 Mio." is


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


def _named(page: Page) -> Iterator[Reading]:
    architectures, rules = page.catalogue.architectures, page.catalogue.model_names
    for found in page.find(r"(?P<name>{model|model_taken})", needs="model|model_taken"):
        kinds = found.part("name")[0].kinds
        one = architectures[kinds["model"] if "model" in kinds else rules[kinds["model_taken"]].options[0]]
        yield page.reading(*found.span, "model", choice(one))
    for found in page.find(r"(?P<name>{model_ask|model_closed})", needs="model_ask|model_closed"):
        kinds = found.part("name")[0].kinds
        name = kinds.get("model_ask") or kinds["model_closed"]
        following = page.lexemes[found.span[1]] if found.span[1] < len(page.lexemes) else None
        if following and following.number and (sized := _of_size(page, name, following.get("n"))):
            last = found.span[1] + 1
            last += last < len(page.lexemes) and "b" in page.lexemes[last].kinds
            yield page.reading(found.span[0], last, "model", choice(architectures[sized]))
            continue
        yield _asked(page, found, rules[name].options) if not _resized(page, name) else _with_size(page, found, name)


def _sizes_said(page: Page) -> list[float]:
    return [found.numbers("a", "measure")[0] for found in page.find(r"(?P<a>{n}){b}(?!{token})", needs="b", free=False)]


def _resized(page: Page, name: str) -> str | None:
    """The model of a family that has a size named elsewhere in the message."""
    return next((one for size in _sizes_said(page) if (one := _of_size(page, name, f"{size:g}"))), None)


def _of_size(page: Page, name: str, size: str) -> str | None:
    """The model of a family with a size ("llama", "70")."""
    rule = page.catalogue.model_names.get(name)
    family = (*page.names.families.get(" ".join(key_tokens(name)), ()), *(rule.options if rule else ()))
    return next((one for one in family if size in _sizes_of(page.catalogue.architectures[one])), None)


def _sizes_of(one: Architecture) -> set[str]:
    sizes = set()
    for alias in one.aliases:
        for number, unit in pairwise(key_tokens(alias)):
            if unit == "b" and number.replace(".", "", 1).isdigit():
                sizes.add(f"{float(number):g}")
    return sizes


def _with_size(page: Page, found: Found, name: str) -> Reading:
    one = page.catalogue.architectures[_resized(page, name) or ""]
    for size in page.find(r"(?P<a>{n}){b}(?!{token})", needs="b"):
        if f"{size.numbers('a', 'measure')[0]:g}" in _sizes_of(one):
            page.take(*size.span)
            break
    return page.reading(*found.span, "model", choice(one))


def _families(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<name>{family})", needs="family"):
        name = found.value("name", "family")
        if _resized(page, name):
            yield _with_size(page, found, name)
        else:
            yield _asked(page, found, page.names.families[name])


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
    both = r"(?P<a>{n}){b}{parameter|total}?(?:{to|or|comma|on|open|and}){0,2}(?:{letter_a}(?P<e>{n}){b}|(?P<f>{n}){b}{active}){close}?"
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


def _sizes(page: Page) -> Iterator[Reading]:
    """7b, 7-13b (a range), 7/13/70b and "7b or 13b" (several), 7 Milliarden, 124M."""
    for found in page.find(r"(?:(?P<a>{n}){b}?{to}|{between}(?P<c>{n}){b}?{and})(?P<z>{n}){b}(?!{token})", needs="b to|between"):
        low, high = (found.numbers(name, "measure")[0] for name in ("a" if found.has("a") else "c", "z"))
        if 0 < low < high <= _MOST:
            yield page.reading(*found.span, "model", range=({"params_b": whole(low)}, {"params_b": whole(high)}))
    for found in page.find(
        r"(?P<list>(?:{n}(?:{b}{comma}?|{or})(?:{or|and})?|{n}{b}?{or|and}){1,4})(?P<z>{n}){b}(?!{token})", needs="b or|comma|and"
    ):
        if not any(one.kinds.keys() & {"gpu", "gpu_ask", "gpu_taken"} for one in found.part("list")):  # "2x 3090, 34B"
            yield from _listed(page, found)
    for found in page.find(r"(?P<a>{n})(?P<unit>{b|billion})(?:{parameter|model_word}){0,2}(?!{token})", needs="b|billion"):
        yield from _one_size(page, found)
    for found in page.find(r"(?P<a>{count})(?P<unit>{b|billion})(?:{parameter|model_word}){0,2}", needs="count b|billion"):
        yield page.reading(*found.span, "model", {"params_b": whole(float(found.value("a", "count")))})
    for found in page.find(r"(?P<a>{sci})(?P<what>(?:{parameter|model_word}){1,2})?", needs="sci"):
        size = float(found.value("a", "sci")) / 1e9
        if 0.001 <= size <= _MOST and (found.has("what") or page.slot == "model"):
            yield page.reading(*found.span, "model", {"params_b": whole(size)})
    for found in page.find(r"(?P<a>{n})(?P<unit>{mega|mio|tera})(?P<what>(?:{parameter|model_word}){1,2})?", needs="mega|mio|tera"):
        yield from _millions(page, found)


def _listed(page: Page, found: Found) -> Iterator[Reading]:
    first, last = found.span
    numbers = [place for place in range(first, last) if page.lexemes[place].number]
    for place, following in zip(numbers, [*numbers[1:], last], strict=True):
        end = place + 1 if following == last or "b" not in page.lexemes[place + 1].kinds else place + 2
        end = last if following == last else end
        size = meanings(page.lexemes[place].get("n"), page.lang, "measure")[0]
        if 0 < size <= _MOST:
            yield page.reading(place, end, "model", {"params_b": whole(size)})
    page.take(first, last)


def _one_size(page: Page, found: Found) -> Iterator[Reading]:
    size = found.numbers("a", "measure")[0]
    if not 0 < size <= _MOST:
        return
    billion = "billion" in found.part("unit")[0].kinds
    if billion and page.lang == "de":
        choices = (
            option(label(page.lang, "billion", size=size), params_b=whole(size)),
            option(label(page.lang, "trillion", size=size), params_b=whole(size * 1000)),
        )
        yield page.reading(*found.span, "model", ask_back=choices)
    else:
        yield page.reading(*found.span, "model", {"params_b": whole(size)})


def _millions(page: Page, found: Found) -> Iterator[Reading]:
    unit = found.part("unit")[0]
    glued = not unit.gap and not page.near(*found.span, "budget", 3)
    if not (found.has("what") or page.slot == "model" or (glued and page.near(*found.span, "model_word", 3, 2))):
        return
    size = found.numbers("a", "measure")[0]
    billions = size * scale_of((unit,)) / 1e9
    if "tera" not in unit.kinds and size < _SMALL:
        choices = (
            option(label(page.lang, "million", size=size), params_b=size / 1000),
            option(label(page.lang, "billion", size=size), params_b=whole(size)),
        )
        yield page.reading(*found.span, "model", ask_back=choices)
    elif billions <= _MOST:
        yield page.reading(*found.span, "model", {"params_b": float(f"{billions:.6g}")})


def _vague(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?P<size>{like_model})", needs="like_model"):
        value = {"params_b": float(found.value("size", "like_model"))}
        yield page.reading(*found.span, "model", value, ask_back=(Option(f"{value['params_b']:g} B", value),))
    for found in page.find(r"(?P<size>{size_word})", needs="size_word"):
        sizes = {"small": (1, 3, 8), "medium": (8, 14, 32), "large": (32, 70, 120)}[found.value("size", "size_word")]
        yield page.reading(*found.span, "model", ask_back=tuple(option(f"{size} B", params_b=size) for size in sizes))
    if page.slot == "model":
        for found in page.find(r"(?P<a>{n})(?!{.})", needs="n"):
            if found.span[0] > 0:
                continue
            size = found.numbers("a", "measure")[0]
            if 0 < size <= 2000:
                yield page.reading(*found.span, "model", ask_back=(option(f"{size:g} B", params_b=whole(size)),))


def models(page: Page) -> Iterator[Reading]:
    """Names and sizes of a message; one that is said to work while another is asked about stands aside."""
    found = [reading for rule in (_named, _experts, _families, _sizes, _vague) for reading in rule(page)]
    stories = [reading for reading in found if _works(page, page.lexeme_at(reading.span[1]))]
    for reading in found:
        yield replace(reading, aside=True) if reading in stories and len(stories) < len(found) else reading


def _works(page: Page, last: int) -> bool:
    """Whether the clause goes on to say that it works: "7b mit 3060 klappt"."""
    for lexeme in page.lexemes[last : last + 6]:
        if lexeme.kinds.keys() & {"comma", "stop", "or", "to"}:
            return False
        if "works" in lexeme.kinds:
            return True
    return False
