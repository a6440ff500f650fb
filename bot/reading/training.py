"""Settings of a training step, and the data: enters as a page, leaves as readings of training and dataset."""

from collections.abc import Iterator

from bot.reading.alternatives import alternatives
from bot.reading.amounts import plain_number, scale_of, whole, written
from bot.reading.labels import label
from bot.reading.lengths import lengths
from bot.reading.page import Found, Page
from bot.reading.readings import Reading, option

_WORDS = {
    "quantization": "quantization",
    "optimizer": "optimizer",
    "precision": "precision",
    "checkpointing": "gradient_checkpointing",
    "attention": "attention",
    "loss": "loss",
    "sharding": "sharding",
    "offload": "offload",
    "target_modules": "target_modules",
}
_COARSE = {"q3": ("q4",), "q6": ("q5", "q8")}  # file formats between those that are sized: the next larger, or both around it
_BYTES_PER_TOKEN = 4  # of plain text, in the languages spoken here
OTHER_UNITS = frozenset(("time", "token", "b", "gb", "stop", "money", "comma"))
_TOKENS_PER_WORD = 1.5  # between English, with fewer, and German, with more
_PER_ROW = (200, 500, 1000, 2000)  # tokens of a question with its answer, a page, a long document
_NUMBER = r"(?P<a>{n})(?P<scale>{scale|mega})?"


def _counts(page: Page) -> Iterator[Reading]:
    apart = r"{effective}{batch}(?:{equals}){0,2}{n}|{accum}(?:{equals}){0,2}{n}|{n}{accum}(?!{n|equals})"
    for found in page.find(apart, needs="effective|accum"):
        page.take(*found.span)
    yield from _count(page, (r"{batch}(?:{equals|per|most}){0,2}(?P<a>{n})", r"(?P<a>{n}){to}?{batch}"), "micro_batch", "batch", 65_536)
    lowered = r"{rank}(?:{equals}){0,2}{n}(?:{to|on}){1,2}(?P<a>{n})(?!{b|gb|gpu|time|token})"  # from 64 to 4
    from_to = r"{rank}{equals}?{n}(?:{to|on}){1,2}{rank}{equals}?(?P<a>{n})"
    yield from _count(
        page, (lowered, from_to, r"{rank}(?:{equals}){0,2}(?P<a>{n})", r"{r_word}{equals}?(?P<a>{n})"), "rank", "rank|r_word", 16_384
    )


def _count(page: Page, rules: tuple[str, ...], field: str, kind: str, most: int) -> Iterator[Reading]:
    for rule in rules:
        for found in page.find(rule, needs=f"n {kind}"):
            number = plain_number(found, "a", "whole")
            if number is not None and 1 <= number <= most and float(number).is_integer():
                yield page.reading(*found.span, "training", {field: int(number)})


def _settings(page: Page) -> Iterator[Reading]:
    for found in page.find(r"(?:{n}{or}){1,3}{quantization}", needs="quantization or"):
        page.take(*found.span)  # "4/8/16 bit, whatever works" decides nothing
    for found in page.find(r"(?P<w>{coarse_quant})", needs="coarse_quant"):
        nearest = tuple(option(one.upper(), quantization=one) for one in _COARSE[found.value("w", "coarse_quant")])
        yield page.reading(*found.span, "training", ask_back=nearest)
    for kind, name in _WORDS.items():
        for found in page.find(r"(?P<w>{" + kind + "})", needs=kind):
            value = found.value("w", kind)
            if kind == "quantization" and "n" in page.lexemes[found.span[0]].kinds:
                continue
            denied = page.near(*found.span, "not", 1)
            if denied and kind in ("quantization", "checkpointing", "offload"):
                value, denied = "none", False
            yield page.reading(*found.span, "training", {name: value}, aside=denied)


def training(page: Page) -> Iterator[Reading]:
    """Length, batch, rank and the named settings."""
    yield from alternatives(page)
    yield from lengths(page)
    yield from _counts(page)
    yield from _settings(page)


def amount_of(found: Found) -> float:
    """A count with its scale ("50k", "2 million")."""
    scale = scale_of(found.part("scale"))
    return written(found, "a", "whole" if scale == 1 else "measure")[0] * scale


