"""The emulator refuses what the real server refuses, in its words: called over HTTP as any library would."""

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fakegram import Telegram, Voice

Api = Callable[..., Any]
LINK = {"inline_keyboard": [[{"text": "x", "callback_data": "y"}]]}


@pytest.fixture
def telegram() -> Iterator[Telegram]:
    with Telegram() as made:
        yield made


@pytest.fixture
def anna(telegram: Telegram) -> Voice:
    return telegram.person()


@pytest.fixture
def api(telegram: Telegram) -> Api:
    """A call with JSON; the result, or the refusal's description."""

    def call(method: str, token: str = telegram.world.token, **arguments: Any) -> Any:
        body = json.dumps(arguments).encode()
        request = urllib.request.Request(f"{telegram.url}/bot{token}/{method}", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)["result"]
        except urllib.error.HTTPError as refusal:
            with refusal:
                return json.load(refusal)["description"]

    return call


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "😀" * 2049}, "message is too long"),
        ({"text": " \n "}, "message text is empty"),
        ({"text": "<b></b>", "parse_mode": "HTML"}, "message text is empty"),
        ({"text": "<b>x", "parse_mode": "HTML"}, 'Can\'t find end tag corresponding to start tag "b"'),
        ({"text": "<b>x</i>", "parse_mode": "HTML"}, 'Unmatched end tag, expected "</b>", found "</i>" at byte offset 4'),
        ({"text": "ä </b>", "parse_mode": "HTML"}, "Unexpected end tag at byte offset 3"),
        ({"text": "a < b", "parse_mode": "HTML"}, 'Unsupported start tag "" at byte offset 2'),
        ({"text": "<p>x</p>", "parse_mode": "HTML"}, 'Unsupported start tag "p"'),
        ({"text": "<span>x</span>", "parse_mode": "HTML"}, 'must have class "tg-spoiler"'),
        ({"text": "<b", "parse_mode": "HTML"}, "Unclosed start tag"),
        ({"text": "x", "parse_mode": "Klingon"}, "unsupported parse_mode"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "ä" * 33}]]}}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": ""}]]}}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x"}]]}}, "Text buttons are unallowed"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "url": "foo"}]]}}, "Wrong HTTP URL"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [LINK["inline_keyboard"][0] * 9]}}, "REPLY_MARKUP_TOO_LONG"),
        ({"text": "x", "reply_markup": {"inline_keyboard": LINK["inline_keyboard"] * 101}}, "REPLY_MARKUP_TOO_LONG"),
        ({"text": "x", "message_thread_id": 7}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 99}}, "message to be replied not found"),
    ],
)
def test_a_message_it_does_not_take(telegram: Telegram, anna: Voice, api: Api, arguments: dict[str, Any], words: str) -> None:
    assert words in api("sendMessage", chat_id=anna.id, **arguments)
    assert telegram.world.changes == []


def test_longest_texts_are_taken(anna: Voice, api: Api) -> None:
    assert len(api("sendMessage", chat_id=anna.id, text="<b>" + "x" * 4096 + "</b>", parse_mode="HTML")["text"]) == 4096
    assert api("sendMessage", chat_id=anna.id, text="😀" * 2048)["text"] == "😀" * 2048


def test_formatting_is_read_as_the_server_reads_it(anna: Voice, api: Api) -> None:
    made = api("sendMessage", chat_id=anna.id, text=" 😀 <b>a &amp; <i>b</i></b> &copy; &#228;\n", parse_mode="HTML")
    assert made["text"] == "😀 a & b &copy; ä"
    assert made["entities"] == [{"type": "bold", "offset": 3, "length": 5}, {"type": "italic", "offset": 7, "length": 1}]


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("sendMessage", {"text": "x", "colour": "red"}),
        ("sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "y", "size": 3}]]}}),
        ("sendMessage", {}),
        ("sendMassage", {"text": "x"}),
        ("sendPoll", {"question": "x", "options": [{"text": "a"}, {"text": "b"}]}),
    ],
)
def test_what_the_bot_api_does_not_know_is_a_violation(
    telegram: Telegram, anna: Voice, api: Api, method: str, arguments: dict[str, Any]
) -> None:
    assert isinstance(api(method, chat_id=anna.id, **arguments), str)
    with pytest.raises(AssertionError):
        telegram.check_clean()
    telegram.check_clean()


