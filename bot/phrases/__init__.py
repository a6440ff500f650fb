"""The words of the conversation itself, per language: what a bare word means, and what stands on a button.

Enters: text as typed. Leaves: command names, language codes, terms, labels. The lists are YAML beside this file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from engine.request import Currency, Language, Slot

LANGUAGES: tuple[Language, ...] = ("de", "en")
_SHORT_QUESTION = 8  # words
_EDGES = " \t\r\n.,;:!?¿¡\"'„“”‚‘’«»()[]"


@dataclass(frozen=True, slots=True)
class Words:
    """The word lists of one language, inverted for look-up."""

    commands: Mapping[str, str]
    languages: Mapping[str, str]
    skip: frozenset[str]
    term_questions: tuple[str, ...]
    term_endings: tuple[str, ...]
    follow_ups: tuple[str, ...]
    none: frozenset[str]
    options: Mapping[str, str]
    currencies: Mapping[str, str]
    fillers: frozenset[str]
    beside_numbers: frozenset[str]
    factors: Mapping[str, float]
    numbers: Mapping[str, int]
    counted: frozenset[str]
    more_or_less: frozenset[str]
    subjects: Mapping[str, Slot]
    cheaper: frozenset[str]
    looks: Mapping[str, frozenset[str]]
    labels: Mapping[str, str]
    terms: Mapping[str, str]


def plain(text: str) -> str:
    """Text for comparison: lower case, single spaces, typographic apostrophes as plain ones, without punctuation around it."""
    return re.sub(r"\s+", " ", text.casefold().replace("’", "'").replace("ß", "ss")).strip(_EDGES)


def _key(text: str) -> str:
    """As words are looked up: plain, or as typed where nothing is left ("?", "-")."""
    return plain(text) or text.strip()


def _inverted(lists: Mapping[str, list[str]]) -> dict[str, str]:
    return {_key(word): name for name, words in lists.items() for word in words}


@cache
def words(lang: Language) -> Words:
    """The word lists of a language, read once."""
    import yaml

    entry: Any = yaml.safe_load(files(__package__).joinpath(f"{lang}.yaml").read_text("utf-8"))
    return Words(
        commands=_inverted(entry["commands"]),
        languages=_inverted(entry["languages"]),
        skip=frozenset(map(_key, entry["skip"])),
        term_questions=tuple(map(plain, entry["term_questions"])),
        term_endings=tuple(entry["term_endings"]),
        follow_ups=tuple(map(plain, entry["follow_ups"])),
        options=_inverted(entry["options"]),
        currencies=_inverted(entry["currencies"]),
        fillers=frozenset(map(plain, entry["fillers"])),
        beside_numbers=frozenset(map(_key, entry["beside_numbers"])),
        factors={plain(word): factor for word, factor in entry["factors"].items()},
        numbers={plain(word): number for word, number in entry["numbers"].items()},
        counted=frozenset(map(plain, entry["counted"])),
        more_or_less=frozenset(map(plain, entry["more_or_less"])),
        subjects={plain(word): slot for word, slot in entry["subjects"].items()},
        none=frozenset(map(plain, entry["none"])),
        cheaper=frozenset(map(plain, entry["cheaper"])),
        looks={part: frozenset(map(plain, named)) for part, named in entry["looks"].items()},
        labels=entry["labels"],
        terms=_inverted(entry["terms"]),
    )


def _ordered(lang: Language) -> tuple[Language, ...]:
    return (lang, *(other for other in LANGUAGES if other != lang))


def command_of(text: str, lang: Language) -> str | None:
    """The command a bare word means in any language, the conversation's own first; None for anything longer."""
    wanted = _key(text)
    return next((name for one in _ordered(lang) if (name := words(one).commands.get(wanted))), None)


def language_of(text: str) -> Language | None:
    """The language a bare word names ("deutsch", "English")."""
    found = next((name for one in LANGUAGES if (name := words(one).languages.get(plain(text)))), None)
    return "de" if found == "de" else "en" if found == "en" else None


def means_skip(text: str) -> bool:
    """Whether the answer is "I don't know" in any language."""
    return any(_key(text) in words(one).skip for one in LANGUAGES)