def dataset(page: Page) -> Iterator[Reading]:
    """Rows, tokens, gigabytes of text, epochs."""
    for found in page.find(r"(?P<a>{n})(?P<scale>{mega|mio|tera|b|billion|scale})(?:{mega})?(?P<w>{token})", needs="token"):
        tokens = amount_of(found)
        if tokens >= 1e6:
            yield page.reading(*found.span, "dataset", {"tokens": whole(tokens)})
    for found in page.find(r"(?P<a>{sci})(?P<w>{token|rows})", needs="sci token|rows"):
        amount = float(found.value("a", "sci"))
        if 1 <= amount <= 1e13:
            yield page.reading(*found.span, "dataset", {"tokens" if "token" in found.part("w")[0].kinds else "rows": whole(amount)})
    for found in page.find(r"(?P<a>{n}|{half}(?={scale|mio}))(?P<scale>{scale|mega|mio})?(?:{least})?{.}??(?P<w>{rows})", needs="rows"):
        yield from _rows(page, found)
    yield from _few_rows(page)
    for found in page.find(r"(?P<a>{n|count}){run}", needs="run") if page.slot == "dataset" else ():
        yield page.reading(*found.span, "dataset", {"epochs": whole(plain_number(found, "a") or 1.0)})
    for found in page.find(_NUMBER + r"{words_unit}", needs="words_unit"):
        yield page.reading(*found.span, "dataset", {"tokens": whole(amount_of(found) * _TOKENS_PER_WORD)})
    for found in page.find(r"(?P<a>{n})(?P<unit>{gb|mb|tb})(?:{equals|of})?{.}??{text_noun|docs}", needs="gb|mb|tb text_noun|docs"):
        unit = found.part("unit")[0].kinds
        size = found.numbers("a", "measure")[0] * (1e12 if "tb" in unit else 1e9 if "gb" in unit else 1e6)
        if size >= _BYTES_PER_TOKEN:
            yield page.reading(*found.span, "dataset", {"tokens": whole(size / _BYTES_PER_TOKEN)})
    for found in page.find(r"(?P<a>{n|count|one}){to}?{epoch}|{epoch}(?:{equals})?(?P<z>{n})", needs="epoch"):
        epochs = plain_number(found, "a") or plain_number(found, "z")
        if epochs and 0 < epochs <= 10_000:
            yield page.reading(*found.span, "dataset", {"epochs": whole(epochs)})


def _rows(page: Page, found: Found) -> Iterator[Reading]:
    rows = amount_of(found)
    long = next(
        page.find(r"{rows}(?:{equals|each|per|open|comma|times|about}){0,3}(?P<a>{n})(?P<scale>{scale})?{token}", needs="rows token"), None
    )
    if rows >= 10 and long is not None:
        yield page.reading(*found.span, "dataset", {"rows": whole(rows), "tokens_per_row": whole(amount_of(long))})
        return
    between = page.lexemes[found.span[0] : found.span[1]]
    if rows >= 10 and not any(one.kinds.keys() & OTHER_UNITS for one in between):
        per_row = None if page.has("token") or page.has("ctx") else _PER_ROW
        choices = per_row and tuple(
            option(label(page.lang, "tokens_per_row", tokens=one), rows=whole(rows), tokens_per_row=one) for one in per_row
        )
        yield page.reading(*found.span, "dataset", {"rows": whole(rows)}, ask_back=choices)


def _few_rows(page: Page) -> Iterator[Reading]:
    for found in page.find(r"{few}(?P<scale>{scale})?{rows}", needs="few rows"):
        scale = scale_of(found.part("scale"))
        choices = tuple(option(label(page.lang, "rows", rows=one * scale), rows=whole(one * scale)) for one in (2, 5))
        yield page.reading(*found.span, "dataset", ask_back=choices)
    if page.slot == "dataset":
        for found in page.find(_NUMBER + r"(?!{.})", needs="n"):
            rows = amount_of(found)
            if rows >= 1 and found.span[0] == 0:
                yield page.reading(*found.span, "dataset", ask_back=(option(label(page.lang, "rows", rows=rows), rows=whole(rows)),))
