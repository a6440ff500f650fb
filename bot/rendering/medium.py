"""The last step to a reader: rendered HTML enters, the text of a medium leaves: Telegram's HTML, or plain lines for a terminal.

One template serves both. What people wrote is escaped in the HTML, so stripping tags first and unescaping after is safe.
"""

import html
import re
from typing import Literal, TypeAlias

Medium: TypeAlias = Literal["text", "html"]
TELEGRAM_LIMIT = 4_096
CAPTION_LIMIT = 1_024
PARAGRAPH = "<hr>"
_DETAILS = re.compile(r"\s*<blockquote expandable>.*?</blockquote>", re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_NO_BREAK = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})


def finished(rendered: str, medium: Medium, limit: int = TELEGRAM_LIMIT) -> str:
    """A rendered template as the medium takes it: tidy lines, no control characters, for Telegram within its limit."""
    tidy = tidied(rendered)
    return shortened(tidy, limit) if medium == "html" else plain_text(tidy)


def tidied(rendered: str) -> str:
    """No control or direction characters, no blank lines but one for each run of <hr>; so templates may be laid out freely."""
    lines = (line.strip(" \t") for line in _INVISIBLE.sub("", rendered).split("\n"))
    paragraphs = "\n".join(line for line in lines if line).split(PARAGRAPH)
    return "\n\n".join(kept for one in paragraphs if (kept := one.strip("\n")))


def plain_text(tidy: str) -> str:
    """HTML as lines for a terminal: details left out (they stand behind `why`), links with their address, plain spaces."""
    linked = _LINK.sub(r"\2 (\1)", _DETAILS.sub("", tidy))
    return html.unescape(_TAG.sub("", linked)).translate(_NO_BREAK).strip("\n")


def utf16_units(text: str) -> int:
    """Length as Telegram counts it."""
    return len(text.encode("utf-16-le")) // 2


def shortened(tidy: str, limit: int) -> str:
    """Within the limit: first the details go, then whole paragraphs from the end, then lines; never the inside of a tag."""
    if utf16_units(tidy) <= limit:
        return tidy
    kept = _DETAILS.sub("", tidy)
    for separator in ("\n\n", "\n"):
        parts = kept.split(separator)
        while utf16_units(separator.join(parts)) > limit and len(parts) > 1:
            parts.pop()
        kept = separator.join(parts)
    return kept if utf16_units(kept) <= limit else html.escape(html.unescape(_TAG.sub("", kept))[: limit // 6], quote=False)
