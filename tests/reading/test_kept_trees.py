"""Trees kept from an earlier start are those that would be built now, and never anything else."""

import pytest

from bot.reading import kept, lexicon, names
from bot.reading.kept import kept as grown
from engine.catalogue import catalogue

TREE = {"stunde": {"\n=": {"time": "hour"}}, "ids": ("a", "b"), "heads": frozenset(("llama",))}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "kept")
    return tmp_path / "kept"


def never():
    raise AssertionError("it is there already")


def test_the_real_trees_come_back_as_they_were_built():
    built = names._build(catalogue())
    assert grown("names", catalogue().version, lambda: built) == grown("names", catalogue().version, never) == built
    assert grown("words", "", lambda: lexicon._tree("")) == grown("words", "", never) == lexicon._tree("")


def test_another_version_is_built_anew():
    grown("names", "1", lambda: TREE)
    assert grown("names", "2", lambda: {"x": {}}) == {"x": {}}


def test_other_code_or_lists_are_built_anew(monkeypatch):
    grown("names", "1", lambda: TREE)
    monkeypatch.setattr(kept, "_origin", lambda: b"edited")
    assert grown("names", "1", lambda: {"x": {}}) == {"x": {}}


def test_the_digest_is_of_lists_and_code(tmp_path, monkeypatch):
    (tmp_path / "words").mkdir()
    seen = set()
    for file, text in (("a.py", "1"), ("a.py", "2"), ("words/de.toml", "3"), ("words/de.toml", "4")):
        (tmp_path / file).write_text(text)
        monkeypatch.setattr(kept, "_GROWN_FROM", (tmp_path,))
        seen.add(kept._origin.__wrapped__())
    assert len(seen) == 4


@pytest.mark.parametrize("damage", [lambda old: b"", lambda old: old[:-1], lambda old: old[:40] + b"?" + old[41:], lambda old: b"\0" * 500])
def test_a_damaged_file_is_built_anew(folder, damage):
    grown("names", "1", lambda: TREE)
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert grown("names", "1", lambda: {"x": {}}) == {"x": {}}
    assert grown("names", "1", never) == {"x": {}}


def test_where_nothing_can_be_written_it_is_built(folder):
    folder.write_text("no folder")
    assert grown("names", "1", lambda: TREE) == TREE
    assert grown("names", "1", lambda: TREE) == TREE
