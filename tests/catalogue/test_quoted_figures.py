"""The numbers the articles quote, each with its arithmetic; what does not reproduce stands as such. They are quoted, never laws."""

import math

import pytest

from engine.catalogue import Catalogue, catalogue


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


def _offer(known: Catalogue, start: str) -> float:
    return next(one.per_gpu_hour for one in known.offers if one.id.startswith(start))


def test_full_fine_tuning_is_16_bytes_a_parameter(known: Catalogue) -> None:
    per_parameter = known.figure("quoted_full_adamw").typical
    assert per_parameter == 2 + 2 + 12
    assert 8 * per_parameter == 128
    assert 8 * per_parameter + known.figure("quoted_full_activations_8b").typical == 140
    assert 13 * per_parameter == 208
    assert math.ceil(208 / known.gpus["rtxpro6000ws"].memory_nominal) == 3


def test_7b_with_an_8_bit_optimizer_is_70_gb_by_two_ways(known: Catalogue) -> None:
    assert known.figure("quoted_full_7b_8bit").typical == 14 + 14 + 42
    assert 7 * (2 + 2 + 2 + 4) == 70  # weights, gradients, two 8-bit moments, fp32 copy


def test_the_table_of_67_gb_contradicts_16_bytes(known: Catalogue) -> None:
    for size, quoted in ((7, "quoted_full_7b"), (13, "quoted_full_13b"), (30, "quoted_full_30b")):
        assert known.figure(quoted).typical / size == pytest.approx(9.6, abs=0.05)
    assert known.figure("quoted_full_7b").typical < 7 * known.figure("quoted_full_adamw").typical


def test_lora_and_qlora_save_four_to_fourteen_times(known: Catalogue) -> None:
    for size in ("7b", "13b", "30b"):
        full = known.figure(f"quoted_full_{size}").typical
        assert 4 < full / known.figure(f"quoted_lora_{size}").typical < 5
        assert 13 < full / known.figure(f"quoted_qlora_{size}").typical < 14.5
        assert known.figure(f"quoted_inference_{size}").typical == 2 * int(size[:-1])


def test_q4_is_half_a_byte_and_training_about_twenty_times(known: Catalogue) -> None:
    assert 8 * known.figure("q4_bytes_per_parameter").typical == 4
    assert 140 / known.figure("quoted_inference_q4_8b").typical == pytest.approx(23.3, abs=0.1)
    assert known.figure("quoted_fp32_70b").typical == 70 * 4
    assert math.ceil(280 / 16) == 18


def test_the_server_of_the_article_is_card_and_platform(known: Catalogue) -> None:
    card = next(one.low for one in known.listings if one.gpu == "rtx6000ada" and one.kind == "street")
    assert card + known.figure("host_price_one_card").typical == pytest.approx(10_706.88)
    assert known.figure("quoted_own_server").typical == pytest.approx(10_706.88, abs=10)
    cards = sorted(one.low for one in known.listings if one.gpu == "rtxpro6000ws" and one.market == "DE" and one.count == 1)
    assert [3 * one for one in cards] == [28_797, 38_370]


def test_the_hourly_price_is_the_monthly_one_over_624_hours(known: Catalogue) -> None:
    capped, monthly = (one for one in known.offers if one.provider == "Hetzner" and one.instance == "GEX131")
    assert capped.per_hour == pytest.approx(889 / 624, abs=1e-4)
    assert monthly.per_gpu_hour == pytest.approx(889 / known.figure("hours_per_month").typical, abs=1e-4)
    small = next(one for one in known.offers if one.instance == "GEX44")
    assert small.per_gpu_hour == pytest.approx(184 / 730, abs=1e-4)


def test_break_even_and_use(known: Catalogue) -> None:
    assert 10_700 / _offer(known, "hetzner-rtxpro6000mq-2026") == pytest.approx(7_510, abs=1)
    assert known.figure("quoted_break_even").typical / (3 * 52) == pytest.approx(48, abs=0.1)
    hours = known.figure("training_hours_month").typical * 12
    assert hours == 144
    assert hours / known.figure("hours_per_year").typical == pytest.approx(0.016, abs=0.0005)
    assert known.figure("hours_per_month").typical == known.figure("hours_per_year").typical / 12


def test_power_of_a_run_and_of_the_supply(known: Catalogue) -> None:
    energy = known.figure("run_power").typical / 1000 * 30
    assert energy * known.figure("tariff_default").typical == pytest.approx(10.8)
    load = 2 * (known.gpus["rtx4090"].power or 0) + known.figure("host_cpu_power").typical + known.figure("host_board_power").typical
    assert load == 1_220
    needed = load * (1 + known.figure("power_supply_reserve").typical)
    sizes = sorted(one.typical for name, one in known.figures.items() if name.removeprefix("power_supply_").isdigit())
    assert next(size for size in sizes if size >= needed) == 1_600
    assert load / (1 - 0.30) == pytest.approx(1_743, abs=1)  # another reading of 30 %, not the one meant
    assert 30 * known.figure("throttling_slowdown").typical == pytest.approx(40, abs=0.01)


def test_gradients_of_7b_over_pcie(known: Catalogue) -> None:
    assert 14 / known.figure("pcie4_bandwidth").typical == pytest.approx(0.4375)
    assert 14 / known.figure("pcie4_bandwidth_usable").typical == 0.56


def test_hyperscalers_cost_three_to_six_times_the_specialists(known: Catalogue) -> None:
    factor = known.figure("hyperscaler_factor")
    aws, azure = _offer(known, "aws-h100-sxm-x8-2026-07-29"), _offer(known, "azure-h100-sxm-x8-2026-07-29")
    specialist = _offer(known, "article-specialist-clouds-h100")
    assert (aws, azure, specialist) == (6.88, 12.29, 2.0)
    assert factor.low <= aws / specialist <= azure / specialist <= 6.2
    assert factor.high == 6


def test_frontier_run(known: Catalogue) -> None:
    assert known.figure("quoted_frontier_run").typical == 15_000 * 30 * 24 * 3


def test_published_ranges_of_break_even_use_only_one_end(known: Catalogue) -> None:
    h100 = next(one for one in known.listings if one.gpu == "h100-any" and one.kind == "article")
    rates = [one.per_gpu_hour for one in known.offers if one.gpu == "h100-any" and one.source == "llm-training-cost"]
    assert (h100.low / max(rates), h100.high / min(rates)) == (7_500, 16_000)  # the article says 10,000-16,000


def test_a_self_hosting_cost_is_far_below_any_rent_of_the_card(known: Catalogue) -> None:
    assert known.figure("quoted_a800_self_hosting").high < 2.82


def test_licence_is_that_of_geforce_and_titan(known: Catalogue) -> None:
    assert known.figure("geforce_licence_date").typical == 20250225
    assert known.gpus["rtx4090"].geforce_licence
    assert known.gpus["titanrtx"].geforce_licence
    assert not known.gpus["rtx6000ada"].geforce_licence
