"""From what people type to a card or a model: what enters is a name, what leaves is the thing, the options to ask, or None.

Normal lookups are dictionary hits. Nothing ambiguous is guessed; what was taken without being said stands in `taken`.
"""

from engine.catalogue.names.alike import suggestions
from engine.catalogue.names.answers import Ambiguity, NamedModel, NotOpen, billions, model_value, spoken
from engine.catalogue.names.cards import gpu_named, instance_named
from engine.catalogue.names.models import architecture_named, model_named

__all__ = [
    "Ambiguity",
    "NamedModel",
    "NotOpen",
    "architecture_named",
    "billions",
    "gpu_named",
    "instance_named",
    "model_named",
    "model_value",
    "spoken",
    "suggestions",
]
