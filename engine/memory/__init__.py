"""The memory of a training step or a server on one card: terms at the moment of the peak, their sum, its range.

Enters: an `Architecture` and a `Setup` (from a Request by `setup_of`, from a typed row by `row`). Leaves: bytes (`peak`), a
`Footprint`, a row's answer. Inner numbers are plain bytes; a `Footprint` carries quantities.
"""

from engine.memory.config_json import architecture_from_config
from engine.memory.defaults import setup_of
from engine.memory.footprint import allocated, footprint, peak
from engine.memory.rows import row
from engine.memory.setup import Setup
from engine.memory.thumb import rules_of_thumb
from engine.memory.typical import typical_architecture

__all__ = [
    "Setup",
    "allocated",
    "architecture_from_config",
    "footprint",
    "peak",
    "row",
    "rules_of_thumb",
    "setup_of",
    "typical_architecture",
]
