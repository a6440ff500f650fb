"""Names as hubs, runners and papers write them: owner, quantiser, tag, date, derived models; what is no decoder is refused."""

import pytest

from engine.catalogue import Catalogue, catalogue
from engine.catalogue.names import Ambiguity, NamedModel, NotOpen, model_named


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


def named(text: str, known: Catalogue) -> NamedModel:
    found = model_named(text, known)
    assert isinstance(found, NamedModel), (text, found)
    return found


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("ibm/PowerLM-3b", "powerlm-3b"),
        ("PowerMoE-3b", "powermoe-3b"),
        ("stablelm-base-alpha-3b", "stablelm-base-alpha-3b"),
        ("stablelm-tuned-alpha-7b", "stablelm-base-alpha-7b"),
        ("stabilityai/stablelm-2-1_6b", "stablelm-2-1.6b"),
        ("stabilityai/stablelm-2-12b-chat", "stablelm-2-12b"),
        ("stablelm-zephyr-3b", "stablelm-3b"),
        ("EleutherAI/gpt-neo-2.7B", "gpt-neo-2.7b"),
        ("EleutherAI/pythia-31m", "pythia-31m"),
        ("facebook/opt-350m", "opt-350m"),
        ("microsoft/phi-1", "phi-1.5"),
        ("google/codegemma-1.1-7b-it", "gemma-7b"),
        ("codellama/CodeLlama-13b-Python-hf", "codellama-13b"),
        ("togethercomputer/RedPajama-INCITE-Chat-3B-v1", "redpajama-incite-3b"),
        ("openlm-research/open_llama_3b_v2", "open-llama-3b"),
        ("openlm-research/open_llama_13b", "llama-1-13b"),
        ("lmsys/vicuna-7b-v1.3", "llama-1-7b"),
        ("lmsys/vicuna-7b-v1.5", "llama-2-7b"),
        ("databricks/dolly-v2-3b", "pythia-2.8b"),
        ("cerebras/Cerebras-GPT-6.7B", "cerebras-gpt-6.7b"),
        ("tiiuae/falcon-rw-1b", "falcon-rw-1b"),
        ("Qwen/Qwen-7B-Chat", "qwen-1-7b"),
        ("Qwen/Qwen-1_8B", "qwen-1-1.8b"),
        ("Qwen/Qwen-72B", "qwen-1-72b"),
        ("Qwen/Qwen2-Audio-7B-Instruct", "qwen2-audio-7b"),
        ("baichuan-inc/Baichuan-13B-Chat", "baichuan-13b"),
        ("THUDM/chatglm-6b", "chatglm-6b"),
        ("THUDM/chatglm2-6b", "chatglm3-6b"),
        ("internlm/internlm-chat-7b", "internlm-7b"),
        ("internlm/internlm2-chat-20b", "internlm2.5-20b"),
        ("BAAI/Aquila2-34B", "aquila2-34b"),
        ("01-ai/Yi-9B-200K", "yi-1.5-9b"),
        ("deepseek-ai/deepseek-math-7b-instruct", "deepseek-llm-7b"),
        ("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "qwen3-8b"),
        ("OpenGVLab/InternVL2_5-8B", "internvl2-8b"),
        ("llava-hf/llava-v1.6-mistral-7b-hf", "llava-1.6-7b-mistral"),
        ("mistralai/Pixtral-12B-2409", "pixtral-12b"),
        ("HuggingFaceTB/SmolVLM2-2.2B-Instruct", "smolvlm-2.2b"),
        ("google/paligemma2-3b-pt-448", "paligemma2-3b"),
        ("google/medgemma-27b-text-it", "gemma-3-27b"),
        ("CohereLabs/aya-expanse-8b", "aya-23-8b"),
        ("CohereLabs/aya-expanse-32b", "aya-expanse-32b"),
        ("ibm-granite/granite-3b-code-instruct-128k", "granite-code-3b"),
        ("nvidia/Nemotron-4-340B-Instruct", "nemotron-4-340b"),
        ("nvidia/Llama-3.1-Minitron-4B-Width-Base", "llama-3.1-minitron-4b"),
        ("meta-llama/Llama-Guard-3-8B", "llama-3.1-8b"),
        ("allenai/OLMo-7B-0724-hf", "olmo-7b"),
        ("allenai/OLMo-2-1124-13B-DPO", "olmo-2-13b"),
        ("LLM360/Amber", "amber-7b"),
        ("LumiOpen/Viking-33B", "viking-33b"),
        ("Almawave/Velvet-14B", "velvet-14b"),
        ("LeoLM/leo-mistral-hessianai-7b-chat", "mistral-7b-v0.1"),
        ("DiscoResearch/DiscoLM_German_7b_v1", "mistral-7b-v0.1"),
        ("seedboxai/KafkaLM-70B-German-V0.1", "llama-2-70b"),
        ("VAGOsolutions/Llama-3.1-SauerkrautLM-8b-Instruct", "llama-3.1-8b"),
        ("LSX-UniWue/LLaMmlein_1B", "llammlein-1b"),
        ("flair/bueble-lm-2b", "bueble-2b"),
        ("jphme/em_german_leo_mistral", "mistral-7b-v0.1"),
        ("FacebookAI/roberta-large", "roberta-large"),
        ("google-bert/bert-large-uncased", "bert-large"),
        ("distilbert/distilbert-base-uncased", "distilbert"),
        ("microsoft/deberta-v3-large", "deberta-v3-large"),
        ("Qwen/Qwen3-Reranker-4B", "qwen3-embedding-4b"),
    ],
)
def test_a_model_of_a_list_has_its_own_shape(known: Catalogue, text: str, model: str) -> None:
    found = named(text, known)
    assert (found.architecture.id, found.taken) == (model, None)


