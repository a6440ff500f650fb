"""Whole answers: a Recommendation (or several) enters, the message of ANSWERS' shape, its explanation or a caption leaves."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from markupsafe import Markup

from bot.rendering import views
from bot.rendering.asked import counted_with, questions_shown
from bot.rendering.environment import rendered
from bot.rendering.headline import headline
from bot.rendering.known import known_lines
from bot.rendering.medium import CAPTION_LIMIT, Medium, finished, plain_text
from bot.rendering.phrases import question_markup, reason_markup, surrounding_markup, warning_markup
from bot.rendering.sources import UNDATED, by_source, catalogue_sources, item, sources_shown
from engine.catalogue import Source
from engine.memory import RuleOfThumb
from engine.recommendation import Recommendation
from engine.request import Language

LINES = 25  # a normal answer; a longer one gives up warnings and knobs, the least important ones first
Part = Literal["why", "memory", "money", "sources"]


def answer(recommendation: Recommendation, lang: Language, medium: Medium = "text", buttons: bool = False) -> str:
    """The reply: verdict, what was understood, memory, money, what to check, warnings; details folded in (HTML).

    `buttons`: what is asked back has its choices on buttons, so that the text need not list them.
    """
    for most in range(views.WARNINGS_SHOWN, 0, -1):
        page = {**_page(recommendation, lang, medium, most), "questions": _questions(recommendation, lang, buttons)}
        text = finished(rendered("answer.j2", lang, page), medium)
        if len(plain_text(text).split("\n")) <= LINES:
            break
    return text


def comparison(recommendations: Sequence[Recommendation], lang: Language, medium: Medium = "text") -> str:
    """Several recommendations, or the several sizings of one, side by side."""
    pages = [_page(one, lang, medium) for one in recommendations]
    return finished(rendered("comparison.j2", lang, {"pages": pages, "medium": medium}), medium)


def comparison_line(recommendations: Sequence[Recommendation], lang: Language) -> str:
    """What is compared, in one line of plain text, for lists."""
    return finished(rendered("comparison_line.j2", lang, {"recommendations": recommendations}), "text")


def explanation(
    recommendation: Recommendation, part: Part, lang: Language, medium: Medium = "text", sources: Mapping[str, Source] | None = None
) -> str:
    """One part of the reasoning in full; `sources` are the catalogue's unless given."""
    known = catalogue_sources() if sources is None else sources
    page = {**_page(recommendation, lang, medium), "sources": known, "thumbs": _thumbs(recommendation) if part == "memory" else ()}
    seen = {**page, "undated": UNDATED, "item": item, "by_source": by_source(recommendation.figures)} if part == "sources" else page
    return finished(rendered(f"explanation_{part}.j2", lang, seen), medium)


def _thumbs(one: Recommendation) -> tuple[RuleOfThumb, ...]:
    """Rules of thumb people quote for this model and method; of one card, so not where it is sharded."""
    if not one.sizings or one.fit.sharding not in (None, "none"):
        return ()
    from engine.memory import rules_of_thumb

    return rules_of_thumb(one.sizings[0].architecture, one.sizings[0].method)


def caption(recommendation: Recommendation, kind: views.Picture, lang: Language, medium: Medium = "text") -> str:
    """The numbers of the picture that is drawn for `kind`, within Telegram's limit for captions; empty where none can be drawn."""
    shown = views.picture_shown(recommendation, kind)
    if shown is None:
        return ""
    text = rendered(f"caption_{shown}.j2", lang, _page(recommendation, lang, medium))
    return finished(text, medium, CAPTION_LIMIT)


def _page(one: Recommendation, lang: Language, medium: Medium, most: int = views.WARNINGS_SHOWN) -> dict[str, Any]:
    """What the templates see."""
    serves = one.fit.method in ("serve", "rag")
    understood, taken = known_lines(one, lang)
    return {
        "recommendation": one,
        "most": most,
        "medium": medium,
        "head": headline(one),
        "understood": understood,
        "taken": taken,
        "money": views.money_view(one),
        "reasons": [reason_markup(verdict, lang) for verdict in views.reasons_shown(one)],
        "ways_shown": [reason_markup(verdict, lang) for verdict in views.ways_shown(one)],
        "checks": [reason_markup(verdict, lang) for verdict in views.checks_shown(one)],
        "warnings": [warning_markup(verdict, lang, serves) for verdict in views.warnings_shown(one, most)],
        "reason": lambda verdict: reason_markup(verdict, lang),
        "warning": lambda verdict: warning_markup(verdict, lang, serves),
        "surroundings": [surrounding_markup(verdict, lang) for verdict in one.surroundings],
        "terms_shown": views.terms_shown,
        "change": views.change_shown(one),
        "largest_by_method": views.largest_by_method(one),
        "curve_end": one.acquisition.curve[-1] if one.acquisition.curve else None,
        "sources_shown": sources_shown(one) if medium == "html" else (),
        "knobs": views.knobs_shown(one, most),
        "assumptions_shown": views.assumptions_shown,
    }


def _questions(one: Recommendation, lang: Language, buttons: bool) -> list[Markup]:
    """What is asked back, each in one line, with the choice the numbers stand on meanwhile."""
    shown = questions_shown(one)
    return [question_markup(question, lang, {"buttons": buttons, "counted": counted_with(one, question)}) for question in shown]