def test_edits(telegram: Telegram, anna: Voice, api: Api) -> None:
    made = api("sendMessage", chat_id=anna.id, text="q", reply_markup=LINK)
    place = {"chat_id": anna.id, "message_id": made["message_id"]}
    assert "message is not modified: specified new message content" in api("editMessageText", **place, text="q", reply_markup=LINK)
    assert "reply_markup" not in api("editMessageText", **place, text="q")  # left out: the keyboard goes
    assert "message is not modified" in api("editMessageReplyMarkup", **place)
    assert "message to edit not found" in api("editMessageText", chat_id=anna.id, message_id=999, text="q")
    said = anna.say("hallo")
    assert said is not None
    assert "message can't be edited" in api("editMessageText", chat_id=anna.id, message_id=said["message"]["message_id"], text="q")
    assert "no caption" in api("editMessageCaption", **place, caption="q")
    forced = api("sendMessage", chat_id=anna.id, text="q", reply_markup={"force_reply": True})
    assert "message can't be edited" in api("editMessageText", chat_id=anna.id, message_id=forced["message_id"], text="z")
    telegram.check_clean()


def test_taps_are_answered_once_and_in_time(telegram: Telegram, anna: Voice, api: Api) -> None:
    api("sendMessage", chat_id=anna.id, text="q", reply_markup=LINK)
    tap, late = anna.tap("x"), anna.tap("x", lasts=0.0)
    assert "MESSAGE_TOO_LONG" in api("answerCallbackQuery", callback_query_id=tap.query_id, text="x" * 201)
    assert api("answerCallbackQuery", callback_query_id=tap.query_id) is True
    for query in (tap.query_id, late.query_id, "77"):
        assert "query is too old and response timeout expired or query ID is invalid" in api("answerCallbackQuery", callback_query_id=query)


def test_who_cannot_be_written_to(telegram: Telegram, anna: Voice, api: Api) -> None:
    group = telegram.group("Team", anna, kind="group")
    moved = telegram.migrate(group, anna)
    assert "chat not found" in api("sendMessage", chat_id=4711, text="x")
    assert "upgraded to a supergroup" in api("sendMessage", chat_id=group.chat_id, text="x")
    assert api("sendMessage", chat_id=moved.chat_id, text="x")["text"] == "x"
    telegram.add_bot(moved, anna, "kicked")
    assert api("sendMessage", chat_id=moved.chat_id, text="x") == "Forbidden: bot was kicked from the supergroup chat"
    telegram.block(anna)
    assert api("sendMessage", chat_id=anna.id, text="x") == "Forbidden: bot was blocked by the user"


def test_too_many_messages(telegram: Telegram, anna: Voice, api: Api) -> None:
    group = telegram.group("Team", anna)
    answers = [api("sendMessage", chat_id=group.chat_id, text="x") for _ in range(21)]
    assert all(isinstance(one, dict) for one in answers[:20])
    assert answers[20].startswith("Too Many Requests: retry after ")
    assert api("sendMessage", chat_id=anna.id, text="x")["text"] == "x"  # one chat waits, not all


def test_faults_on_order(telegram: Telegram, anna: Voice, api: Api) -> None:
    telegram.fault("sendMessage", 429, retry_after=7)
    telegram.fault("sendMessage", 502)
    assert api("sendMessage", chat_id=anna.id, text="x") == "Too Many Requests: retry after 7"
    assert api("sendMessage", chat_id=anna.id, text="x") == "Internal Server Error"
    assert api("sendMessage", chat_id=anna.id, text="x")["text"] == "x"


def test_profile(api: Api) -> None:
    private = {"type": "all_private_chats"}
    commands = [{"command": "start", "description": "begin"}]
    assert api("setMyCommands", commands=commands, scope=private, language_code="de") is True
    assert api("getMyCommands", scope=private, language_code="de") == commands
    assert api("getMyCommands") == []
    assert "BOT_COMMAND_INVALID" in api("setMyCommands", commands=[{"command": "Start me", "description": "x"}])
    assert "DESCRIPTION_INVALID" in api("setMyCommands", commands=[{"command": "a", "description": "x" * 257}])
    assert "too long" in api("setMyShortDescription", short_description="x" * 121)
    assert "too long" in api("setMyDescription", description="x" * 513)
    assert api("getMe", token="123456:WRONG") == "Unauthorized"


def test_inline_answers(telegram: Telegram, anna: Voice, api: Api) -> None:
    def card(number: str, text: str = "x") -> dict[str, Any]:
        return {"type": "article", "id": number, "title": "t", "input_message_content": {"message_text": text, "parse_mode": "HTML"}}

    from fakegram import acts

    query = telegram.do(lambda: acts.searched(telegram.world, anna.user, "8B"))
    for results, words in (
        ([card("1"), card("1")], "RESULT_ID_DUPLICATE"),
        ([card("x" * 65)], "RESULT_ID_INVALID"),
        ([card("1", "<b>x")], "can't parse entities"),
        ([card(str(number)) for number in range(51)], "RESULTS_TOO_MUCH"),
    ):
        assert words in api("answerInlineQuery", inline_query_id=query, results=results)
    assert "START_PARAM_INVALID" in api(
        "answerInlineQuery", inline_query_id=query, results=[], button={"text": "x", "start_parameter": "a b"}
    )
    assert api("answerInlineQuery", inline_query_id=query, results=[card("1")]) is True
