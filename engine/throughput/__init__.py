"""Time: enters a step, cards and data, leaves hours of a run with its range, its energy and its traffic between cards."""

from engine.throughput.links import synchronisation
from engine.throughput.measured import implausible_rows, plausible
from engine.throughput.run import Tokens, power, run_of, speed_of, tokens_seen

__all__ = ["Tokens", "implausible_rows", "plausible", "power", "run_of", "speed_of", "synchronisation", "tokens_seen"]