def option_named(text: str) -> str | None:
    """The answer of the engine's own words that a text means ("brutto", "und brutto, bitte?": gross)."""
    wanted = (plain(text), _without_fillers(text))
    return next((name for said in wanted for one in LANGUAGES if (name := words(one).options.get(said))), None)


def currency_meant(text: str) -> Currency | None:
    """The currency that a text names and nothing else ("in Dollar", "and in francs?")."""
    wanted = _without_fillers(text)
    found = next((name for one in LANGUAGES if (name := words(one).currencies.get(wanted))), None)
    return next((one for one in get_args(Currency) if one == found), None)


def _without_fillers(text: str) -> str:
    """A text without the words that may stand around one that says it all."""
    fillers = frozenset().union(*(words(one).fillers for one in LANGUAGES))
    return " ".join(word for word in map(_key, text.split()) if word not in fillers)


def option_label(said: str, lang: Language) -> str:
    """An option as a button shows it: the engine's own words and numbers in the language, everything else as it is."""
    from bot.rendering.numbers import plain_number

    return words(lang).labels.get(f"option.{said}") or plain_number(said, lang).replace("\N{NO-BREAK SPACE}", " ")


def is_bare_number(text: str, number: str) -> bool:
    """Whether a text says no more than a number, with the unit the question has anyway ("12", "ca. 12 h")."""
    rest = {_key(word) for word in text.replace(number, " ", 1).split()}
    return any(rest <= words(one).beside_numbers for one in LANGUAGES)


def means_none(text: str) -> bool:
    """Whether the answer is "none" in any language."""
    return any(plain(text) in words(one).none for one in LANGUAGES)


def follows_up(text: str) -> bool:
    """Whether a message begins as one that goes on from the answer before it ("und mit 4k?", "what if QLoRA?")."""
    wanted = plain(text)
    return any(wanted == word or wanted.startswith(f"{word} ") for one in LANGUAGES for word in words(one).follow_ups)


def says_more_or_less(text: str) -> bool:
    """Whether a text asks for more, less or another of something without saying how much."""
    return any(word in one.more_or_less or word in one.factors for word in plain(text).split() for one in map(words, LANGUAGES))


def looks_at(text: str) -> str | None:
    """The part of the reasoning a short question is about by its words: "ab wann lohnt kaufen?" the money, "why not full?" why."""
    spoken = [plain(word) for word in text.split()]
    if len(spoken) > _SHORT_QUESTION:
        return None
    return next((part for one in map(words, LANGUAGES) for part, named in one.looks.items() if not named.isdisjoint(spoken)), None)


def wants_cheaper(text: str) -> bool:
    """Whether a follow-up asks for less money and nothing else ("cheaper?", "geht das auch günstiger?")."""
    return any(part in words(one).cheaper for one in LANGUAGES for part in map(plain, text.split())) and len(text.split()) <= 7


def _asked_term(wanted: str, one: Words) -> str | None:
    for opening in one.term_questions:
        if wanted.startswith(f"{opening} "):
            rest = wanted.removeprefix(opening).strip()
            for ending in one.term_endings:
                rest = rest.removesuffix(f" {ending}").strip()
            return re.sub(r"^(an? |the |eine? |der |die |das )", "", rest)
    return None


def term_of(text: str, lang: Language) -> str | None:
    """The glossary term that is asked for ("was ist LoRA?", "what is PUE"); None where none is."""
    wanted = plain(text)
    for one in map(words, _ordered(lang)):
        asked = _asked_term(wanted, one)
        if asked is not None and (found := named_term(asked, lang)):
            return found
    return None


def named_term(name: str, lang: Language) -> str | None:
    """The glossary term by its key, its name or one of its other names."""
    if name in words(lang).terms.values():
        return name
    return next((term for one in _ordered(lang) if (term := words(one).terms.get(plain(name)))), None)


def term_names(lang: Language) -> tuple[str, ...]:
    """The glossary's terms, each by its usual name."""
    names: dict[str, str] = {}
    for name, term in words(lang).terms.items():
        names.setdefault(term, name)
    return tuple(names.values())


def label(name: str, lang: Language, **facts: Any) -> str:
    """What stands on a button. Errors: KeyError: a typo in the code, not in the input."""
    return words(lang).labels[name].format(**facts)
