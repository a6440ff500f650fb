"""What a server needs and gives: enters a sized server, the card, users and documents; leaves speed, cache and index.

Decoding reads the weights once a step for everybody and each user's cache: a step takes (weights + users x cache) / bandwidth, of
which 60-80 % are reached, and the time in which cards that share a layer exchange their parts of it. Cards of one machine share
layers; further machines take their part of the users, as replicas or as later layers. Of a mixture of experts a step reads the
active experts of every user, at most all. The index of the documents lies in CPU memory; the embedding model on the card.
"""

from engine.catalogue import Architecture, Catalogue, Gpu
from engine.memory import footprint, setup_of
from engine.placement.spread import tensor_ways
from engine.recommendation import Serving, Sizing
from engine.request import Request, Sharding
from engine.throughput.links import scaling
from engine.units import Quantity, magnitude, quantity

_SERVED = ("serve", "rag")
_CARDS_OF_A_NODE = 8


def serving_of(
    sizing: Sizing, gpu: Gpu, count: int, request: Request, catalogue: Catalogue, sharding: Sharding | None = None
) -> Serving | None:
    """Speed and needs of a server on `count` cards; None for a training step, or a card whose bandwidth is not known."""
    if sizing.method not in _SERVED or not gpu.bandwidth:
        return None
    users, context = (int(_sized(sizing, request, name)) for name in ("users", "context"))
    team = 1 if sharding == "pipeline" else tensor_ways(sizing.architecture, count // -(-count // _CARDS_OF_A_NODE))
    weights, cache = _on_one_card(sizing, request, team)
    at_once = max(1.0, users / (count // team))
    slow, usual, fast = _speeds(
        weights * experts_read(sizing.architecture, at_once) + cache * at_once / users, sizing.architecture, gpu, team, catalogue
    )
    _, alone, _ = _speeds(weights * experts_read(sizing.architecture, 1) + cache / users, sizing.architecture, gpu, team, catalogue)
    return Serving(
        gpu,
        count,
        users,
        context,
        quantity(weights * team, "byte"),
        quantity(cache * team, "byte"),
        catalogue.figure("embedding_memory").quantity if sizing.method == "rag" else None,
        index_size(request, catalogue) if sizing.method == "rag" else None,
        slow,
        usual,
        fast,
        alone=alone,
        team=team,
    )


def _on_one_card(sizing: Sizing, request: Request, team: int) -> tuple[float, float]:
    """Bytes of weights and of all caches on each card of a team; what was sized may stand on another number of cards."""
    setup, _ = setup_of(request, sizing.architecture, sizing.method, team, "tensor" if team > 1 else "none")
    parts = {term.term: magnitude(term.size, "byte") for term in footprint(sizing.architecture, setup, {}).terms}
    return parts.get("weights", 0.0), parts.get("kv_cache", 0.0)


def _speeds(read: float, architecture: Architecture, gpu: Gpu, team: int, catalogue: Catalogue) -> tuple[Quantity, Quantity, Quantity]:
    """Tokens a second of one user, slow, usual, fast, where each card of a team reads so many bytes a step."""
    share, wait = catalogue.figure("decode_bandwidth_share"), catalogue.figure("decode_exchange")
    rate = (gpu.bandwidth or 0.0) * scaling(gpu, team, "tensor", "full", catalogue)
    layers = architecture.layers if team > 1 else 0
    ways = ((share.low, wait.high), (share.typical, wait.typical), (share.high, wait.low))
    slow, usual, fast = (quantity(1 / (read / (rate * part) + layers * each * 1e-6), "token/second") for part, each in ways)
    return slow, usual, fast


def experts_read(architecture: Architecture, users: float) -> float:
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
