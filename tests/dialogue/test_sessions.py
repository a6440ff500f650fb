"""What is kept of a conversation: through JSON, from older versions, and from what somebody broke."""

import json
from datetime import timedelta

import pytest
from conversation_player import START, TODAY, Player

from bot.dialogue import Session, World, opened, resumed, saved, step
from bot.dialogue.callback import LONGEST, button, read
from bot.dialogue.choices import choices
from bot.events import Advise, Ask, Command, Said
from bot.phrases import LANGUAGES, label, words
from bot.questions import ASKED
from engine.catalogue import catalogue


@pytest.fixture(scope="module")
def world() -> World:
    return World(catalogue(), TODAY)


def at_the_budget(world: World) -> Session:
    player = Player.begin(world, "en")
    player.does(Command("start"))
    for said in ("style", "8B", "LoRA"):
        player.says(said)
    assert player.session.open is not None
    assert player.session.open.slot == "budget"
    return player.session


def test_a_killed_process_changes_nothing(world: World) -> None:
    """S1: the next process takes the next answer as the answer to the open question."""
    session = resumed(saved(at_the_budget(world)), "de", START + timedelta(days=1))
    session, effects = step(session, Said("2,000 €"), START + timedelta(days=1), world)
    assert session.request["budget"] == [{"amount": 2000, "currency": "EUR", "period": "once", "bound": "max"}]
    assert isinstance(effects[-1], Ask)
    assert effects[-1].slot == "usage"
    assert effects[-1].facts["number"] == 5


def test_an_older_version_keeps_what_was_said(world: World) -> None:
    """Version 0 knew no way and called the open question `slot`: the values stay, the next question is put."""
    old = {
        "version": 0,
        "id": "abc",
        "revision": 3,
        "lang": "de",
        "slot": "method",
        "guided": True,
        "begun": True,
        "request": {"goal": "style", "models": [{"params_b": 8}]},
    }
    session = resumed(json.dumps(old), "en", START)
    assert (session.lang, session.id, session.request) == ("de", "abc", old["request"])
    _, effects = step(session, Command("new", "QLoRA, 12 h im Monat"), START, world)
    assert effects


def test_a_part_that_is_no_longer_valid_is_left_out() -> None:
    old = {"version": 0, "id": "abc", "lang": "de", "request": {"goal": "wisdom", "models": [{"params_b": 8}]}}
    assert resumed(json.dumps(old), "en", START).request == {"models": [{"params_b": 8}]}


def test_a_newer_version_keeps_what_this_one_understands(world: World) -> None:
    newer = {**json.loads(saved(at_the_budget(world))), "version": 2, "mood": "good", "way": "another shape"}
    session = resumed(json.dumps(newer), "en", START)
    assert session.request == at_the_budget(world).request


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "7", "{", '{"version": 1}', '{"version": "x", "id": 5, "request": []}', '{"request": {"a": NaN}}']
)
def test_what_is_broken_becomes_a_new_conversation(text: str, world: World) -> None:
    session = resumed(text, "de", START)
    assert session.lang == "de"
    assert session.request == {}
    _, effects = step(session, Command("start"), START, world)
    assert isinstance(effects[-1], Ask)


def test_the_same_events_lead_to_the_same_conversation(world: World) -> None:
    assert saved(at_the_budget(world)) == saved(at_the_budget(world))


def test_every_start_has_an_id_of_its_own(world: World) -> None:
    session = opened("en", START)
    ids = set()
    for second in range(20):
        session, _ = step(session, Command("start"), START + timedelta(seconds=second), world)
        ids.add(session.id)
    assert len(ids) == 20


def test_follow_ups_do_not_make_a_conversation_grow(world: World) -> None:
    """A thousand turns end as small as a few."""
    player = Player.begin(world, "en")
    player.says("8B LoRA on an RTX 4090")
    sizes = []
    for turn in range(40):
        player.says("what if QLoRA?" if turn % 2 else "what about full fine-tuning?")
        sizes.append(len(saved(player.session)))
    assert max(sizes[20:]) <= max(sizes[:20]) + 200


def test_changed_by_button_and_back_again(world: World) -> None:
    """S13 after the advice: the change is given up, the advice stays."""
    player = Player.begin(world, "en")
    player.says("8B LoRA on an RTX 4090")
    request = player.session.request
    player.taps("Other size")
    player.says("70B")
    assert any(isinstance(effect, Advise) for effect in player.effects)
    player.says("back")
    player.says("8B")
    assert player.session.request["models"] == request["models"]


class TestCallbackData:
    """v1:<session>:<revision>:<step>:<choice>."""

    def test_every_choice_fits(self, world: World) -> None:
        session = opened("de", START).changed(id="Z" * 8, revision=999_999_999)
        for lang in LANGUAGES:
            for slot in ASKED:
                for choice in choices(slot, {}, lang, "CHF"):
                    assert len(button(choice.label, session, "q99", choice.key).data.encode()) <= LONGEST
                    assert len(choice.label) <= 20

    def test_what_is_written_is_read(self) -> None:
        session = opened("en", START).changed(revision=12)
        tap = read(button("8B", session, "q3", "8b").data)
        assert tap is not None
        assert (tap.session, tap.revision, tap.question, tap.choice) == (session.id, 12, 3, "8b")

    @pytest.mark.parametrize(
        "data", ["", "v1", "v2:a:1:q0:8b", "v1:a:1:q0:", "v1:a:-1:q0:8b", "v1:a:1:q0:8b:more", "v1:ä:1:q0:8b", "x" * 500]
    )
    def test_what_nobody_wrote_is_nothing(self, data: str) -> None:
        assert read(data) is None


class TestWords:
    """The word lists of both languages are complete and short enough."""

    def test_both_languages_have_the_same_labels_and_terms(self) -> None:
        german, english = words("de"), words("en")
        assert set(german.labels) == set(english.labels)
        assert set(german.terms.values()) == set(english.terms.values())
        assert set(german.commands.values()) == set(english.commands.values())

    def test_labels_fit_on_a_button(self) -> None:
        labels = [entry for lang in LANGUAGES for entry in words(lang).labels.items()]
        assert [name for name, text in labels if len(text) > 20 and "{" not in text] == []

    def test_every_term_is_explained(self) -> None:
        from bot.rendering import glossary

        assert [(lang, term) for lang in LANGUAGES for term in words(lang).terms.values() if glossary(term, lang) is None] == []

    def test_placeholders_are_the_same(self) -> None:
        facts = {"value": "x", "label": "x", "number": "x"}
        for name in words("de").labels:
            assert label(name, "de", **facts)
            assert label(name, "en", **facts)
