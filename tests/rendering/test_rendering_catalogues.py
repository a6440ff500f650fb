"""Both catalogues are complete, current and safe: every sentence, the same placeholders, only Telegram's tags."""

import importlib
import re
import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.rendering import translations
from bot.rendering.environment import TEMPLATES

sys.path.append(str(Path(__file__).resolve().parents[2] / "deploy"))
update_translations = importlib.import_module("update_translations")
EXAMPLES = ("8B LoRA", "Zum Beispiel: sizewell", "Schreiben Sie")
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
TAG = re.compile(r"</?[a-z][^>]*>")


def catalogue(language: str) -> Catalog:
    return read_po(BytesIO(translations.source(language).read_bytes()), locale=language)


@cache
def extracted() -> set[str]:
    """The message ids that stand in the templates now."""
    return {ids(message)[0] for message in update_translations.extracted() if message.id}


def texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


def ids(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_every_sentence_of_the_templates_is_in_the_catalogue_and_no_other(language: str) -> None:
    known = {ids(message)[0] for message in catalogue(language) if message.id}
    assert known == extracted()


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_nothing_is_missing_or_fuzzy(language: str) -> None:
    unfinished = [message.id for message in catalogue(language) if message.id and (message.fuzzy or not all(texts(message)))]
    assert unfinished == []


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_translations_use_the_placeholders_of_their_sentence(language: str) -> None:
    for message in catalogue(language):
        wanted = [set(PLACEHOLDER.findall(one)) for one in ids(message)]
        for text in texts(message) if message.id else ():
            assert set(PLACEHOLDER.findall(text)) in wanted, text
            assert re.sub(r"%%|%\(\w+\)s", "", text).count("%") == 0, text


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_translations_bring_no_tags_of_their_own(language: str) -> None:
    assert [text for message in catalogue(language) if message.id for text in texts(message) if TAG.search(text)] == []


def test_the_template_catalogue_is_current() -> None:
    pot = read_po(BytesIO((translations.LOCALE / "sizewell.pot").read_bytes()))
    assert {ids(message)[0] for message in pot if message.id} == extracted()


def test_german_is_german() -> None:
    """Sie-form, German quotation marks, no-break space between number and unit."""
    for message in catalogue("de"):
        for text in texts(message) if message.id else ():
            assert not re.search(r"\b(du|dein|deine|dir|dich)\b", text), text
            assert "“" not in text.replace("“", "", text.count("„")), text
            outside = re.sub("„[^“]*“|12 h im Monat", "", text)  # what people are to type has plain spaces
            assert not re.search(r"(\d|%\(\w+\)s) (GB|h|%|W|Wochen)\b", outside) or outside.startswith(EXAMPLES), text


def test_every_text_of_both_languages_differs_where_it_should() -> None:
    same = [message.id for message in catalogue("de") if message.id and " " in str(message.id) and texts(message) == ids(message)]
    allowed = ("%(need)s (", "%(model)s: %(need)s", "Budget:", "Hardware:")
    assert [one for one in same if not str(one).startswith(allowed)] == []


def test_a_compiled_catalogue_is_used_only_for_its_own_source(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "sizewell.po").write_bytes(translations.source("de").read_bytes())
    made = translations.write("de", tmp_path)
    assert made.read_bytes() == translations.compiled(translations.source("de").read_bytes())
    changed = translations.source("de").read_bytes().replace(b"Gewichte", b"Massen")
    assert translations.compiled(changed) != made.read_bytes()


def test_every_template_compiles() -> None:
    from bot.rendering.environment import environment

    names = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.j2")]
    assert len(names) > 100
    for name in names:
        environment("de").get_template(name)
