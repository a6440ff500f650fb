"""Answers to taps and to inline queries."""

import re

from fakegram import formatting, keyboards
from fakegram.calling import Uploads, method
from fakegram.methods_messages import LONGEST_TEXT
from fakegram.refusals import bad
from fakegram.world import Json, World

LONGEST_ALERT = 200
MOST_RESULTS = 50


@method("answerCallbackQuery")
def answer_callback_query(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Stop a button's spinner."""
    if len(arguments.get("text") or "") > LONGEST_ALERT:
        raise bad("MESSAGE_TOO_LONG")
    world.close_query(arguments["callback_query_id"], arguments)
    return True


@method("answerInlineQuery")
def answer_inline_query(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Cards for `@bot words`."""
    results = arguments["results"]
    if len(results) > MOST_RESULTS:
        raise bad("RESULTS_TOO_MUCH")
    ids = [one["id"] for one in results]
    if len(set(ids)) != len(ids):
        raise bad("RESULT_ID_DUPLICATE")
    for result in results:
        _checked(result)
    button = arguments.get("button")
    if button and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", button.get("start_parameter") or ("-" if button.get("web_app") else "")):
        raise bad("START_PARAM_INVALID")
    world.close_query(arguments["inline_query_id"], arguments)
    return True


def _checked(result: Json) -> None:
    if not 1 <= len(result["id"].encode()) <= 64:
        raise bad("RESULT_ID_INVALID")
    if result["type"] != "article":
        raise bad(f"inline result {result['type']} is not emulated")
    if not result.get("title"):
        raise bad("ARTICLE_TITLE_EMPTY")
    content = result["input_message_content"]
    formatting.read(content["message_text"], content.get("parse_mode"), LONGEST_TEXT, "text")
    keyboards.inline_keyboard(result.get("reply_markup"))
