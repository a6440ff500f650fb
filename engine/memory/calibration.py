"""How far measured runs lie from the expected peak, by kind of run: factors on expected for the 90 % range."""

from engine.catalogue import Architecture
from engine.memory.setup import Setup


def spread(architecture: Architecture, setup: Setup) -> tuple[float, float]:
    """(low, high) as factors on what must be free; wider for sharded and quantised runs and for estimated shapes."""
    low, high = 0.93, 1.10
    if setup.weight_dtype not in ("fp32", "bf16", "fp16"):
        low, high = 0.88, 1.14
    if setup.gpus > 1:
        low, high = 0.85, 1.2
    if architecture.estimated:
        low, high = low - 0.07, high + 0.08
    return low, high


def reading_range(in_use: float, reading: str, architecture: Architecture, setup: Setup) -> tuple[float, float, float]:
    """(expected, low, high) of a reading [bytes] from what torch has in use."""
    low, high = spread(architecture, setup)
    if reading == "allocated":
        return in_use, in_use * low, in_use * high
    expected = in_use * 1.06 + 0.6e9
    wider = 1.05 if reading == "unknown" else 1.0
    return expected, expected * low / wider, expected * high * wider
