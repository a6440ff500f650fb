"""Short ways through the bot's questions, in both languages, and a look into the database it keeps."""

import json
import sqlite3
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fakegram import Room, Shown, Telegram, Voice

# What a question is recognised by.
GOAL = {"de": "Was soll das Modell", "en": "do better?"}
MODEL = {"de": "Welches Modell", "en": "Which model"}
METHOD = {"de": "Methode im Sinn", "en": "method in mind"}
BUDGET = {"de": "Obergrenze für das Geld", "en": "limit on money"}
HOURS = {"de": "Wie viele Stunden im Monat", "en": "How many hours a month"}
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
ONE_LINE = "8B QLoRA für unseren Stil, RTX 4090, 12 h im Monat, 5000 €"


def at_method(anna: Voice, model: str = "70B") -> Shown:
    """From /start to the question for the method."""
    anna.say("/start")
    anna.is_asked(GOAL["de"])
    anna.tap("Stil und Ton")
    anna.is_asked(MODEL["de"])
    anna.tap(model)
    return anna.is_asked(METHOD["de"])


def at_budget(anna: Voice, model: str = "70B") -> Shown:
    """From /start to the question for the budget: `model` and QLoRA are chosen."""
    at_method(anna, model)
    anna.tap("QLoRA")
    return anna.is_asked(BUDGET["de"])


def advised(anna: Voice, text: str = ONE_LINE) -> Shown:
    """A recommendation for one line."""
    anna.say(text)
    return anna.hears("Verstanden:")


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What the database says, read from outside."""
    with sqlite3.connect(f"file:{folder / 'sizewell.db'}?mode=ro", uri=True) as connection:
        found = connection.execute(query).fetchall()
    connection.close()
    return found


def session_of(folder: Path, voice: Voice) -> dict[str, Any]:
    """The conversation of somebody, as it is kept."""
    query = f"SELECT session FROM conversation WHERE chat_id = {voice.room.chat_id} AND user_id = {voice.id}"
    found: dict[str, Any] = json.loads(rows(folder, query)[0][0])
    return found


def request_of(folder: Path, voice: Voice) -> dict[str, Any]:
    """What is understood in somebody's conversation so far."""
    found: dict[str, Any] = session_of(folder, voice).get("request", {})
    return found


def update_of(telegram: Telegram, room: Room, user: dict[str, Any], text: str, number: int) -> dict[str, Any]:
    """An update that the emulator does not deliver by itself."""
    message = telegram.do(lambda: telegram.world.new_message(room.chat_id, user, {"text": text}))
    return {"update_id": number, "message": message}


def posted(port: int, update: dict[str, Any], secret: str | None, path: str = "/hook") -> int:
    """The status a webhook answers with."""
    headers = {"Content-Type": "application/json"} | ({SECRET_HEADER: secret} if secret is not None else {})
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(update).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code


def posted_at_once(ports: Sequence[int], update: dict[str, Any], secret: str) -> list[int]:
    """The same update at several replicas in the same moment."""
    found: list[int] = []
    together = threading.Barrier(len(ports))

    def post(port: int) -> None:
        together.wait(5)
        found.append(posted(port, update, secret))

    threads = [threading.Thread(target=post, args=(port,)) for port in ports]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    return found
