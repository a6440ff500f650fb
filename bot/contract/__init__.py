"""The machine contract: what enters are recommendations, memory rows, readings and refusals, what leaves are its JSON values."""

from bot.contract.answer import answer_value
from bot.contract.refusals import error_value, refusal_of

__all__ = ["answer_value", "error_value", "refusal_of"]
