"""The widths a layer's memory depends on, derived once from an `Architecture`: plain numbers, parameters and widths."""

import re
from dataclasses import dataclass

from engine.catalogue import Architecture
from engine.memory.families import Family, family_of

_MLA = re.compile(r"(kv_lora|q_lora|rope|nope|v) (\d+)")


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths of one layer and counts of the whole model. `ffn` is what one token passes through, all experts it takes together."""

    parameters: float
    hidden: int
    layers: int
    heads: int
    q: int  # heads x head_dim
    k: int  # kv_heads x head_dim
    v: int  # width of the values, other than k only with latent attention
    ffn: float
    expert_ffn: int
    n_experts: int
    top_k: int
    vocab: int
    embedding: float  # parameters of one embedding matrix
    embeddings: float  # of input embedding and head together
    latent: int  # width cached per token with latent attention, else 0
    family: Family

    @property
    def decoder(self) -> float:
        """Parameters outside embedding and head."""
        return self.parameters - self.embeddings

    @property
    def layer(self) -> float:
        """Parameters of an average layer."""
        return self.decoder / self.layers

    @property
    def head(self) -> float:
        """Parameters of the head that are not the input embedding again."""
        return self.embeddings - self.embedding


def latent_widths(architecture: Architecture) -> dict[str, int]:
    """kv_lora, q_lora, rope, nope and v of latent attention (MLA); empty without it."""
    if not architecture.attention.startswith("mla"):
        return {}
    return {name: int(width) for name, width in _MLA.findall(architecture.attention)}


def _expert_widths(architecture: Architecture) -> tuple[float, int, int]:
    """Average width one token passes through, width of one expert, number of routed experts (0: dense)."""
    experts = architecture.n_experts or 0
    if experts <= 1:
        return float(architecture.ffn), architecture.ffn, 0
    width = architecture.moe_ffn or architecture.ffn
    routed = (architecture.top_k or 1) * width
    shared = (architecture.shared_experts or 0) * width if (architecture.shared_experts or 0) < 64 else architecture.shared_experts or 0
    dense = architecture.dense_layers or 0
    return (dense * architecture.ffn + (architecture.layers - dense) * (routed + shared)) / architecture.layers, width, experts


def shape_of(architecture: Architecture) -> Shape:
    """Derive the widths. Latent attention keeps full-width keys and values in training and `latent` in a cache."""
    mla = latent_widths(architecture)
    ffn, expert_ffn, experts = _expert_widths(architecture)
    q = architecture.heads * architecture.head_dim
    k = q if mla else architecture.kv_heads * architecture.head_dim
    embedding = float(architecture.vocab) * architecture.hidden
    return Shape(
        parameters=float(architecture.parameters),
        hidden=architecture.hidden,
        layers=architecture.layers,
        heads=architecture.heads,
        q=q,
        k=k,
        v=architecture.heads * mla["v"] if "v" in mla else k,
        ffn=ffn,
        expert_ffn=expert_ffn,
        n_experts=experts,
        top_k=architecture.top_k or 1,
        vocab=architecture.vocab,
        embedding=embedding,
        embeddings=min(embedding if architecture.tied_embeddings else 2 * embedding, float(architecture.parameters)),
        latent=mla.get("kv_lora", 0) + mla.get("rope", 0),
        family=family_of(architecture),
    )
