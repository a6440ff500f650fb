"""Sizes of models without a name: enters as a page, leaves as readings of 7b, 7-13b, 7/13/70b, 7 Milliarden, 124M, or of a question."""

from collections.abc import Iterator

from bot.reading.amounts import scale_of, whole
from bot.reading.labels import label
from bot.reading.numbers import meanings
from bot.reading.page import Found, Page
from bot.reading.readings import Reading, option
from engine.recommendation import Option

LARGEST = 100_000  # 10^9 parameters
_SMALL = 50  # "7 Mio." is hardly seven million parameters, "124 Mio." is


def sizes(page: Page) -> Iterator[Reading]:
    """7b, 7-13b (a range), 7/13/70b and "7b or 13b" (several), 7 Milliarden, 124M."""
    for found in page.find(r"(?:(?P<a>{n}){b}?{to}|{between}(?P<c>{n}){b}?{and})(?P<z>{n}){b}(?!{token})", needs="b to|between"):
        low, high = (found.numbers(name, "measure")[0] for name in ("a" if found.has("a") else "c", "z"))
        if 0 < low < high <= LARGEST:
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
        if 0.001 <= size <= LARGEST and (found.has("what") or page.slot == "model"):
            yield page.reading(*found.span, "model", {"params_b": whole(size)})
    for what in (r"(?P<what>{parameter|model_word}{2})", r"(?P<what>{parameter|model_word})", ""):  # "350M GPT": the name may be read
        for found in page.find(r"(?P<a>{n})(?P<unit>{mega|mio|tera})" + what, needs="mega|mio|tera"):
            yield from _millions(page, found)


def _listed(page: Page, found: Found) -> Iterator[Reading]:
    first, last = found.span
    numbers = [place for place in range(first, last) if page.lexemes[place].number]
    for place, following in zip(numbers, [*numbers[1:], last], strict=True):
        end = place + 1 if following == last or "b" not in page.lexemes[place + 1].kinds else place + 2
        end = last if following == last else end
        size = meanings(page.lexemes[place].get("n"), page.lang, "measure")[0]
        if 0 < size <= LARGEST:
            yield page.reading(place, end, "model", {"params_b": whole(size)})
    page.take(first, last)


def _one_size(page: Page, found: Found) -> Iterator[Reading]:
    size = found.numbers("a", "measure")[0]
    if not 0 < size <= LARGEST:
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
    elif billions <= LARGEST:
        yield page.reading(*found.span, "model", {"params_b": float(f"{billions:.6g}")})


def vague(page: Page) -> Iterator[Reading]:
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
