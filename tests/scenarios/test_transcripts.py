"""Two whole conversations as people see them, one in German and one in English, kept as text and replayed against the real process.

The history is left out: other tests write into the same team's.

Written anew with SIZEWELL_GOLDEN=write; then somebody reads them.
"""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from bot_process import Mode
from conftest import Bot
from fakegram import Shown, Voice

GOLDEN = Path(__file__).parent.parent / "golden" / "transcripts"

GERMAN = (
    "/start", "tap Stil und Ton", "tap 8B", "zurück", "14B", "tap QLoRA", "5k", "tap €", "tap 12 h im Monat", "tap Warum?", "tap Kosten",
    "tap Hardware", "2x RTX 3090", "tap Diagramm", "was ist VRAM?", "vergleiche 8B lora vs qlora", "tap Teilen", "/cancel",
)  # fmt: skip
ENGLISH = (
    "/start", "we want answers from our manuals", "8B", "tap Why?", "/new", "tap Style and tone", "tap 70B", "tap LoRA", "no limit",
    "around the clock", "8B LoRA, A100, 40 hours a month", "80 GB", "tap Chart", "/settings", "/privacy", "/help",
)  # fmt: skip


@pytest.mark.parametrize(("lang", "turns"), [("de", GERMAN), ("en", ENGLISH)])
def test_conversation(running: Any, lang: str, turns: tuple[str, ...]) -> None:
    mode: Mode = "polling" if lang == "de" else "webhook"
    bot: Bot = running(mode)
    voice = bot.telegram.person("Anna" if lang == "de" else "Ann", lang)
    lines: list[str] = []
    for turn in turns:
        lines += _turn(bot, voice, turn)
    text = _without_numbers("\n".join(lines))
    path = GOLDEN / f"{lang}.txt"
    if os.environ.get("SIZEWELL_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    bot.check()


def _turn(bot: Bot, voice: Voice, turn: str) -> list[str]:
    """What a person does and everything it leads to."""
    if not turn.startswith("tap "):
        voice.say(turn)
        return [f"> {turn}", "", *_shown(bot, voice, "compare" in turn)]
    label = turn.removeprefix("tap ")
    tap = voice.tap(label)
    told = tap.answer().get("text")
    toast = [f"(toast: {told})", ""] if told else []
    return [f"> [{label}]", "", *toast, *_shown(bot, voice, label in ("Diagramm", "Chart"))]


def _shown(bot: Bot, voice: Voice, picture: bool) -> list[str]:
    if picture:
        voice.hears(timeout=30)
    bot.telegram.until(lambda: voice.room.shown(voice.mark), "an answer", 20)
    bot.telegram.settle(0.4)
    return [line for one in voice.room.shown(voice.mark) for line in _message(one)]


def _message(one: Shown) -> list[str]:
    kind = "picture: " if "photo" in one.message else "file: " if "document" in one.message else ""
    head = f"{'edited' if one.edited else 'Sizewell'}: {kind}"
    rows = ["  " + "   ".join(f"[{label}]" for label in row) for row in one.buttons]
    return [head.rstrip(), *(f"  {line}".rstrip() for line in one.text.splitlines()), *rows, ""]


def _without_numbers(text: str) -> str:
    """Without what differs from run to run: the ids of links."""
    return re.sub(r"start=r_[\w-]+", "start=r_…", text) + "\n"
