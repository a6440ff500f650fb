"""Training time: the published worked examples, the effect of each setting, and the table left out row by row."""

import statistics

import pytest

from engine.catalogue import catalogue
from engine.memory import typical_architecture
from engine.request import Dataset, Training
from engine.throughput import implausible_rows, plausible, power, run_of, synchronisation, tokens_seen
from engine.throughput.flops import flop_per_token, step_of
from engine.throughput.links import scaling
from engine.throughput.measured import achieved, sharding_of, step_of_row
from engine.throughput.utilisation import utilised

KNOWN = catalogue()
DATA = Dataset(tokens=1e7, epochs=3)


def hours(size: float, method: str, gpu: str, count: int = 1, data: Dataset = DATA, **training: object):
    found = run_of(typical_architecture(size), method, KNOWN.gpus[gpu], count, data, Training.model_validate(training), KNOWN)
    assert found is not None
    return found.low.magnitude, found.typical.magnitude, found.high.magnitude


def predicted(row) -> float:
    """Tokens per second per card of a row, from all the other rows."""
    card, step = KNOWN.gpus[row.gpu], step_of_row(row)
    others = [one for one in KNOWN.speeds if one is not row]
    found = achieved(step, card, KNOWN, others, row.count) or utilised(step, card, KNOWN)
    assert found is not None
    return found.typical * scaling(card, row.count, sharding_of(row), step.kind, KNOWN) / flop_per_token(step, KNOWN)


def test_each_measured_row_is_met_by_the_others():
    """Median factor within 1.3, ninety in a hundred within 2; the table is printed with -s."""
    factors = []
    for row in filter(lambda one: plausible(one, KNOWN), KNOWN.speeds):
        ratio = predicted(row) / row.tokens_per_second_per_gpu
        factors.append(max(ratio, 1 / ratio))
        print(f"{row.model:16} {row.method:14} {row.gpu:12} x{row.count:<5} {row.tokens_per_second_per_gpu:10.1f} {ratio:6.2f}")
    factors.sort()
    middle, most = statistics.median(factors), factors[int(0.9 * len(factors))]
    print(f"{len(factors)} rows: median {middle:.3f}, 90 % within {most:.3f}, worst {factors[-1]:.2f}")
    assert len(factors) > 100
    assert middle <= 1.3
    assert most <= 2


def test_rows_no_card_could_have_done_are_not_used():
    assert {(row.gpu, row.quality.split(":")[0].split(" ")[0]) for row in implausible_rows(KNOWN)} == {
        ("dgxspark", "IMPLAUSIBLE"),
        ("rtxa6000", "IMPLAUSIBLE"),
    }


def test_the_guard_looks_at_the_arithmetic_and_not_at_the_label():
    import dataclasses

    row = next(one for one in KNOWN.speeds if one.gpu == "rtxa6000")
    assert not plausible(dataclasses.replace(row, quality="measured"), KNOWN)
    assert plausible(dataclasses.replace(row, quality="measured", tokens_per_second_per_gpu=row.tokens_per_second_per_gpu / 2), KNOWN)


@pytest.mark.parametrize(
    ("size", "method", "gpu", "count", "published"),
    [
        (8, "lora", "rtx4090", 1, 4.0),
        (8, "lora", "a100-80-sxm", 1, 2.7),
        (8, "lora", "h100-sxm", 1, 0.8),
        (8, "full", "a100-80-sxm", 8, 0.4),
        (70, "qlora", "a100-80-sxm", 1, 27),
        (70, "qlora", "rtx4090", 2, 17.5),
    ],
)
def test_worked_examples(size, method, gpu, count, published):
    """30 M tokens: e.g. 4 x 8.03e9 x 3e7 / (0.40 x 165.2e12) / 3600 = 4.0 h on one 4090, attention not counted."""
    _, typical, _ = hours(size, method, gpu, count)
    assert published / 1.5 < typical < published * 1.5


def test_7b_from_scratch_on_64_h100():
    """6 x 7e9 x 140e9 / (64 x 0.38 x 989e12) / 3600 = 68 h"""
    _, typical, _ = hours(7, "pretrain", "h100-sxm", 64, Dataset(tokens=140e9))
    assert 68 / 1.4 < typical < 68 * 1.4


def test_from_scratch_without_data_takes_twenty_tokens_a_parameter():
    found = tokens_seen(typical_architecture(7), "pretrain", None, None, KNOWN)
    assert found is not None
    assert found.seen == pytest.approx(1.4e11)
    assert found.assumed == {"dataset.tokens": pytest.approx(1.4e11)}


def test_tokens_of_rows():
    found = tokens_seen(typical_architecture(8), "lora", Dataset(rows=1000, tokens_per_row=300, epochs=2), None, KNOWN)
    assert found is not None
    assert (found.seen, dict(found.assumed)) == (600_000, {})
    found = tokens_seen(typical_architecture(8), "lora", Dataset(rows=1000), None, KNOWN)
    assert found is not None
    assert set(found.assumed) == {"dataset.epochs", "dataset.tokens_per_row"}
    assert tokens_seen(typical_architecture(8), "lora", None, None, KNOWN) is None


