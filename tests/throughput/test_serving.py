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


def test_the_speed_of_a_plan_does_not_depend_on_the_cards_that_were_sized():
    """20 users of a 70B sized sharded over two L40S, or on one card of any size: eight RTX 3090 serve them the same."""
    speeds = []
    for hardware in ({"hardware": [{"gpu": "L40S", "count": 2}]}, {}):
        request = Request.model_validate({"models": [{"params_b": 70}], "methods": ["serve"], "serving": {"users": 20}, **hardware})
        subject = subject_of(request, KNOWN)
        sizing = fit_of(subject, subject.architectures[0], "serve")
        speeds.append(serving_of(sizing, KNOWN.gpus["rtx3090"], 8, request, KNOWN).typical.magnitude)
    assert speeds[0] == pytest.approx(speeds[1])


def test_cards_wait_for_each_other_in_every_layer():
    """Eight H100 read an 8B in a fraction of a millisecond; 32 layers of exchanges take 1.6 ms more."""
    one, eight = (served(gpu="H100", count=count, users=1, context=8192).typical.magnitude for count in (1, 8))
    assert one < eight < 2 * one
    assert eight < 1 / (32 * 50e-6)


def test_beyond_a_machine_more_cards_serve_more_users_not_one_faster():
    one, many = (served(gpu="H100", count=count, users=1, context=8192) for count in (8, 32))
    assert many.typical.magnitude == pytest.approx(one.typical.magnitude)
    assert (one.team, many.team) == (8, 8)
    crowd, spread = (served(gpu="H100", count=count, users=200, context=4096).typical.magnitude for count in (8, 32))
    assert spread > crowd


def test_layers_laid_out_over_cards_work_one_after_the_other():
    request = Request.model_validate({"models": [{"params_b": 70}], "methods": ["serve"], "hardware": [{"gpu": "RTX 4090", "count": 2}]})
    subject = subject_of(request, KNOWN)
    sizing, card = fit_of(subject, subject.architectures[0], "serve"), KNOWN.gpus["rtx4090"]
    together, after_each_other = (serving_of(sizing, card, 2, request, KNOWN, how) for how in ("tensor", "pipeline"))
    assert after_each_other.typical.magnitude < together.typical.magnitude
    assert after_each_other.team == 1


def test_a_training_step_is_no_server():
    assert served("lora") is None
