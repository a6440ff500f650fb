"""Names, sizes and amounts of a request: what they resolve to, what is asked back, what cannot be true."""

from typing import Any

import pytest

from engine.catalogue import catalogue
from engine.recommendation import Option, Question
from engine.request import Request
from engine.subject import Subject, subject_of

GIB = 2**30


def subject(**asked: Any) -> Subject:
    return subject_of(Request.model_validate(asked), catalogue())


def usable_gb(**holding: Any) -> float:
    machine = subject(hardware=[holding]).machine
    assert machine is not None
    return machine.groups[0].usable / 1e9


# cards


@pytest.mark.parametrize(
    ("memory_gb", "low", "high"),
    [
        (8, 8.3, 8.5),
        (12, 12.3, 12.6),
        (16, 16.4, 16.8),
        (24, 25.1, 25.4),
        (32, 33.4, 33.8),
        (40, 42.0, 42.5),
        (80, 84, 85.5),
        (96, 101, 103),
    ],
)
def test_an_unnamed_card_gives_what_its_size_usually_gives(memory_gb: float, low: float, high: float) -> None:
    assert low <= usable_gb(memory_gb=memory_gb) <= high


def test_a_size_nobody_sells_is_nominal_times_the_usual_share() -> None:
    """20.5 GiB x 0.98."""
    assert usable_gb(memory_gb=20.5) == pytest.approx(20.5 * GIB * 0.98 / 1e9)


def test_a_named_card_gives_the_drivers_figure() -> None:
    assert usable_gb(gpu="T4") == pytest.approx(15.7, abs=0.1)
    assert usable_gb(gpu="RTX 4090") == pytest.approx(25.3, abs=0.1)
    assert usable_gb(gpu="T4", memory_gb=15) == usable_gb(gpu="T4")


@pytest.mark.parametrize(
    ("gpu", "memory_gb", "share"),
    [
        ("M2 Ultra", 64, 0.75),
        ("M1 Pro", 16, 0.667),
        ("M3 Max", 128, 0.75),
        ("M4 Max", 128, 0.84),
        ("M4 Max", 64, 0.75),
        ("M3 Ultra", 512, 0.9),
        ("M3 Ultra", 96, 0.75),
        ("DGX Spark", 128, 0.93),
    ],
)
def test_of_unified_memory_the_system_keeps_its_share(gpu: str, memory_gb: float, share: float) -> None:
    assert usable_gb(gpu=gpu, memory_gb=memory_gb) == pytest.approx(memory_gb * GIB * share / 1e9, rel=0.005)


def test_unnamed_unified_memory_takes_the_usual_share() -> None:
    assert usable_gb(memory_gb=64, kind="unified") == pytest.approx(48 * GIB / 1e9)
    assert usable_gb(memory_gb=16, kind="unified") == pytest.approx(16 * 0.667 * GIB / 1e9)


@pytest.mark.parametrize(
    ("gpu", "sizes"),
    [
        ("A100", [40, 80]),
        ("3060", [8, 12]),
        ("RTX 6000", [24, 48, 96]),
        ("M2 Ultra", [64, 128, 192]),
        ("4060 Ti", [8, 16]),
        ("V100", [16, 32]),
    ],
)
def test_a_name_sold_with_several_memories_is_asked_back(gpu: str, sizes: list[float]) -> None:
    found = subject(hardware=[{"gpu": gpu, "count": 2}])
    (question,) = found.questions
    assert (question.slot, question.field, question.read) == ("hardware", "hardware.0.gpu", gpu)
    assert [option.value["memory_gb"] for option in question.options] == sizes
    assert all(option.value["count"] == 2 for option in question.options)
    assert found.machine is None
    assert found.request.hardware is None
    assert [round(machine.groups[0].usable / GIB) for machine in found.alternatives] == sorted(
        round(machine.groups[0].usable / GIB) for machine in found.alternatives
    )
    assert len(found.alternatives) == len(sizes)


