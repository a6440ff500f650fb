"""Offers and limits: what an amount is, how many things it is for, and what belongs together."""

from typing import Any

import pytest

from bot.reading import read, understood
from engine.catalogue import catalogue
from engine.request import Language


def quotes(text: str, lang: Language) -> dict[str, Any]:
    return understood(read(text, lang, catalogue()), lang).request.contract().get("quotes", {})


def request(text: str, lang: Language) -> dict[str, Any]:
    return understood(read(text, lang, catalogue()), lang).request.contract()


def asked(text: str, lang: Language, slot: str = "quotes") -> list[Any]:
    found = understood(read(text, lang, catalogue()), lang).questions
    return [option.value for question in found if question.slot == slot for option in question.options]


@pytest.mark.parametrize(
    ("text", "lang", "amount"),
    [
        ("Händler bietet eine RTX 6000 Ada für 7.100 € plus Rechner 3.600 €, Miete wäre 1,42 €/h", "de", 10_700),
        ("RTX 6000 Ada für 7.100 € und Rechner für 3.600 €, Miete 1,42 €/h", "de", 10_700),
        ("Karte 7.100 € zzgl. Rechner 3.600 €, Miete 1,42 €/h", "de", 10_700),
        ("Karte 7.100 € sowie Rechner 3.600 €, Miete 1,42 €/h", "de", 10_700),
        ("4x RTX 4090 je 1.900 € plus Server 2.500 €, Miete 1,20 €/h", "de", 10_100),
        ("dealer quotes $8,500 for the card + $2,900 for the box, renting is $1.80/h", "en", 11_400),
        ("RTX 5090 for $2,500 and the PC for $1,500 plus shipping $90, rent 0.69 $/h", "en", 4_090),
        ("RTX 6000 Ada: 7.100 €, Netzteil: 300 €, Gehäuse: 250 €, Miete 1,42 €/h", "de", 7_650),
        ("dealer quotes $8,500 for the card and $2,900 for the box, renting is $1.80/h", "en", 11_400),
    ],
)
def test_the_parts_of_a_machine_add_up(text: str, lang: Language, amount: float) -> None:
    assert quotes(text, lang)["purchase"]["amount"] == amount


def test_what_leads_to_the_next_part_is_no_tax() -> None:
    assert "tax" not in quotes("Karte 7.100 € zzgl. Rechner 3.600 €, Miete 1,42 €/h", "de")["purchase"]
    assert quotes("Karte 7.100 € netto plus Rechner 3.600 €, Miete 1,42 €/h", "de")["purchase"]["tax"] == "net"


def test_parts_of_different_tax_are_asked_about() -> None:
    text = "Karte 7.100 € netto plus Rechner 3.600 € brutto, Miete 1,42 €/h"
    assert "purchase" not in quotes(text, "de")
    assert [one.slot for one in understood(read(text, "de", catalogue()), "de").questions] == ["quotes"]


@pytest.mark.parametrize(
    ("text", "lang", "amounts"),
    [
        ("Angebot A: Server 8.000 €, Angebot B: Server 9.500 €, Miete 1,10 €/h", "de", [8_000, 9_500, 17_500]),
        ("zwei Angebote: 8.900 € von Dell und 9.400 € von Lenovo, Miete 1,20 €/h", "de", [8_900, 9_400]),
        ("two quotes: $8,900 from Dell and $9,400 from Lenovo, rent $1.20/h", "en", [8_900, 9_400]),
        ("RTX 5090 für 2.500 € oder RTX PRO 6000 für 9.000 €, Miete 1,10 €/h", "de", [2_500, 9_000]),
        ("quotes: RTX 5090 $2,500, RTX PRO 6000 $9,000, rent $1.10/h", "en", [2_500, 9_000, 11_500]),
    ],
)
def test_prices_side_by_side_are_never_dropped(text: str, lang: Language, amounts: list[float]) -> None:
    assert "purchase" not in quotes(text, lang)
    assert [value["purchase"]["amount"] for value in asked(text, lang)] == amounts


@pytest.mark.parametrize(
    ("text", "lang", "per_hour"),
    [
        ("quote: H100 server 8x for 280k USD, rent 2.10 USD/h per GPU", "en", 16.8),
        ("A100 80GB server 4x for 60k USD, rent 1.50 USD/h per GPU", "en", 6),
        ("8x H100 server for $280k, rent $2.10/h per GPU", "en", 16.8),
        ("H100 Server mit 8 für 280.000 €, Miete 2,10 €/h pro GPU", "de", 16.8),
        ("8x server with H100 for $280k, rent $2.10/h per GPU", "en", 16.8),
        ("H100-Server (8 Stück) für 280.000 €, Miete 2,10 €/h je GPU", "de", 16.8),
        ("eine H100 für 28.000 €, Miete 2,10 €/h je GPU", "de", 2.1),
    ],
)
def test_a_rent_per_card_is_that_of_all(text: str, lang: Language, per_hour: float) -> None:
    found = quotes(text, lang)
    assert found["rent"]["per_hour"] == per_hour
    assert found["purchase"]["amount"] > 20_000


