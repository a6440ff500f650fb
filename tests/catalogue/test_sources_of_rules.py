"""Whatever a rule cites is a source that can be shown."""

import importlib
import pkgutil
from collections.abc import Iterator

import engine.rules
from engine.catalogue import catalogue
from engine.rules.rule import Rule


def _rules() -> Iterator[Rule]:
    for module in pkgutil.walk_packages(engine.rules.__path__, "engine.rules."):
        for value in vars(importlib.import_module(module.name)).values():
            yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Rule))


def test_every_rule_cites_a_known_source() -> None:
    cited = {rule.id: rule.source for rule in _rules()}
    assert len(cited) > 30
    assert {rule: source for rule, source in cited.items() if source not in catalogue().sources} == {}
