"""What decides the answer and nobody said: enters a case, leave questions with the choices that cover most people."""

from engine.recommendation import Option, Question
from engine.rules.case import Case

_SIZES = (8.0, 14.0, 32.0, 70.0)
_ROWS = (1_000, 10_000, 100_000)
_TRILLION = 1e12


def missing(case: Case) -> tuple[Question, ...]:
    """The model where something would be sized, the amount of data where a run from scratch would be timed."""
    found = [_model()] if _needs_model(case) else []
    if case.wants("pretrain") and case.request.dataset is None:
        found.append(_tokens(case))
    return tuple(found)


def _needs_model(case: Case) -> bool:
    """A model is needed to size anything; who only asks what the hardware can do gets that answered instead."""
    capacity = case.asks_what_fits and not case.symptoms
    answered = case.sizings or case.money_only or case.computes or capacity or case.request.goal == "facts"
    return not answered


def _model() -> Question:
    options = tuple(Option(f"{size:g}B", {"params_b": size}) for size in _SIZES)
    return Question(slot="model", read=None, options=options, field="models")


def amount_of_data() -> Question:
    """How many examples: what a run takes and costs follows from them."""
    options = tuple(Option(f"{rows:,}".replace(",", "\u202f"), {"rows": float(rows)}) for rows in _ROWS)
    return Question(slot="dataset", read=None, options=options, field="dataset.rows")


def _tokens(case: Case) -> Question:
    """Compute-optimal, and the amount that small models of today have seen."""
    shape = case.architecture
    ratio = case.figure("tokens_per_parameter").high
    amounts = [shape.parameters * ratio, shape.parameters * ratio * 10] if shape else [_TRILLION]
    options = tuple(Option(f"{amount / _TRILLION:.3g}T", {"tokens": float(f"{amount:.3g}")}) for amount in amounts)
    return Question(slot="dataset", read=None, options=options, field="dataset.tokens")
