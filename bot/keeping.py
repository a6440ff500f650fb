"""What the history keeps of a recommendation: its request and answer as JSON, the reply as it was shown, words to find it by."""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.events import Compare
from bot.store import Kept
from engine.catalogue import Catalogue
from engine.recommendation import Recommendation
from engine.request import Language


def kept_comparison(compared: Compare, lang: Language, shown: str, catalogue: Catalogue) -> Kept:
    """Several recommendations side by side, as the request that named them all; what is compared is the summary."""
    from bot.rendering import comparison_line

    summary = comparison_line(compared.recommendations, lang)
    entry = kept(compared.whole, lang, compared.message, shown, catalogue)
    return dataclasses.replace(entry, summary=summary, search=f"{entry.search} {summary.casefold()}")


def kept(recommendation: Recommendation, lang: Language, message: str, shown: str, catalogue: Catalogue) -> Kept:
    """`shown` is the reply as HTML; its first line is the summary."""
    from bot.contract import answer_value
    from bot.rendering.medium import plain_text

    summary = next(iter(plain_text(shown).strip().splitlines()), "")
    return Kept(
        lang=lang,
        message=message,
        request=_json(recommendation.request.contract()),
        answer=_json(answer_value(recommendation, lang, catalogue)),
        shown=shown,
        summary=summary,
        search=" ".join(filter(None, (message, summary, *_names(recommendation)))).casefold(),
        today=recommendation.today,
        engine_version=recommendation.engine_version,
        catalogue_version=recommendation.catalogue_version,
    )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _names(recommendation: Recommendation) -> Iterator[str | None]:
    """Models, sizes, methods and cards that the message may not have named."""
    request = recommendation.request
    yield from request.methods or ()
    if recommendation.approach is not None:
        yield recommendation.approach.method
    for model in request.models or ():
        yield model.name
        yield f"{model.params_b:g}b" if model.params_b else None
    for sizing in recommendation.sizings:
        yield sizing.architecture.name
        yield sizing.method
    for holding in request.hardware or ():
        yield holding.gpu
    for plan in recommendation.plans[:1]:
        yield plan.gpu.name if plan.gpu else None