@pytest.mark.parametrize(
    ("text", "model", "quantization"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b", None),
        ("unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "llama-3.1-8b", "nf4"),
        ("unsloth/Qwen2.5-7B-Instruct-unsloth-bnb-4bit", "qwen2.5-7b", "nf4"),
        ("TheBloke/Mistral-7B-Instruct-v0.2-GPTQ", "mistral-7b-v0.2", "gptq4"),
        ("TheBloke/Llama-2-13B-chat-AWQ", "llama-2-13b", "awq4"),
        ("TheBloke/Llama-2-13B-chat-GGUF", "llama-2-13b", None),
        ("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16", "llama-3.1-70b", "gptq4"),
        ("RedHatAI/Qwen3-32B-FP8-dynamic", "qwen3-32b", "fp8"),
        ("hugging-quants/Meta-Llama-3.1-405B-Instruct-GPTQ-INT4", "llama-3.1-405b", "gptq4"),
        ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "llama-3.1-8b", "awq4"),
        ("mlx-community/Llama-3.2-3B-Instruct-4bit", "llama-3.2-3b", "nf4"),
        ("huihui-ai/Qwen2.5-14B-Instruct-abliterated", "qwen2.5-14b", None),
        ("mistralai/Mistral-Nemo-Instruct-2407", "mistral-nemo-12b", None),
        ("deepseek-ai/DeepSeek-V3-0324", "deepseek-v3", None),
        ("deepseek-ai/DeepSeek-R1-0528", "deepseek-r1-671b", None),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507-FP8", "qwen3-30b-a3b", "fp8"),
        ("mosaicml/mpt-7b-8k", "mpt-7b", None),
        ("EleutherAI/pythia-1.4b-deduped", "pythia-1.4b", None),
        ("llama3.1:70b", "llama-3.1-70b", None),
        ("llama3.1:8b-instruct-q4_K_M", "llama-3.1-8b", "q4"),
        ("mistral:7b-instruct-v0.2-q4_0", "mistral-7b-v0.2", "q4"),
        ("mixtral:8x7b-instruct-v0.1-q4_K_M", "mixtral-8x7b", "q4"),
        ("gemma3:27b-it-qat", "gemma-3-27b", None),
        ("deepseek-r1:7b-qwen-distill-q8_0", "deepseek-r1-distill-qwen-7b", "q8"),
        ("phi3:14b", "phi-3-medium", None),
        ("solar:10.7b", "solar-10.7b", None),
        ("all-minilm:22m", "all-minilm-l6-v2", None),
        ("nomic-embed-text:latest", "nomic-embed-text-v1.5", None),
        ("hermes3:70b", "llama-3.1-70b", None),
        ("gpt2 124m", "gpt2", None),
        ("gpt-oss:120b-cloud", "gpt-oss-120b", None),
    ],
)
def test_owner_suffixes_tags_and_dates_come_off(known: Catalogue, text: str, model: str, quantization: str | None) -> None:
    found = named(text, known)
    assert (found.architecture.id, found.quantization) == (model, quantization)


