"""Two settings joined by "or": enters as a page, leaves as the question which of them; the larger is never taken silently."""

from collections.abc import Iterator
from typing import Any

from bot.reading.amounts import plain_number, scale_of
from bot.reading.labels import label
from bot.reading.page import Found, Page
from bot.reading.readings import Reading
from engine.recommendation import Option

_NAMED = {"quantization": "quantization", "precision": "precision", "optimizer": "optimizer", "attention": "attention"}
_TWO = r"(?!{gpu|gpu_ask})(?P<a>{n})(?P<scale_a>{scale})?{or}(?!{gpu|gpu_ask})(?P<b>{n})(?P<scale_b>{scale})?"
_NO_OTHER = r"(?!{token|gb|b|time|money|epoch|rows|users|percent|times|ctx|card|gpu})"
_COUNTS = {"micro_batch": ("batch", "{batch}", 4096), "rank": ("rank", "{rank|r_word}", 4096)}
_SHAPES = r"(?P<a>{n}){times}(?!{gpu|gpu_ask})(?P<b>{n}){or}(?P<c>{n}){times}(?!{gpu|gpu_ask})(?P<d>{n})"
_SHORTEST = 64  # rows are not shorter, batches not larger
_WIDEST = 128  # products with less are cards and their memory ("4x80 or 8x80")
_BASES = {("nf4", "lora8"): "qlora", ("int8", "qlora"): "lora8"}


def alternatives(page: Page) -> Iterator[Reading]:
    """ "32x512 vs 8x2048", "q4 oder q8", "rank 8 or 64", "2k oder 4k Kontext"."""
    if "or" not in page.kinds:
        return
    yield from _shapes(page)
    yield from _lengths(page)
    yield from _counts(page)
    yield from _bases(page)
    for kind, field in _NAMED.items():
        for found in page.find(r"(?P<a>{" + kind + "}){or}(?P<b>{" + kind + "})", needs=f"or {kind}"):
            values = [found.value(name, kind) for name in ("a", "b")]
            numbered = any("n" in one.kinds for name in ("a", "b") for one in found.part(name))
            if values[0] != values[1] and not numbered:
                texts = [page.text[found.part(name)[0].start : found.part(name)[0].end] for name in ("a", "b")]
                yield _which(page, found, [Option(text, {field: value}) for text, value in zip(texts, values, strict=True)])


def _which(page: Page, found: Found, options: list[Option]) -> Reading:
    return page.reading(*found.span, "training", ask_back=tuple(options))


def _shapes(page: Page) -> Iterator[Reading]:
    """Batches of rows, written as a product."""
    for found in page.find(_SHAPES + _NO_OTHER, needs="or times n"):
        pairs = [sorted(int(plain_number(found, name, "whole") or 0) for name in names) for names in ("ab", "cd")]
        if all(0 < rows < _SHORTEST and tokens >= _WIDEST for rows, tokens in pairs):
            yield _which(page, found, [_shape(page, rows, tokens) for rows, tokens in pairs])


def _shape(page: Page, rows: int, tokens: int) -> Option:
    words = f"{label(page.lang, 'batch', rows=rows)} · {label(page.lang, 'sequence', tokens=tokens)}"
    return Option(words, {"micro_batch": rows, "sequence_length": tokens})


def _bases(page: Page) -> Iterator[Reading]:
    """ "4bit or 8bit LoRA" are two methods to compare."""
    for found in page.find(r"(?P<a>{quantization}){or}(?P<b>{method})", needs="or quantization method"):
        method = _BASES.get((found.value("a", "quantization"), found.value("b", "method")))
        if method is not None:
            first = found.span[0]
            yield page.reading(first, first + 1, "method", method)


def _lengths(page: Page) -> Iterator[Reading]:
    slot: Any = "serving" if page.slot == "serving" else "training"
    field = "context" if slot == "serving" else "sequence_length"
    for rule in (_TWO + r"{token}?{to}?(?:{ctx}|{token})", r"{ctx}{equals}?" + _TWO + r"{token}?" + _NO_OTHER):
        for found in page.find(rule, needs="or n ctx|token"):
            low, high = _tokens(found, "a", "b"), _tokens(found, "b", "a")
            if all(_SHORTEST <= one <= 2_000_000 for one in (low, high)) and low != high:
                options = [Option(label(page.lang, "sequence", tokens=one), {field: one}) for one in (low, high)]
                yield page.reading(*found.span, slot, ask_back=tuple(options))


def _tokens(found: Found, name: str, other: str) -> int:
    """Tokens of one side; "2k" is 2,048, and "2 or 4k" are both thousands."""
    scaled = found.has(f"scale_{name}") or (found.has(f"scale_{other}") and (plain_number(found, name) or 0) < _SHORTEST)
    number = plain_number(found, name, "measure" if scaled else "whole") or 0.0
    if not scaled:
        return int(number)
    scale = scale_of(found.part(f"scale_{name}") or found.part(f"scale_{other}"))
    power = float(number).is_integer() and number > 0 and int(number) & (int(number) - 1) == 0
    return int(number * (1024 if power and scale == 1e3 else scale))


def _counts(page: Page) -> Iterator[Reading]:
    for field, (kind, word, most) in _COUNTS.items():
        for rule in (
            word + "{equals}?" + _TWO + _NO_OTHER,
            _TWO + "{to}?" + word,
            word + "{equals}?(?P<a>{n}){or}" + word + "{equals}?(?P<b>{n})",
        ):
            for found in page.find(rule, needs=f"or n {kind if kind != 'rank' else 'rank|r_word'}"):
                values = [int(plain_number(found, name, "whole") or 0) for name in ("a", "b")]
                slashed = any(one.text == "/" for one in page.lexemes[slice(*found.span)])  # "batch 1 / 4096"
                if all(0 < one <= most for one in values) and values[0] != values[1] and not slashed:
                    yield _which(page, found, [Option(_named(page, field, one), {field: one}) for one in values])


def _named(page: Page, field: str, value: int) -> str:
    return label(page.lang, "batch", rows=value) if field == "micro_batch" else label(page.lang, "rank", rank=value)
