"""Names that are no plain alias: what enters is names.csv, what leaves are rules by looked-up name, for cards and for models."""

from collections.abc import Collection
from pathlib import Path
from typing import cast

from engine.catalogue.keys import compact, normalised
from engine.catalogue.tables import rows
from engine.catalogue.whole import NameKind, NameRule

_KINDS = ("gpu_ask", "gpu_taken", "model_ask", "model_taken", "model_closed")
_COLUMNS = "kind names options note"


def name_rules(folder: Path, cards: Collection[str], models: Collection[str]) -> tuple[dict[str, NameRule], dict[str, NameRule]]:
    """Rules for cards by compact name, for models by normalised name. Errors: CatalogueError: unknown ids, a name twice."""
    of_cards: dict[str, NameRule] = {}
    of_models: dict[str, NameRule] = {}
    for row in rows(folder / "names.csv", _COLUMNS):
        rule = NameRule(cast(NameKind, row.word("kind", _KINDS)), row.words("options"), row.text("note"))
        found, known, key = (of_cards, cards, compact) if rule.kind.startswith("gpu") else (of_models, models, normalised)
        unknown = [option for option in rule.options if option not in known]
        if unknown or (len(rule.options) != 1) != (not rule.kind.endswith("taken")):
            row.wrong(f"unknown options {unknown}, or not one option to take, several to ask")
        for name in row.words("names"):
            if key(name) in found:
                row.wrong(f"name {name!r} stands there twice")
            found[key(name)] = rule
    return of_cards, of_models
