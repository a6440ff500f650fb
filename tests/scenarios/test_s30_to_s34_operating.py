"""S30 to S34: stopping, secrets, two at once, the menu: what an operator sees."""

import re
import subprocess
import time

import pytest
from bot_process import SECRET, SIZEWELL, STRANGER, BotProcess
from conftest import Bot
from talks import HOURS, at_budget, posted, rows, update_of

STOPS_WITHIN = 10.0


def test_s30_stop_between_commit_and_send(fresh: Bot) -> None:
    fresh.replica()
    anna = fresh.telegram.person()
    at_budget(anna)
    fresh.telegram.settle()
    trouble = fresh.telegram.fault("sendMessage", 502, times=1000)
    anna.say("2.000 €")
    fresh.telegram.until(lambda: trouble.times < 1000, "the first try")
    begun = time.monotonic()
    assert fresh.process.stop() == 0
    assert time.monotonic() - begun < STOPS_WITHIN
    assert rows(fresh.folder, "SELECT count(*) FROM outbox") == [(1,)]
    trouble.times = 0
    fresh.process.start()
    anna.is_asked(HOURS["de"])
    fresh.telegram.settle()
    assert sum(HOURS["de"] in one.text and bool(one.labels) for one in anna.room.shown()) == 1
    assert rows(fresh.folder, "SELECT count(*) FROM outbox") == [(0,)]


@pytest.mark.parametrize("fresh", ["webhook"], indirect=True)  # the sender is the same by polling
def test_s30_killed_between_commit_and_send_and_after_it(fresh: Bot) -> None:
    """Sent exactly once where Telegram never saw it; at least once, and at most twice, where its answer was lost."""
    fresh.replica()
    anna = fresh.telegram.person()
    held = fresh.telegram.hold("sendMessage", after=True)
    anna.say("/help")
    fresh.telegram.until(lambda: held.caught, "the message")
    fresh.process.kill()
    fresh.telegram.release(held)
    fresh.process.start()
    fresh.telegram.settle(1.0)
    assert 1 <= sum("Was ich brauche" in one.text for one in anna.room.shown()) <= 2


def test_s31_webhook_without_or_with_a_wrong_secret(running: object) -> None:
    bot: Bot = running("webhook")  # type: ignore[operator]
    anna = bot.telegram.person()
    before = rows(bot.folder, "SELECT count(*) FROM update_inbox")
    for number, secret in enumerate((None, "", "wrong", SECRET + "x", SECRET[:-1], "ü")):
        update = update_of(bot.telegram, anna.room, anna.user, "Zuckerrübe", 5_000_001 + number)
        assert posted(bot.process.port, update, secret and secret.encode().decode("latin-1")) == 403
    assert rows(bot.folder, "SELECT count(*) FROM update_inbox") == before
    assert "Zuckerrübe" not in bot.process.log
    assert anna.room.shown() == []
    assert posted(bot.process.port, {"update_id": 5_000_100}, SECRET) == 200
    bot.check()


def test_logs_hold_no_token_and_no_texts(bot: Bot) -> None:
    anna = bot.telegram.person(name="Kunigunde")
    anna.say("8B QLoRA für Rübenbauern, RTX 4090")
    anna.hears("Verstanden:")
    bot.telegram.settle()
    log = re.sub(r'"timestamp": "[^"]*"', "", bot.process.log)  # microseconds can read like an id
    for secret in (bot.telegram.world.token, SECRET, "Rübenbauern", "Kunigunde"):
        assert secret not in log
    assert not re.search(rf"(?<![0-9a-f]){anna.id}(?![0-9a-f])", log)  # nor as a piece of a hash


def test_s33_two_pollers(polling: Bot) -> None:
    """Both are told by Telegram, say so in a line, and wait longer each time; the campaign waits until one gives up."""
    first = polling.replica()
    second = BotProcess(polling.telegram, polling.folder / "other", "polling", {})
    polling.replicas.append(second)
    second.folder.mkdir()
    second.start(ready=False)
    polling.telegram.until(lambda: "only one bot instance" in first.log + second.log, "the line", 30)
    before = polling.telegram.world.updates.polls
    time.sleep(2.0)
    assert polling.telegram.world.updates.polls - before <= 4  # no tight loop
    for one in (first, second):
        spoken = [line for line in one.log.splitlines() if line and not line.startswith("{")]
        assert not any("Traceback" in line for line in spoken)
        assert len(spoken) <= 3
        one.stop()


