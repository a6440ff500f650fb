"""The grammar: a message enters, its readings leave in the order of the text.

The rules run from the most specific to the least; what one has read no later one reads again.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from bot.reading import misspelt
from bot.reading.bounds import bounded
from bot.reading.circumstances import remarks, settings
from bot.reading.goals import goals
from bot.reading.hardware import hardware
from bot.reading.methods import methods
from bot.reading.models import models
from bot.reading.money import money
from bot.reading.offers import offers
from bot.reading.page import Page, page
from bot.reading.pasted import cut, joined
from bot.reading.plain_amounts import bare_amounts
from bot.reading.readings import Reading
from bot.reading.records import looked_up
from bot.reading.serving import load, serving
from bot.reading.training import dataset, training
from bot.reading.usage import usage
from engine.catalogue import Catalogue
from engine.request import Language, Slot

Rule: TypeAlias = Callable[[Page], Iterator[Reading]]
RULES: tuple[Rule, ...] = (
    remarks,
    looked_up,
    offers,
    load,
    dataset,
    training,
    money,
    usage,
    serving,
    misspelt.models,
    models,
    misspelt.cards,
    hardware,
    methods,
    goals,
    settings,
    bare_amounts,
)


def read(text: str, lang: Language, catalogue: Catalogue, slot: Slot | None = None) -> tuple[Reading, ...]:
    """What a message, or the answer to one question (`slot`), says. Never raises."""
    pasted = cut(text)
    laid_out = page(pasted.text, lang, catalogue, slot)
    return joined((bounded(reading) for rule in RULES for reading in rule(laid_out)), pasted, text)