@pytest.mark.parametrize("text", ["H100 server for $280k, rent $2.10/h per GPU", "H100s for $280k, rent at $2.10/h per GPU"])
def test_a_rent_per_card_without_a_count_is_asked_about(text: str) -> None:
    assert [value["rent"]["per_hour"] for value in asked(text, "en")] == [2.1, 4.2, 8.4, 16.8]


def test_how_many_a_price_is_for_is_told_on_the_buttons() -> None:
    (question,) = understood(read("RTX 3090 für 700 € das Stück, QLoRA 32B", "de", catalogue()), "de").questions
    assert [option.label for option in question.options] == ["für 1: 700 €", "für 2: 1.400 €", "für 4: 2.800 €", "für 8: 5.600 €"]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("gebrauchte RTX 3090 für 700 €, zwei Stück, Qwen 32B QLoRA", "de"),
        ("gebrauchte RTX 3090 je 700 €, 2 Stück, QLoRA 32B", "de"),
        ("2 Stück RTX 3090 zu je 700 €, QLoRA 32B", "de"),
        ("zwei RTX 3090 für 700 € pro Stück, QLoRA 32B", "de"),
        ("used RTX 3090 at $700 each, a pair, Qwen 32B QLoRA", "en"),
        ("two used RTX 3090 at $700 each, Qwen 32B QLoRA", "en"),
        ("used RTX 3090 for $700, two of them, Qwen 32B QLoRA", "en"),
        ("a pair of RTX 3090 for $1,400, Qwen 32B QLoRA", "en"),
        ("zwei RTX 3090 für 1.400 €, QLoRA 32B", "de"),
        ("RTX 3090 gebraucht 700 € pro Stück, brauche zwei davon, 32B QLoRA", "de"),
        ("used 3090 at $700 apiece, we'd buy two, 32B QLoRA", "en"),
    ],
)
def test_pieces_and_the_price_of_each(text: str, lang: Language) -> None:
    assert quotes(text, lang)["purchase"]["amount"] == 1_400
    (card,) = [one.value for one in read(text, lang, catalogue()) if one.slot == "hardware"]
    assert card["count"] == 2


def test_pieces_in_brackets_may_be_all_or_each() -> None:
    assert [value["purchase"]["amount"] for value in asked("RTX 3090 für 1.400 € (2 Stück), QLoRA 32B", "de")] == [1_400, 2_800]


@pytest.mark.parametrize(
    ("text", "lang", "rent"),
    [
        ("Mietangebot 889 € im Monat für RTX PRO 6000 gegen Kauf 12.790 €", "de", 889),
        ("Wir zahlen 500 €/Monat Miete für einen GPU-Server, lohnt ein Kauf für 9.000 €?", "de", 500),
        ("wir zahlen derzeit 1.900 € im Monat für eine H100, Kauf 31.000 €", "de", 1_900),
        ("Monatsmiete 889 € oder Kaufpreis 12.790 €", "de", 889),
        ("Wir mieten derzeit einen Server für 1.200 € im Monat, Kauf kostet 18.000 €", "de", 1_200),
        ("H100 Leasing 2.400 €/Monat oder Kauf 32.000 €", "de", 2_400),
        ("We pay $600 a month for a rented GPU server, would buying for $9,000 pay off?", "en", 600),
        ("rental offer $889 per month for an RTX PRO 6000, or buy it for $12,790", "en", 889),
        ("our rented H100 costs us $1,900 a month, or buy one for $31,000", "en", 1_900),
    ],
)
def test_a_rent_by_the_month_is_no_limit(text: str, lang: Language, rent: float) -> None:
    found = request(text, lang)
    assert found["quotes"]["rent"]["per_month"] == rent
    assert "purchase" in found["quotes"]
    assert "budget" not in found


