"""How fast one answer is: a warm advice, and `sizewell size` as a whole process. Prints; never fails on a time."""

import datetime
import subprocess
import sys

import pytest

from bot.answering import answer_message
from bot.contract import answer_value
from bot.rendering import answer
from engine import Request, advise
from engine.catalogue import catalogue, load

pytestmark = pytest.mark.benchmark
TODAY = datetime.date(2026, 11, 30)
MESSAGE = "8B LoRA, 12 h im Monat, 5000 €"
REQUEST = {
    "models": [{"name": "Llama-3.1-8B"}],
    "methods": ["lora"],
    "hardware": [{"gpu": "RTX 4090"}],
    "usage": {"training_hours_per_month": 12},
    "budget": [{"amount": 5000, "currency": "EUR"}],
}


def test_one_warm_advice(benchmark):
    request = Request.model_validate(REQUEST)
    assert benchmark(advise, request, catalogue(), TODAY).sizings


def test_one_warm_message_without_hardware(benchmark):
    assert benchmark(answer_message, MESSAGE, "de", catalogue(), TODAY).plans


def test_rendering_one_answer(benchmark):
    recommendation = answer_message(MESSAGE, "de", catalogue(), TODAY)
    assert benchmark(answer, recommendation, "de", "html")


def test_one_contract_value(benchmark):
    recommendation = answer_message(MESSAGE, "de", catalogue(), TODAY)
    assert benchmark(answer_value, recommendation, "de", catalogue())


def test_loading_the_catalogue(benchmark):
    assert benchmark(load).gpus


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_whole_process(benchmark, form):
    command = [sys.executable, "-c", "from bot.__main__ import main; main()", "size", MESSAGE, "--lang", "de", "--format", form]
    done = benchmark.pedantic(subprocess.run, args=(command,), kwargs={"capture_output": True}, rounds=7, warmup_rounds=1)
    assert done.stdout