@pytest.mark.parametrize(("gpu", "sizes"), [("A100", (40, 80)), ("3060", (8, 12)), ("4060 Ti", (8, 16)), ("M2 Ultra", (64, 192))])
def test_with_its_memory_it_is_not(gpu: str, sizes: tuple[float, ...]) -> None:
    for size in sizes:
        found = subject(hardware=[{"gpu": gpu, "memory_gb": size}])
        assert not found.questions
        assert not found.contradictions
        assert found.machine is not None
        assert found.machine.groups[0].usable <= size * GIB


@pytest.mark.parametrize("gpu", ["A800", "H100", "RTX 4090", "4090", "rtx3090", "L40S", "RTX PRO 6000", "H200", "NVIDIA A6000"])
def test_names_that_mean_one_card_are_not_asked(gpu: str) -> None:
    found = subject(hardware=[{"gpu": gpu}])
    assert not found.questions
    assert found.machine is not None
    assert found.machine.groups[0].gpu is not None


def test_options_answer_the_question() -> None:
    """What an option puts into the slot is understood without asking again."""
    (question,) = subject(hardware=[{"gpu": "A100", "count": 4, "nvlink": True}]).questions
    for option in question.options:
        answered = subject(hardware=[option.value])
        assert not answered.questions
        assert answered.machine is not None
        assert answered.machine.count == 4
        assert answered.machine.groups[0].nvlink is True


def test_an_unknown_card_is_asked_with_what_is_spelled_so() -> None:
    found = subject(hardware=[{"gpu": "RTX 4009"}])
    (question,) = found.questions
    assert question.read == "RTX 4009"
    assert found.machine is None
    assert not found.contradictions


def test_an_unknown_card_with_its_memory_is_sized_by_it() -> None:
    found = subject(hardware=[{"gpu": "Frobnicator 9000", "memory_gb": 24}])
    assert not found.questions
    assert found.machine is not None
    assert found.machine.groups[0].usable / 1e9 == pytest.approx(25.2, abs=0.2)


def test_a_memory_a_card_does_not_have_is_a_contradiction() -> None:
    found = subject(hardware=[{"gpu": "RTX 3060 Ti", "memory_gb": 6}])
    (wrong,) = found.contradictions
    assert wrong.kind == "memory_of_card"
    assert wrong.facts["known"] == (8.0,)
    assert not wrong.facts["sum"]
    assert found.machine is not None
    assert found.machine.groups[0].usable / 1e9 == pytest.approx(8.4, abs=0.1)


def test_the_sum_over_two_cards_is_no_card() -> None:
    found = subject(hardware=[{"gpu": "RTX 3090", "memory_gb": 48, "count": 2}])
    (wrong,) = found.contradictions
    assert wrong.facts["sum"]
    assert found.machine is not None
    assert found.machine.groups[0].usable / 1e9 == pytest.approx(25.4, abs=0.2)


def test_a_memory_none_of_several_cards_has_is_both() -> None:
    found = subject(hardware=[{"gpu": "A100", "memory_gb": 48}])
    assert len(found.contradictions) == 1
    assert len(found.questions) == 1
    assert found.machine is None


@pytest.mark.parametrize(("gpu", "linked"), [("A100 80GB", True), ("RTX 3090", None), ("RTX 4090", False)])
def test_nvlink_is_known_missing_or_a_bridge_to_buy(gpu: str, linked: bool | None) -> None:
    machine = subject(hardware=[{"gpu": gpu, "count": 2}]).machine
    assert machine is not None
    assert machine.groups[0].nvlink is linked


def test_what_they_say_about_nvlink_counts() -> None:
    machine = subject(hardware=[{"gpu": "RTX 3090", "count": 2, "nvlink": True}]).machine
    assert machine is not None
    assert machine.groups[0].nvlink is True


