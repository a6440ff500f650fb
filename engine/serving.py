"""What a server needs and gives: enters a sized server, the card, users and documents; leaves speed, cache and index.

Decoding reads the weights once a step for everybody and each user's cache: tokens a second of one user are at most bandwidth /
(weights + users x cache), of which 60-80 % are reached. Of a mixture of experts a step reads the active experts of every user, at
most all. The index of the documents lies in CPU memory; the embedding model beside the model on the card.
"""

from engine.catalogue import Architecture, Catalogue, Gpu
from engine.recommendation import Serving, Sizing
from engine.request import Request
from engine.throughput.links import scaling
from engine.units import Quantity, magnitude, quantity

_SERVED = ("serve", "rag")


def serving_of(sizing: Sizing, gpu: Gpu, count: int, request: Request, catalogue: Catalogue) -> Serving | None:
    """Speed and needs of a server on `count` cards; None for a training step, or a card whose bandwidth is not known."""
    if sizing.method not in _SERVED or not gpu.bandwidth:
        return None
    users, context = (int(_sized(sizing, request, name)) for name in ("users", "context"))
    parts = {term.term: magnitude(term.size, "byte") for term in sizing.footprint.terms}
    split = count if sizing.fit.sharding in ("tensor", "pipeline") else 1
    weights, cache = parts.get("weights", 0.0) * split, parts.get("kv_cache", 0.0) * split
    share = catalogue.figure("decode_bandwidth_share")
    rate = gpu.bandwidth * count * scaling(gpu, count, "tensor", "full", catalogue)
    read = weights * experts_read(sizing.architecture, users) + cache
    first = weights * experts_read(sizing.architecture, 1) + cache / users
    slow, usual, fast = (quantity(rate * part / read, "token/second") for part in (share.low, share.typical, share.high))
    return Serving(
        gpu,
        count,
        users,
        context,
        quantity(weights, "byte"),
        quantity(cache, "byte"),
        catalogue.figure("embedding_memory").quantity if sizing.method == "rag" else None,
        index_size(request, catalogue) if sizing.method == "rag" else None,
        slow,
        usual,
        fast,
        alone=quantity(rate * share.typical / first, "token/second"),
    )


def experts_read(architecture: Architecture, users: int) -> float:
    """Share of the weights a step reads: all of a dense model, the active ones of each user of a mixture."""
    return min(1.0, users * architecture.active_parameters / architecture.parameters)


def index_size(request: Request, catalogue: Catalogue) -> Quantity | None:
    """Bytes of the index of the documents they named; None where they named none."""
    documents = request.serving.documents if request.serving else None
    each = magnitude(catalogue.figure("index_bytes_per_document").quantity, "byte")
    return None if documents is None else quantity(documents * each, "byte")


def _sized(sizing: Sizing, request: Request, name: str) -> float:
    """Users at once, and tokens of each, as the server was sized: as said, else the default taken."""
    said = getattr(request.serving, name) if request.serving else None
    return float(said or sizing.footprint.assumed[f"serving.{name}"])
