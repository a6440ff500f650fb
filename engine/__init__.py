"""Sizewell's engine: `advise(request, catalogue, today)` gives a `Recommendation`. No Telegram, database, clock or network here."""

from engine.advise import advise
from engine.catalogue import Catalogue
from engine.recommendation import Recommendation
from engine.request import Request

__all__ = ["Catalogue", "Recommendation", "Request", "advise"]
