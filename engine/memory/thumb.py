"""Rules of thumb people quote, computed for a model, to be shown beside what is computed here and why they differ.

16 bytes a parameter: standard mixed-precision AdamW, states only. The table 67/15/5/14 GB: about 10 bytes a parameter for full
fine-tuning (8-bit moments, fp32 master), weights and little else for the rest. Neither knows length, batch or vocabulary.
"""

from dataclasses import dataclass
from typing import Any, Literal

from engine.catalogue import Architecture
from engine.request import Method
from engine.units import Quantity, quantity

# 10^9 parameters -> GB by method.
TABLE: dict[float, dict[str, float]] = {
    7: {"full": 67, "lora": 15, "qlora": 5, "serve": 14},
    13: {"full": 125, "lora": 28, "qlora": 9, "serve": 26},
    30: {"full": 288, "lora": 64, "qlora": 21, "serve": 60},
}
_COLUMNS: dict[str, str] = {"continued_pretrain": "full", "pretrain": "full", "lora8": "lora", "rag": "serve"}


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """One rule applied to a model [byte]: formula, inputs, source key, and what it leaves out."""

    id: Literal["sixteen_bytes", "table"]
    size: Quantity
    formula: str
    inputs: dict[str, Any]
    source: str
    leaves_out: tuple[str, ...]


def rules_of_thumb(architecture: Architecture, method: Method) -> tuple[RuleOfThumb, ...]:
    """The rules that speak about a method. The table is read at its nearest size and scaled by parameters."""
    billions = architecture.parameters / 1e9
    column = _COLUMNS.get(method, method)
    nearest = min(TABLE, key=lambda size: abs(size - billions))
    table = RuleOfThumb(
        "table",
        quantity(TABLE[nearest][column] * billions / nearest, "GB"),
        "table_gb * parameters_b / table_parameters_b",
        {"table_gb": TABLE[nearest][column], "parameters_b": billions, "table_parameters_b": nearest},
        "cost-effective-gpu",
        ("activations", "logits", "context"),
    )
    return (_sixteen_bytes(billions), table) if column == "full" else (table,)


def _sixteen_bytes(billions: float) -> RuleOfThumb:
    inputs = {"parameters_b": billions, "weights": 2, "gradients": 2, "optimizer_states": 12}
    formula = "parameters_b * (weights + gradients + optimizer_states)"
    size = quantity(billions * 16, "GB")
    return RuleOfThumb("sixteen_bytes", size, formula, inputs, "mittelstand-training-server", ("activations", "logits", "context"))
