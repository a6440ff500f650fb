"""The widths a layer's memory depends on, derived once from an `Architecture`: plain numbers, parameters and widths."""

from dataclasses import dataclass

from engine.catalogue import Architecture
from engine.memory.families import Family, family_of


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths of one average layer and counts of the whole model."""

    parameters: float
    hidden: int
    layers: int
    heads: int
    q: int  # heads x head_dim
    k: int  # width of the keys in training
    v: int  # width of the values in training
    out: int  # width attention puts out: heads x the values' head_dim
    ffn: float  # width of the MLP every token passes through (dense layers, shared experts), averaged over the layers
    routed: float  # width of all routed experts one token passes through, averaged over the layers
    copies: float  # times a token's hidden state is copied to experts, averaged over the layers
    expert_ffn: int
    moe_share: float  # of the layers
    n_experts: int
    vocab: int
    embedding: float  # parameters of one embedding matrix
    embeddings: float  # of input embedding and head together
    latent: int  # width cached per token with latent attention, else 0
    kv_lora: int
    q_lora: int
    headless: bool  # an encoder: no head over the vocabulary
    kv_layers: int
    window_layers: int
    window: int
    kv_heads: int  # heads a cache can be split by; the latent of MLA has one
    cached: int  # width of keys and values together in a cache
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
    def tied(self) -> bool:
        """Head and input embedding are one matrix."""
        return self.embeddings == self.embedding

    @property
    def expert_parameters(self) -> float:
        """Parameters of the routed experts of an average layer."""
        return 3.0 * self.hidden * self.expert_ffn * self.n_experts * self.moe_share


def _expert_widths(architecture: Architecture) -> tuple[float, float, float, int]:
    """(dense and shared width, routed width, copies of a token, routed experts), averaged over the layers."""
    experts = architecture.n_experts or 0
    if experts <= 1:
        return float(architecture.ffn), 0.0, 0.0, 0
    width, top_k = architecture.moe_ffn or architecture.ffn, architecture.top_k or 1
    if family_of(architecture).every_expert:
        top_k = experts
    shared = float(architecture.extra.get("shared_ffn", (architecture.shared_experts or 0) * width))
    dense = min(1.0, (architecture.dense_layers or 0) / architecture.layers)
    return dense * architecture.ffn + (1 - dense) * shared, (1 - dense) * top_k * width, (1 - dense) * top_k, experts


def shape_of(architecture: Architecture) -> Shape:
    """Derive the widths. Latent attention keeps full-width keys and values in training and the latent in a cache."""
    ffn, routed, copies, experts = _expert_widths(architecture)
    extra, heads = architecture.extra, architecture.heads
    q = heads * architecture.head_dim
    kv_lora = int(extra.get("kv_lora", 0))
    k = q if kv_lora else architecture.kv_heads * architecture.head_dim
    out = heads * int(extra.get("v", architecture.head_dim)) if kv_lora else q
    embedding = min(float(architecture.vocab) * architecture.hidden, architecture.parameters / (1 if architecture.tied_embeddings else 2))
    layers = architecture.layers
    return Shape(
        parameters=float(architecture.parameters),
        hidden=architecture.hidden,
        layers=layers,
        heads=heads,
        q=q,
        k=k,
        v=out if kv_lora else k,
        out=out,
        ffn=ffn,
        routed=routed,
        copies=copies,
        expert_ffn=architecture.moe_ffn or architecture.ffn,
        moe_share=1 - min(1.0, (architecture.dense_layers or 0) / layers),
        n_experts=experts,
        vocab=architecture.vocab,
        embedding=embedding,
        embeddings=embedding if architecture.tied_embeddings else 2 * embedding,
        latent=kv_lora + int(extra.get("rope", 0)) if kv_lora else 0,
        kv_lora=kv_lora,
        q_lora=int(extra.get("q_lora", 0)),
        headless=architecture.family == "embedding",
        kv_layers=layers if architecture.kv_layers is None else architecture.kv_layers,
        window_layers=architecture.window_layers or 0,
        window=architecture.window or 0,
        kv_heads=1 if kv_lora else architecture.kv_heads,
        cached=kv_lora + int(extra.get("rope", 0)) if kv_lora else 2 * k,
        family=family_of(architecture),
    )
