"""Which language a message is in, where nobody said: a message enters, "de", "en" or None leaves."""

import os
import re

from engine.request import Language

_WORD = re.compile(r"[a-zäöüß]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


_COMMON: dict[Language, frozenset[str]] = {
    "de": _words("""
        aber am auf aus bei bin bitte brauch brauche brauchen braucht das dem den der des die ein eine einen einer eines es für gibt
        haben hab hallo ich im in ist kann karte kaufen kein keine kostet lohnt mal mein meine mieten mit monat monatlich nicht noch
        oder ohne pro reicht sich sind soll sollen stunden tag über um und unser unsere unseren unserer von was welche welcher welches
        wie wieviel wieviele wir woche zu zum zur zwei gern möchte wollen euro deutsch grafikkarte speicher trainieren
    """),
    "en": _words("""
        a an and any are at buy can cost do does for from have hello help how i is it just many me month monthly much my need not of on
        or our rent should that the this to train training want we what which will with without would you your hours per week day english
        fine tune tuning memory card cards enough budget
    """),
}


def language_of(message: str) -> Language | None:
    """The language most of the common words belong to; None where neither leads."""
    words = _WORD.findall(message[:2000].lower())
    counts = {lang: sum(word in known for word in words) for lang, known in _COMMON.items()}
    if counts["de"] == counts["en"]:
        return None
    return "de" if counts["de"] > counts["en"] else "en"


def default_language() -> Language:
    """From SIZEWELL_LANG_DEFAULT, else the locale of the terminal, else English."""
    wished = os.environ.get("SIZEWELL_LANG_DEFAULT") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "de" if wished.lower().startswith("de") else "en"


def wished_language(named: str | None) -> Language:
    """The language an option names; the default where it names none that is spoken here."""
    return "de" if named == "de" else "en" if named == "en" else default_language()
