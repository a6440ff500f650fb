"""What an answer asks back: a Recommendation enters, the questions to show and what its numbers stand on meanwhile leave."""

from engine.recommendation import Question, Recommendation


def questions_shown(one: Recommendation) -> tuple[Question, ...]:
    """The questions, each thing once: where nothing was read of a slot, the last and most special question about it."""
    last = {question.slot: question for question in one.questions if question.read is None}
    return tuple(question for question in one.questions if question.read is not None or question is last[question.slot])


def counted_with(one: Recommendation, question: Question) -> str | None:
    """The option whose numbers the answer shows while it asks: the first, where a run or a cost stands on it."""
    if not question.options or question.slot not in ("hardware", "dataset"):
        return None
    costed = any(plan.acquisition == "owned" and plan.cost is not None for plan in one.plans)
    shows = one.run is not None or (question.slot == "hardware" and costed)
    return question.options[0].label if shows else None