def test_machine_of_unequal_cards() -> None:
    machine = subject(hardware=[{"gpu": "RTX 3090", "count": 2}, {"gpu": "RTX 4070", "cpu_ram_gb": 64}]).machine
    assert machine is not None
    assert machine.count == 3
    assert machine.mixed
    assert machine.cpu_ram == 64 * GIB
    assert machine.largest is not None
    assert machine.largest.gpu is not None
    assert machine.largest.gpu.id == "rtx3090"


def test_many_cards_stand_in_several_machines() -> None:
    for asked, nodes in (({"count": 8}, 1), ({"count": 24}, 3), ({"count": 24, "nodes": 6}, 6)):
        machine = subject(hardware=[{"gpu": "A100 40GB", **asked}]).machine
        assert machine is not None
        assert machine.nodes == nodes


def test_a_cloud_machine_is_its_cards() -> None:
    machine = subject(hardware=[{"gpu": "p4d.24xlarge", "count": 2}]).machine
    assert machine is not None
    assert machine.groups[0].gpu is not None
    assert (machine.groups[0].gpu.id, machine.count, machine.nodes) == ("a100-40-sxm", 16, 2)


# models


def test_a_name_gives_the_catalogues_shape() -> None:
    (shape,) = subject(models=[{"name": "meta-llama/Llama-3.1-8B-Instruct"}]).architectures
    assert shape.parameters == pytest.approx(8.03e9, rel=0.001)
    assert not shape.estimated


def test_a_bare_size_gives_a_typical_shape() -> None:
    (shape,) = subject(models=[{"params_b": 12}]).architectures
    assert shape.estimated
    assert shape.parameters == 12e9


def test_a_size_decides_between_models_of_one_name() -> None:
    found = subject(models=[{"name": "mistral", "params_b": 7}])
    assert not found.questions
    assert found.architectures[0].id.startswith("mistral-7b")


def test_params_win_over_the_catalogue() -> None:
    (shape,) = subject(models=[{"name": "llama-3.1-8b", "params_b": 8.5}]).architectures
    assert shape.parameters == 8.5e9
    assert shape.hidden == 4096


def test_a_size_a_model_does_not_have_is_a_contradiction() -> None:
    found = subject(models=[{"name": "phi-3.5-mini", "params_b": 70}])
    (wrong,) = found.contradictions
    assert wrong.kind == "size_of_model"
    assert found.architectures[0].parameters == 70e9


def test_a_family_without_a_size_is_asked_back() -> None:
    found = subject(models=[{"name": "mistral"}, {"params_b": 7}])
    (question,) = found.questions
    assert (question.slot, question.field, question.read) == ("model", "models.0.name", "mistral")
    assert {7, 24} <= {round(option.value["params_b"]) for option in question.options}
    assert found.request.models is not None
    assert [choice.params_b for choice in found.request.models] == [7]
    assert len(found.architectures) == 1


def test_model_options_answer_the_question() -> None:
    for option in subject(models=[{"name": "mistral"}]).questions[0].options:
        assert not subject(models=[option.value]).questions


def test_a_closed_model_has_no_size_but_open_options() -> None:
    found = subject(models=[{"name": "gpt-4o"}])
    assert not found.architectures
    assert found.closed
    assert found.questions[0].options


def test_an_unknown_name_with_a_size_in_it_is_that_size() -> None:
    found = subject(models=[{"name": "frobnicator-13b-chat"}])
    assert found.architectures[0].estimated
    assert found.architectures[0].parameters == 13e9
    assert found.assumed == {"models.0": "13B"}


def test_an_unknown_name_is_asked() -> None:
    found = subject(models=[{"name": "frobnicator"}])
    assert found.questions[0].slot == "model"
    assert not found.architectures
    assert found.request.models is None


def test_the_weight_format_in_a_name_is_a_setting() -> None:
    found = subject(models=[{"name": "Qwen2.5-14B-Instruct-AWQ"}])
    assert found.request.training is not None
    assert found.request.training.quantization == "awq4"


# money


