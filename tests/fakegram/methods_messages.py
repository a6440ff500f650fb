"""Methods that send, change and delete messages."""

import time
from typing import Any

from fakegram import files, formatting, keyboards
from fakegram.calling import Uploads, method
from fakegram.refusals import bad
from fakegram.world import Change, Json, World

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
ACTIONS = {
    "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document",
    "choose_sticker", "find_location", "record_video_note", "upload_video_note",
}  # fmt: skip


def words(arguments: Json, name: str) -> Json:
    """Text or caption with its entities as a message keeps them. Errors: ApiError."""
    if name == "caption" and not arguments.get("caption"):
        return {}
    limit = LONGEST_TEXT if name == "text" else LONGEST_CAPTION
    plain, entities = formatting.read(arguments[name], arguments.get("parse_mode"), limit, name)
    kept = "entities" if name == "text" else "caption_entities"
    return {name: plain} | ({kept: entities} if entities else {})


def _sent(world: World, arguments: Json, content: Json) -> Json:
    chat_id = world.target(arguments)
    thread = world.thread(chat_id, arguments)
    markup = arguments.get("reply_markup")
    content = {**content, **keyboards.inline_keyboard(markup), **_reply(world, chat_id, arguments)}
    world.pace.take(chat_id)
    made = world.new_message(chat_id, world.me, content, thread)
    if keyboards.is_other_markup(markup):
        world.uneditable.add((chat_id, made["message_id"]))
        world.changes[-1].message["asks_for_reply"] = bool(markup and markup.get("force_reply"))
    return made


def _reply(world: World, chat_id: int, arguments: Json) -> Json:
    wanted = arguments.get("reply_parameters")
    if not wanted:
        return {}
    found = world.messages.get((wanted.get("chat_id", chat_id), wanted["message_id"]))
    if found is None and not wanted.get("allow_sending_without_reply"):
        raise bad("message to be replied not found")
    return {"reply_to_message": {name: part for name, part in found.items() if name != "reply_to_message"}} if found else {}


@method("sendMessage")
def send_message(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """A text."""
    return _sent(world, arguments, words(arguments, "text"))


@method("sendPhoto")
def send_photo(world: World, arguments: Json, uploads: Uploads) -> Json:
    """A picture with a caption."""
    world.target(arguments)
    picture = files.photo(world.files.given(arguments.get("photo"), uploads, "photo"))
    return _sent(world, arguments, {"photo": picture, **words(arguments, "caption")})


@method("sendDocument")
def send_document(world: World, arguments: Json, uploads: Uploads) -> Json:
    """A file with a caption."""
    world.target(arguments)
    kept = files.document(world.files.given(arguments.get("document"), uploads, "document"))
    return _sent(world, arguments, {"document": kept, **words(arguments, "caption")})


@method("sendChatAction")
def send_chat_action(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """ "is typing"."""
    if arguments["action"] not in ACTIONS:
        raise bad("wrong parameter action in request")
    world.thread(world.target(arguments), arguments)
    return True


def _changed(world: World, arguments: Json, content: Json, replaced: tuple[str, ...]) -> Json:
    """A message with other words or another keyboard; without reply_markup the keyboard goes. Errors: ApiError."""
    message = world.own_message(arguments)
    if keyboards.is_other_markup(arguments.get("reply_markup")):
        raise bad("inline keyboard expected")
    content = {**content, **keyboards.inline_keyboard(arguments.get("reply_markup"))}
    names = (*replaced, "reply_markup")
    if {name: message[name] for name in names if name in message} == content:
        raise bad(
            "message is not modified: specified new message content and reply markup are exactly the same "
            "as a current content and reply markup of the message"
        )
    for name in names:
        message.pop(name, None)
    message |= {**content, "edit_date": int(time.time())}
    world.check("Message", message)
    world.changes.append(Change("edit", dict(message), by_bot=True))
    return message


@method("editMessageText")
def edit_message_text(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """Other words for a text."""
    if "text" not in world.own_message(arguments):
        raise bad("there is no text in the message to edit")
    return _changed(world, arguments, words(arguments, "text"), ("text", "entities"))


@method("editMessageCaption")
def edit_message_caption(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """Other words under a picture or a file."""
    if not {"photo", "document"} & set(world.own_message(arguments)):
        raise bad("there is no caption in the message to edit")
    return _changed(world, arguments, words(arguments, "caption"), ("caption", "caption_entities"))


@method("editMessageReplyMarkup")
def edit_message_reply_markup(world: World, arguments: Json, _uploads: Uploads) -> Json:
    """Another keyboard."""
    return _changed(world, arguments, {}, ())


@method("deleteMessage")
def delete_message(world: World, arguments: Json, _uploads: Uploads) -> bool:
    """Take a message away."""
    gone = world.messages.pop((world.target(arguments), arguments["message_id"]), None)
    if gone is None:
        raise bad("message to delete not found")
    world.changes.append(Change("delete", gone, by_bot=True))
    return True


@method("getFile")
def get_file(world: World, arguments: Json, _uploads: Uploads) -> Any:
    """Where a file can be fetched."""
    return world.files.described(arguments["file_id"])