@pytest.mark.parametrize(
    ("text", "lang", "amount", "period"),
    [
        ("32B Modell für 15 Nutzer, Server steht im Büro, 10.000 € brutto", "de", 10_000, "once"),
        ("30 Nutzer RAG mit 14B, 10.000 Dokumente, Server im Büro, 8.000 € netto, keine Cloud", "de", 8_000, "once"),
        ("Full fine-tuning 8B, 100 Stunden einmalig, mieten oder kaufen, brutto 20.000 €", "de", 20_000, "once"),
        ("70B for 20 users, server in our office, $15,000 net", "en", 15_000, "once"),
        ("8B LoRA 12 h im Monat, 500 € im Monat, mieten oder kaufen?", "de", 500, "month"),
        ("8B LoRA, max 500 €/Monat für Miete", "de", 500, "month"),
        ("8B LoRA, Miete bis 500 € im Monat", "de", 500, "month"),
        ("monatlich 300 € Budget, lieber mieten, 8B LoRA", "de", 300, "month"),
        ("RAG for 40 users, 20,000 documents, on-prem server, 12,000 EUR gross", "en", 12_000, "once"),
        ("8B LoRA, $500 a month, rent or buy?", "en", 500, "month"),
    ],
)
def test_what_may_be_spent_is_no_offer(text: str, lang: Language, amount: float, period: str) -> None:
    found = request(text, lang)
    assert [(one["amount"], one["period"]) for one in found["budget"]] == [(amount, period)]
    assert "quotes" not in found


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Server, 8.000 € netto, Miete 1,10 €/h", "de"),
        ("eigener Server für 8.000 € netto oder Miete 1,10 €/h", "de"),
        ("Angebot: 8.000 € netto, Miete 1,10 €/h", "de"),
        ("workstation for €8,000 net, rent €1.10/h", "en"),
    ],
)
def test_an_offer_stays_one(text: str, lang: Language) -> None:
    assert quotes(text, lang)["purchase"] == {"amount": 8_000, "currency": "EUR", "tax": "net"}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Admin 4 Stunden im Monat zu 60 €", "de"),
        ("Admin 4 h/Monat für 60 € pro Stunde", "de"),
        ("Administration 4 h im Monat mit 60 €", "de"),
        ("4 Stunden Admin im Monat je 60 €", "de"),
        ("4 Adminstunden pro Monat à 60 €", "de"),
        ("Admin 60 €/h, 4 h im Monat", "de"),
        ("admin 4 hours a month at 60 €", "en"),
        ("4 hours of admin a month at €60/h", "en"),
        ("4 admin hours a month, hourly rate 60 EUR", "en"),
    ],
)
def test_hours_of_staff_are_no_hours_of_training(text: str, lang: Language) -> None:
    found = request(f"8B LoRA, {'12 h im Monat' if lang == 'de' else '12 h a month'}, {text}", lang)
    assert found["quotes"] == {"admin": {"hours_per_month": 4, "rate": 60, "currency": "EUR"}}
    assert found["usage"] == {"training_hours_per_month": 12}
    assert "budget" not in found


def test_hours_of_staff_without_a_price_are_asked_about() -> None:
    text = "8B LoRA, 12 h im Monat, Admin 4 h im Monat"
    assert request(text, "de")["usage"] == {"training_hours_per_month": 12}
    assert {value["admin"]["hours_per_month"] for value in asked(text, "de")} == {4}


@pytest.mark.parametrize(
    ("text", "lang", "users"),
    [
        ("3 Abteilungen mit je 10 Nutzern, 8B betreiben", "de", 30),
        ("jeweils 10 Nutzer in 3 Abteilungen, 8B betreiben", "de", 30),
        ("10 Nutzer pro Standort, 4 Standorte, 14B betreiben", "de", 40),
        ("zwei Schichten mit je 10 Nutzern, 8B betreiben", "de", 10),
        ("3 departments with 10 users each, serve an 8B", "en", 30),
        ("three teams of 12 people each, 70B inference", "en", 36),
        ("4 sites with 25 users per site, 14B", "en", 100),
        ("je Abteilung 10 Nutzer, 3 Abteilungen, 8B betreiben", "de", 30),
        ("each of our 4 offices has 15 users, 14B serving", "en", 60),
    ],
)
def test_users_of_several_groups(text: str, lang: Language, users: int) -> None:
    assert request(text, lang)["serving"] == {"users": users}


def test_a_place_in_a_rack_is_no_price_of_a_card() -> None:
    found = request("Colocation 250 €/Monat, gekaufte H100, 70B Inferenz", "de")
    assert found["quotes"] == {"colocation_per_month": 250}
    assert [(one["gpu"], one["count"]) for one in found["hardware"]] == [("H100 SXM5 80GB", 1)]


def test_a_place_in_a_rack_is_told_in_the_currency_of_the_purchase() -> None:
    same = quotes("H100 for 28k USD, colocation 200 USD/month, rent 2.10 USD/h", "en")
    other = quotes("H100 for 28k USD, colocation 200 EUR/month, rent 2.10 USD/h", "en")
    assert same["colocation_per_month"] == 200
    assert 200 < other["colocation_per_month"] < 260
