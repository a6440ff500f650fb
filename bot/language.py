"""Which language a message is in, where nobody said: a message enters, "de", "en" or None leaves."""

import os
import re

from engine.request import Language

_WORD = re.compile(r"(?<![\w-])[a-zäöüß]+(?![\w-])")  # whole words: neither the "a" of "A100" nor the "on" of "on-premise"
_UMLAUT = re.compile("[äöüß]")
_LONGEST = 2000  # characters that are looked at


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMMON: dict[Language, frozenset[str]] = {
    "de": _words("""
        aber alle alles anwender auch auf aus bei beim benutzer betreiben betrieb bin bis bitte brauch brauche brauchen braucht da
        damit daran darf das dem den der des deutsch die doch dürfen ein eine einen einer eines eigene eigenen eigener eigenes
        einmalig es euro finetunen firma für gegen geht genügt gern gibt gleichzeitig grafikkarte haben hab hallo hat hier ich ihr
        im ist ja jahr jahre jahren je jeder kann karte karten kauf kaufen kein keine keinen kollegen kosten kostet langsam lohnt
        mal mehr mein meine miete mieten mit mitarbeiter mitarbeitern modell monat monate monaten monatlich muss müssen möchte
        möglich nach nein nicht noch nur nutzer nutzern ob oder ohne passt rechenzentrum rechner reicht reichen schon sich sind soll
        sollen sondern speicher statt strom stunde stunden tag tage tagen trainieren tun über um und uns unser unsere unseren
        unserem unserer unternehmen vergleich von wann warum welche welchen welcher welches wenn wie wieviel wieviele wieso wir
        woche wochen wollen zu zum zur zusammen zwei zwischen
    """),
    "en": _words("""
        a after an and any are as at be better but buy by can card cards cheaper concurrent cost day do does during each employees
        english enough faster fine for from have hello help hi hour hours how i if is it just many me month monthly much must my
        need no node nodes not of on one only or our over people per possible rent rows run says self should slower staff stay takes
        than thanks that the there they this to train training tune tuning used user users want we week what when which why will
        with within without would you your
    """),
}


def language_of(message: str) -> Language | None:
    """The language most of the common words belong to, a word with an umlaut to German; None where neither leads."""
    words = _WORD.findall(message[:_LONGEST].lower())
    english = sum(word in _COMMON["en"] for word in words)
    german = sum(word in _COMMON["de"] or bool(_UMLAUT.search(word)) for word in words)
    if english == german:
        return None
    return "de" if german > english else "en"


def default_language() -> Language:
    """From SIZEWELL_LANG_DEFAULT, else the locale of the terminal, else English."""
    wished = os.environ.get("SIZEWELL_LANG_DEFAULT") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "de" if wished.lower().startswith("de") else "en"


def wished_language(named: str | None) -> Language:
    """The language an option names; the default where it names none that is spoken here."""
    return "de" if named == "de" else "en" if named == "en" else default_language()
