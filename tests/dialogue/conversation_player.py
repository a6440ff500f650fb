"""Plays a conversation of tests/dialogue/conversations against the core: turns enter, what was asked and answered is compared.

A turn says (`say`, `edit`), taps a label (`tap`; `tap_old` one of an earlier keyboard; `tap_again` the last one) or gives a
command (`command: back`). It may expect: asks (slot of the question put, none), open (slot of the open one), doubts (slot of a
doubt), tells (names), alert, shows, hides (effects), known (part of the request), advises (approach, fit, acquisition), choices (labels),
marked (label), lang.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from bot.dialogue import Session, World, opened, resumed, saved, step
from bot.events import Advise, Alert, Ask, Button, Command, Compare, Effect, Event, Explain, Said, Tapped, Tell
from engine.recommendation import Recommendation

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
TODAY = date(2026, 11, 30)


@dataclass
class Player:
    """One conversation in progress; every turn goes through saved JSON, as it does in the product."""

    world: World
    session: Session
    now: datetime = START
    effects: tuple[Effect, ...] = ()
    keyboards: list[Button] = field(default_factory=list)
    last_tap: str = ""
    asked: int = 0
    asked_before_advice: int | None = None
    answer: Recommendation | None = None

    @classmethod
    def begin(cls, world: World, lang: str) -> "Player":
        return cls(world, opened(lang, START, "test"))  # type: ignore[arg-type]

    def does(self, event: Event, seconds: float = 5) -> tuple[Effect, ...]:
        self.now += timedelta(seconds=seconds)
        session = resumed(saved(self.session), "en", self.now)
        assert session == self.session
        self.session, self.effects = step(session, event, self.now, self.world)
        self._count()
        self.keyboards += [button for effect in self.effects for row in getattr(effect, "buttons", ()) for button in row]
        return self.effects

    def _count(self) -> None:
        asked = sum(isinstance(effect, Ask) and effect.again is None for effect in self.effects)
        advice = next((effect for effect in self.effects if isinstance(effect, Advise)), None)
        if advice is not None:
            self.answer = advice.recommendation
            if self.asked_before_advice is None:
                self.asked_before_advice = self.asked
        self.asked += asked

    def says(self, text: str) -> tuple[Effect, ...]:
        return self.does(Said(text))

    def taps(self, label: str, seconds: float = 5) -> tuple[Effect, ...]:
        """The newest button of this label."""
        found = [button for button in self.keyboards if button.label.removeprefix("✓ ") == label]
        assert found, f"no button {label!r} among {[button.label for button in self.keyboards]}"
        return self.taps_data(found[-1].data, seconds)

    def taps_data(self, data: str, seconds: float = 5) -> tuple[Effect, ...]:
        self.last_tap = data
        return self.does(Tapped(data), seconds)

    @property
    def ask(self) -> Ask | None:
        return next((effect for effect in reversed(self.effects) if isinstance(effect, Ask)), None)


def play(conversation: Mapping[str, Any], world: World, show: Callable[[Player], None] = lambda player: None) -> Player:
    """Play and show all turns; the first one that is not as expected fails with its number and what was said."""
    player = Player.begin(world, conversation["lang"])
    for number, turn in enumerate(conversation["turns"], 1):
        _act(player, turn)
        problems = list(_problems(player, turn))
        show(player)
        assert not problems, f"{conversation['name']}, turn {number} {turn}:\n  " + "\n  ".join(problems) + f"\n{_told(player)}"
    most = conversation.get("questions")
    if most is not None:
        assert player.asked_before_advice == most, f"{conversation['name']}: {player.asked_before_advice} questions, not {most}"
    return player


def _act(player: Player, turn: Mapping[str, Any]) -> None:
    seconds = turn.get("after_seconds", 5)
    if "say" in turn:
        player.does(Said(str(turn["say"])), seconds)
    elif "edit" in turn:
        player.does(Said(str(turn["edit"]), edited=True), seconds)
    elif "tap" in turn:
        player.taps(str(turn["tap"]), seconds)
    elif "tap_old" in turn:
        old = next(button for button in player.keyboards if button.label.removeprefix("✓ ") == str(turn["tap_old"]))
        player.taps_data(old.data, seconds)
    elif "tap_again" in turn:
        player.does(Tapped(player.last_tap), turn.get("after_seconds", 0.08))
    else:
        name, _, argument = str(turn["command"]).partition(" ")
        player.does(Command(name, argument), seconds)


def _problems(player: Player, turn: Mapping[str, Any]) -> Any:
    for key, check in _CHECKS.items():
        if key in turn:
            got, fits = check(player, turn[key])
            if not fits:
                yield f"{key}: expected {turn[key]!r}, got {got!r}"


def _asks(player: Player, wanted: Any) -> tuple[Any, bool]:
    stop = player.session.open
    put = player.ask.slot if player.ask else None
    got = stop.slot if stop and not stop.doubt else f"doubt about {stop.slot}" if stop else None
    return (got, put), got == wanted and (wanted is None or put == wanted)


def _doubts(player: Player, wanted: Any) -> tuple[Any, bool]:
    stop = player.session.open
    got = stop.slot if stop and stop.doubt else None
    return got, got == wanted


def _names(player: Player, kind: type[Tell] | type[Alert]) -> list[str]:
    told = [effect for effect in player.effects if isinstance(effect, kind)]
    if kind is Tell:
        told += [effect.again for effect in player.effects if isinstance(effect, Ask) and effect.again]
    return [one.template.removeprefix("messages/").removesuffix(".j2") for one in told]


def _shows(player: Player, wanted: Any) -> tuple[Any, bool]:
    got = [type(effect).__name__ for effect in player.effects]
    return got, all(name in got for name in ([wanted] if isinstance(wanted, str) else wanted))


def _explains(player: Player, wanted: Any) -> tuple[Any, bool]:
    got = [effect.part for effect in player.effects if isinstance(effect, Explain)]
    return got, got == [wanted]


def _advises(player: Player, wanted: Any) -> tuple[Any, bool]:
    advice = next((effect for effect in player.effects if isinstance(effect, Advise)), None)
    if wanted is False:
        return advice is not None, advice is None
    if advice is None:
        return [type(effect).__name__ for effect in player.effects], False
    made = advice.recommendation
    got = {
        "approach": made.approach.method if made.approach else None,
        "fit": made.fit.verdict,
        "acquisition": made.acquisition.verdict,
        "warns": [verdict.subject for verdict in made.warnings],
        "sized": [sizing.method for sizing in made.sizings],
        "largest": [one.method for one in made.largest],
        "assumed": dict(made.assumed),
    }
    return got, wanted is True or all(_holds(got[name], value) for name, value in wanted.items())


def _holds(got: Any, wanted: Any) -> bool:
    """A list of alternatives, a part of a list or mapping, or the same."""
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return all(name in got and _holds(got[name], value) for name, value in wanted.items())
    if isinstance(wanted, list) and isinstance(got, list):
        if (got and isinstance(got[0], Mapping)) or (wanted and isinstance(wanted[0], Mapping)):
            return len(got) == len(wanted) and all(_holds(one, other) for one, other in zip(got, wanted, strict=True))
        return set(wanted) <= set(got) and bool(got) == bool(wanted)
    if isinstance(wanted, list):
        return got in wanted
    return bool(got == wanted)


def _compares(player: Player, wanted: Any) -> tuple[Any, bool]:
    shown = next((effect for effect in player.effects if isinstance(effect, Compare)), None)
    got = len(shown.recommendations) if shown else 0
    return got, got == wanted


_CHECKS: Mapping[str, Any] = {
    "open": lambda player, wanted: (got := player.session.open.slot if player.session.open else None, got == wanted),
    "asks": _asks,
    "doubts": _doubts,
    "tells": lambda player, wanted: (got := _names(player, Tell), set([wanted] if isinstance(wanted, str) else wanted) <= set(got)),
    "alert": lambda player, wanted: (got := _names(player, Alert), got == [wanted]),
    "shows": _shows,
    "hides": lambda player, wanted: (got := [type(effect).__name__ for effect in player.effects], not set(wanted) & set(got)),
    "explains": _explains,
    "advises": _advises,
    "compares": _compares,
    "known": lambda player, wanted: (player.session.request, _holds(player.session.request, wanted)),
    "unknown": lambda player, wanted: (player.session.request, not set(wanted) & set(player.session.request)),
    "choices": lambda player, wanted: (player.ask and player.ask.facts["choices"], player.ask and player.ask.facts["choices"] == wanted),
    "marked": lambda player, wanted: (player.ask and player.ask.facts["chosen"], player.ask and player.ask.facts["chosen"] == wanted),
    "lang": lambda player, wanted: (player.session.lang, player.session.lang == wanted),
}


def _told(player: Player) -> str:
    return f"  session: {saved(player.session)}\n  effects: {[type(effect).__name__ for effect in player.effects]}"
