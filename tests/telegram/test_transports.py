"""An update is acknowledged only after it is kept: by the offset when polling, by 200 from the webhook; never without its secret."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from telegram import Update, error
from telegram_shapes import NOW, Telegram

from bot.adapters import telegram_polling as polling
from bot.adapters import telegram_webhook as webhook
from bot.adapters.deliveries import Deliveries
from bot.adapters.sender import Sender
from bot.adapters.telegram_door import House
from bot.adapters.telegram_handling import TRIES, Handling
from bot.adapters.telegram_menu import GROUP, PRIVATE, menu, profile, set_menu
from bot.adapters.telegram_polling import Polling, queues
from bot.logs import set_up
from bot.store import Database, Key, outbox, people


@dataclass
class Server:
    """Telegram's side of long polling and of everything a handling calls."""

    batches: list[Any] = field(default_factory=list)
    offsets: list[int | None] = field(default_factory=list)
    calls: list[tuple[str, Any]] = field(default_factory=list)
    hook: str = ""
    id: int = 123456

    async def do_api_request(self, endpoint: str, api_kwargs: dict[str, Any], read_timeout: float) -> Any:
        assert endpoint == "getUpdates"
        assert read_timeout > api_kwargs["timeout"]
        self.offsets.append(api_kwargs.get("offset"))
        if not self.batches:
            await asyncio.sleep(30)
        batch = self.batches.pop(0)
        if isinstance(batch, Exception):
            raise batch
        return [one.to_dict() if isinstance(one, Update) else one for one in batch]

    async def answer_callback_query(self, tap: str, text: str | None, show_alert: bool) -> None:
        self.calls.append(("answer", (tap, text, show_alert)))

    async def get_webhook_info(self) -> Any:
        return SimpleNamespace(url=self.hook)

    async def set_webhook(self, url: str, **more: Any) -> None:
        self.calls.append(("set_webhook", more["secret_token"]))
        self.hook = url

    async def delete_webhook(self, **more: Any) -> None:
        self.calls.append(("delete_webhook", more["drop_pending_updates"]))
        self.hook = ""

    async def set_my_commands(self, commands: Any, scope: Any = None, language_code: str | None = None) -> None:
        self.calls.append(("set_my_commands", (type(scope).__name__, language_code)))

    async def set_my_description(self, *_arguments: Any, **_more: Any) -> None:
        self.calls.append(("set_my_description", None))

    async def set_my_short_description(self, *_arguments: Any, **_more: Any) -> None:
        self.calls.append(("set_my_short_description", None))


def update(number: int, chat_id: int = 1) -> Update:
    made = Telegram().said("x", chat_id)
    read = Update.de_json({**made, "update_id": number}, None)
    assert read is not None
    return read


async def polled(server: Server, handle: Callable[[Update], Any], until: Callable[[], bool]) -> tuple[Polling, int | None]:
    stop = asyncio.Event()
    loop = Polling(server, handle, "en")  # type: ignore[arg-type]
    running = asyncio.create_task(loop.run(stop))
    for _ in range(500):
        if until() or running.done():
            break
        await asyncio.sleep(0.01)
    stop.set()
    return loop, await running


async def test_the_offset_moves_past_what_is_kept() -> None:
    server = Server([[update(5), update(6)]])
    handled: list[int] = []

    async def handle(one: Update) -> None:
        handled.append(one.update_id)

    loop, code = await polled(server, handle, lambda: len(server.offsets) == 2)
    assert (handled, server.offsets, loop.offset, code) == ([5, 6], [None, 7], 7, 0)


async def test_the_offset_stops_before_what_failed_and_later_ones_of_its_chat_wait() -> None:
    server = Server([[update(5), update(6), update(7), update(8, 2)]])
    handled: list[int] = []

    async def handle(one: Update) -> None:
        if one.update_id == 6:
            raise RuntimeError("bug")
        handled.append(one.update_id)

    loop, _code = await polled(server, handle, lambda: len(server.offsets) == 2)
    assert sorted(handled) == [5, 8]
    assert loop.offset == 6


async def test_an_update_that_nobody_can_read_holds_up_none(database: Database) -> None:
    strange = {"update_id": 6, "message": {"message_id": "?"}, "my_chat_member": {"new": "shape"}}
    server = Server([[update(5), strange, update(7)]])
    handled: list[int] = []

    async def handle(one: Update) -> None:
        handled.append(one.update_id)

    loop, _code = await polled(server, handle, lambda: len(server.offsets) == 2)
    assert (handled, loop.offset) == ([5, 7], 8)
    async with client(database, handle) as http:
        assert (await http.post("/hook", json=strange, headers={webhook.HEADER: "s3cret"})).status_code == 200


