"""What people type leads to the card or model it means, to a question, or to nothing: never to a guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalogue import Catalogue, Gpu, catalogue
from engine.catalogue.keys import compact, normalised
from engine.catalogue.names import (
    Ambiguity,
    NamedModel,
    NotOpen,
    architecture_named,
    gpu_named,
    instance_named,
    model_named,
    model_value,
    spoken,
    suggestions,
)


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("4090", "rtx4090"),
        ("RTX 4090", "rtx4090"),
        ("rtx4090", "rtx4090"),
        ("GeForce RTX 4090", "rtx4090"),
        ("4090s", "rtx4090"),
        ("4090er", "rtx4090"),
        ("RTX 5090 32GB", "rtx5090"),
        ("4070 ti super", "rtx4070tis"),
        ("4070TiSuper", "rtx4070tis"),
        ("RTX 3060 Ti", "rtx3060ti"),
        ("laptop 4060", "rtx4060-laptop"),
        ("RTX 4090 Laptop GPU", "rtx4090-laptop"),
        ("4090 mobile", "rtx4090-laptop"),
        ("A6000", "rtxa6000"),
        ("NVIDIA RTX A6000", "rtxa6000"),
        ("rtx 6000 ada", "rtx6000ada"),
        ("RTX 6000 Ada Generation", "rtx6000ada"),
        ("RTX PRO 6000", "rtxpro6000ws"),
        ("rtx pro 6000 blackwell workstation edition", "rtxpro6000ws"),
        ("rtx pro 6000 blackwell server edition", "rtxpro6000se"),
        ("h100", "h100-sxm"),
        ("H100 80GB PCIe", "h100-pcie"),
        ("h100 nvl", "h100-nvl"),
        ("H200 141GB", "h200-sxm"),
        ("L40S", "l40s"),
        ("l40", "l40"),
        ("A10G", "a10g"),
        ("a10", "a10"),
        ("tesla t4", "t4"),
        ("T4 GPU", "t4"),
        ("A800", "a800-80"),
        ("MI300X", "mi300x"),
        ("M2 Ultra", "m2ultra"),
        ("m2 ultra 64gb", "m2ultra"),
        ("Apple M3 Max", "m3max"),
        ("MacBook Pro M3 Max 128GB", "m3max"),
        ("mac mini m4 pro", "m4pro"),
        ("DGX Spark", "dgxspark"),
        ("gtx 1650", "gtx1650"),
        ("2080ti", "rtx2080ti"),
        ("4090 48gb", "rtx4090"),  # a modified board: the memory said is the user's, the card stays
        ("4080 12gb", "rtx4080-laptop"),
    ],
)
def test_a_card_is_found_by_what_people_type(known: Catalogue, text: str, card: str) -> None:
    found = gpu_named(text, known)
    assert isinstance(found, Gpu), found
    assert found.id == card


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("A100", {40, 80}),
        ("a100s", {40, 80}),
        ("A100 PCIe", {40, 80}),
        ("RTX 6000", {24, 48, 96}),
        ("3060", {8, 12}),
        ("rtx 3080", {10, 12}),
        ("4060ti", {8, 16}),
        ("5060 Ti", {8, 16}),
        ("V100", {16, 32}),
        ("GTX 1060", {3, 6}),
        ("rtx 2060", {6, 12}),
        ("colab pro", {16, 24, 40}),
    ],
)
def test_a_card_that_means_several_is_asked_back_with_memory_and_kind(known: Catalogue, text: str, sizes: set[float]) -> None:
    found = gpu_named(text, known)
    assert isinstance(found, Ambiguity), found
    assert {option.value["memory_gb"] for option in found.options} == sizes
    assert {option.value["kind"] for option in found.options} == {"vram"}
    for option in found.options:
        assert isinstance(gpu_named(option.value["gpu"], known, option.value["memory_gb"]), Gpu)


@pytest.mark.parametrize(
    ("text", "memory_gb", "card"),
    [
        ("A100", 40, "a100-40-sxm"),
        ("A100", 80, "a100-80-sxm"),
        ("A100-80G", None, "a100-80-sxm"),
        ("a100 80 gb", None, "a100-80-sxm"),
        ("A100 40", None, "a100-40-sxm"),
        ("a100 pcie 40gb", None, "a100-40-pcie"),
        ("RTX 6000", 48, "rtx6000ada"),
        ("3060 12GB", None, "rtx3060"),
        ("rtx 3060", 8, "rtx3060-8"),
        ("4060 ti 16gb", None, "rtx4060ti-16"),
        ("V100 32GB", None, "v100-32"),
        ("3080 16gb", None, "rtx3080-laptop"),
        ("a800 40gb", None, "a800-40"),
    ],
)
def test_memory_said_decides_between_variants(known: Catalogue, text: str, memory_gb: float | None, card: str) -> None:
    found = gpu_named(text, known, memory_gb)
    assert isinstance(found, Gpu), found
    assert found.id == card


@pytest.mark.parametrize("text", ["", " ", "foo", "RTX", "24 GB", "my card", "9" * 500, "💥", "rtx 9999 super"])
def test_what_is_no_card_is_none(known: Catalogue, text: str) -> None:
    assert gpu_named(text, known) is None


def test_every_card_is_found_by_the_name_we_speak(known: Catalogue) -> None:
    for card in known.gpus.values():
        found = gpu_named(spoken(card), known, card.memory_nominal)
        assert isinstance(found, Gpu), card.id
        assert found.id == card.id


def test_every_card_is_found_by_its_aliases_or_asked(known: Catalogue) -> None:
    for card in known.gpus.values():
        for alias in (card.id, *card.aliases):
            found = gpu_named(alias, known)
            if isinstance(found, Ambiguity):
                found = gpu_named(alias, known, card.memory_nominal)
            assert found is card or compact(alias) in known.gpu_names, alias


@pytest.mark.parametrize(
    ("text", "model", "quantization"),
    [
        ("llama 3 8b", "llama-3-8b", None),
        ("Llama-3.1-70B-Instruct", "llama-3.1-70b", None),
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b", None),
        ("llama-3_3-70b", "llama-3.3-70b", None),
        ("Qwen2.5-14B-Instruct-AWQ", "qwen2.5-14b", "awq4"),
        ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "qwen2.5-7b", "gptq4"),
        ("llama3:8b-instruct-q4_K_M", "llama-3-8b", "q4"),
        ("llama3:8b-q4", "llama-3-8b", "q4"),
        ("llama3.1:8b-instruct-q8_0", "llama-3.1-8b", "q8"),
        ("llama3.1:8b-instruct-fp16", "llama-3.1-8b", "none"),
        ("unsloth/llama-3-8b-bnb-4bit", "llama-3-8b", "nf4"),
        ("gemma 2 9b it q5_k_m", "gemma-2-9b", "q5"),
        ("Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b", "fp8"),
        ("bartowski/Llama-3.2-3B-Instruct-GGUF", "llama-3.2-3b", None),
        ("mixtral", "mixtral-8x7b", None),
        ("8x22b", "mixtral-8x22b", None),
        ("gemma-3-27b-it", "gemma-3-27b", None),
        ("gemma 3 1b", "gemma-3-1b", None),
        ("gemma 1 2b", "gemma-2b", None),
        ("gpt-oss 20b", "gpt-oss-20b", None),
        ("phi-4", "phi-4", None),
        ("deepseek-r1:14b", "deepseek-r1-distill-qwen-14b", None),
        ("r1 distill 32b", "deepseek-r1-distill-qwen-32b", None),
        ("TinyLlama", "tinyllama-1.1b", None),
        ("starcoder", "starcoder-15b", None),
        ("gpt2", "gpt2", None),
        ("qwen3-4b-instruct-2507", "qwen3-4b", None),
        ("mistral medium 3.5", "mistral-medium-3.5", None),
    ],
)
def test_a_model_is_found_with_the_weight_format_its_name_carries(
    known: Catalogue, text: str, model: str, quantization: str | None
) -> None:
    found = model_named(text, known)
    assert isinstance(found, NamedModel), found
    assert (found.architecture.id, found.quantization) == (model, quantization)


@pytest.mark.parametrize(
    ("text", "model", "taken"),
    [
        ("llama 3", "llama-3-8b", "default"),
        ("qwen2.5", "qwen2.5-7b", "default"),
        ("qwen 7b", "qwen2.5-7b", "generation"),
        ("llama 70b", "llama-3.3-70b", "generation"),
        ("Llama-7B", "llama-2-7b", "generation"),
        ("mistral 7b", "mistral-7b-v0.3", "generation"),
        ("Mistral-7B-Instruct-v0.2", "mistral-7b-v0.2", None),
    ],
)
def test_what_was_taken_without_being_said_is_named(known: Catalogue, text: str, model: str, taken: str | None) -> None:
    found = model_named(text, known)
    assert isinstance(found, NamedModel), found
    assert (found.architecture.id, found.taken) == (model, taken)


FAMILIES = "mistral llama gemma qwen phi deepseek falcon kimi minimax granite glm command".split()  # noqa: SIM905 - as in a sentence


@pytest.mark.parametrize(
    "text", [*FAMILIES, "r1", "gemma e2b", "gemma e4b", "mistral small", "Mistral-Large", "glm flash", "llama2", "Vicuna"]
)
def test_a_family_without_a_size_is_asked_back(known: Catalogue, text: str) -> None:
    found = model_named(text, known)
    assert isinstance(found, Ambiguity), found
    assert len(found.options) >= 2
    for option in found.options:
        assert option.value["params_b"] > 0
        assert isinstance(model_named(option.value["name"], known), NamedModel)


def test_the_options_are_those_people_know(known: Catalogue) -> None:
    mistral, r1 = model_named("mistral", known), model_named("r1", known)
    assert isinstance(mistral, Ambiguity)
    assert isinstance(r1, Ambiguity)
    assert [option.value["params_b"] for option in mistral.options] == [7.25, 23.6]
    assert [round(option.value["params_b"], 1) for option in r1.options] == [1.8, 7.6, 8.0, 14.8, 32.8, 70.6, 671]


@pytest.mark.parametrize(
    "text",
    [
        *("gpt-3.5", "GPT-4", "gpt-4o", "gpt 4o mini", "gpt-4.1", "gpt-5.2", "chatgpt", "o1", "o3-mini", "o4"),
        *("claude", "Claude 3.5 Sonnet", "opus 4", "gemini 1.5 pro", "grok 3", "Grok-4", "mistral medium 3", "qwen max", "luminous"),
    ],
)
def test_a_model_without_open_weights_says_so_and_offers_open_ones(known: Catalogue, text: str) -> None:
    found = architecture_named(text, known)
    assert isinstance(found, NotOpen), found
    assert found.maker
    assert len(found.options) >= 2
    assert all(isinstance(model_named(option.value["name"], known), NamedModel) for option in found.options)


@pytest.mark.parametrize(
    "text", ["", "  ", "foo 7b", "7b", "InternVL 76B", "gpt4all", "o16", "instruct", "-awq", "q4_k_m", "x" * 2000, "llama 9b"]
)
def test_what_is_no_known_model_is_none(known: Catalogue, text: str) -> None:
    assert model_named(text, known) is None


def test_every_architecture_is_found_by_id_hugging_face_name_and_aliases(known: Catalogue) -> None:
    for one in known.architectures.values():
        for alias in (one.id, *([one.hf_id] if one.hf_id else []), *one.aliases):
            found = model_named(alias, known)
            asked = isinstance(found, Ambiguity) and normalised(alias) in known.model_names
            assert asked or (isinstance(found, NamedModel) and found.architecture.id == one.id), alias


def test_blanks_between_digits_and_letters_matter() -> None:
    assert normalised("Gemma 3 1B") == "gemma3 1b"
    assert normalised("gemma 31b") == "gemma31b"
    assert normalised("gemma-1-2b") != normalised("gemma 12b")


def test_a_model_value_has_active_parameters_only_where_experts_differ(known: Catalogue) -> None:
    assert model_value(known.architectures["llama-3.1-8b"]) == {"name": "llama-3.1-8b", "params_b": 8.03}
    assert model_value(known.architectures["mixtral-8x7b"]) == {"name": "mixtral-8x7b", "params_b": 46.7, "active_params_b": 12.9}


def test_an_instance_is_found_by_its_exact_name(known: Catalogue) -> None:
    found = instance_named("G5.12xlarge", known)
    assert found is not None
    assert (found.gpu, found.count) == ("a10g", 4)
    assert instance_named("g5.13xlarge", known) is None


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("mixtal 8x7b", "model", "mixtral-8x7b"),
        ("lama 3.1 70b", "model", "llama-3.1-70b"),
        ("qwenn 2.5 7b", "model", "qwen2.5-7b"),
        ("gemmma 3 27b", "model", "gemma-3-27b"),
        ("RTX 4900", "gpu", "RTX 4090"),
        ("RTX 5009", "gpu", "RTX 5090"),
        ("rtx4080 supr", "gpu", "RTX 4080 SUPER"),
    ],
)
def test_a_misspelling_is_met_with_a_suggestion(known: Catalogue, text: str, kind: str, name: str) -> None:
    found = suggestions(text, known, "model" if kind == "model" else "gpu")
    assert found[0].value["name" if kind == "model" else "gpu"] == name


def test_suggestions_never_change_a_size(known: Catalogue) -> None:
    for option in suggestions("lama 3.1 70b", known):
        assert 60 < option.value["params_b"] < 80
    assert suggestions("completely different", known) == ()


@given(st.text(max_size=300) | st.from_regex(r"[a-z]{0,6}[-_ :]{0,80}[0-9bq_]{0,8}", fullmatch=True))
def test_any_text_is_a_card_a_model_a_question_or_nothing(text: str) -> None:
    assert gpu_named(text, catalogue()) is None or isinstance(gpu_named(text, catalogue()), Gpu | Ambiguity)
    assert model_named(text, catalogue()) is None or isinstance(model_named(text, catalogue()), NamedModel | Ambiguity | NotOpen)


@pytest.mark.parametrize("text", ["-" * 100_000, "llama" + "_q4" * 50_000, "4090 " * 50_000, "a" * 1_000_000])
def test_long_nonsense_is_not_searched(known: Catalogue, text: str) -> None:
    assert (gpu_named(text, known), model_named(text, known), suggestions(text, known)) == (None, None, ())
