"""What a machine needs around its cards: the arithmetic of the domain brief, redone by hand."""

import pytest

from engine.catalogue import catalogue
from engine.machine_facts import (
    beyond_a_consumer_build,
    circuit_load,
    corrects_errors,
    gradient_synchronisation,
    heat,
    licence_bars,
    link_bandwidth,
    load,
    needs_rack_airflow,
    power_supply,
    ring,
    warms_an_office,
)
from engine.placement import fit_of
from engine.recommendation import Sizing
from engine.request import Request
from engine.subject import subject_of

CATALOGUE = catalogue()
CARDS = CATALOGUE.gpus


def sized(request: dict[str, object], method: str) -> Sizing:
    subject = subject_of(Request.model_validate(request), CATALOGUE)
    return fit_of(subject, subject.architectures[0], method)  # type: ignore[arg-type]


def test_two_4090s_need_1600_watts() -> None:
    """2 x 450 + 170 + 150 = 1,220 W; x 1.3 = 1,586 W; next standard size 1,600 W."""
    pair = [(CARDS["rtx4090"], 2)]
    assert load(pair, CATALOGUE).m_as("W") == 1220
    assert power_supply(pair, CATALOGUE).m_as("W") == 1600
    assert heat(pair, CATALOGUE).m_as("W") == 1220


@pytest.mark.parametrize(("card", "count", "watts"), [("t4", 1, 850), ("rtx4090", 1, 1200), ("rtx6000ada", 1, 850), ("h100-sxm", 8, 8000)])
def test_next_standard_size(card: str, count: int, watts: float) -> None:
    """390 x 1.3 = 507; 770 x 1.3 = 1,001 (just above 1,000); 620 x 1.3 = 806; 5,920 x 1.3 = 7,696 W."""
    assert power_supply([(CARDS[card], count)], CATALOGUE).m_as("W") == watts


def test_above_the_largest_size_it_takes_several() -> None:
    """16 x 700 + 320 = 11,520 W; x 1.3 = 14,976 W: two of 12,000 W."""
    assert power_supply([(CARDS["h100-sxm"], 16)], CATALOGUE).m_as("W") == 24000


def test_a_socket_carries_two_4090s_but_not_six() -> None:
    """16 A x 230 V x 80 % = 2,944 W: 1,220 W is 41 % of it, 3,020 W is 103 %."""
    assert circuit_load([(CARDS["rtx4090"], 2)], CATALOGUE) == pytest.approx(1220 / 2944)
    assert circuit_load([(CARDS["rtx4090"], 6)], CATALOGUE) > 1


def test_an_office_warms_from_1200_watts_on() -> None:
    assert warms_an_office([(CARDS["rtx4090"], 2)], CATALOGUE)
    assert not warms_an_office([(CARDS["rtx4090"], 1)], CATALOGUE)


def test_ring_of_two_sends_the_gradients_once() -> None:
    """2 (n - 1) / n x 14 GB: 14 GB for two cards, 21 GB for four."""
    assert ring(14e9, 2) == 14e9
    assert ring(14e9, 4) == 21e9


def test_full_7b_on_two_cards_synchronises_for_over_half_a_second() -> None:
    """7B in 16 bit = 14 GB; at 25 of 32 GB/s 0.56 s (0.44 s at the nominal rate)."""
    plain = {"models": [{"params_b": 7}], "hardware": [{"gpu": "A100 80GB PCIe", "count": 2}], "training": {"sharding": "ddp"}}
    seconds = gradient_synchronisation(sized(plain, "full"), 2, CATALOGUE)
    assert seconds is not None
    assert seconds.m_as("s") == pytest.approx(14 / (32 * 0.78), rel=0.01)


def test_adapters_hardly_load_the_link() -> None:
    """16 bit LoRA on 7B: some 40 million trained numbers in fp32, below 0.2 GB: a few milliseconds."""
    two = {"models": [{"params_b": 7}], "hardware": [{"gpu": "RTX 3090", "count": 2}]}
    seconds = gradient_synchronisation(sized(two, "lora"), 2, CATALOGUE)
    assert seconds is not None
    assert 0 < seconds.m_as("s") < 0.02


def test_sharded_weights_travel_three_times() -> None:
    """13B in 16 bit = 26 GB over two cards: 3 x 26 x 1/2 = 39 GB, 1.56 s at 25 GB/s."""
    two = {"models": [{"params_b": 13}], "hardware": [{"gpu": "RTX 3090", "count": 2}]}
    sizing = sized(two, "lora")
    assert sizing.fit.sharding == "fsdp"
    seconds = gradient_synchronisation(sizing, 2, CATALOGUE)
    assert seconds is not None
    assert seconds.m_as("s") == pytest.approx(39 / 25, rel=0.05)


def test_one_card_and_servers_synchronise_nothing() -> None:
    one = {"models": [{"params_b": 7}], "hardware": [{"gpu": "RTX 3090"}]}
    assert gradient_synchronisation(sized(one, "lora"), 1, CATALOGUE) is None
    assert gradient_synchronisation(sized(one, "serve"), 2, CATALOGUE) is None


def test_layers_over_the_cards_send_no_gradients() -> None:
    eight = {"models": [{"params_b": 70}], "hardware": [{"gpu": "RTX 4090", "count": 8}]}
    sizing = sized(eight, "lora8")
    assert sizing.fit.sharding == "pipeline"
    assert gradient_synchronisation(sizing, 8, CATALOGUE) is None


def test_link_follows_the_generation_of_the_card() -> None:
    assert link_bandwidth(CATALOGUE) == pytest.approx(25e9, rel=0.01)
    assert link_bandwidth(CATALOGUE, CARDS["rtx5090"]) == pytest.approx(50e9, rel=0.01)
    assert link_bandwidth(CATALOGUE, CARDS["t4"]) == pytest.approx(12.5e9, rel=0.01)


@pytest.mark.parametrize(("count", "beyond"), [(8, False), (9, True), (18, True)])
def test_consumer_build_ends_at_eight_cards(count: int, beyond: bool) -> None:
    assert beyond_a_consumer_build([(CARDS["rtx4090"], count)], CATALOGUE) is beyond
    assert not beyond_a_consumer_build([(CARDS["h100-sxm"], count)], CATALOGUE)


def test_passive_cards_need_a_rack() -> None:
    assert needs_rack_airflow([(CARDS["l40s"], 1)])
    assert not needs_rack_airflow([(CARDS["rtx6000ada"], 1)])


def test_geforce_licence_bars_colocation_only() -> None:
    assert licence_bars([(CARDS["rtx4090"], 1)], "colocation")
    assert not licence_bars([(CARDS["rtx4090"], 1)], "office")
    assert not licence_bars([(CARDS["rtx6000ada"], 1)], "colocation")


def test_ecc() -> None:
    assert corrects_errors(CARDS["rtx6000ada"])
    assert corrects_errors(CARDS["a100-80-sxm"])
    assert not corrects_errors(CARDS["rtx3090"])
