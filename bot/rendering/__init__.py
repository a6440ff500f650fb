"""Words: recommendations, verdicts, questions and refusals enter, sentences in German or English leave.

Every sentence stands in templates/; here only the choice of the template. `medium` is "text" (terminal) or "html" (Telegram).
"""

from bot.rendering.answers import answer, caption, comparison, comparison_line, explanation
from bot.rendering.medium import Medium
from bot.rendering.phrases import ErrorWords, error, glossary, glossary_terms, message, question, reason, understood_line, warning

__all__ = [
    "ErrorWords",
    "Medium",
    "answer",
    "caption",
    "comparison",
    "comparison_line",
    "error",
    "explanation",
    "glossary",
    "glossary_terms",
    "message",
    "question",
    "reason",
    "understood_line",
    "warning",
]
