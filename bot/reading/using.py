"""Whether a model is only to be run: enters as a page, leaves as a reading of the method where nothing is said of training.

What says so is a verb ("can I run a 70B"), users, or a program, a flag or a file format made for running models.
"""

from collections.abc import Iterator

from bot.reading.lexemes import Lexeme
from bot.reading.page import Page
from bot.reading.readings import Reading

_TRAINING = frozenset(("adapt", "train", "stage", "peft", "rank", "optimizer", "checkpointing", "epoch", "batch"))
_MODELS = frozenset(("model", "model_ask", "model_taken", "model_closed", "family", "b", "model_word"))
_FILES = frozenset(("q4", "q5", "q8"))  # formats nobody trains on


def only_used(page: Page) -> Iterator[Reading]:
    """ "Can I run a 70B", "8B for ten users": a model to be used, where nothing is said of training it."""
    if page.kinds & _TRAINING or not page.kinds & _MODELS:
        return
    if any(one.kinds.get("method") not in (None, "serve") for one in page.lexemes):
        return
    if page.slot not in (None, "goal", "method"):
        return
    use = next(_uses(page), None)
    if use is not None:
        text, span = page.place(*use)
        yield Reading("method", text, span, "serve")


def _uses(page: Page) -> Iterator[tuple[int, int]]:
    """Where the message says that a model is run: a verb, users, a program or a file format made for it."""
    for found in page.find(
        r"{run_verb}|(?:{n|count|few|how_many}{.}??{users})|{team}|{alone}", needs="run_verb|users|team|alone", free=False
    ):
        if found.span[0] and not page.lexemes[found.span[0]].gap and "minus" not in page.lexemes[found.span[0] - 1].kinds:
            continue  # the "chat" of "llama-2-7b-chat"
        if "run" not in page.lexemes[found.span[0]].kinds or not _counted_run(page, *found.span):
            yield found.span
    for found in page.find(r"{requests}{per}{second|time}|{request_rate}", needs="requests|request_rate", free=False):
        yield found.span
    if "ctx" in page.kinds and any("quantization" in one.kinds and not _trained_on(one) for one in page.lexemes):
        yield from (found.span for found in page.find(r"{ctx}", free=False))  # "a 70b in 4 bit with 16k context"
    for found in page.find(
        r"{inference_sign|coarse_quant}|(?P<w>{quantization})", needs="inference_sign|coarse_quant|quantization", free=False
    ):
        if not found.has("w") or found.value("w", "quantization") in _FILES:
            yield found.span


def _trained_on(lexeme: Lexeme) -> bool:
    """Whether a format is named as those who train name it: NF4, bitsandbytes."""
    return any(word in lexeme.text for word in ("nf 4", "nf4", "bnb", "bitsandbytes", "load"))


def _counted_run(page: Page, first: int, last: int) -> bool:
    """Whether "run" is a thing ("2 runs a month", "a run of 6 h"), not what is to be done with a model."""
    before = page.lexemes[first - 1].kinds.keys() if first else set()
    behind = page.lexemes[last].kinds.keys() if last < len(page.lexemes) else set()
    a_period = "per" in behind and last + 1 < len(page.lexemes) and "time" in page.lexemes[last + 1].kinds
    return bool(set(before) & {"n", "count", "one", "time", "train", "adapt", "method"} or set(behind) & {"time", "equals"} or a_period)
