"""What stands around the machine they own or would buy: enters a case with its plans, leave the facts that apply to it, with numbers.

Facts, not warnings: power, circuit, heat, slots, links, licence, price of the generation, depreciation. The words are templates
(`templates/surroundings/`); every constant is a figure, named in the facts under `figures`, and reaches the sources that way.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine import machine_facts
from engine.catalogue import Figure, Gpu
from engine.quotes import answer_currency
from engine.recommendation import Plan, Verdict
from engine.rules.case import Case
from engine.rules.rule import Rule, fired, warn
from engine.throughput import power
from engine.units import magnitude, quantity

MITTELSTAND = "mittelstand-training-server"
GPU_ARTICLE = "cost-effective-gpu"
_HALF = 0.5  # a fraction of a card
_MODULES = 8  # of one server


def surroundings_of(case: Case) -> tuple[Verdict, ...]:
    """The facts around the machine, those of power first."""
    return fired(RULES, case)


def figures_of(facts: Iterable[Verdict], case: Case) -> tuple[Figure, ...]:
    """The figures behind the facts."""
    return tuple(case.figure(name) for fact in facts for name in fact.facts.get("figures", ()))


def _plan(case: Case, acquisition: str) -> Plan | None:
    """The best plan of a way, with cards, for the whole task."""
    return next((one for one in case.plans if one.acquisition == acquisition and one.gpu is not None and not one.gives_up), None)


def _owns(case: Case) -> bool:
    return case.acquisition is not None and case.acquisition.verdict == "owned"


def _cards(case: Case) -> tuple[tuple[Gpu, int], ...]:
    """The cards of the machine that does it: what they own and is used, else what would be bought."""
    if _owns(case):
        return case.cards_with_count
    plan = _plan(case, "buy")
    return () if plan is None or plan.gpu is None else ((plan.gpu, plan.count or 1),)


def _in_a_case(case: Case) -> tuple[tuple[Gpu, int], ...]:
    """Cards that stand in slots, in a room of theirs: neither laptops nor modules, nor in somebody's data centre."""
    cards = _cards(case)
    slots = all("PCIe" in card.form_factor and card.power for card, _ in cards)
    return cards if slots and case.nodes == 1 and case.request.site != "colocation" else ()


def _count(case: Case) -> int:
    return sum(count for _, count in _cards(case))


def _consumer_cards(case: Case) -> int:
    return sum(count for card, count in _cards(case) if card.geforce_licence)


def _most_consumer_cards(case: Case) -> Mapping[str, Any]:
    most = case.figure("consumer_cards_max")
    return {"count": _consumer_cards(case), "low": most.low, "high": most.high, "figures": (most.id,)}


def _power_supply(case: Case) -> Mapping[str, Any]:
    cards = _in_a_case(case)
    return {
        "watts": machine_facts.power_supply(cards, case.catalogue),
        "load": machine_facts.load(cards, case.catalogue),
        "reserve": case.figure("power_supply_reserve").typical,
        "figures": ("host_cpu_power", "host_board_power", "power_supply_reserve"),
    }


def _circuit(case: Case) -> Mapping[str, Any]:
    share = machine_facts.circuit_load(_in_a_case(case), case.catalogue)
    return {"share": share, "watts": case.figure("socket_power_continuous").quantity, "figures": ("socket_power_continuous",)}


def _heat(case: Case) -> Mapping[str, Any]:
    cards = _in_a_case(case)
    warms = machine_facts.warms_an_office(cards, case.catalogue) and case.request.site != "server_room"
    known = {"watts": machine_facts.heat(cards, case.catalogue), "warms": warms}
    if not warms:
        return known
    area = case.figure("office_area").typical
    slower = case.figure("throttling_slowdown").typical - 1
    return {**known, "area": area, "slower": slower, "figures": ("office_heat_limit", "office_area", "throttling_slowdown")}


def _modules(case: Case) -> bool:
    """A whole server of modules."""
    return any(count >= _MODULES and ("SXM" in card.form_factor or "OAM" in card.form_factor) for card, count in _cards(case))


def _server(case: Case) -> Mapping[str, Any]:
    watts = sum(power(card, count, case.catalogue) or 0.0 for card, count in _cards(case))
    return {"watts": quantity(watts, "W"), "figures": ("measured_8xh100_power",)}


def _links(case: Case) -> Mapping[str, Any]:
    """Seconds of traffic in a step; of a bought machine sharded as planned."""
    plan, sizing, card = _plan(case, "buy"), case.sizing, _cards(case)[0][0]
    if sizing is not None and plan is not None and sizing.fit.sharding is None:
        sizing = replace(sizing, fit=replace(sizing.fit, sharding=plan.sharding))
    seconds = None if sizing is None else machine_facts.gradient_synchronisation(sizing, _count(case), case.catalogue, card)
    generation = f"pcie{min(max(card.pcie_generation or 4, 3), 5)}_bandwidth"
    return {"seconds": seconds, "figures": (generation, "pcie_usable_share") if seconds is not None else ()}


