"""Model architectures: what enters is architectures.csv, what leaves is checked by id."""

import re
from collections.abc import Mapping
from pathlib import Path

from engine.catalogue import plausible
from engine.catalogue.keys import normalised
from engine.catalogue.knowledge import cited
from engine.catalogue.tables import Row, rows
from engine.catalogue.things import Architecture, Source

_COLUMNS = (
    "id name family hf_id aliases params_total params_active hidden layers heads kv_heads head_dim ffn moe_ffn n_experts top_k"
    " shared_experts shared_ffn dense_layers vocab tied_embeddings attention context kv_layers window_layers window native_dtype licence"
    " gated release params_published published_kind published_includes diff_pct verified_fields source note"
)
_LATENT = re.compile(r"\b(kv_lora|q_lora|rope|nope|v) (\d+)\b")
_GLOBAL_HEAD = re.compile(r"global (?:layers )?head_dim (\d+)")
_GLOBAL_KV = re.compile(r"head_dim \d+, (\d+) KV head")


def architectures(folder: Path, known: Mapping[str, Source]) -> dict[str, Architecture]:
    """All architectures by id; aliases stand in the table as `normalised` makes them. Errors: CatalogueError: duplicates, implausible
    shapes, unknown sources."""
    found: dict[str, Architecture] = {}
    owners: dict[str, str] = {}
    for row in rows(folder / "architectures.csv", _COLUMNS):
        one = _architecture(row, known)
        if one.id in found:
            row.wrong(f"architecture {one.id!r} stands there twice")
        plausible.check_aliases(row, one.id, (normalised(one.id), normalised(one.hf_id or one.id), *one.aliases), owners)
        plausible.check_architecture(row, one)
        found[one.id] = one
    return found


def _architecture(row: Row, known: Mapping[str, Source]) -> Architecture:
    entries = cited(row, known)
    hidden, layers, heads, kv_heads, head_dim, vocab = row.needed_wholes("hidden", "layers", "heads", "kv_heads", "head_dim", "vocab")
    ffn, moe_ffn, n_experts, top_k, shared_experts, shared_ffn, dense_layers = row.wholes(
        "ffn", "moe_ffn", "n_experts", "top_k", "shared_experts", "shared_ffn", "dense_layers"
    )
    context, kv_layers, window_layers, window = row.wholes("context", "kv_layers", "window_layers", "window")
    return Architecture(
        id=row.needed("id"),
        name=row.needed("name"),
        family=row.text("family"),
        hf_id=row.text("hf_id") or None,
        parameters=row.needed_number("params_total"),
        active_parameters=row.needed_number("params_active"),
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        ffn=ffn or moe_ffn or 0,
        moe_ffn=moe_ffn,
        n_experts=n_experts,
        top_k=top_k,
        shared_experts=shared_experts,
        dense_layers=dense_layers,
        vocab=vocab,
        tied_embeddings=row.flag("tied_embeddings") is not False,
        attention=row.needed("attention"),
        context=context,
        kv_layers=kv_layers,
        window_layers=window_layers,
        window=window,
        native_dtype=row.needed("native_dtype"),
        licence=row.text("licence"),
        gated=row.flag("gated") is True,
        release=row.text("release"),
        aliases=row.words("aliases"),
        verified_fields=row.set_of("verified_fields"),
        source=entries[0].partition(":")[0],
        note=row.text("note"),
        extra=_extra(row.text("attention"), shared_ffn),
        cited=entries,
        published_parameters=row.number("params_published"),
    )


def _extra(attention: str, shared_ffn: int | None) -> dict[str, int]:
    """What has no column of its own: latent widths of MLA, wider heads of global layers, width of a shared expert where it differs."""
    found = {} if shared_ffn is None else {"shared_ffn": shared_ffn}
    if "kv_lora" in attention:
        found |= {name: int(width) for name, width in _LATENT.findall(attention)}
    if "global" in attention and (head := _GLOBAL_HEAD.search(attention)):
        found["global_head_dim"] = int(head[1])
        if kv_heads := _GLOBAL_KV.search(attention):
            found["global_kv_heads"] = int(kv_heads[1])
    return found
