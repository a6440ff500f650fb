"""After sentences in templates/ have changed: brings sizewell.pot and every catalogue up to date and names what lacks a translation.

Run it, fill the empty `msgstr` of templates/locale/<language>/LC_MESSAGES/sizewell.po, commit all of it. English is the language of
the templates, so its catalogue is written from them. A new language starts with an empty folder templates/locale/<language>.
"""

import re
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "templates" / "locale"
_CHANGING = re.compile(r'"(POT-Creation-Date|PO-Revision-Date|Report-Msgid-Bugs-To|Last-Translator|Language-Team|Generated-By): .*\\n"\n')


def extracted() -> Catalog:
    """Every sentence of the templates."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found = Catalog(project="sizewell", version="0.1.0", charset="utf-8")
    for _, _, message, _, context in extract_from_dir(str(ROOT), methods, options):
        found.add(message, context=context)
    return found


def written(catalogue: Catalog, path: Path, title: str) -> None:
    """One catalogue, sorted, without dates and line numbers, so that only sentences make differences."""
    catalogue.header_comment = f"# {title}"
    out = BytesIO()
    write_po(out, catalogue, width=0, sort_output=True, no_location=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_CHANGING.sub("", out.getvalue().decode("utf-8")), encoding="utf-8")


def filled(template: Catalog, language: str, text: Callable[[Message], object]) -> Catalog:
    """The template's sentences in a language."""
    made = Catalog(locale=language, project="sizewell", version="0.1.0", fuzzy=False)
    for message in template:
        if message.id:
            made.add(message.id, text(message), flags=message.flags, context=message.context)  # type: ignore[arg-type]  # str or tuple
    return made


def kept(old: Catalog) -> Callable[[Message], object]:
    """The translation a sentence has already; empty for a new one."""

    def of(message: Message) -> object:
        key = message.id if isinstance(message.id, str) else message.id[0]
        known = old.get(key, message.context)
        return known.string if known is not None else "" if isinstance(message.id, str) else ("", "")

    return of


def untranslated(catalogue: Catalog) -> list[str]:
    """Sentences without a translation."""
    return [str(one.id) for one in catalogue if one.id and not all([one.string] if isinstance(one.string, str) else one.string)]


def brought_up_to_date(template: Catalog, language: str) -> Catalog:
    """The catalogue of a language with the sentences of today; what no template holds any more is gone."""
    path = LOCALE / language / "LC_MESSAGES" / "sizewell.po"
    old = read_po(BytesIO(path.read_bytes()), locale=language) if path.exists() else Catalog(locale=language)
    made = filled(template, language, (lambda message: message.id) if language == "en" else kept(old))
    written(made, path, f"Sizewell in {Locale(language).english_name}.")
    return made


def main() -> int:
    """Exit 1 while a translation is missing."""
    template = extracted()
    written(template, LOCALE / "sizewell.pot", "Every sentence of Sizewell, extracted from templates/.")
    languages = sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir())
    missing = {language: untranslated(brought_up_to_date(template, language)) for language in languages}
    for language, sentences in missing.items():
        print("\n".join([f"{language}: {len(template)} sentences, {len(sentences)} without a translation", *sentences]))
    return 1 if any(missing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