def test_preference_rows_are_chosen_and_rejected():
    data = Dataset(rows=1000, tokens_per_row=300, epochs=1)
    plain, pairs = (tokens_seen(typical_architecture(8), "lora", data, stage, KNOWN) for stage in ("sft", "dpo"))
    assert plain is not None
    assert pairs is not None
    assert pairs.seen == 2 * plain.seen


def test_flops_of_a_token():
    """7B with 32 layers of 4,096: attention adds 12 x 32 x 4,096 x 2,048 / (6 x 7e9) = 7.7 % at 2,048 and 31 % at 8,192."""
    shape = typical_architecture(7)
    bare = [6 * 7e9, 4 * 7e9]
    for method, base in zip(("full", "lora"), bare, strict=True):
        step = step_of(shape, method, 2048)
        assert flop_per_token(step, KNOWN) == pytest.approx(base + 12 * shape.layers * shape.hidden * 2048)


def test_longer_rows_and_larger_models_never_take_less_time():
    assert hours(8, "lora", "rtx4090", sequence_length=8192)[1] > hours(8, "lora", "rtx4090", sequence_length=2048)[1]
    assert hours(14, "lora", "rtx4090")[1] > hours(8, "lora", "rtx4090")[1]
    assert hours(8, "lora", "rtx4090", data=Dataset(tokens=1e7, epochs=6))[1] == pytest.approx(2 * hours(8, "lora", "rtx4090")[1])


def test_ranges_hold_the_typical_hours():
    for gpu in KNOWN.gpus.values():
        found = run_of(typical_architecture(8), "qlora", gpu, 1, DATA, None, KNOWN)
        if found is not None:
            assert found.low.magnitude < found.typical.magnitude < found.high.magnitude


def test_qlora_is_slower_than_lora_where_only_the_class_is_known():
    assert hours(8, "qlora", "l40s")[1] == pytest.approx(1.3 * hours(8, "lora", "l40s")[1])


def test_experts_follow_active_parameters():
    mixture = run_of(typical_architecture(30, 3), "full", KNOWN.gpus["h100-sxm"], 8, DATA, None, KNOWN)
    dense = run_of(typical_architecture(30), "full", KNOWN.gpus["h100-sxm"], 8, DATA, None, KNOWN)
    assert mixture is not None
    assert dense is not None
    assert mixture.typical.magnitude < dense.typical.magnitude / 3


def test_gradient_traffic_of_7b_over_pcie_is_044_seconds():
    """7e9 x 2 B x 2 (n - 1) / n = 14 GB over 32 GB/s = 0.4375 s for two cards, 21 GB and 0.66 s for four."""
    shape = typical_architecture(7)
    two, four = (synchronisation(shape, "full", KNOWN.gpus["rtx4090"], count, "ddp", KNOWN) for count in (2, 4))
    assert two == pytest.approx(0.4375)
    assert four == pytest.approx(0.65625)


def test_gradient_traffic_over_nvlink_is_far_less():
    """14 GB over 300 GB/s in one direction = 0.047 s"""
    shape = typical_architecture(7)
    assert synchronisation(shape, "full", KNOWN.gpus["a100-80-sxm"], 2, "ddp", KNOWN) == pytest.approx(0.0467, rel=0.01)
    bridged, bare = (synchronisation(shape, "full", KNOWN.gpus["rtx3090"], 2, "ddp", KNOWN, nvlink=said) for said in (True, None))
    assert bridged is not None
    assert bare is not None
    assert bridged < bare


def test_adapters_travel_light():
    found = synchronisation(typical_architecture(7), "lora", KNOWN.gpus["rtx4090"], 2, "ddp", KNOWN)
    assert found is not None
    assert found < 0.01


def test_one_card_has_no_traffic():
    assert synchronisation(typical_architecture(7), "full", KNOWN.gpus["rtx4090"], 1, "none", KNOWN) is None


def test_more_cards_never_slow_a_run_down():
    for gpu in ("rtx4090", "a100-80-sxm"):
        taken = [hours(8, "qlora", gpu, count)[1] for count in (1, 2, 4, 8)]
        assert taken == sorted(taken, reverse=True)


def test_energy_of_a_run():
    """One 4090 with its host: (450 + 170 + 150) W x hours."""
    found = run_of(typical_architecture(8), "lora", KNOWN.gpus["rtx4090"], 1, DATA, None, KNOWN)
    assert found is not None
    assert found.energy.m_as("kW*hour") == pytest.approx(0.770 * found.typical.magnitude)


def test_power_of_measured_machines():
    """Four RTX 4090 drew 2,080 W, a server of eight H100 10.2 kW."""
    assert power(KNOWN.gpus["rtx4090"], 4, KNOWN) == pytest.approx(2_080, rel=0.03)
    assert power(KNOWN.gpus["h100-sxm"], 8, KNOWN) == pytest.approx(10_200)


def test_what_has_no_time():
    shape, card = typical_architecture(8), KNOWN.gpus["rtx4090"]
    assert run_of(shape, "serve", card, 1, DATA, None, KNOWN) is None
    assert run_of(shape, "lora", card, 1, None, None, KNOWN) is None
    assert run_of(shape, "lora", card, 1, DATA, None, KNOWN, stage="rl") is None
