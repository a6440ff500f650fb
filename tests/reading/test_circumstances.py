"""What messages say around a case: where data may be, whether a machine is theirs, how many people there are."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from bot.adapters.telegram_effects import chart
from bot.adapters.telegram_places import Spot
from bot.answering import answer_message
from bot.contract import answer_value
from bot.history import answered_again
from bot.language import language_of
from bot.reading import Understood, read, understood
from bot.store import Entry, Key
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
        ("14B LoRA, data must stay within EU", {"eu_only": True}),
        ("14B LoRA, EU-hosted", {"eu_only": True}),
        ("14B LoRA, Serverstandort Deutschland", {"eu_only": True}),
        ("14B LoRA, Anbieter aus der EU", {"eu_only": True}),
        ("14B LoRA, unsere Daten verlassen Europa nicht", {"eu_only": True}),
        ("14B LoRA, keine Daten in die USA", {"eu_only": True}),
        ("14B LoRA, no data to third countries", {"eu_only": True}),
        ("US oder EU ist egal, 14B LoRA", None),
        ("Daten dürfen das Haus nicht verlassen, 14B LoRA", {"no_cloud": True}),
        ("data must not leave the building, 14B LoRA", {"no_cloud": True}),
        ("Datenschutz: Patientendaten, nur eigener Server, 14B für 8 Ärzte", {"no_cloud": True, "eu_only": True}),
        ("Server muss bei uns stehen, 14B LoRA 20 h im Monat", {"no_cloud": True}),
        ("weil die Daten bei uns bleiben müssen: 14B LoRA", {"no_cloud": True}),
        ("alles im eigenen Rechenzentrum, 14B LoRA", {"no_cloud": True}),
        ("14B soll auf eigener Hardware laufen", {"no_cloud": True}),
        ("everything in our own data center, 14B LoRA", {"no_cloud": True}),
        ("14B LoRA, Daten bleiben bei uns", {"no_cloud": True}),
        ("14B LoRA, keine externen Anbieter", {"no_cloud": True}),
        ("14B LoRA, self-hosted only", {"no_cloud": True}),
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


@pytest.mark.parametrize(
    ("message", "gpu", "count"),
    [
        (
            "Leasing 450 €/Monat für 36 Monate für einen Server mit RTX PRO 6000, oder mieten? 14B LoRA",
            "RTX PRO 6000 Blackwell Workstation",
            1,
        ),
        ("wir haben ein Angebot für einen Server mit zwei L40S, 70B QLoRA", "L40S", 2),
        ("leasing offer for a workstation with two RTX 5090, 32B QLoRA 20 h a month", "GeForce RTX 5090", 2),
        ("GEX131 rund um die Uhr, 8B betreiben für 10 Nutzer", "RTX PRO 6000 Blackwell Max-Q", 1),
        ("GEX44 for 8B, 3 users", "RTX 4000 SFF Ada", 1),
        ("was kostet das mit einer RTX 4090?", "GeForce RTX 4090", 1),
        ("what would 14B LoRA cost on two RTX 5090?", "GeForce RTX 5090", 2),
        ("und auf einer 4090?", "GeForce RTX 4090", 1),
        ("warum keine RTX 4090?", "GeForce RTX 4090", 1),
        ("why not a 4090?", "GeForce RTX 4090", 1),
        ("what about a 4090?", "GeForce RTX 4090", 1),
        ("what if we had two 4090s?", "GeForce RTX 4090", 2),
        ("wenn wir zwei RTX 4090 hätten, 14B LoRA?", "GeForce RTX 4090", 2),
        ("was würde 70B QLoRA auf zwei RTX 5090 kosten, 30 h im Monat?", "GeForce RTX 5090", 2),
        ("Lohnt sich ein Mac Studio M3 Ultra 512 GB für DeepSeek R1 Inferenz mit 5 Nutzern?", "Apple M3 Ultra (80-core GPU)", 1),
        ("worth buying a DGX Spark for 120B, 3 users?", "DGX Spark (GB10)", 1),
    ],
)
def test_a_machine_in_question_is_sized_and_not_theirs(message: str, gpu: str, count: int) -> None:
    found = told(message)
    assert "in_question" in found.mentions
    assert [(one.gpu, one.count) for one in found.request.hardware or ()] == [(gpu, count)]


def test_a_machine_in_question_may_be_one_of_several() -> None:
    found = told("und auf zwei A100?")
    assert "in_question" in found.mentions
    assert [question.slot for question in found.questions] == ["hardware"]


@pytest.mark.parametrize(
    ("message", "gpu"),
    [
        ("wir haben einen Server mit RTX 6000 Ada, 70B QLoRA", "RTX 6000 Ada Generation"),
        ("unser Server mit RTX PRO 6000 oder mieten? 14B LoRA", "RTX PRO 6000 Blackwell Workstation"),
        ("unsere GEX44, 8B QLoRA", "RTX 4000 SFF Ada"),
        ("Was kostet 14B LoRA auf unserer RTX 4090?", "GeForce RTX 4090"),
        ("wenn wir auf unserer RTX 4090 14B LoRA trainieren, passt das?", "GeForce RTX 4090"),
        ("two DGX Sparks for 120B, 3 users", "DGX Spark (GB10)"),
    ],
)
def test_what_is_theirs_is_not_in_question(message: str, gpu: str) -> None:
    found = told(message)
    assert "in_question" not in found.mentions
    assert [one.gpu for one in found.request.hardware or ()] == [gpu]


@pytest.mark.parametrize(
    ("message", "users", "people"),
    [
        ("Wir sind ein Maschinenbauer mit 200 Mitarbeitern, 14B betreiben", 20, 200),
        ("500 employees, run a 32B locally", 50, 500),
        ("14B für 8 Ärzte", 1, 8),
        ("25 Mitarbeitende, 14B betreiben", 3, 25),
        ("20 Mitarbeiter gleichzeitig, 14B betreiben", 20, None),
        ("14B for 60 employees at the same time", 60, None),
        ("Kanzlei mit 30 Anwälten, 14B betreiben", 3, 30),
        ("14B für 20 Nutzer", 20, None),
        ("14B for 20 users", 20, None),
    ],
)
def test_not_all_of_a_company_write_at_once(message: str, users: int, people: int | None) -> None:
    found = told(message)
    assert found.request.serving is not None
    assert found.request.serving.users == users
    assert {one for one in found.mentions if one.startswith("people")} == ({f"people:{people}"} if people else set())


def test_the_answer_says_what_was_taken_of_the_people() -> None:
    answer = answer_message("500 employees, run a 32B locally", "en", catalogue(), date(2026, 11, 30))
    assert answer.assumed["serving.people"] == [50, 500]
    assert "share_at_once" in {figure.id for figure in answer.figures}


def test_a_machine_in_question_is_never_the_answer_as_owned() -> None:
    answer = answer_message("GEX131 rund um die Uhr, 8B betreiben für 10 Nutzer", "de", catalogue(), date(2026, 11, 30))
    assert answer.in_question
    assert answer.fit.verdict == "yes"
    assert answer.acquisition.verdict in ("rent", "buy")
    assert {plan.acquisition for plan in answer.plans}.isdisjoint({"owned"})


@pytest.mark.parametrize("message", ["GEX44 rund um die Uhr, 8B betreiben für 3 Nutzer", "200 Mitarbeiter, 14B betreiben"])
def test_the_history_asks_again_as_it_was_taken(message: str) -> None:
    today = date(2026, 11, 30)
    given = answer_message(message, "de", catalogue(), today)
    request, answer = given.request.contract(), answer_value(given, "de", catalogue())
    when = datetime(2026, 11, 30, tzinfo=UTC)
    entry = Entry(1, "t", None, 1, "", when, "de", message, request, answer, "", "", today, "", "", shared=False, chat_id=1)
    assert answered_again(entry, catalogue(), today)["changes"] == ()


@pytest.mark.parametrize(
    ("message", "theirs"), [("was kostet 8B QLoRA auf einer RTX 4090?", False), ("8B QLoRA auf unserer RTX 4090", True)]
)
def test_a_picture_is_drawn_as_the_answer_was_given(message: str, theirs: bool) -> None:
    given = answer_message(message, "de", catalogue(), date(2026, 11, 30))
    assert chart(given, "money", "de", Spot(1, 0, Key("telegram", 1))).in_question is not theirs
