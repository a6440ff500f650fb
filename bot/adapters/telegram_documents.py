"""Files that people send: a config.json becomes a model, a CSV becomes many requests. Bounded, parsed as data, never executed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from bot.adapters.batches import lines_of
from bot.adapters.outgoing import Outgoing
from bot.adapters.telegram_updates import Attached, Sheet, Unusable
from bot.events import Uploaded
from bot.uploads import LARGEST_CONFIG, config_of, shown_name
from engine.errors import Refusal

if TYPE_CHECKING:
    from bot.adapters.telegram_visit import Visit

LARGEST: Mapping[str, int] = {"json": LARGEST_CONFIG, "csv": 512 * 1024}  # bytes
LONGEST_NAME = 60


Fetched: TypeAlias = Uploaded | Sheet | Unusable


def checked(file: Attached) -> Refusal | None:
    """What speaks against fetching a file: its kind or its size."""
    kind = _kind(file.name)
    if kind not in LARGEST:
        return Refusal("file_kind", read=shown_name(file.name))
    if file.size > LARGEST[kind]:
        return Refusal("file_too_large", read=shown_name(file.name), facts={"limit": LARGEST[kind] // 1024})
    return None


def gone(file: Attached) -> Refusal:
    """Telegram does not hand a file out any more."""
    return Refusal("file_unreadable", read=shown_name(file.name))


def opened(file: Attached, content: bytes) -> Fetched:
    """A file's content as what it means."""
    kind = _kind(file.name)
    try:
        if len(content) > LARGEST[kind]:
            raise Refusal("file_too_large", read=shown_name(file.name), facts={"limit": LARGEST[kind] // 1024})
        text = _text(content, file.name)
        if kind == "csv":
            prices = file.caption.split()[:1] in (["/prices"], ["prices"], ["/preise"], ["preise"])
            if not prices:
                lines_of(text)
            return Sheet(file.name, text, prices)
        return config_of(file.name, text)
    except Refusal as refusal:
        return Unusable(refusal)


def _kind(name: str) -> str:
    return name.rpartition(".")[2].casefold()


def _text(content: bytes, name: str) -> str:
    """UTF-8, or what German Windows writes."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if _kind(name) == "json" or b"\0" in content:
            raise Refusal("file_unreadable", read=shown_name(name)) from None
        return content.decode("cp1252", errors="replace")


def batch_of(visit: "Visit", sheet: Sheet) -> Outgoing:
    """The answers to a CSV, made when it is the chat's turn."""
    stem = sheet.name.rpartition(".")[0][:LONGEST_NAME] or "sizewell"
    made = visit.spot.calls("batch", content=sheet.text, name=f"{stem}-sizewell-{visit.today.isoformat()}.csv")
    return replace(made, lang=visit.lang, today=visit.today.isoformat())