def _over_pcie(case: Case) -> bool:
    joined = case.has_nvlink if _owns(case) else any(card.nvlink and card.nvlink_max_cards > 2 for card, _ in _cards(case))
    return case.trains and _count(case) > 1 and not joined


def _half_is_enough(case: Case) -> bool:
    """One card whose half would hold the task."""
    cards = _cards(case)
    if case.sizing is None or len(cards) != 1 or cards[0][1] != 1 or cards[0][0].unified:
        return False
    return magnitude(case.sizing.footprint.expected, "byte") <= cards[0][0].usable * _HALF


def _newest(case: Case) -> bool:
    return not _owns(case) and any(machine_facts.is_newest_generation(card, case.catalogue) for card, _ in _cards(case))


def _generation(case: Case) -> Mapping[str, Any]:
    card = _cards(case)[0][0]
    return {"card": card.name, "generation": machine_facts.generation(card), "premium": machine_facts.over_list_price(card, case.catalogue)}


def _provider(case: Case) -> str | None:
    """Who rents out the best rented plan; nobody where what they own does it."""
    return None if _owns(case) else next((plan.provider for plan in case.plans if plan.acquisition == "rent" and plan.provider), None)


def _pays_purchase(case: Case) -> bool:
    return not _owns(case) and any(plan.acquisition == "buy" and not plan.gives_up for plan in case.plans)


RULES: tuple[Rule, ...] = (
    Rule("power-supply", lambda case: bool(_in_a_case(case)), warn("power_supply"), MITTELSTAND, _power_supply),
    Rule("circuit", lambda case: bool(_in_a_case(case)), warn("circuit"), "general-knowledge", _circuit),
    Rule("heat", lambda case: bool(_in_a_case(case)), warn("heat"), MITTELSTAND, _heat),
    Rule("server-of-modules", _modules, warn("server_of_modules"), "general-knowledge", _server),
    Rule(
        "rack-airflow",
        lambda case: bool(_in_a_case(case)) and machine_facts.needs_rack_airflow(_cards(case)),
        warn("rack_airflow"),
        MITTELSTAND,
        lambda case: {"card": _cards(case)[0][0].name},
    ),
    Rule(
        "many-consumer-cards",
        lambda case: _consumer_cards(case) > case.figure("consumer_cards_max").low,
        warn("many_consumer_cards"),
        GPU_ARTICLE,
        _most_consumer_cards,
    ),
    Rule(
        "second-slot",
        lambda case: bool(_in_a_case(case)) and _count(case) > 1 and not machine_facts.needs_rack_airflow(_cards(case)),
        warn("second_slot"),
        MITTELSTAND,
        lambda case: {"count": _count(case), "figures": ("consumer_board_cards",)},
    ),
    Rule("links", _over_pcie, warn("links"), MITTELSTAND, _links),
    Rule(
        "geforce-licence",
        lambda case: _consumer_cards(case) > 0,
        warn("geforce_licence"),
        "nvidia-geforce-licence",
        lambda case: {"site": case.request.site},
    ),
    Rule(
        "no-ecc",
        lambda case: case.trains and any(not card.corrects_errors for card, _ in _cards(case)),
        warn("no_ecc"),
        MITTELSTAND,
        lambda case: {"card": next(card.name for card, _ in _cards(case) if not card.corrects_errors)},
    ),
    Rule(
        "half-a-card",
        _half_is_enough,
        warn("half_a_card"),
        "memory-fraction-benchmark",
        lambda case: {"share": case.figure("fraction_throughput").typical, "figures": ("fraction_throughput",)},
    ),
    Rule("newest-generation", _newest, warn("newest_generation"), GPU_ARTICLE, _generation),
    Rule(
        "telemetry",
        lambda case: any(card.vendor == "NVIDIA" and not card.unified for card, _ in _cards(case)),
        warn("telemetry"),
        MITTELSTAND,
    ),
    Rule(
        "check-availability",
        lambda case: _provider(case) is not None,
        warn("check_availability"),
        MITTELSTAND,
        lambda case: {"provider": _provider(case)},
    ),
    Rule(
        "depreciation",
        lambda case: _pays_purchase(case) and answer_currency(case.request) == "EUR",
        warn("depreciation"),
        "bmf-useful-life",
        lambda case: {"years": case.figure("useful_life_computers").typical, "figures": ("useful_life_computers",)},
    ),
)
