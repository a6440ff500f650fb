"""Any event in any order: nothing raises, no stored answer is lost, there is always a way forward."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from conversation_player import START, TODAY
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bot.dialogue import Session, World, opened, resumed, saved, step
from bot.events import Ask, Button, Command, Effect, Event, Said, Tapped, Uploaded
from bot.questions import ASKED
from engine.catalogue import catalogue

PLAIN_WORDS = """
8B LoRA, 12 h im Monat, 5000 € | 70B | 1,5B | qlora | full fine-tuning | 2 x RTX 3090 | A100 | mistral 7b | 5k | 5.000 | 2.000 €
12 h a month | 900 h im Monat | weiß nicht | i don't know | zurück | back | hilfe | help | abbrechen | neu | start | verlauf
warum | why memory | kosten | quellen | chart | deutsch | english | was ist LoRA? | compare 8B lora vs qlora | vergleiche | 1 | 2
3 | 9 | 0 | -1 | und mit 4k? | what if QLoRA? | and on two cards? | cheaper? | lieber kaufen? | weiter | ok | Stunden | Hours
unsere Handbücher | soll schreiben wie unsere Mails | keine GPU | egal | Server 10.700 €, Miete 1,42 €/h | <b> | 9**9**9 EUR
/start | /nonsense x | /lang de | 🙂 | 1.5 | 7 | Wir haben Karten | No limit | fit? | reicht eine 4090? | 13b oder 70b mit lora?
"""
WORDS = (*(part.strip() for line in PLAIN_WORDS.strip().splitlines() for part in line.split("|")), "\u202e8B", "\x00", "", " ", "8B" * 400)
LOOKS_ONLY = ("help", "history", "why", "memory", "money", "sources", "chart", "term", "settings", "privacy", "share", "language", "resume")
COMMANDS = (*LOOKS_ONLY, "start", "new", "cancel", "back", "restart", "compare", "keep", "skip", "size", "fit", "find", "bogus", "quit")
ARGUMENTS = ("", "de", "en", "lora", "8B lora 12h", "70b qlora 2000 EUR", "3", "memory", "r_abc", "7b vs 13b", "<x>")
CONFIG = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000,
          "model_type": "llama", "architectures": ["LlamaForCausalLM"]}  # fmt: skip


class AnyOrder(RuleBasedStateMachine):
    """A person, and a client that sends again what is old, double or made up."""

    world: World
    session: Session

    @initialize(lang=st.sampled_from(["de", "en"]), numbered=st.booleans())
    def begin(self, lang: Any, numbered: bool) -> None:
        self.world = replace(World(catalogue(), TODAY), numbered=numbered)
        self.session = opened(lang, START, "any")
        self.now = START
        self.buttons: list[Button] = []

    def happens(self, event: Event) -> tuple[Effect, ...]:
        self.now += timedelta(seconds=7)
        before = self.session
        self.session, effects = step(before, event, self.now, self.world)
        assert effects, event
        self.buttons += [button for effect in effects for row in getattr(effect, "buttons", ()) for button in row]
        self.buttons = self.buttons[-60:]
        if self.session.id == before.id and not (isinstance(event, Said) and event.edited):
            assert set(before.request) <= set(self.session.request), (event, before.request, self.session.request)
        return effects

    @rule(text=st.sampled_from(WORDS) | st.text(max_size=60))
    def says(self, text: str) -> None:
        self.happens(Said(text))

    @rule(text=st.sampled_from(WORDS))
    def corrects(self, text: str) -> None:
        self.happens(Said(text, edited=True))

    @rule(name=st.sampled_from(COMMANDS), argument=st.sampled_from(ARGUMENTS))
    def commands(self, name: str, argument: str) -> None:
        before = self.session
        self.happens(Command(name, argument))
        if name in LOOKS_ONLY:
            assert self.session.request == before.request
            assert self.session.open == before.open

    @rule(data=st.data())
    def taps(self, data: Any) -> None:
        if self.buttons:
            self.happens(Tapped(data.draw(st.sampled_from(self.buttons)).data))

    @rule()
    def taps_twice(self) -> None:
        if self.buttons:
            tap = Tapped(self.buttons[-1].data)
            self.happens(tap)
            self.happens(tap)

    @rule(text=st.text(max_size=70) | st.from_regex(r"v1:[0-9A-Za-z]{1,8}:[0-9]{1,3}:(q[0-9]|r|s|o|x):[a-z0-9-]{1,9}", fullmatch=True))
    def taps_something_made_up(self, text: str) -> None:
        before = self.session
        self.happens(Tapped(text))
        if before.id not in text:
            assert self.session.request == before.request or self.session.id != before.id

    @rule(config=st.sampled_from([CONFIG, {"x": 1}]))
    def uploads(self, config: dict[str, Any]) -> None:
        self.happens(Uploaded("config.json", config))

    @invariant()
    def resumes(self) -> None:
        if hasattr(self, "session"):
            assert resumed(saved(self.session), "en", self.now) == self.session

    @invariant()
    def is_small(self) -> None:
        if hasattr(self, "session"):
            assert len(saved(self.session)) < 40_000
            assert all(len(button.data.encode()) <= 64 for button in self.buttons)

    @invariant()
    def goes_on(self) -> None:
        """The open question can be put, and a new start always leads to the first question."""
        if not hasattr(self, "session"):
            return
        _, effects = step(self.session, Command("help"), self.now, self.world)
        assert any(isinstance(effect, Ask) for effect in effects) == (self.session.open is not None)
        _, effects = step(self.session, Command("start"), self.now, self.world)
        ask = effects[-1]
        assert isinstance(ask, Ask)
        assert ask.slot == "goal"


def test_any_order() -> None:
    """A sample of the campaign."""
    run_state_machine_as_test(AnyOrder, settings=settings(max_examples=25, stateful_step_count=15, deadline=None, derandomize=True,
                              suppress_health_check=list(HealthCheck), database=None))  # fmt: skip


@pytest.mark.campaign
def test_any_order_at_length() -> None:
    """Long and often."""
    run_state_machine_as_test(AnyOrder, settings=settings(max_examples=400, stateful_step_count=50, deadline=None,
                              suppress_health_check=list(HealthCheck)))  # fmt: skip


def test_a_session_is_plain_json() -> None:
    session, _ = step(opened("de", START), Command("start"), START, World(catalogue(), TODAY))
    assert json.loads(saved(session))["lang"] == "de"
    assert all(slot in ASKED for slot in [stop.slot for stop in session.way])
