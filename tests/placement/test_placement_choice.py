"""What hardware can do and what a step can run on: reverse questions, candidates, the default method."""

from typing import Any

import pytest

from engine.catalogue import catalogue
from engine.placement import Candidate, candidates, default_training_method, fit_of, how_many, largest, smallest_card
from engine.recommendation import Largest
from engine.request import Method, Request
from engine.subject import Subject, subject_of

CATALOGUE = catalogue()


def subject(**asked: Any) -> Subject:
    return subject_of(Request.model_validate(asked), CATALOGUE)


def of(method: Method, hardware: list[dict[str, Any]], **asked: Any) -> list[Largest]:
    return [one for one in largest(subject(hardware=hardware, **asked)) if one.method == method]


def size(one: Largest) -> float:
    assert one.model.params_b is not None
    return one.model.params_b


# the largest model


@pytest.mark.parametrize(("method", "low", "high"), [("lora", 8, 10), ("qlora", 24, 32), ("full", 1, 1.6), ("serve", 28, 40)])
def test_one_24_gb_card(method: Method, low: float, high: float) -> None:
    """25.3 GB: 2 B/parameter and logits for LoRA, 0.55 B and activations for QLoRA, 16 B for full."""
    (found,) = of(method, [{"gpu": "RTX 4090"}])
    assert low <= size(found) <= high
    assert found.sharding == "none"
    assert found.example


@pytest.mark.parametrize(("method", "low", "high"), [("lora", 12, 20), ("qlora", 38, 75)])
def test_two_cards_hold_more_sharded_but_are_not_one(method: Method, low: float, high: float) -> None:
    sharded, alone = of(method, [{"gpu": "RTX 3090", "count": 2}])
    assert sharded.sharding == "fsdp"
    assert alone.sharding == "none"
    assert low <= size(sharded) <= high
    assert size(alone) < size(sharded) < 2.2 * size(alone)
    assert size(alone) == size(of(method, [{"gpu": "RTX 3090"}])[0])


def test_plain_data_parallel_holds_what_one_card_holds() -> None:
    (found,) = of("lora", [{"gpu": "RTX 3090", "count": 2}], training={"sharding": "ddp"})
    assert size(found) == pytest.approx(size(of("lora", [{"gpu": "RTX 3090"}])[0]), rel=0.05)


def test_unified_memory_is_one_device() -> None:
    (found,) = of("lora", [{"gpu": "M2 Ultra", "memory_gb": 192}])
    assert found.sharding == "none"
    assert 55 <= size(found) <= 72


def test_only_the_methods_asked_about() -> None:
    assert {one.method for one in largest(subject(hardware=[{"gpu": "T4"}], methods=["qlora"]))} == {"qlora"}
    assert {one.method for one in largest(subject(hardware=[{"gpu": "T4"}]))} == {"lora", "qlora", "full", "serve"}


def test_the_methods_keep_their_order_of_size() -> None:
    sizes = {one.method: size(one) for one in largest(subject(hardware=[{"gpu": "RTX 4090"}]))}
    assert sizes["full"] < sizes["lora"] < sizes["qlora"]


def test_longer_rows_leave_room_for_less() -> None:
    short = of("lora", [{"gpu": "RTX 4090"}], training={"sequence_length": 1024})
    long = of("lora", [{"gpu": "RTX 4090"}], training={"sequence_length": 8192})
    assert size(long[0]) < size(short[0])


@pytest.mark.parametrize("asked", [{}, {"hardware": []}, {"hardware": [{"memory_gb": 64, "kind": "ram"}]}, {"hardware": [{"gpu": "A100"}]}])
def test_without_cards_nothing_is_said(asked: dict[str, Any]) -> None:
    assert largest(subject(**asked)) == ()


# candidates


def found(model: dict[str, Any], method: Method, **asked: Any) -> dict[str, Candidate]:
    one = subject(models=[model], **asked)
    return {candidate.gpu.id: candidate for candidate in candidates(one.architectures[0], method, one.request, CATALOGUE)}


def test_8b_lora_starts_on_one_24_gb_card() -> None:
    cards = found({"name": "llama-3.1-8b"}, "lora")
    first = next(iter(cards.values()))
    assert (first.gpu.memory_nominal, first.count, first.sharding) == (24, 1, "none")
    assert cards["rtx4090"].count == 1


def test_smallest_machine_first() -> None:
    sizes = [one.gpu.memory_nominal * one.count for one in found({"params_b": 32}, "qlora").values()]
    assert sizes == sorted(sizes)


def test_full_70b_takes_whole_nodes_of_data_centre_cards() -> None:
    """70.6B x 16 B = 1.13 TB of states: 8 x 80 GB = 640 GB are too little, 32 x 80 GB are the reported floor."""
    cards = found({"name": "llama-3.1-70b"}, "full")
    assert cards["h100-sxm"].count in (16, 24, 32)
    assert cards["h100-sxm"].nodes == cards["h100-sxm"].count // 8
    assert "rtx4090" not in cards
    assert "l4" not in cards


def test_consumer_builds_end_at_eight_cards() -> None:
    assert all(one.count <= 8 for one in found({"params_b": 70}, "lora").values() if one.gpu.geforce_licence)