@pytest.mark.parametrize(
    ("text", "model", "quantization"),
    [
        ("somebody/Hermes-9-Pro-Llama-3-8B", "llama-3-8b", None),
        ("somebody/my-finetune-Qwen2.5-32B-v3-AWQ", "qwen2.5-32b", "awq4"),
        ("Trelis/Llama-2-7b-chat-hf-function-calling-v2", "llama-2-7b", None),
        ("DiscoResearch/Llama3-German-8B", "llama-3-8b", None),
        ("Groq/Llama-3-Groq-70B-Tool-Use", "llama-3-70b", None),
        ("someone/Llama-3.3-Lawyer-70B-Instruct-v0.4", "llama-3.3-70b", None),
        ("teknium/NewHermes-Mistral-7B", "mistral-7b-v0.3", None),
        ("someone/Qwen3-30B-A3B-legal", "qwen3-30b-a3b", None),
    ],
)
def test_a_derived_model_has_the_shape_of_the_one_in_its_name_and_says_so(
    known: Catalogue, text: str, model: str, quantization: str | None
) -> None:
    found = named(text, known)
    assert (found.architecture.id, found.quantization, found.taken) == (model, quantization, "derived")


@pytest.mark.parametrize(
    "text",
    [
        *("yuhuili/EAGLE-LLaMA3-Instruct-8B", "z-lab/Qwen3-8b-DFlash", "someone/Llama-3.1-8B-lora", "google/gemma-4-31B-it-assistant"),
        *("cloudyu/Yi-34Bx2-MoE-60B", "someone/Llama-3-8B-Qwen2-7B-merge", "llama-3.1-9b", "my-own-7b", "MiMo-V9", "TinyLLama-v0"),
        *("phi-9-mini", "internlm-123b", "granite-99b", "Qwen3.6-28B", "all-minilm:29m"),
    ],
)
def test_a_part_a_mixture_of_several_and_a_near_miss_are_not_guessed(known: Catalogue, text: str) -> None:
    assert model_named(text, known) is None


def test_a_version_changes_a_model_but_not_behind_its_size(known: Catalogue) -> None:
    assert named("mimo-v2.5", known).architecture.id != named("MiMo-7B-RL-v2", known).architecture.id
    assert named("zephyr-7b-v0.9", known).architecture.id == named("zephyr-7b-beta", known).architecture.id


@pytest.mark.parametrize(
    ("text", "maker"),
    [
        ("t5-3b", "encoder-decoder"),
        ("google/flan-t5-xxl", "encoder-decoder"),
        ("google/mt5-small", "encoder-decoder"),
        ("facebook/bart-large-cnn", "encoder-decoder"),
        ("facebook/nllb-200-3.3B", "encoder-decoder"),
        ("openai/whisper-large-v3", "speech recognition"),
        ("state-spaces/mamba-2.8b-hf", "state space"),
        ("tiiuae/falcon-mamba-7b", "state space"),
    ],
)
def test_what_is_no_decoder_is_named_and_never_sized(known: Catalogue, text: str, maker: str) -> None:
    found = model_named(text, known)
    assert isinstance(found, NotOpen), found
    assert found.maker == maker
    assert all(option.value["params_b"] > 0 for option in found.options)


LINES = "stablelm gpt-neo redpajama granite-code internvl qwen-vl tulu guanaco hunyuan falcon-h1 nemotron-4 llama-guard aya"


@pytest.mark.parametrize("text", LINES.split())
def test_a_line_of_several_sizes_is_asked(known: Catalogue, text: str) -> None:
    found = model_named(text, known)
    assert isinstance(found, Ambiguity), found
    assert len({option.value["params_b"] for option in found.options}) >= 2


def test_every_hub_name_is_found_without_its_owner(known: Catalogue) -> None:
    # One word of everyday language, or a name that means several things, is not taken for a model.
    plain = {"llama-7b", "llama-13b", "DeepSeek-R1", "Qwen-7B", "Qwen-14B", "Qwen-72B", "Amber", "K2", "Aria"}
    for one in known.architectures.values():
        bare = (one.hf_id or one.id).rpartition("/")[2]
        if bare not in plain:
            assert named(bare, known).architecture.id == one.id, bare
