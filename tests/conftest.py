"""What all tests share: the contract's validators and a fixed day."""

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
