"""One message, answered at once: what is read goes to the engine with what must be asked back and the symptoms reported."""

from datetime import date

from bot.reading import read, understood
from engine import advise
from engine.catalogue import Catalogue
from engine.recommendation import Recommendation
from engine.request import Language


def answer_message(message: str, lang: Language, catalogue: Catalogue, today: date) -> Recommendation:
    """The recommendation for a message of its own; what was ambiguous stands in its questions."""
    found = understood(read(message, lang, catalogue), lang)
    return advise(found.request, catalogue, today, found.questions, found.mentions)
