"""The memory of a training step or a server on one card: terms at the moment of the peak, their sum, its range.

Enters: an `Architecture` and a `Setup` (from a Request by `setup_of`, from a typed row by `row`). Leaves: bytes (`peak`), a
`Footprint`, a row's answer. Inner numbers are plain bytes; a `Footprint` carries quantities.
"""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.memory.defaults import setup_of
from engine.memory.footprint import allocated, footprint, peak
from engine.memory.setup import Setup
from engine.memory.thumb import RuleOfThumb, rules_of_thumb
from engine.memory.typical import typical_architecture

__all__ = [
    "RuleOfThumb",
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


def architecture_from_config(config: Mapping[str, Any]) -> Architecture:
    """Read a Hugging Face config.json. Errors: Refusal."""
    from engine.memory import config_json  # its readers are loaded only by those who have a config

    return config_json.architecture_from_config(config)


def row(line: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Answer one typed row of `memory --batch`. Errors: Refusal."""
    from engine.memory import rows  # the check of a row is loaded only by those who have rows

    return rows.row(line, catalogue)
