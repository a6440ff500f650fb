"""Jinja with both languages: a template name and facts enter, HTML leaves (autoescaped, Telegram's tags only in templates)."""

import datetime
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, TemplateNotFound
from jinja2.bccache import Bucket

from bot.rendering.filters import filters
from bot.rendering.translations import LANGUAGES, translations
from engine.request import Holding

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


class _Compiled(FileSystemBytecodeCache):
    """A cache that a full disk cannot hurt."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep compiled code, or do without."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def environment(language: str) -> Environment:
    """The environment of a language; an unknown language speaks English."""
    if language not in LANGUAGES:
        return environment(LANGUAGES[0])
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_compiled(),
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    made.filters.update(filters(language))
    made.globals.update(language=language, age_in_days=age_in_days, tells_memory=tells_memory)
    return made


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates beside their sources, as Python keeps its own; saves a cold start about 0.2 s. None where it may not write."""
    folder = TEMPLATES / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return _Compiled(str(folder), "%s.jinja") if os.access(folder, os.W_OK) else None


def rendered(template: str, language: str, facts: Mapping[str, Any]) -> str:
    """A template with its facts as HTML. Errors: jinja2.TemplateNotFound."""
    return environment(language).get_template(template).render(facts)


def exists(template: str) -> bool:
    """Whether there is such a template; its name may come from data and stays inside the folder."""
    try:
        environment(LANGUAGES[0]).get_template(template)
    except TemplateNotFound:
        return False
    return True


def age_in_days(date: datetime.date, today: datetime.date) -> int:
    """How old a figure is; one from the future is new."""
    return max(0, (today - date).days)


def tells_memory(holding: Holding) -> bool:
    """Whether a card's memory says something its name does not: an RTX 3090 always has 24 GB, an A100 has 40 or 80."""
    from engine.catalogue import catalogue

    known = catalogue()
    found = known.gpus.get(known.gpu_aliases.get(re.sub(r"[^a-z0-9]", "", (holding.gpu or "").lower()), ""))
    return found is None or len(found.memory_options) > 1 or found.memory_nominal != holding.memory_gb
