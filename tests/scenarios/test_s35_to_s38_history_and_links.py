"""S35 to S38: local dates, links to one result, and what else a team does with answers: charts, files, inline cards."""

import json
import re
import sqlite3
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from conftest import Bot
from talks import GOAL, ONE_LINE, advised, rows

EAST, WEST = "Pacific/Kiritimati", "Pacific/Pago_Pago"  # 14 hours before and 11 behind UTC: one of them has another date than UTC


def test_s35_dates_are_local(polling: Bot) -> None:
    now = datetime.now(UTC)
    zone = EAST if now.hour >= 10 else WEST
    polling.replica(TZ=zone)
    anna = polling.telegram.person()
    advised(anna)
    polling.telegram.settle()
    anna.say("/history")
    listed = anna.hears("Letzte Empfehlungen")
    local = datetime.now(ZoneInfo(zone))
    assert local.strftime("%d.%m.%Y") in listed.text
    assert now.strftime("%d.%m.%Y") not in listed.text
    ((created,),) = rows(polling.folder, "SELECT created FROM recommendation")
    kept = datetime.fromisoformat(created)
    assert abs((kept if kept.tzinfo else kept.replace(tzinfo=UTC)) - now) < timedelta(minutes=2)  # in UTC
    _around_the_change_of_clocks(polling, anna)


def _around_the_change_of_clocks(polling: Bot, anna: object) -> None:
    """Berlin, 25 October 2026: the hour from 2 to 3 comes twice, and no entry does or is missing."""
    from fakegram import Voice

    assert isinstance(anna, Voice)
    for hours in (13, 14, 15):  # the same question on the same day would be one entry
        advised(anna, ONE_LINE.replace("12 h", f"{hours} h"))
    polling.telegram.settle()
    polling.process.stop()
    with sqlite3.connect(polling.folder / "sizewell.db") as connection:
        numbers = [number for (number,) in connection.execute("SELECT id FROM recommendation ORDER BY id")]
        for number, moment in zip(numbers, ("24 23:30", "25 00:30", "25 01:30", "25 23:30"), strict=True):  # UTC
            connection.execute("UPDATE recommendation SET created = ? WHERE id = ?", (f"2026-10-{moment}:00.000000", number))
    connection.close()
    polling.process.settings["TZ"] = "Europe/Berlin"
    polling.process.start()
    anna.say("/history")
    listed = anna.hears("Letzte Empfehlungen").text
    dates = re.findall(r"^(\d+) · (\d\d\.\d\d\.\d{4})", listed, re.MULTILINE)
    assert dates == [("4", "26.10.2026"), ("3", "25.10.2026"), ("2", "25.10.2026"), ("1", "25.10.2026")]


def test_s38_links(bot: Bot) -> None:
    anna, ben = bot.telegram.person("Anna"), bot.telegram.person("Ben")
    advised(anna)
    anna.tap("Teilen")
    shared = anna.hears("t.me/sizewell_bot?start=r_")
    payload = re.search(r"start=(r_[A-Za-z0-9_-]{1,62})", shared.text)
    assert payload is not None
    ben.say(f"/start {payload[1]}")
    shown = ben.hears("RTX 4090")
    assert "Anna" in shown.text
    for wrong in ("r_unknown123", "r_", "x" * 64, "../../etc", "r_<b>", "inv_nothing"):
        ben.say(f"/start {wrong}")
        ben.is_asked(GOAL["de"])
    stranger = bot.telegram.person("Zoe", user_id=60_000 + len(bot.telegram.world.people))
    stranger.say(f"/start {payload[1]}")
    stranger.hears(str(stranger.id))
    assert not any("RTX 4090" in one.text for one in stranger.heard())


def test_history_of_a_team(bot: Bot) -> None:
    anna, ben = bot.telegram.person("Anna"), bot.telegram.person("Ben")
    advised(anna, "14B QLoRA für unseren Stil, RTX 3090 Ti, 17 h im Monat")
    bot.telegram.settle()
    ben.say("/find 17 h")
    found = ben.hears("Anna")
    ben.tap(found.labels[0], found)
    ben.hears("RTX 3090 Ti")


def test_charts(bot: Bot) -> None:
    anna = bot.telegram.person()
    advised(anna)
    before = len(bot.telegram.world.calls)
    anna.tap("Diagramm")
    picture = anna.sees("photo", timeout=30)
    assert anna.content(picture).startswith(b"\x89PNG")
    assert picture.text
    assert any(call.arguments.get("action") == "upload_photo" for call in bot.telegram.world.calls[before:])
    assert picture.labels
    anna.tap(picture.labels[0], picture)
    other = anna.sees("photo", timeout=30)
    assert other.text != picture.text


def test_inline_cards(bot: Bot) -> None:
    anna = bot.telegram.person()
    answer = bot.telegram.inline(anna, "70B qlora 2000 EUR")
    assert 1 <= len(answer["results"]) <= 5
    assert answer["is_personal"] is True
    assert answer["cache_time"] <= 60
    assert "70B" in answer["results"][0]["input_message_content"]["message_text"]
    for words in ("", "x" * 256, "<b>&", "9**9**9"):
        assert bot.telegram.inline(anna, words)["results"] == [] or words.strip()
    stranger = bot.telegram.person("Zoe", user_id=70_000 + len(bot.telegram.world.people))
    refused = bot.telegram.inline(stranger, "70B qlora")
    assert refused["results"] == []
    assert refused["button"]["start_parameter"]


CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": False,
    "max_position_embeddings": 131072,
}  # fmt: skip


def test_a_config_becomes_the_model(bot: Bot) -> None:
    anna = bot.telegram.person()
    anna.say("/new")
    anna.is_asked(GOAL["de"])
    anna.tap("Stil und Ton")
    anna.hears("Welches Modell")
    anna.sends("config.json", json.dumps(CONFIG).encode())
    anna.hears("config.json")
    anna.is_asked("Methode")


def test_a_sheet_of_requests_comes_back_answered(bot: Bot) -> None:
    anna = bot.telegram.person()
    sheet = "nachricht\n8B QLoRA RTX 4090\n70B LoRA RTX 3090\n\n=cmd()\n"
    anna.sends("anfragen.csv", sheet.encode("cp1252"))
    reply = anna.sees("document", timeout=30)
    content = anna.content(reply)
    assert content.startswith(b"\xef\xbb\xbf")
    lines = content.decode("utf-8-sig").splitlines()
    assert len(lines) == 4
    assert "'=cmd()" in lines[3]
    assert reply.message["document"]["file_name"].startswith("anfragen-sizewell-")


def test_files_that_are_not_taken(bot: Bot) -> None:
    anna = bot.telegram.person()
    for name, content in (
        ("model.exe", b"MZ"),
        ("config.json", b"{"),
        ("config.json", b"[" * 5000),
        ("config.json", b"x" * 300_000),
        ("sheet.csv", b""),
        ("sheet.csv", b"\0\1\2"),
        ("x" * 200 + ".json", b'{"hidden_size": NaN}'),
    ):
        if content:
            anna.sends(name, content)
            anna.hears()
    assert bot.process.running
