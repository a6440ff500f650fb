"""The shape of a model as its parameters are counted: what `engine.memory.config_json` reads and `counting` sums."""

from dataclasses import dataclass

from engine.memory.families import Family


@dataclass(frozen=True, slots=True)
class Latent:
    """Widths of multi-head latent attention; q_lora 0: the query is projected at once."""

    kv_lora: int
    q_lora: int
    rope: int
    nope: int
    v: int


@dataclass(frozen=True, slots=True)
class Mixture:
    """Routed experts of `width`, a shared one of `shared_width` in all (0: none); the first `dense_layers` have none of them."""

    experts: int
    top_k: int
    width: int
    shared_width: int
    dense_layers: int
    latent: int = 0  # experts work on this width instead of the hidden one


@dataclass(frozen=True, slots=True)
class Recurrent:
    """Layers with a constant state instead of a cache: `layers` of them, `parameters` each."""

    layers: int
    parameters: int


@dataclass(frozen=True, slots=True)
class Sublayers:
    """How many of each there are where a layer is one of them, not attention and MLP together."""

    attention: int
    mlp: int
    mixture: int


@dataclass(frozen=True, slots=True)
class Wide:
    """Global layers with their own heads (Gemma 4): width of queries, of keys, and whether values are the keys."""

    layers: int
    q: int
    k: int
    shared: bool


@dataclass(frozen=True, slots=True)
class Blueprint:
    """All widths of a decoder (or encoder) with its family's traits."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    tied: bool
    traits: Family
    positions: int = 0
    mixture: Mixture | None = None
    latent: Latent | None = None
    recurrent: Recurrent | None = None
    window: int | None = None
    window_layers: int = 0
    sublayers: Sublayers | None = None
    wide: Wide | None = None
    indexer: int = 0  # parameters a layer of a sparse attention's indexer
    extra: int = 0  # parameters outside the usual layers

    @property
    def q(self) -> int:
        return self.heads * self.head_dim

    @property
    def k(self) -> int:
        return self.kv_heads * self.head_dim
