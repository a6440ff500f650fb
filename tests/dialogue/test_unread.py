"""What was written and not used is told; what was used, or is no statement, is not."""

import pytest

from bot.unread import unread
from engine.catalogue import catalogue


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("8B LoRA, 20 % Reserve", ("20 %",)),
        ("8B LoRA, quux 77 GB", ("77 GB",)),
        ("4 runs on 8 A100, the last one cost me $250, 7b full", ("$250",)),
        ("8B LoRA mit cuda12.4", ("cuda12.4",)),
        ("8B LoRA, 12 h im Monat, 5000 €", ()),
        ("LoRA für Llama-3.1-8B in bf16, r64, seq2048", ()),
        ("wir sind 3 und wollen das bis Woche 5", ()),
        ("xyzzy 20 %", ()),  # nothing was understood, which is told as a whole
        ("und mit 4k?", ()),
        ("CUDA out of memory. Tried to allocate 2.00 GiB. 8B LoRA, 23.6 GB used, 20 %", ()),  # a report of a run
        ("8B LoRA, 20 % Reserve " + "x" * 200, ()),
    ],
)
def test_amounts_and_names_without_a_reading(text: str, lost: tuple[str, ...]) -> None:
    assert unread(text, "de", catalogue()) == lost
