"""Questions about records: enters as a page, leaves as the remark that a query over a database answers what they want to know."""

from collections.abc import Iterator

from bot.reading.page import Page
from bot.reading.readings import Reading

_ASKED = (
    r"{which|how_many}(?:{!stop}){0,2}?{records}(?:{!stop}){0,5}?{record_state}",
    r"{which|how_many}(?:{!stop}){0,2}?{record_state}(?:{!stop}){0,2}?{records}",
)
_STORED = r"{facts_verb|which|how_many}(?:{!stop}){0,8}?{database}|{database}(?:{!stop}){0,8}?{facts_verb|which|how_many}"


def looked_up(page: Page) -> Iterator[Reading]:
    """ "Which invoices are overdue", "welche Kunden haben am meisten bestellt", "answers about orders from our database"."""
    for rule in _ASKED:
        for found in page.find(rule, needs="records record_state which|how_many", free=False):
            yield _queried(page, *found.span)
    if page.kinds & {"model", "b", "rows", "stage"}:
        return  # a model that is to write queries is trained
    for found in page.find(_STORED, needs="records database", free=False):
        yield _queried(page, *found.span)


def _queried(page: Page, first: int, last: int) -> Reading:
    text, span = page.place(first, last)
    return Reading("training", text, span, {}, says=("symptom", "calculation"))
