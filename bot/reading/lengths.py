"""How long the rows are: enters as a page, leaves as readings of a sequence length, or of a context where a model is only used.

Of several lengths all are read; the longest decides later. "8k" is 8,192, "20k" is 20,000.
"""

from collections.abc import Iterator

from bot.reading.amounts import scale_of
from bot.reading.labels import label
from bot.reading.page import Found, Page
from bot.reading.readings import Reading, option

_POWERS = frozenset((1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024))
_LONGEST = 10_000_000
_NUMBER = r"(?!{gpu|gpu_ask})(?P<a>{n})(?P<scale>{scale|mega})?"
_SHORTEST = 32  # shorter numbers beside the word are batches and ranks
_UNIT = r"(?!{gb|b|time|money|users|card|percent|gpu|epoch|rows|per})"
_BEFORE = r"(?:{about|most})?" + _NUMBER + r"{least}?{to}?{token}?{to}?{ctx}"
_AFTER = r"{ctx}(?:{ctx|equals|about|most|least|token|per|open|to}){0,3}" + _NUMBER + r"{token}?" + _UNIT
_LONGEST_ROW = r"{most}{token}(?:{per_row|per|rows|equals}){0,3}" + _NUMBER + _UNIT
_TOKENS = r"(?:{about|most})?" + _NUMBER + r"{least}?{token}(?:{per_row|ctx})?"
_MOST = r"{most}" + _NUMBER + _UNIT
_FAILING = _NUMBER + r"(?={.}?{symptom|not|gone})"
_AT = r"{equals|on|comma|proposal}" + _NUMBER + r"(?={comma|stop}|$)"
_MANY_TOKENS = 2_000_000  # no row, but a whole corpus
_OTHERS = frozenset(("batch", "rank", "r_word", "accum"))


def _tokens(found: Found) -> int | None:
    """A length in tokens; "8k" is 8,192, "20k" is 20,000."""
    number, scale = found.numbers("a", "whole" if not found.has("scale") else "measure")[0], scale_of(found.part("scale"))
    if scale == 1e3 and number in _POWERS:
        scale = 1024
    length = number * scale
    return int(length) if 1 <= length <= _LONGEST and float(length).is_integer() else None


def _said(page: Page, found: Found, length: int) -> Reading:
    """The reading of a length, in the slot that is being asked about."""
    if page.slot == "serving":
        return page.reading(*found.span, "serving", {"context": length})
    return page.reading(*found.span, "training", {"sequence_length": length})


def _on_average(page: Page, found: Found, length: int) -> Reading:
    return page.reading(*found.span, "dataset", {"tokens_per_row": length})


def lengths(page: Page) -> Iterator[Reading]:
    """Every length of a message, the surest forms first."""
    yield from _pair(page)
    for rule in (_BEFORE, _AFTER, _LONGEST_ROW, _TOKENS):
        for found in page.find(rule, needs="n ctx|token"):
            length = _tokens(found)
            if length is not None and _plausible(page, found, length):
                average = found.span[0] and "average" in page.lexemes[found.span[0] - 1].kinds
                yield _on_average(page, found, length) if average else _said(page, found, length)
    yield from _named_before(page)
    yield from _at(page)
    if page.slot == "training":
        yield from _bare(page)


def _plausible(page: Page, found: Found, length: int) -> bool:
    """Whether a number beside the word is its own: not the 16 of "bs 16 seq 4096"."""
    first = page.index[found.match.start("a")]
    other = not found.has("scale") and any(one.kinds.keys() & _OTHERS for one in page.lexemes[max(0, first - 2) : first])
    return (length >= _SHORTEST or "token" in page.kinds) and length <= _MANY_TOKENS and not other


def _pair(page: Page) -> Iterator[Reading]:
    """batch 1 / 4096: the second number is the length; the first is read as the batch afterwards."""
    for found in page.find(r"{batch}{equals}?{n}(?:{or|comma})" + _NUMBER + r"(?!{token|epoch|rows|gb})", needs="batch", free=False):
        length, last = _tokens(found), found.span[1]
        first = last - len(found.part("a")) - len(found.part("scale"))
        if length is not None and length >= 4 * _SHORTEST and not any(page.taken[first:last]):
            yield page.reading(first, last, "training", {"sequence_length": length})


def _named_before(page: Page) -> Iterator[Reading]:
    """Further lengths once one was named: "2k context fine, 8k = OOM", "average 500 tokens but max 6000"."""
    if not page.kinds & {"ctx", "token"}:
        return
    for rule in (_FAILING, _MOST):
        for found in page.find(rule, needs="symptom|not|gone|most"):
            length = _tokens(found)
            if length is not None and (found.has("scale") or length >= 8 * _SHORTEST):
                yield _said(page, found, length)


def _at(page: Page) -> Iterator[Reading]:
    """ "… at 16k?", "and with 4k?": thousands after such a word, at the end of a phrase, are a length."""
    for found in page.find(_AT, needs="n scale"):
        number, length = found.numbers("a", "measure")[0], _tokens(found)
        if length is not None and number in _POWERS and scale_of(found.part("scale")) == 1e3 and not page.has("budget"):
            yield _said(page, found, length)


def _bare(page: Page) -> Iterator[Reading]:
    """An answer that is only a number: with a k a length, else asked."""
    for found in page.find(_NUMBER + r"(?!{.})", needs="n"):
        number = _tokens(found)
        if number is None or (found.span[0] > 0 and not found.has("scale")):
            continue
        if found.has("scale"):
            yield page.reading(*found.span, "training", {"sequence_length": number})
            continue
        length = (option(label(page.lang, "sequence", tokens=number), sequence_length=number),) if number >= 64 else ()
        batch = (option(label(page.lang, "batch", rows=number), micro_batch=number),) if number <= 256 else ()
        yield page.reading(*found.span, "training", ask_back=length + batch)
