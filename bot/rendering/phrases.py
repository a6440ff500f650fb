"""Single sentences: reasons, warnings, questions, messages, errors, the glossary. A typed value enters, its words leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup
from pydantic import ValidationError

from bot.questions import quoted_currency
from bot.rendering.environment import environment, exists, rendered
from bot.rendering.medium import CAPTION_LIMIT, Medium, finished
from engine.errors import Refusal
from engine.recommendation import Question, Verdict
from engine.request import Language, Request

PARTS = " · "  # between what was written one after the other, and between the things that were understood


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """Why an input cannot be used, and what to write instead."""

    why: str
    instead: str


def reason(verdict: Verdict, lang: Language) -> str:
    """A rule's reason as plain text. Errors: jinja2.TemplateNotFound for a rule without words."""
    return finished(_reason(verdict, lang), "text")


def reason_markup(verdict: Verdict, lang: Language) -> Markup:
    """A rule's reason for the inside of another template."""
    return Markup(_reason(verdict, lang).strip())  # noqa: S704  # our own template's output, autoescaped


def _reason(verdict: Verdict, lang: Language) -> str:
    return rendered(
        f"reasons/{verdict.rule}.j2", lang, {"facts": verdict.facts, "subject": verdict.subject, "overruled": verdict.overruled}
    )


def warning(verdict: Verdict, lang: Language, medium: Medium = "text") -> str:
    """A warning in one or two sentences. Errors: jinja2.TemplateNotFound for a code without words."""
    return finished(_warning(verdict, lang), medium)


def warning_markup(verdict: Verdict, lang: Language, serves: bool = False) -> Markup:
    """A warning for the inside of another template; `serves`: the model is only run."""
    return Markup(_warning(verdict, lang, serves).strip())  # noqa: S704  # our own template's output, autoescaped


def _warning(verdict: Verdict, lang: Language, serves: bool = False) -> str:
    return rendered(f"warnings/{verdict.subject}.j2", lang, {"facts": verdict.facts, "serves": serves})


def surrounding_markup(verdict: Verdict, lang: Language) -> Markup:
    """A fact around the machine for the inside of another template."""
    return Markup(rendered(f"surroundings/{verdict.rule}.j2", lang, {"facts": verdict.facts}).strip())  # noqa: S704  # our own template


def message(template: str, lang: Language, medium: Medium = "text", facts: Mapping[str, Any] | None = None, /, **more: Any) -> str:
    """A template by its name under messages/, or by its path ("questions/goal.j2"). Errors: jinja2.TemplateNotFound."""
    name = template if "/" in template else f"messages/{template}.j2"
    return finished(rendered(name, lang, {**_said_in(lang), "medium": medium, **(facts or {}), **more}), medium)


def _said_in(lang: Language) -> Mapping[str, Any]:
    """What messages may call: other words in the same language."""
    return {
        "understood_of": lambda known: understood_line(Request.model_validate({**known, "lang": lang}), lang),
        "title_of": lambda entry: entry_title(entry.message, entry.request, lang) or entry.summary,
        "refusal_words": lambda refusal: error(refusal, lang),
        "glossary": lambda term: Markup(glossary(term, lang, "html") or ""),  # noqa: S704  # our own template's output
    }


def question(asked: Question, lang: Language, medium: Medium = "text", facts: Mapping[str, Any] | None = None) -> str:
    """A question the reading or the engine raised: what was read, and between what to choose."""
    return finished(_question(asked, lang, facts or {}), medium)


def question_markup(asked: Question, lang: Language, facts: Mapping[str, Any]) -> Markup:
    """A question in one line, for the inside of another template; `facts`: `buttons`, `counted`."""
    return Markup(_question(asked, lang, facts).strip())  # noqa: S704  # our own template's output, autoescaped


def _question(asked: Question, lang: Language, facts: Mapping[str, Any]) -> str:
    seen = {
        "slot": asked.slot,
        "read": asked.read,
        "options": [option.label for option in asked.options],
        "field": asked.field,
        "currency": quoted_currency(option.value for option in asked.options),
    }
    return rendered("question.j2", lang, {**seen, **facts})


def understood_line(request: Request, lang: Language) -> str:
    """What was understood, in one line of plain text; empty where nothing was."""
    return finished(rendered("understood.j2", lang, {"request": request}), "text")


def entry_title(written: str, request: Mapping[str, Any], lang: Language) -> str:
    """What a past question is called: what was written in one go; where it grew by answers and changes, all that was understood."""
    if written and PARTS not in written:
        return written
    try:
        line = understood_line(Request.model_validate({**request, "lang": lang}), lang)
    except ValidationError:  # kept under an older contract
        line = ""
    return line if PARTS in line else written or line


def error(refusal: Refusal, lang: Language) -> ErrorWords:
    """The words for a refusal; a code without words of its own gets the general ones."""
    facts = {"schema": "request", "key": (refusal.field or "").split(".")[-1], "limit": _limit(refusal.facts), **refusal.facts}
    said: Any = environment(lang).get_template(_error_template(refusal.code)).make_module({"facts": facts, "field": refusal.field})
    return ErrorWords(why=finished(str(said.why), "text"), instead=finished(str(said.instead), "text"))


def _error_template(code: str) -> str:
    """The words of a code, ours or one of pydantic's."""
    from bot.contract.refusals import _CODES

    known = (f"errors/{name}.j2" for name in (code, _CODES.get(code, "")) if name.isidentifier())
    return next((name for name in known if exists(name)), "errors/unusable.j2")


def _limit(facts: Mapping[str, Any]) -> Any:
    """The limit an input broke, under whatever name the validation gives it."""
    return next((facts[name] for name in ("ge", "gt", "le", "lt", "max_length", "expected") if name in facts), None)


def glossary(term: str, lang: Language, medium: Medium = "text") -> str | None:
    """A term of the field, by id or as people write it, in plain sentences; None for one the glossary does not hold."""
    entry = _entries(lang).get(term.strip().casefold())
    if entry is None:
        return None
    return finished(rendered("glossary_entry.j2", lang, {"entry": entry}), medium, CAPTION_LIMIT)


def glossary_terms(lang: Language) -> tuple[str, ...]:
    """The headwords, in the order of the glossary."""
    return tuple(dict.fromkeys(str(entry["name"]) for entry in _entries(lang).values()))


@cache
def _entries(lang: Language) -> Mapping[str, Mapping[str, str]]:
    """Every spelling a person may type -> its entry."""
    said: Any = environment(lang).get_template("glossary.j2").make_module()
    return {spelling.casefold(): entry for entry in said.entries for spelling in (entry["id"], entry["name"], *entry["also"].split("|"))}
