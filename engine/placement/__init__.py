"""Placement: whether hardware holds a step, how far it goes, what it could hold, and which cards of the catalogue would.

Enters: a `Subject`, a shape and a method. Leaves: a `Sizing`, the default method, `largest` for reverse questions, `candidates`.
"""

from engine.placement.candidates import Candidate, candidates, how_many, smallest_card
from engine.placement.fitting import default_training_method, fit_of, holds
from engine.placement.reverse import largest

__all__ = ["Candidate", "candidates", "default_training_method", "fit_of", "holds", "how_many", "largest", "smallest_card"]
