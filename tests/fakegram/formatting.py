"""Formatted text as the server reads it: HTML enters, plain text and its entities leave, or the refusal in the server's words.

Offsets of entities are in UTF-16 units, those in refusals in bytes.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from fakegram.refusals import bad

Entity = dict[str, Any]
_ESCAPED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_KINDS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler", "span": "spoiler",
    "a": "text_link", "code": "code", "pre": "pre", "blockquote": "blockquote",
}  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z0-9-]*)((?:\s+[A-Za-z0-9-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?)*)\s*>")
_ATTRIBUTE = re.compile(r"([A-Za-z0-9-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]+));?")
MOST_ENTITIES = 100


def utf16(text: str) -> int:
    """Length as Telegram counts it."""
    return len(text.encode("utf-16-le")) // 2


@dataclass
class _Reading:
    text: str
    plain: str = ""
    open: list[tuple[str, Entity]] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    def refuse(self, words: str, at: int) -> Exception:
        return bad(f"can't parse entities: {words} at byte offset {len(self.text[:at].encode())}")

    def run(self) -> tuple[str, list[Entity]]:
        at = 0
        while at < len(self.text):
            at = self._step(at)
        if self.open:
            raise bad(f"can't parse entities: Can't find end tag corresponding to start tag \"{self.open[-1][0]}\"")
        return self.plain, sorted(self.entities, key=lambda one: (one["offset"], -one["length"]))

    def _step(self, at: int) -> int:
        if self.text[at] == "<":
            return self._tag(at)
        reference = _REFERENCE.match(self.text, at) if self.text[at] == "&" else None
        meant = _meant(reference) if reference else None
        self.plain += meant or self.text[at]
        return reference.end() if reference and meant else at + 1

    def _tag(self, at: int) -> int:
        found = _TAG.match(self.text, at)
        if found is None:
            name = re.match(r"</?([A-Za-z0-9-]*)", self.text[at:])
            named = name[1].lower() if name else ""
            known = named in _KINDS
            raise self.refuse("Unclosed start tag" if known else f'Unsupported start tag "{named}"', at)
        if found[1]:
            self._close(found[2].lower(), at)
        else:
            self._open(found[2].lower(), found[3], at)
        return found.end()

    def _open(self, name: str, attributes: str, at: int) -> None:
        if name not in _KINDS:
            raise self.refuse(f'Unsupported start tag "{name}"', at)
        given = {one[1].lower(): one[2] or one[3] or one[4] or "" for one in _ATTRIBUTE.finditer(attributes)}
        if name == "span" and given.get("class") != "tg-spoiler":
            raise self.refuse('Tag "span" must have class "tg-spoiler"', at)
        entity: Entity = {"type": _KINDS[name], "offset": utf16(self.plain)}
        if name == "a":
            entity["url"] = given.get("href", "")
        if name == "blockquote" and "expandable" in given:
            entity["type"] = "expandable_blockquote"
        self.open.append((name, entity))

    def _close(self, name: str, at: int) -> None:
        if not self.open:
            raise self.refuse("Unexpected end tag", at)
        opened, entity = self.open.pop()
        if opened != name:
            raise self.refuse(f'Unmatched end tag, expected "</{opened}>", found "</{name}>"', at)
        length = utf16(self.plain) - entity["offset"]
        if length and entity.get("url") != "":
            self.entities.append({**entity, "length": length})


def _meant(reference: re.Match[str]) -> str | None:
    if reference[3]:
        return _ESCAPED.get(reference[3])
    code = int(reference[1]) if reference[1] else int(reference[2], 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def read(text: str, parse_mode: str | None, limit: int, what: str) -> tuple[str, list[Entity]]:
    """Text and entities of a message (`what` "text") or a caption. Errors: ApiError."""
    if parse_mode not in (None, "") and str(parse_mode).lower() != "html":
        raise bad("unsupported parse_mode" if "markdown" not in str(parse_mode).lower() else "Markdown is not emulated")
    plain, entities = _Reading(text).run() if parse_mode else (text, [])
    plain, entities = _trimmed(plain, entities)
    if what == "text" and not plain:
        raise bad("message text is empty")
    if utf16(plain) > limit:
        raise bad("message is too long" if what == "text" else "message caption is too long")
    return plain, entities[:MOST_ENTITIES]


def _trimmed(plain: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Without white space around; entities move with it and end where the text ends."""
    left = utf16(plain) - utf16(plain.lstrip())
    plain = plain.strip()
    moved = []
    for one in entities:
        start = max(0, one["offset"] - left)
        end = min(utf16(plain), one["offset"] - left + one["length"])
        if end > start:
            moved.append({**one, "offset": start, "length": end - start})
    return plain, moved