async def test_chats_are_worked_off_side_by_side_and_each_in_order() -> None:
    slow = asyncio.Event()
    handled: list[int] = []

    async def handle(one: Update) -> None:
        if one.update_id == 1:
            await slow.wait()
        handled.append(one.update_id)
        if one.update_id == 3:
            slow.set()

    server = Server([[update(1, 1), update(2, 1), update(3, 2)]])
    await polled(server, handle, lambda: len(server.offsets) == 2)
    assert handled == [3, 1, 2]
    assert [[one.update_id for one in queue] for queue in queues([update(1, 1), update(2, 2), update(3, 1)])] == [[1, 3], [2]]


async def test_a_second_poller_is_explained_and_ends_the_loop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(polling, "_jittered", lambda _seconds: 0.01)
    server = Server([error.Conflict("terminated by other getUpdates request")] * 10)
    _loop, code = await polled(server, lambda _one: None, lambda: False)
    assert code == 1
    assert len(server.offsets) == polling.MOST_CONFLICTS
    told = capsys.readouterr()
    assert (told.out + told.err).count("getUpdates") == polling.MOST_CONFLICTS


async def test_an_unreachable_server_is_waited_for_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(polling, "_jittered", lambda seconds: waits.append(seconds) or 0.001)
    server = Server([error.NetworkError("down")] * 9 + [[]])
    await polled(server, lambda _one: None, lambda: len(server.offsets) == 11)
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def client(database: Database, handle: Callable[[Update], Any], ready: bool = True) -> httpx.AsyncClient:
    app = webhook.Webhook(Server(), handle, "s3cret", lambda: ready).application("/hook")  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://bot")


async def test_the_webhook_answers_200_after_the_update_is_kept(database: Database) -> None:
    handled: list[int] = []

    async def handle(one: Update) -> None:
        handled.append(one.update_id)

    async with client(database, handle) as http:
        answer = await http.post("/hook", json=Telegram().said("x"), headers={webhook.HEADER: "s3cret"})
    assert (answer.status_code, len(handled)) == (200, 1)


