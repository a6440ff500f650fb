"""What all tests share: the contract's validators, steady examples, tables to copy."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

# The gate must give the same verdict twice; HYPOTHESIS_PROFILE=search looks for new cases.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

SCHEMAS = Path(__file__).parent.parent / "bot" / "contract" / "schemas"

_ALONE = ("campaign", "benchmark")  # they measure memory and time
_REWRITES = ("SIZEWELL_REWRITE", "SIZEWELL_GOLDEN")  # several tests write into one file


def pytest_xdist_auto_num_workers(config):
    """Two processes on any machine; one where something is measured, written anew, or to be read on the way (`-s`)."""
    alone = config.option.markexpr in _ALONE or config.option.capture == "no" or any(name in os.environ for name in _REWRITES)
    return 0 if alone else 2


@pytest.fixture(scope="session")
def fits_schema():
    """`fits_schema(name, value)` gives the faults of a value against a schema of the machine contract."""
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = {path.name.split(".")[0]: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.schema.json")}
    registry = Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()])
    validators = {name: Draft202012Validator(schema, registry=registry) for name, schema in schemas.items()}

    def faults(name, value):
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:160]}" for error in validators[name].iter_errors(value)]

    return faults


@pytest.fixture(scope="session")
def migrated(tmp_path_factory):
    """A SQLite file with all tables, built once: migrating a new one takes as long as half of the bot's start."""
    from bot.store import open_database

    path = tmp_path_factory.mktemp("migrated") / "sizewell.db"
    open_database(f"sqlite:///{path}")
    return path
