"""A recommendation in full, as one text file: the reply, then why, memory, money and sources. For what no message can hold."""

import re

from bot.rendering import answer, explanation
from engine.recommendation import Recommendation
from engine.request import Language

_FOLDED = "<blockquote expandable>"  # the details of a reply, which are the first to go where it is too long


def report(recommendation: Recommendation, lang: Language) -> str:
    """The whole as plain text."""
    parts = (explanation(recommendation, part, lang, "text") for part in ("why", "memory", "money", "sources"))
    return "\n\n\n".join([answer(recommendation, lang, "text"), *(part for part in parts if part)]) + "\n"


def is_cut(shown: str) -> bool:
    """Whether a reply as HTML had to do without its details."""
    return _FOLDED not in shown


def file_name(recommendation: Recommendation, lang: Language) -> str:
    """What the file is called: its day and what it is about."""
    about = [f"{sizing.architecture.name}-{sizing.method}" for sizing in recommendation.sizings[:1]]
    words = ["empfehlung" if lang == "de" else "recommendation", recommendation.today.isoformat(), *about]
    return re.sub(r"[^a-z0-9.]+", "-", "-".join(words).lower()).strip("-") + ".txt"