def test_a_budget_without_a_currency_is_asked_back_and_left_out() -> None:
    found = subject(budget=[{"amount": 5000}, {"amount": 300, "currency": "EUR", "period": "month"}])
    (question,) = found.questions
    assert (question.slot, question.field, question.read) == ("budget", "budget.0.currency", "5000")
    assert [option.value["currency"] for option in question.options] == ["EUR", "USD", "GBP", "CHF"]
    assert found.request.budget is not None
    assert [one.amount for one in found.request.budget] == [300]
    assert subject(budget=[{"amount": 5000}]).request.budget is None


def test_no_limit_is_kept_as_no_limit() -> None:
    assert subject(budget=[]).request.budget == ()


def test_a_cap_without_an_hourly_price_is_asked_back() -> None:
    found = subject(quotes={"rent": {"monthly_cap": 889, "currency": "EUR"}})
    (question,) = found.questions
    assert (question.slot, question.field) == ("quotes", "quotes.rent.per_hour")
    assert found.request.quotes is None


def test_quotes_without_any_currency_are_asked_back_once() -> None:
    found = subject(quotes={"purchase": {"amount": 10700}, "rent": {"per_hour": 1.42}})
    (question,) = found.questions
    assert question.field == "quotes.purchase.currency"
    assert question.read == "10700"
    assert question.options[0].value == {"purchase": {"amount": 10700, "currency": "EUR"}}
    assert found.request.quotes is None


def test_one_currency_is_enough_for_all_quotes() -> None:
    found = subject(quotes={"purchase": {"amount": 10700}, "rent": {"per_hour": 1.42, "currency": "EUR"}})
    assert not found.questions
    assert found.request.quotes is not None


def test_a_request_that_needs_no_asking_comes_through_unchanged() -> None:
    asked = Request.model_validate({"models": [{"params_b": 8}], "methods": ["lora"], "hardware": [{"gpu": "RTX 4090", "count": 1}]})
    found = subject_of(asked, catalogue())
    assert found.request is asked
    assert not found.questions
    assert not found.contradictions


# what a reader asks back


def asking(read: str, *cards: tuple[str, float]) -> Question:
    options = tuple(Option(gpu, {"gpu": gpu, "memory_gb": memory, "count": 4}) for gpu, memory in cards)
    return Question("hardware", read, options, "hardware")


def test_cards_a_reader_asks_about_stay_alternatives() -> None:
    question = asking("4*A100", ("A100 80GB SXM4", 80), ("A100 40GB SXM4", 40))
    found = subject_of(Request.model_validate({"models": [{"params_b": 8}]}), catalogue(), (question,))
    assert [round(machine.total / 4e9) for machine in found.alternatives] == [42, 85]
    assert found.machine is None
    assert not found.questions


@pytest.mark.parametrize(
    "question",
    [
        asking("RTX 4009", ("RTX 4090", 24), ("RTX 4090 D", 24)),
        Question("hardware", "two gpus", (Option("2 x 24 GB", {"memory_gb": 24, "count": 2}),), "hardware"),
        Question("budget", "5k", (), "budget"),
    ],
)
def test_suggestions_and_examples_are_no_alternatives(question: Question) -> None:
    """A misspelled card could be any other; example sizes are no list of all there are."""
    assert not subject_of(Request.model_validate({"models": [{"params_b": 8}]}), catalogue(), (question,)).alternatives


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ({"quant_method": "gptq", "bits": 4}, "gptq4"),
        ({"quant_method": "awq"}, "awq4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "nf4"),
        ({"quant_method": "fp8"}, "fp8"),
        ({"quant_method": "newcomer"}, None),
        ("gptq", None),
    ],
)
def test_a_config_says_how_its_weights_are_stored(said: object, stored: str | None) -> None:
    config = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000}
    found = subject(models=[{"config": {**config, "quantization_config": said}}])
    assert (found.request.training.quantization if found.request.training else None) == stored
