"""Single events and what they lead to: files, looks at the history, taps of every kind."""

from datetime import timedelta
from typing import Any

import pytest
from conversation_player import TODAY, Player

from bot.dialogue import World
from bot.events import Advise, Alert, Ask, Chart, Command, Compare, Explain, Freeze, Recall, Tell, Uploaded
from engine.catalogue import catalogue

LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
}


@pytest.fixture
def player() -> Player:
    return Player.begin(World(catalogue(), TODAY), "en")


def only(player: Player, kind: type[Any]) -> Any:
    found = [effect for effect in player.effects if isinstance(effect, kind)]
    assert len(found) == 1, player.effects
    return found[0]


def test_a_config_is_the_model_that_is_asked_for(player: Player) -> None:
    player.does(Command("fit"))
    player.does(Uploaded("config.json", LLAMA))
    assert only(player, Tell).template == "messages/uploaded.j2"
    assert only(player, Ask).slot == "hardware"
    player.says("RTX 4090")
    assert only(player, Advise).recommendation.sizings[0].architecture.hidden == 4096


def test_a_config_changes_the_last_request(player: Player) -> None:
    player.says("8B QLoRA on an RTX 4090")
    player.does(Uploaded("config.json", LLAMA))
    assert player.session.request["models"] == [{"config": LLAMA}]
    assert player.session.request["methods"] == ["qlora"]
    assert only(player, Advise).recommendation.fit.verdict == "yes"


def test_a_config_of_nothing_is_refused_and_the_question_stays(player: Player) -> None:
    player.does(Command("fit"))
    player.does(Uploaded("config.json", {}))
    assert only(player, Ask).again.template == "messages/refused.j2"
    assert player.session.open is not None


@pytest.mark.parametrize(
    ("argument", "item", "query"), [("", None, ""), ("3", "3", ""), ("show 3", "3", ""), ("70B qlora", None, "70B qlora")]
)
def test_the_history(player: Player, argument: str, item: str | None, query: str) -> None:
    player.does(Command("history", argument))
    recall = only(player, Recall)
    assert (recall.item, recall.query) == (item, query)


@pytest.mark.parametrize(
    ("typed", "part"), [("why", "why"), ("warum", "why"), ("why memory", "memory"), ("/why sources", "sources"), ("money", "money")]
)
def test_every_part_of_the_reasons(player: Player, typed: str, part: str) -> None:
    player.says("8B LoRA, 12 h a month")
    player.says(typed)
    assert only(player, Explain).part == part


@pytest.mark.parametrize(
    ("typed", "kind"), [("chart", "memory"), ("chart money", "money"), ("diagramm speicher", "memory"), ("/chart money", "money")]
)
def test_both_charts(player: Player, typed: str, kind: str) -> None:
    player.says("8B LoRA, 12 h a month")
    player.says(typed)
    assert only(player, Chart).kind == kind


def test_buttons_of_an_explanation_belong_to_its_recommendation(player: Player) -> None:
    player.says("8B LoRA, 12 h a month")
    player.taps("Why?")
    player.says("what if QLoRA?")
    player.taps_data(next(button.data for button in player.keyboards if button.label == "Memory"))
    assert only(player, Explain).recommendation.sizings[0].method == "lora"


def test_a_result_nobody_remembers_is_closed(player: Player) -> None:
    player.says("8B LoRA on an RTX 4090")
    old = next(button.data for button in player.keyboards if button.label == "Why?")
    for turn in range(6):
        player.says("what if QLoRA?" if turn % 2 else "what about full fine-tuning?")
    player.taps_data(old)
    assert only(player, Alert).modal


def test_a_double_tap_long_after_is_no_double_tap(player: Player) -> None:
    player.does(Command("start"))
    for label in ("Style and tone", "8B", "LoRA", "€5,000", "12 h a month"):
        player.taps(label)
    player.now += timedelta(hours=20)
    request = player.session.request
    player.taps_data(player.last_tap)
    assert only(player, Alert).template == "messages/closed.j2"
    assert player.session.request == request


def test_text_freezes_the_question_and_a_tap_edits_it(player: Player) -> None:
    player.does(Command("start"))
    player.taps("Style and tone")
    assert only(player, Ask).edits
    assert not [effect for effect in player.effects if isinstance(effect, Freeze)]
    player.says("13B")
    assert only(player, Freeze).facts["label"] == "13B"
    assert not only(player, Ask).edits


def test_a_tap_leaves_the_session_alone_where_it_changes_nothing(player: Player) -> None:
    player.does(Command("start"))
    player.taps("Style and tone")
    before = player.session
    player.taps_data(player.last_tap, seconds=0.08)
    assert player.session == before
    assert isinstance(only(player, Alert), Alert)


def test_many_variants_are_few(player: Player) -> None:
    player.says("compare 3b vs 7b vs 13b vs 70b with lora vs qlora")
    assert 2 <= len(only(player, Compare).recommendations) <= 6


@pytest.mark.parametrize("name", ["term", "glossary"])
def test_an_unknown_term_lists_the_known_ones(player: Player, name: str) -> None:
    player.does(Command(name, "flux capacitor"))
    assert "VRAM".casefold() in [term.casefold() for term in only(player, Tell).facts["terms"]]


def test_an_unknown_command_is_named_and_gets_help(player: Player) -> None:
    effects = player.does(Command("frobnicate", "x"))
    assert [effect.template for effect in effects if isinstance(effect, Tell)] == ["messages/no_such_command.j2", "messages/help.j2"]


def test_group_names_behind_a_command(player: Player) -> None:
    player.says("/help@sizewell_bot")
    assert only(player, Tell).template == "messages/help.j2"