def test_ecc_excludes_cards_without() -> None:
    free, checked = found({"params_b": 7}, "qlora"), found({"params_b": 7}, "qlora", constraints={"ecc": True})
    assert "rtx3090" in free
    assert "rtx3090" not in checked
    assert checked.keys() < free.keys()


def test_no_laptops_no_announcements_no_modules_no_tpus() -> None:
    for method in ("qlora", "serve"):
        cards = found({"params_b": 3}, method)
        assert not {"rtx4060-laptop", "rubin", "orinnano", "tpuv5e", "trainium2", "gtx1080ti", "p40"} & cards.keys()


def test_unified_memory_serves_but_is_no_candidate_to_train() -> None:
    assert "dgxspark" in found({"params_b": 32}, "serve")
    assert "dgxspark" not in found({"params_b": 32}, "qlora")


def test_what_was_set_counts() -> None:
    """64k rows need more than one 24 GB card."""
    long = found({"name": "llama-3.1-8b"}, "lora", training={"sequence_length": 65536})
    assert next(iter(long.values())).gpu.memory_nominal * next(iter(long.values())).count > 24


@pytest.mark.parametrize(
    ("model", "method", "memory"), [(7, "qlora", (8, 10, 12)), (8, "lora", (24,)), (13, "lora", (32,)), (70, "qlora", (64, 72, 80))]
)
def test_smallest_card(model: float, method: Method, memory: tuple[float, ...]) -> None:
    one = subject(models=[{"params_b": model}])
    card = smallest_card(one.architectures[0], method, one.request, CATALOGUE)
    assert card is not None
    assert card.gpu.memory_nominal in memory


def test_no_single_card_holds_a_full_70b() -> None:
    one = subject(models=[{"params_b": 70}])
    assert smallest_card(one.architectures[0], "full", one.request, CATALOGUE) is None


# the default method


@pytest.mark.parametrize(
    ("model", "hardware", "method"),
    [
        (8, [{"gpu": "RTX 4090"}], "lora"),
        (3.8, [{"gpu": "RTX 4060"}], "qlora"),
        (13, [{"gpu": "RTX 4090"}], "qlora"),
        (32, [{"gpu": "RTX 3090", "count": 2}], "qlora"),
        (70, [{"gpu": "A100 80GB", "count": 8}], "qlora"),
        (70, [{"gpu": "H200", "count": 8}], "qlora"),
        (34, [{"gpu": "RTX 3090", "count": 8}], "lora"),
        (405, [{"gpu": "RTX 3090"}], "qlora"),
        (14.8, None, "lora"),
        (15, None, "qlora"),
        (7, [], "lora"),
        (70, [], "qlora"),
    ],
)
def test_default_method(model: float, hardware: list[dict[str, Any]] | None, method: Method) -> None:
    one = subject(models=[{"params_b": model}], **({} if hardware is None else {"hardware": hardware}))
    assert default_training_method(one, one.architectures[0], CATALOGUE) == method


def test_without_a_model_lora_is_the_default() -> None:
    assert default_training_method(subject(hardware=[{"gpu": "RTX 4090"}]), None, CATALOGUE) == "lora"


def test_who_wants_no_sharding_gets_single_cards_where_one_will_do() -> None:
    assert all(one.count == 1 for one in found({"params_b": 13}, "lora", training={"sharding": "none"}).values())
    assert any(one.count > 1 for one in found({"params_b": 13}, "lora").values())
    assert found({"params_b": 70}, "full", training={"sharding": "none"})


@pytest.mark.parametrize(("card", "method", "count"), [("a100-80-sxm", "qlora", 1), ("rtx4090", "qlora", 4), ("t4", "full", None)])
def test_how_many_of_one_card_a_70b_needs(card: str, method: Method, count: int | None) -> None:
    """QLoRA: 54 GB on one card; 4 x 25 GB hold it sharded, 2 x 25 GB do not at 2,048 tokens."""
    one = subject(models=[{"name": "llama-3.1-70b"}])
    found = how_many(CATALOGUE.gpus[card], one.architectures[0], method, one.request, CATALOGUE)
    assert (found.count if found else None) == count


@pytest.mark.parametrize(("format_", "method"), [("nf4", "qlora"), ("awq4", "qlora"), ("int8", "lora8")])
def test_a_named_quantised_format_decides_the_method(format_: str, method: Method) -> None:
    one = subject(models=[{"params_b": 70}], hardware=[{"gpu": "RTX 3060", "memory_gb": 12}], training={"quantization": format_})
    assert default_training_method(one, one.architectures[0], CATALOGUE) == method


@pytest.mark.parametrize("memory", [6, 11, 12, 16, 24, 32, 48, 64, 80, 141])
@pytest.mark.parametrize("count", [1, 2, 8])
def test_what_is_promised_fits(memory: float, count: int) -> None:
    """Each answer, asked as a question of its own with the same sharding, is a yes or tight."""
    hardware = [{"memory_gb": memory, "count": count}]
    for one in largest(subject(hardware=hardware)):
        asked = subject(models=[{"params_b": size(one)}], hardware=hardware, training={"sharding": one.sharding})
        assert fit_of(asked, asked.architectures[0], one.method).fit.verdict != "no", one
