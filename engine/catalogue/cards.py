"""Accelerators, cloud instances and measured speeds: what enters are gpus.csv, instances.csv, speeds.csv, what leaves is checked."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, cast

from engine.catalogue import plausible
from engine.catalogue.keys import compact
from engine.catalogue.knowledge import cited, source_of
from engine.catalogue.tables import Row, rows
from engine.catalogue.things import Gpu, Instance, Source, Speed

_GIB, _MIB = 2.0**30, 2.0**20
_GPU_COLUMNS = (
    "id name vendor architecture memory_gb_nominal memory_gib_usable usable_mib usable_source memory_options_gb unified_share memory_type"
    " memory_bus_bits bandwidth_gb_s bf16_dense_tflops fp16_dense_tflops fp8_dense_tflops fp32_tflops fp32_acc_half_rate"
    " measured_bf16_tflops tdp_w nvlink nvlink_gb_s_bidir nvlink_max_cards scaleup_link pcie_gen pcie_lanes ecc cooling form_factor"
    " msrp_usd release geforce_licence compute_capability bf16_support flash_attention_2 aliases verified_fields source note"
)
_INSTANCE_COLUMNS = "provider instance gpu_id gpu_count gpu_memory_gb_each vcpu ram_gib interconnect gpu_link verified_fields source note"
_SPEED_COLUMNS = (
    "model params_b active_params_b method gpu_id n_gpus seq_len micro_batch grad_accum precision framework tok_s_total tok_s_per_gpu"
    " flop_factor implied_mfu_dense date quality source note"
)
_ECC = {"none": "none", "optional": "optional", "always": "always", "": "unknown"}
_SUPPORT = ("y", "n", "part", "")


def gpus(folder: Path, known: Mapping[str, Source]) -> dict[str, Gpu]:
    """All accelerators by id. Errors: CatalogueError: duplicates, implausible figures, unknown sources."""
    ratios = plausible.dense_ratios(folder)
    found: dict[str, Gpu] = {}
    owners: dict[str, str] = {}
    for row in rows(folder / "gpus.csv", _GPU_COLUMNS):
        card = _gpu(row, known)
        if card.id in found:
            row.wrong(f"card {card.id!r} stands there twice")
        plausible.check_aliases(row, card.id, map(compact, (card.id, *card.aliases)), owners)
        plausible.check_gpu(row, card, ratios, half_rate=row.flag("fp32_acc_half_rate") is True)
        found[card.id] = card
    return found


def _gpu(row: Row, known: Mapping[str, Source]) -> Gpu:
    entries = cited(row, known)
    return Gpu(
        id=row.needed("id"),
        name=row.needed("name"),
        vendor=row.needed("vendor"),
        architecture=row.needed("architecture"),
        memory_nominal=row.needed_number("memory_gb_nominal"),
        usable=row.needed_number("memory_gib_usable") * _GIB,
        driver_total=row.scaled("usable_mib", _MIB),
        memory_type=row.text("memory_type"),
        bandwidth=row.scaled("bandwidth_gb_s", 1e9),
        bf16=row.scaled("bf16_dense_tflops", 1e12),
        fp16=row.scaled("fp16_dense_tflops", 1e12),
        fp8=row.scaled("fp8_dense_tflops", 1e12),
        power=row.number("tdp_w"),
        nvlink=row.flag("nvlink") is True,
        nvlink_bandwidth=row.scaled("nvlink_gb_s_bidir", 1e9),
        nvlink_max_cards=row.whole("nvlink_max_cards") or 1,
        pcie_generation=row.whole("pcie_gen"),
        pcie_lanes=row.whole("pcie_lanes"),
        ecc=_ecc(row),
        cooling=row.text("cooling"),
        form_factor=row.text("form_factor"),
        msrp_usd=row.number("msrp_usd"),
        release=row.text("release"),
        geforce_licence=row.flag("geforce_licence") is True,
        compute_capability=row.text("compute_capability"),
        bf16_support=_support(row, "bf16_support"),
        flash_attention=_support(row, "flash_attention_2"),
        unified="unified" in row.text("memory_type"),
        unified_share=row.number("unified_share"),
        memory_options=tuple(float(size) for size in row.words("memory_options_gb")),
        aliases=row.words("aliases"),
        verified_fields=row.set_of("verified_fields"),
        source=entries[0],
        note=row.text("note"),
        fp32=row.scaled("fp32_tflops", 1e12),
        measured_bf16=row.scaled("measured_bf16_tflops", 1e12),
        scaleup_link=row.text("scaleup_link"),
        usable_source=row.text("usable_source"),
        cited=entries,
    )


def _ecc(row: Row) -> Literal["none", "optional", "always", "unknown"]:
    word = row.text("ecc").partition(" ")[0]
    if word not in _ECC:
        row.wrong(f"ecc starts with none, optional or always: {row.text('ecc')!r}")
    return cast(Literal["none", "optional", "always", "unknown"], _ECC[word])


def _support(row: Row, column: str) -> Literal["y", "n", "part"]:
    return cast(Literal["y", "n", "part"], row.word(column, _SUPPORT) or "n")


def instances(folder: Path, known: Mapping[str, Source], cards: Collection[str]) -> tuple[Instance, ...]:
    """All cloud machines. Errors: CatalogueError: duplicates, unknown cards."""
    found: dict[tuple[str, str, str, int], Instance] = {}
    for row in rows(folder / "instances.csv", _INSTANCE_COLUMNS):
        one = Instance(
            provider=row.needed("provider"),
            name=row.needed("instance"),
            gpu=plausible.known_card(row, row.needed("gpu_id"), cards),
            count=row.needed_whole("gpu_count"),
            memory_each=row.needed_number("gpu_memory_gb_each"),
            vcpu=row.number("vcpu"),
            ram=row.scaled("ram_gib", _GIB),
            interconnect=row.text("interconnect"),
            gpu_link=row.text("gpu_link"),
            verified=bool(row.text("verified_fields")),
            source=source_of(row, known).key,
            note=row.text("note"),
        )
        key = (one.provider, one.name, one.gpu, one.count)
        if key in found or one.count < 1 or one.memory_each <= 0:
            row.wrong(f"instance {key} stands there twice, or its count or memory is not above zero")
        found[key] = one
    return tuple(found.values())


def speeds(folder: Path, known: Mapping[str, Source], cards: Mapping[str, Gpu]) -> tuple[Speed, ...]:
    """All measured training speeds. Errors: CatalogueError: unknown cards, more than a card can do and not marked implausible."""
    found = []
    for row in rows(folder / "speeds.csv", _SPEED_COLUMNS):
        speed = _speed(row, known)
        plausible.known_card(row, speed.gpu, cards)
        plausible.check_speed(row, speed, cards[speed.gpu])
        found.append(speed)
    return tuple(found)


def _speed(row: Row, known: Mapping[str, Source]) -> Speed:
    return Speed(
        model=row.needed("model"),
        parameters=row.needed_number("params_b") * 1e9,
        active_parameters=row.needed_number("active_params_b") * 1e9,
        method=row.needed("method"),
        gpu=row.needed("gpu_id"),
        count=row.needed_whole("n_gpus"),
        sequence_length=row.whole("seq_len"),
        micro_batch=row.whole("micro_batch"),
        grad_accumulation=row.whole("grad_accum"),
        precision=row.needed("precision"),
        framework=row.text("framework"),
        tokens_per_second_per_gpu=row.needed_number("tok_s_per_gpu"),
        flop_factor=row.needed_number("flop_factor"),
        utilisation=row.number("implied_mfu_dense"),
        date=row.text("date"),
        source=source_of(row, known).key,
        quality=row.text("quality"),
        note=row.text("note"),
    )
