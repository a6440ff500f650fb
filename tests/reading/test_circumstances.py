"""What messages say around a case: where data may be, whether a machine is theirs, how many people there are."""

from typing import Any

import pytest

from bot.language import language_of
from bot.reading import Understood, read, understood
from engine.catalogue import catalogue


def told(message: str) -> Understood:
    lang = language_of(message) or "en"
    return understood(read(message, lang, catalogue()), lang)


def contract(message: str) -> dict[str, Any]:
    return told(message).request.contract()


@pytest.mark.parametrize(
    ("message", "constraints"),
    [
        ("Daten dürfen die EU nicht verlassen, 70B QLoRA, 20 h im Monat", {"eu_only": True}),
        ("Daten dürfen Deutschland nicht verlassen, 14B LoRA", {"eu_only": True}),
        ("Daten dürfen den EU-Raum nicht verlassen, 14B LoRA", {"eu_only": True}),
        ("Die Daten dürfen nicht aus der EU raus, 14B LoRA", {"eu_only": True}),
        ("keine Cloud außerhalb der EU, 14B LoRA", {"eu_only": True}),
        ("data must not leave the EU, 14B LoRA", {"eu_only": True}),
        ("our data cannot leave Europe, 14B LoRA", {"eu_only": True}),
        ("no cloud outside the EEA, 14B LoRA", {"eu_only": True}),
        ("data may not leave Germany, 14B LoRA", {"eu_only": True}),
        ("70B QLoRA 20 h im Monat, EU", {"eu_only": True}),
        ("EU only, 70B QLoRA, 20 h a month", {"eu_only": True}),
        ("70B QLoRA in der EU", {"eu_only": True}),
        ("14B LoRA nur in Deutschland", {"eu_only": True}),
        ("Cloud ist ok, aber nur EU, 14B LoRA", {"no_cloud": False, "eu_only": True}),
        ("US oder EU ist egal, 14B LoRA", None),
        ("Daten dürfen das Haus nicht verlassen, 14B LoRA", {"no_cloud": True}),
        ("data must not leave the building, 14B LoRA", {"no_cloud": True}),
        ("Datenschutz: Patientendaten, nur eigener Server, 14B für 8 Ärzte", {"no_cloud": True, "eu_only": True}),
        ("Server muss bei uns stehen, 14B LoRA 20 h im Monat", {"no_cloud": True}),
        ("weil die Daten bei uns bleiben müssen: 14B LoRA", {"no_cloud": True}),
        ("alles im eigenen Rechenzentrum, 14B LoRA", {"no_cloud": True}),
        ("14B soll auf eigener Hardware laufen", {"no_cloud": True}),
        ("everything in our own data center, 14B LoRA", {"no_cloud": True}),
        ("own servers only, 14B LoRA", {"no_cloud": True}),
        ("14B must run on our own hardware, 20 h a month", {"no_cloud": True}),
        ("data has to stay on our premises, 14B LoRA", {"no_cloud": True}),
        ("Ich habe nur einen eigenen Server mit RTX 4090, 8B LoRA", None),
        ("we only have our own server with two 3090s, 14B lora", None),
        ("Soll ich einen eigenen Server kaufen? 14B LoRA 20 h im Monat", None),
        ("unser Server steht bei uns im Keller, RTX 4090, 8B LoRA", None),
    ],
)
def test_where_data_may_be(message: str, constraints: dict[str, bool] | None) -> None:
    assert contract(message).get("constraints") == constraints
