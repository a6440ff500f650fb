"""The shapes of the catalogue against the formula that counts their parameters, and against the counts their makers publish."""

import json
import re
from pathlib import Path

import pytest

from engine.catalogue import Architecture, catalogue
from engine.catalogue.keys import normalised
from engine.memory import row
from engine.memory.blueprint import Blueprint, Latent, Mixture
from engine.memory.counting import parameter_count
from engine.memory.families import family_of

KNOWN = catalogue().architectures
# What the formula of a decoder's layers does not count: towers, per-layer embeddings, searched layers, projections around an embedding.
BESIDE_THE_LAYERS = re.compile(
    r"vision|encoder|tower|SigLIP|CLIP|ViT|per-layer|NAS|audio|projected|searched|cross-attention", re.IGNORECASE
)
COUNTED = [
    one
    for one in KNOWN.values()
    if one.kv_layers
    and "hybrid" not in one.attention
    and "delta" not in one.attention
    and not BESIDE_THE_LAYERS.search(one.name + one.note)
]


def blueprint(one: Architecture) -> Blueprint:
    traits, extra = family_of(one), one.extra
    shared = extra.get("shared_ffn") or (one.shared_experts or 0) * (one.moe_ffn or 0)
    latent = Latent(extra["kv_lora"], extra.get("q_lora", 0), extra["rope"], extra["nope"], extra["v"]) if "kv_lora" in extra else None
    mixture = None
    if one.n_experts and one.top_k and one.moe_ffn:
        mixture = Mixture(one.n_experts, one.top_k, one.moe_ffn, shared, one.dense_layers or 0)
    return Blueprint(
        hidden=one.hidden,
        layers=one.layers,
        heads=one.heads,
        kv_heads=one.kv_heads,
        head_dim=one.head_dim,
        ffn=one.ffn,
        vocab=one.vocab,
        tied=one.tied_embeddings,
        traits=traits,
        positions=(one.context or 0) + traits.positions if traits.learned_positions else 0,
        mixture=mixture,
        latent=latent,
    )


def test_most_shapes_are_counted() -> None:
    assert len(COUNTED) >= 360


@pytest.mark.parametrize("one", COUNTED, ids=lambda one: str(one.id))
def test_the_formula_meets_the_parameters(one: Architecture) -> None:
    slack = 0.011 if one.id.startswith(("laguna", "trinity")) else 0.005  # the gates of their attention are not counted
    assert parameter_count(blueprint(one), {}) == pytest.approx(one.parameters, rel=slack)


def test_the_parameters_are_those_published_where_a_checkpoint_lists_them() -> None:
    for one in KNOWN.values():
        if one.published_parameters is not None:  # multi-token prediction, mask buffers or a second copy of the head come on top
            assert 0.7 * one.published_parameters < one.parameters < 1.012 * one.published_parameters, one.id


def test_an_alias_stands_as_it_is_looked_up_and_once() -> None:
    for one in KNOWN.values():
        assert all(alias == normalised(alias) for alias in one.aliases), one.id
        assert len(set(one.aliases)) == len(one.aliases), one.id


def test_names_people_read_are_one_of_a_kind() -> None:
    names = [one.name for one in KNOWN.values()]
    assert len(set(names)) == len(names)
    assert all(one.release == "" or re.fullmatch(r"20\d\d-\d\d", one.release) for one in KNOWN.values())


SHAPE = {"params_b", "hidden", "layers", "heads", "kv_heads", "head_dim", "ffn", "vocab", "tied", "n_experts", "top_k"}
MEASURED = [
    json.loads(line)["input"]
    for name in ("published", "simulated")
    for line in (Path(__file__).parent.parent / "memory" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("model", sorted({one["model"] for one in MEASURED if SHAPE & one.keys()}))
def test_a_name_alone_sizes_as_the_whole_shape_does(model: str) -> None:
    # 5 %: "qwen-7b" means Qwen2.5, whose shape is almost that of the first Qwen
    for one in (one for one in MEASURED if one["model"] == model and SHAPE & one.keys()):
        named = row({"id": "named", **{key: value for key, value in one.items() if key not in SHAPE}}, catalogue())
        assert named["expected_gb"] == pytest.approx(row({"id": "shaped", **one}, catalogue())["expected_gb"], rel=0.05)
