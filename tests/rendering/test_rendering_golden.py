"""Rendered messages as they were read and approved.

After a wanted change run `python tests/rendering/test_rendering_golden.py`, then read the diff.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import pytest  # noqa: E402  # the path comes first when run by hand
from made_recommendations import SHAPES, SOURCES  # noqa: E402

from bot.rendering import answer, caption, comparison, explanation, glossary, message  # noqa: E402

GOLDEN = ROOT / "tests" / "golden" / "messages"
LANGUAGES = ("en", "de")
MESSAGES = ("start", "help", "privacy", "cancelled", "nothing_to_cancel", "nothing_yet", "stale", "closed", "goodbye")


def rendered(language: str) -> dict[str, str]:
    """Every golden message of a language by the name of its file."""
    made = {f"answer_{name}": answer(shape(), language) for name, shape in SHAPES.items()}
    made |= {f"answer_{name}_html": answer(SHAPES[name](), language, "html") for name in ("shape_a", "full_does_not_fit")}
    made |= {
        f"explain_{part}": explanation(SHAPES["shape_a"](), part, language, "text", SOURCES)
        for part in ("why", "memory", "money", "sources")
    }
    made["explain_why_overruled"] = explanation(SHAPES["talked_out"](), "why", language, "text", SOURCES)
    made["explain_memory_no"] = explanation(SHAPES["full_does_not_fit"](), "memory", language, "text", SOURCES)
    made["comparison"] = comparison([SHAPES["shape_a"](), SHAPES["tight"]()], language)
    made["captions"] = "\n\n".join(caption(SHAPES["shape_a"](), kind, language) for kind in ("memory", "money"))
    made |= {f"message_{name}": message(name, language, "text", {"open": None}) for name in MESSAGES}
    made["questions"] = "\n\n".join(
        message(f"questions/{slot}.j2", language) for slot in ("goal", "model", "method", "hardware", "budget", "usage")
    )
    made["glossary"] = "\n\n".join(str(glossary(term, language)) for term in ("lora", "qlora", "rag", "vram", "kv_cache", "break_even"))
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_read_as_approved(language: str) -> None:
    made = rendered(language)
    folder = GOLDEN / language
    assert {path.stem for path in folder.glob("*.txt")} == set(made)
    for name, text in made.items():
        assert text + "\n" == (folder / f"{name}.txt").read_text(encoding="utf-8"), name


def write() -> None:
    """Replace the golden files."""
    for language in LANGUAGES:
        folder = GOLDEN / language
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for name, text in rendered(language).items():
            (folder / f"{name}.txt").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
