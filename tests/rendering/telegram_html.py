"""A strict reader of Telegram's HTML: only its tags, properly nested; what it shows as plain text."""

import html
import re

ALLOWED = {"b", "i", "u", "s", "a", "code", "pre", "blockquote", "tg-spoiler"}
_PIECE = re.compile(r"<(/?)([a-z-]+)((?: [a-z]+(?:=\"[^\"<>]*\")?)*)>|(&(?:lt|gt|amp|quot|#34|#39);)|([^<>&]+)|(.)", re.DOTALL)


def problems(text: str) -> list[str]:
    """What Telegram would refuse."""
    found, stack = [], []
    for closing, tag, attributes, entity, _, other in _PIECE.findall(text):
        if other:
            found.append(f"stray {other!r}")
        elif tag and tag not in ALLOWED:
            found.append(f"<{tag}>")
        elif tag and closing:
            if not stack or stack.pop() != tag:
                found.append(f"</{tag}> without its start")
        elif tag:
            if attributes and (tag, attributes.split("=")[0].strip()) not in {("blockquote", "expandable"), ("a", "href")}:
                found.append(f"<{tag}{attributes}>")
            stack.append(tag)
        elif entity:
            html.unescape(entity)
    return found + [f"<{tag}> not closed" for tag in stack]