def test_s33_polling_beside_a_webhook(running: object) -> None:
    bot: Bot = running("webhook")  # type: ignore[operator]
    other = BotProcess(bot.telegram, bot.folder, "polling", {}, number=9)
    other.start(ready=False)
    assert other.ended() == 1
    lines = [line for line in other.log.splitlines() if line and not line.startswith("{")]
    assert any("127.0.0.1" in line for line in lines), lines
    assert bot.telegram.world.updates.hook is not None
    anna = bot.telegram.person()
    anna.say("/help")
    anna.hears("Was ich brauche")


def test_s34_menus(bot: Bot) -> None:
    words = bot.telegram.world.words  # the menu is set once the bot is ready, its descriptions last, each language after the other
    bot.telegram.until(lambda: all(("short_description", code) in words for code in ("", "de")), "the menus", 30)
    private = bot.telegram.commands_shown("all_private_chats", "de")
    assert any(one.startswith("start ") for one in private)
    assert [one.split(" ")[0] for one in private] == [one.split(" ")[0] for one in bot.telegram.commands_shown("all_private_chats", "en")]
    assert private != bot.telegram.commands_shown("all_private_chats", "en")
    assert bot.telegram.commands_shown("all_private_chats", "fr") == bot.telegram.commands_shown("all_private_chats", "en")
    group = bot.telegram.commands_shown("all_group_chats", "de")
    assert 0 < len(group) < len(private)
    asked = ("start", "new", "size", "fit", "history", "prices", "settings", "privacy", "help", "cancel")
    assert set(asked) <= {one.split(" ")[0] for one in private}
    assert words["description", "de"] != words["description", ""]
    assert words["short_description", "de"] != words["short_description", ""]


@pytest.mark.parametrize("fresh", ["webhook"], indirect=True)
def test_s34_replicas_that_start_together_set_the_menu_once(fresh: Bot) -> None:
    fresh.tables = None  # both find nothing: one migrates, the other waits
    first = fresh.replica(ready=False)
    second = fresh.replica(ready=False)
    first.wait_ready()
    second.wait_ready()
    fresh.telegram.settle(0.5)
    scopes = [(str(call.arguments.get("scope")), call.arguments.get("language_code")) for call in fresh.telegram.calls("setMyCommands")]
    assert len(scopes) == len(set(scopes)) > 0
    assert len([call for call in fresh.telegram.calls("setWebhook") if call.ok]) == 1


def test_a_missing_and_a_wrong_token(polling: Bot) -> None:
    for token, word in (("", "SIZEWELL_TELEGRAM_TOKEN"), ("123456:WRONG", "BotFather")):
        process = BotProcess(polling.telegram, polling.folder, "polling", {"TELEGRAM_TOKEN": token}, number=len(token) + 3)
        process.start(ready=False)
        assert process.ended() == 2
        lines = [line for line in process.log.splitlines() if line]
        assert any(word in line for line in lines), lines
        assert not any("Traceback" in line for line in lines)
        assert "WRONG" not in process.log


def test_first_admin_by_claim_code(polling: Bot) -> None:
    """A new bot is closed; it prints a code, and whoever sends it is its admin, once."""
    polling.tables, polling.settings["ADMINS"] = None, ""
    process = polling.replica()
    code = re.search(r"\b[A-Z2-7]{5}-[A-Z2-7]{5}-[A-Z2-7]{5}\b", process.log)
    assert code is not None, process.log
    anna, ben = polling.telegram.person("Anna"), polling.telegram.person("Ben", user_id=STRANGER)
    ben.say("8B LoRA")
    ben.hears(str(ben.id))
    ben.say("AAAAA-BBBBB-CCCCC")
    assert ben.heard() == []
    anna.say(code[0].lower())
    anna.hears()
    ben.say(code[0])
    assert ben.heard() == []  # used up
    anna.say("/invite")
    link = anna.hears("t.me/sizewell_bot?start=").text
    payload = re.search(r"start=(\S+)", link)
    assert payload is not None
    ben.say(f"/start {payload[1]}")
    ben.hears()
    ben.say("8B QLoRA für unseren Stil, RTX 4090")
    ben.hears("Verstanden:")
    anna.say(f"/remove {ben.id}")
    anna.hears()
    ben.say("8B LoRA")
    assert not [one for one in ben.heard() if "Verstanden:" in one.text]


def test_the_command_says_what_it_is() -> None:
    shown = subprocess.run([str(SIZEWELL), "bot", "--help"], capture_output=True, text=True, timeout=30, check=True)
    assert "Telegram" in shown.stdout
