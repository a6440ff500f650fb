"""The shape of an answer: the verdict first, short lines, Telegram's tags and limits, plain text for a terminal."""

import datetime
from dataclasses import replace

import pytest
from made_recommendations import SHAPES, SOURCES, architecture, footprint, money, shape_a, sizing, talked_out, tight, verdict, warn
from telegram_html import problems

from bot.rendering import answer, caption, comparison, explanation
from bot.rendering.medium import CAPTION_LIMIT, TELEGRAM_LIMIT, finished, plain_text, shortened, utf16_units
from engine.recommendation import Recommendation
from engine.request import Request

LANGUAGES = ("en", "de")
EVERY = [pytest.param(shape, language, id=f"{name}-{language}") for name, shape in SHAPES.items() for language in LANGUAGES]


@pytest.mark.parametrize(("shape", "language"), EVERY)
def test_html_is_what_telegram_takes(shape: object, language: str) -> None:
    made: Recommendation = shape()  # type: ignore[operator]
    pages = [answer(made, language, "html"), comparison([made], language, "html")]
    pages += [explanation(made, part, language, "html", SOURCES) for part in ("why", "memory", "money", "sources")]
    for page in pages:
        assert problems(page) == []
        assert 0 < utf16_units(page) <= TELEGRAM_LIMIT


@pytest.mark.parametrize(("shape", "language"), EVERY)
def test_text_is_the_same_answer_in_at_most_25_lines(shape: object, language: str) -> None:
    made: Recommendation = shape()  # type: ignore[operator]
    text = answer(made, language)
    assert len(text.split("\n")) <= 25
    assert not {"<", "\x1b", "\N{NO-BREAK SPACE}", "  "} & {*text, *(text[at : at + 2] for at in range(len(text)))}
    assert text.split("\n")[0] == plain_text(answer(made, language, "html")).split("\n")[0]


@pytest.mark.parametrize(("shape", "language"), EVERY)
def test_no_number_is_missing_and_nothing_is_left_over(shape: object, language: str) -> None:
    text = answer(shape(), language)  # type: ignore[operator]
    assert " – " not in text.replace("Skill –", "")
    assert "None" not in text
    assert "%(" not in text
    assert "()" not in text


def test_the_verdict_comes_first() -> None:
    firsts = {name: answer(shape(), "de").split("\n")[0] for name, shape in SHAPES.items()}
    assert firsts["shape_a"] == "Mieten: Für LoRA genügt eine RTX 4090."
    assert firsts["talked_out"] == "Nicht trainieren. Bauen Sie zuerst RAG auf."
    assert firsts["tight"] == "Knapp: QLoRA für Qwen2.5 32B passt auf Ihre RTX 3090, wenn sonst nichts darauf läuft."
    assert firsts["asking"] == "3 Angaben entscheiden noch."
    assert firsts["full_does_not_fit"] == "Zuerst LoRA: Full Fine-Tuning für Llama 2 7B passt nicht auf Ihre 2 × RTX 3090."
    assert len(set(firsts.values())) == len(firsts)


def test_numbers_have_range_unit_and_age() -> None:
    text = answer(shape_a(), "de")
    assert "Speicher 22,1 GB (20–24)" in text
    assert "(0,66 €/h, RunPod Secure, 25.09.2026, 66 Tage alt)" in text
    assert "Kaufen lohnt ab 8.500 h, das sind 54 h pro Woche; Sie planen 2,8 h." in text
    english = answer(shape_a(), "en")
    assert "Memory 22.1 GB (20–24)" in english
    assert "(€0.66/h, RunPod Secure, 25 Sep 2026, 66 days old)" in english


def test_one_day_and_one_month_are_singular() -> None:
    today = datetime.date(2026, 9, 26)
    made = replace(shape_a(), today=today, acquisition=money(months=1))
    assert "1 day old" in answer(made, "en")
    assert "Cost over 1 month, net (" in answer(made, "en")
    assert "1 Tag alt" in answer(made, "de")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_answer_keeps_within_the_limits(language: str) -> None:
    """Every warning at once, long names, all rules: details go first, and no tag is cut."""
    codes = (
        "activations_seq",
        "no_pooling",
        "sharding_not_active",
        "optimizer_choice",
        "headroom_spikes",
        "shared_memory_spill",
        "power_heat",
    )
    name = "A model & <name> " + "x" * 180
    long = replace(
        tight(),
        request=Request.model_validate(
            {"models": [{"name": name}] * 5, "methods": ["qlora", "lora", "full"], "hardware": [{"gpu": name}] * 20}
        ),
        sizings=tuple(sizing("qlora", architecture(name), tight().fit, footprint("qlora", 24)) for _ in range(4)),
        warnings=tuple(warn(code) for code in codes),
        approach=replace(tight().approach, reasons=tuple(verdict("from-scratch-almost-never", overruled=True) for _ in range(40))),
    )
    page = answer(long, language, "html")
    assert problems(page) == []
    assert utf16_units(page) <= TELEGRAM_LIMIT
    assert "&lt;name&gt;" in page
    assert "blockquote" not in page
    for part in ("why", "memory", "money", "sources"):
        explained = explanation(long, part, language, "html", SOURCES)
        assert problems(explained) == []
        assert utf16_units(explained) <= TELEGRAM_LIMIT
    assert utf16_units(caption(long, "memory", language, "html")) <= CAPTION_LIMIT


def test_shortening_counts_as_telegram_does_and_never_cuts_a_tag() -> None:
    rocket = "\N{ROCKET}"
    assert utf16_units(rocket) == 2
    page = "\n\n".join(f"<b>{number}</b> {rocket * 50}" for number in range(60))
    cut = shortened(page, 1000)
    assert utf16_units(cut) <= 1000
    assert problems(cut) == []
    assert cut.startswith("<b>0</b>")


def test_templates_may_be_laid_out_freely() -> None:
    assert finished("\n\n a \n\n\n<hr>\n\n<hr>\n\n b\t\n\n c \n<hr>\n", "html") == "a\n\nb\nc"
    assert finished("1 < 2 &amp; <b>x</b>\N{NO-BREAK SPACE}GB\x1b[2J", "text") == "1 < 2 & x GB[2J" or finished("&lt;", "text") == "<"


def test_facts_are_not_said_twice() -> None:
    text = answer(talked_out(), "en")
    assert text.count("facts") == 1


def test_the_explanation_names_what_was_overruled_and_every_source() -> None:
    why = explanation(talked_out(), "why", "en", "text", SOURCES)
    assert "overruled" in why
    memory = explanation(shape_a(), "memory", "en", "text", SOURCES)
    assert "Memory of a training step: measurements" in memory
    sources = explanation(shape_a(), "sources", "en", "text", SOURCES)
    assert "https://example.org/prices\n• offer:runpod-4090: 0.66 EUR/h, 25 Sep 2026, 66 days old" in sources
    variants = explanation(shape_a(), "money", "en", "text", SOURCES)
    assert "price alone: 6,520 h (purchase price, rental price)" in variants


def test_both_languages_show_the_same_numbers() -> None:
    import re

    for shape in SHAPES.values():
        counts = [
            sorted(re.sub(r"[.,]", "", number) for number in re.findall(r"\d[\d.,]*", answer(shape(), language))) for language in LANGUAGES
        ]
        days = [[number for number in one if len(number) > 1 and number not in ("2026", "25092026", "25")] for one in counts]
        assert days[0] == days[1] or abs(len(days[0]) - len(days[1])) <= 2
