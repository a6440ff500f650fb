"""Names that look like what was typed, for "did you mean"."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from engine.catalogue.keys import compact, normalised
from engine.catalogue.names.answers import LONGEST, card_option, model_option
from engine.catalogue.whole import Catalogue
from engine.recommendation import Option

Kind: TypeAlias = Literal["gpu", "model"]

_SIZE = re.compile(r"\d+(?:\.\d+)?(?=[bm]\b)|\d{3,4}(?!\d)")
_CLOSE_ENOUGH = 0.74


def suggestions(text: str, catalogue: Catalogue, kind: Kind = "model", limit: int = 3) -> tuple[Option, ...]:
    """Names that look alike ("did you mean"), best first. A model's size in the text must be in the name: 7B never meets 70B."""
    if len(text) > LONGEST:
        return ()
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    wanted = _sizes(text.lower()) if kind == "model" else frozenset()
    aliases = catalogue.architecture_aliases if kind == "model" else catalogue.gpu_aliases
    close = process.extract(
        normalised(text) if kind == "model" else compact(text),
        [alias for alias in aliases if wanted <= _sizes(alias)] if wanted else list(aliases),
        scorer=OSA.normalized_similarity,
        score_cutoff=_CLOSE_ENOUGH,
        limit=4 * limit,
    )
    ids = list(dict.fromkeys(aliases[alias] for alias, _, _ in close))[:limit]
    if kind == "model":
        return tuple(model_option(catalogue.architectures[one]) for one in ids)
    return tuple(card_option(catalogue.gpus[one]) for one in ids)


@lru_cache(maxsize=8192)
def _sizes(name: str) -> frozenset[str]:
    return frozenset(_SIZE.findall(name))
