.PHONY: install check test campaign benchmark ci translations

install:
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]'

check:
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

test:
	.venv/bin/pytest

campaign:
	.venv/bin/pytest -m campaign

benchmark:
	.venv/bin/pytest -m benchmark

translations:
	.venv/bin/python deploy/update_translations.py

ci:
	bash .ci/run
