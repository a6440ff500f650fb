"""What a server gives and needs: speed by bandwidth, cache by users, index by documents."""

import pytest

from engine.catalogue import catalogue
from engine.placement import fit_of
from engine.request import Request
from engine.serving import experts_read, index_size, serving_of
from engine.subject import subject_of

KNOWN = catalogue()


def served(method: str = "serve", model: dict | None = None, gpu: str = "RTX 4090", count: int = 1, **serving: int):
    asked = {"models": [model or {"name": "Llama-3.1-8B"}], "methods": [method], "hardware": [{"gpu": gpu, "count": count}]}
    request = Request.model_validate({**asked, "serving": serving} if serving else asked)
    subject = subject_of(request, KNOWN)
    sizing = fit_of(subject, subject.architectures[0], method)
    group = subject.machine.groups[0]
    return serving_of(sizing, group.gpu, group.count, request, KNOWN)


def test_one_user_of_an_8b_in_4_bit_on_a_4090():
    """About 4.9 GB of weights and 1.1 GB of cache at 8,192 tokens: 1,008 GB/s x 0.7 / 6 GB, a little over 100 tokens a second."""
    found = served(users=1, context=8192)
    expected = 1_008e9 * 0.7 / (found.weights.m_as("byte") + found.cache.m_as("byte"))
    assert found.typical.magnitude == pytest.approx(expected)
    assert 80 < found.typical.magnitude < 150
    assert found.low.magnitude < found.typical.magnitude < found.high.magnitude


def test_more_users_share_the_weights_and_pay_for_their_cache():
    one, ten = served(users=1, context=8192), served(users=10, context=8192)
    assert ten.cache.m_as("byte") == pytest.approx(10 * one.cache.m_as("byte"))
    assert ten.typical.magnitude < one.typical.magnitude
    assert 10 * ten.typical.magnitude > one.typical.magnitude
    assert ten.alone.magnitude == pytest.approx(one.typical.magnitude)


def test_only_retrieval_has_an_index():
    assert served(users=1, context=2048).index is None
    found = served("rag", users=10, context=4096, documents=10_000)
    assert found.index.m_as("GB") == pytest.approx(10_000 * 122_880 / 1e9)
    assert found.embedding.m_as("GB") == pytest.approx(1.0)
    assert served("rag", users=10, context=4096).index is None


def test_no_documents_need_no_index():
    request = Request.model_validate({"serving": {"documents": 0}})
    assert index_size(request, KNOWN).magnitude == 0


def test_a_mixture_reads_the_experts_of_its_users():
    mixture = KNOWN.architectures["qwen3-30b-a3b"]
    assert experts_read(mixture, 1) == pytest.approx(mixture.active_parameters / mixture.parameters)
    assert experts_read(mixture, 100) == 1.0
    assert experts_read(KNOWN.architectures["llama-3.1-8b"], 1) == 1.0


def test_several_cards_are_faster_than_one():
    one, two = (served(model={"params_b": 8}, count=count, users=4, context=4096) for count in (1, 2))
    assert two.typical.magnitude > one.typical.magnitude


def test_a_training_step_is_no_server():
    assert served("lora") is None
