"""What a person wrote, through `bot.reading`: a text enters, what it sets (contract JSON) and the doubts it raises leave."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.dialogue.merging import checked, merged
from bot.dialogue.session import Doubt, World
from bot.phrases import follows_up, is_bare_number, label
from bot.questions import Intent, Json, hours_name, request_key
from engine.request import Language, Request, Slot

if TYPE_CHECKING:
    from bot.reading import Reading

LONGEST = 4096
_PLACE = re.compile(r"\.(\d{1,3})(?:\.|$)")  # budget.0.currency
_SHORTEST = 64  # tokens
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,']*\s?[kK]?\b")
_MEASURED: Mapping[Slot, str] = {  # slot -> label that says its measure
    "training": "training.length",
    "dataset": "dataset.rows",
    "serving": "serving.users",
    "usage": "usage.hours",
}


@dataclass(frozen=True, slots=True)
class Heard:
    """What one text says. `sets` is nothing where only doubts were raised."""

    sets: Json
    doubts: tuple[Doubt, ...] = ()
    intent: Intent | None = None
    symptoms: tuple[str, ...] = ()
    readings: tuple["Reading", ...] = ()

    @property
    def anything(self) -> bool:
        return bool(self.sets or self.doubts or self.readings)


def hear(text: str, lang: Language, world: World, slot: Slot | None = None) -> Heard:
    """Read a whole message, or with a slot the answer to its question."""
    from bot.reading import intent_of, read, understood

    readings = read(text[:LONGEST], lang, world.catalogue, slot)
    found = understood(readings, lang)
    said = found.request.contract()
    said.pop("lang", None)
    return Heard(
        sets=said,
        doubts=tuple(map(Doubt.of, found.questions)),
        intent=intent_of(text[:LONGEST], readings),
        readings=tuple(one for one in readings if one.means_it and not one.aside),
        symptoms=tuple(sorted(found.mentions)),
    )


def hear_number(text: str, lang: Language, world: World, slot: Slot | None, bare: bool = True) -> Heard:
    """Read a number as the question's slot measures it: "4k" as tokens, "12 h" as a month's hours. `bare`: nothing else may be said."""
    numbers = _NUMBER.findall(text[:LONGEST])
    if slot == "model" and len(numbers) == 1 and is_bare_number(text, numbers[0]):
        return hear(f"{numbers[0]}B", lang, world, slot)
    if slot is None or slot not in _MEASURED or len(numbers) != 1 or (bare and not is_bare_number(text, numbers[0])):
        return Heard({})
    return hear(label(_MEASURED[slot], lang, number=numbers[0].strip()), lang, world, slot)


def hear_in_context(text: str, lang: Language, world: World) -> Heard:
    """Read a text that says nothing by itself as a change to a request: "und full?", "8 GB", "und mit 4k?" (a length)."""
    slots: tuple[Slot, ...] = ("method", "hardware")
    tries = [hear(text, lang, world, slot) for slot in slots]
    if follows_up(text) or len(text.split()) == 1:
        tries.append(hear_number(text, lang, world, "training", bare=False))
    return next((one for one in tries if one.sets and not one.doubts and not _tiny(one)), Heard({}))


def _tiny(heard: Heard) -> bool:
    """A bare "5" is no length of a row."""
    return bool(heard.sets.get("training", {}).get("sequence_length", _SHORTEST) < _SHORTEST)


def request_with(request: Json, heard: Heard) -> Json:
    """The request with what was said in its place ("on two cards?" changes how many, not which). Errors: Refusal."""
    from bot.reading import changed

    made = checked(merged(request, heard.sets))
    cards = changed(Request.model_validate(request), heard.readings).contract().get("hardware")
    return {**made, "hardware": cards} if cards is not None else made


def with_activity(heard: Heard, request: Mapping[str, Any]) -> Json:
    """What was said, its hours as those of use where nothing is trained and they did not say "training"."""
    usage = heard.sets.get("usage", {})
    spoken = any(part.get("activity") for one in heard.readings if one.slot == "usage" for part in (one.range or (one.value,)) if part)
    name = hours_name({**request, **heard.sets})
    if spoken or "training_hours_per_month" not in usage or name == "training_hours_per_month":
        return heard.sets
    rest = {key: value for key, value in usage.items() if key != "training_hours_per_month"}
    return {**heard.sets, "usage": {**rest, name: usage["training_hours_per_month"]}}


def in_the_same_period(heard: Heard, request: Mapping[str, Any]) -> Heard:
    """Bare hours in place of those they had: "nein, 20 h" behind 12 h a month is 20 h a month. Others are asked about as they were."""
    hours = {name: had for name, had in request.get("usage", {}).items() if "hours" in name and had}
    doubt = next((one for one in heard.doubts if one.slot == "usage"), None)
    if doubt is None or len(hours) != 1 or "usage" in heard.sets:
        return heard
    (name, had), options = next(iter(hours.items())), [one.value for one in doubt.options]
    key = "hours_once" if name == "hours_once" else "hours_per_month"
    bare = len(options) > 1 and "hours_once" in options[0] and options[1].get("hours_per_month") == options[0]["hours_once"]
    if not bare or not float(had).is_integer():  # 21.7 h a month were 5 h a week: 8 h may be either
        return heard
    said = next(value[key] for value in options if key in value)
    rest = tuple(one for one in heard.doubts if one is not doubt)
    return replace(heard, sets={**heard.sets, "usage": {name: said}}, doubts=rest)


def option_sets(doubt: Doubt, value: Any, request: Mapping[str, Any], before: Any = None) -> Json:
    """What an option of a doubt sets in a request; of several values the unsure one, or the one taken `before`, is replaced."""
    if doubt.slot == "usage":
        return {"usage": _hours(value, hours_name(request))}
    if doubt.slot in ("model", "method", "hardware", "budget"):
        key = request_key(doubt.slot)
        return {key: _placed(doubt, value, [one for one in request.get(key, ()) if before is None or one != before])}
    return {doubt.slot: value}


def _placed(doubt: Doubt, value: Any, old: list[Any]) -> list[Any]:
    """A value in its place among others: that of the field asked about, that of its sure part, behind clear ones, or alone."""
    asked = _PLACE.search(doubt.field or "")
    places = [place for place, one in enumerate(old) if one == value or (isinstance(one, Mapping) and _part_of(one, value))]
    place = int(asked[1]) if asked and int(asked[1]) < len(old) else next(iter(places), None)
    if place is not None:
        return [*old[:place], value, *old[place + 1 :]]
    return [*old, value] if doubt.adds else [value]


def _hours(value: Mapping[str, Any], usual: str) -> Json:
    """Hours as a reading gives them, as the request has them."""
    if "hours_once" in value:
        return {"hours_once": value["hours_once"]}
    activity = value.get("activity")
    name = f"{activity}_hours_per_month" if activity in ("training", "serving") else usual
    return {name: value["hours_per_month"]} if "hours_per_month" in value else dict(value)


def _part_of(sure: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, Mapping) and all(value.get(name) == entry for name, entry in sure.items())
