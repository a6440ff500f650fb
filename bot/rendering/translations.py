"""Gettext catalogues: a .po file enters, its translations leave.

The sources are the .po files. The build compiles them (deploy/compile_translations.py); a checkout without a build compiles
on first use and keeps the .mo beside the .po where it may write. A .mo says which .po it was made of (a checksum),
so an outdated one is never used whatever its date. Imports nothing of this project: the build loads it by path.
"""

import gettext
import os
import tempfile
import zlib
from functools import cache
from io import BytesIO
from pathlib import Path

DOMAIN = "sizewell"
LOCALE = Path(__file__).resolve().parents[2] / "templates" / "locale"
LANGUAGES = ("en", *sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir() and folder.name != "en"))
_CHECKSUM = "source checksum"


def source(language: str, locale: Path = LOCALE) -> Path:
    """The .po file of a language."""
    return locale / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def compiled(po: bytes) -> bytes:
    """A .po file as .mo, with the checksum of the .po as one more message."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    catalogue = read_po(BytesIO(po), domain=DOMAIN)
    catalogue.add(_CHECKSUM, _checksum(po))
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def write(language: str, locale: Path = LOCALE) -> Path:
    """Compile a language's .po beside it, in one step. Errors: OSError where the folder cannot be written."""
    po = source(language, locale)
    content = compiled(po.read_bytes())
    handle, name = tempfile.mkstemp(dir=po.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(name).replace(po.with_suffix(".mo"))
    return po.with_suffix(".mo")


@cache
def translations(language: str) -> gettext.GNUTranslations:
    """The translations of a language, compiled if need be. Errors: FileNotFoundError for a language without a .po."""
    po = source(language).read_bytes()
    try:
        known = gettext.GNUTranslations(BytesIO(source(language).with_suffix(".mo").read_bytes()))
    except OSError:
        known = None
    if known and known.gettext(_CHECKSUM) == _checksum(po):
        return known
    return _fresh(language, po)


def _fresh(language: str, po: bytes) -> gettext.GNUTranslations:
    """Compile now; keep it for the next start if the folder can be written."""
    try:
        return gettext.GNUTranslations(BytesIO(write(language).read_bytes()))
    except OSError:
        return gettext.GNUTranslations(BytesIO(compiled(po)))


def _checksum(po: bytes) -> str:
    return f"{zlib.crc32(po):08x}"