@pytest.mark.parametrize(
    "headers", [{}, {webhook.HEADER: ""}, {webhook.HEADER: "wrong"}, {webhook.HEADER: "s3cret "}, {webhook.HEADER: "s3cretx"}]
)
async def test_without_the_secret_nothing_is_read(database: Database, headers: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    set_up("json", "DEBUG")
    async with client(database, lambda _one: pytest.fail("handled")) as http:
        answer = await http.post("/hook", json=Telegram().said("private words"), headers=headers)
    assert answer.status_code == 403
    told = capsys.readouterr()
    assert "webhook without its secret" in told.err
    assert "private words" not in told.out + told.err


async def test_a_failing_update_is_to_come_again(database: Database) -> None:
    async def handle(_one: Update) -> None:
        raise RuntimeError("database locked")

    async with client(database, handle) as http:
        answer = await http.post("/hook", json=Telegram().said("x"), headers={webhook.HEADER: "s3cret"})
    assert answer.status_code == 500


@pytest.mark.parametrize(("body", "status"), [(b"no json", 400), (b"[]", 400), (b"{}", 400), (b" " * (webhook.LARGEST + 1), 413)])
async def test_what_is_no_update_is_refused(database: Database, body: bytes, status: int) -> None:
    async with client(database, lambda _one: pytest.fail("handled")) as http:
        assert (await http.post("/hook", content=body, headers={webhook.HEADER: "s3cret"})).status_code == status
        assert (await http.get("/hook")).status_code == 405
        assert (await http.get("/healthz")).status_code == 200


async def test_a_stopping_replica_says_so(database: Database) -> None:
    async with client(database, lambda _one: None, ready=False) as http:
        assert (await http.get("/readyz")).status_code == 503


async def test_the_webhook_is_set_once_and_again_when_something_changed(database: Database) -> None:
    server = Server()
    for secret in ("a", "a", "b"):
        await webhook.register(server, database, "https://x/hook", secret)  # type: ignore[arg-type]
    assert server.calls == [("set_webhook", "a"), ("set_webhook", "b")]
    server.hook = ""
    await webhook.register(server, database, "https://x/hook", "b")  # type: ignore[arg-type]
    assert server.calls[-1] == ("set_webhook", "b")


async def test_a_webhook_that_somebody_serves_is_not_taken_away(database: Database) -> None:
    server = Server(hook="https://x/hook")
    assert await webhook.in_the_way(server, database, take_over=False) == "x"  # type: ignore[arg-type]
    assert server.calls == []
    with database.transaction() as connection:
        people.note(connection, "webhook alive", "0")
    assert await webhook.in_the_way(server, database, take_over=False) is None  # type: ignore[arg-type]
    assert server.calls == [("delete_webhook", False)]
    server.hook = "https://other/hook"
    assert await webhook.in_the_way(server, database, take_over=True) is None  # type: ignore[arg-type]


async def test_the_menu_is_set_once_per_deployment(database: Database) -> None:
    first, second = Server(), Server()
    await asyncio.gather(set_menu(first, database), set_menu(second, database))  # type: ignore[arg-type]
    scopes = [detail for name, detail in first.calls + second.calls if name == "set_my_commands"]
    assert len(scopes) == 6
    assert ("BotCommandScopeAllPrivateChats", "de") in scopes
    assert ("BotCommandScopeAllGroupChats", None) in scopes


async def test_a_menu_that_was_not_set_is_set_at_the_next_start(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_arguments: Any, **_more: Any) -> None:
        raise error.NetworkError("down")

    broken, sound = Server(), Server()
    monkeypatch.setattr(broken, "set_my_description", fails)
    await set_menu(broken, database)  # type: ignore[arg-type]
    await set_menu(sound, database)  # type: ignore[arg-type]
    assert len(sound.calls) == 10


def test_the_menu_fits_telegrams_limits_in_both_languages() -> None:
    assert len(GROUP) < len(PRIVATE)
    for lang, words in profile().items():
        assert all(name.isidentifier() and name.islower() and 1 <= len(text) <= 256 for name, text in words["private"])
        assert 1 <= len(words["description"]) <= 512
        assert 1 <= len(words["short"]) <= 120
        assert lang in ("de", "en")
    assert [text for _name, text in menu(PRIVATE, "de")] != [text for _name, text in menu(PRIVATE, "en")]


@dataclass
class Desk:
    handling: Handling
    server: Server
    database: Database

    def waiting(self, chat_id: int = 1) -> int:
        with self.database.reading() as connection:
            return len(outbox.waiting(connection, chat_id, 100))


@pytest.fixture
def desk(database: Database, house: Callable[..., House]) -> Desk:
    server = Server()
    sender = Sender(database, Deliveries(server, database))  # type: ignore[arg-type]
    return Desk(Handling(server, house(admins=(1,)), database, sender), server, database)  # type: ignore[arg-type]


async def test_an_update_delivered_to_two_replicas_at_once_is_answered_once(desk: Desk) -> None:
    one = update(1001)
    await asyncio.gather(*(desk.handling.handle(one) for _ in range(4)))
    before = desk.waiting()
    await desk.handling.handle(one)
    assert desk.waiting() == before >= 1


async def test_a_tap_is_answered_with_what_its_turn_says(desk: Desk) -> None:
    made = Update.de_json(Telegram().tapped("v1:old:1:q0:facts", 7), None)
    assert made is not None
    await desk.handling.handle(made)
    [(name, (_tap, text, modal))] = desk.server.calls
    assert (name, modal) == ("answer", True)
    assert text
    assert len(text) <= 200


async def test_an_update_that_always_fails_is_given_up_and_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.adapters import telegram_handling

    def broken(*_arguments: Any, **_more: Any) -> Any:
        raise RuntimeError("bug")

    with desk.database.transaction() as connection:
        people.admit(connection, 1, people.first_team(connection, NOW), "member", "Anna", NOW)
    monkeypatch.setattr(telegram_handling, "turn_of", broken)
    for _ in range(TRIES - 1):
        with pytest.raises(RuntimeError):
            await desk.handling.handle(update(9))
    await desk.handling.handle(update(9))
    assert desk.waiting() == 1
    monkeypatch.undo()
    await desk.handling.handle(update(9))
    assert desk.waiting() == 1


async def test_a_tap_that_waits_for_its_turn_is_answered_without_words(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.adapters import telegram_handling
    from bot.store.conversations import lock

    monkeypatch.setattr(telegram_handling, "PATIENCE", 0.05)
    made = Update.de_json(Telegram().tapped("v1:old:1:q0:facts", 7), None)
    assert made is not None
    with desk.database.transaction() as connection:
        lock(connection, Key("telegram", 1, 0, 1), NOW)
        handling = asyncio.create_task(desk.handling.handle(made))
        for _ in range(200):
            if desk.server.calls:
                break
            await asyncio.sleep(0.01)
        assert desk.server.calls[0][1][1] is None
        assert not handling.done()
    await handling
