"""What a row of the catalogue must satisfy beyond its form. Errors everywhere: CatalogueError with file and line."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from engine.catalogue.tables import Row, rows
from engine.catalogue.things import Architecture, Gpu, Offer, Speed

ANY_VARIANT = frozenset({"h100-any", "a100-any"})  # the source names the card, not the variant
_HALF_RATE = 0.51  # GeForce, A10G, L20, L40 run FP32 accumulate at half the rate of the same chip in other cards, rounded up
_FP8_RATIO = 2.2  # dense fp8 to dense bf16; sparse would be 4
_CEILING_WITHOUT_MEASUREMENT = 0.90  # of the dense peak; the best measured matmul reaches 0.87
_DERIVED_PEAK_SLACK = 1.03  # the printed utilisation is rounded, boost clocks vary
_ROUNDING = 0.011  # prices per instance are rounded to cents
_EMBEDDING_FREE = 1.0


def dense_ratios(folder: Path) -> dict[str, float]:
    """Most dense tensor FLOPS for one FP32 FLOP, by start of an architecture's name."""
    return {
        row.needed("architecture"): row.needed_number("ratio") for row in rows(folder / "dense_ratios.csv", "architecture ratio source")
    }


def known_card(row: Row, card: str, cards: Collection[str], any_variant: bool = False) -> str:
    """The id of a card of the catalogue, or of a card whose variant the source does not name."""
    if card not in cards and not (any_variant and card in ANY_VARIANT):
        row.wrong(f"card {card!r} is not in gpus.csv")
    return card


def check_aliases(row: Row, name: str, keys: Iterable[str], owners: dict[str, str]) -> None:
    """Each alias, as it is looked up, belongs to one row only."""
    for key in keys:
        owner = owners.setdefault(key, name)
        if owner != name:
            row.wrong(f"alias {key!r} belongs to {owner!r} as well")


def check_gpu(row: Row, card: Gpu, ratios: Mapping[str, float], half_rate: bool) -> None:
    """Memory a process gets never exceeds what the card has; TFLOPS are dense, not sparse."""
    gib = 2.0**30
    ceiling = min(card.memory_nominal * gib, card.driver_total or card.memory_nominal * gib) * 1.002
    if not 0.5 * card.memory_nominal * gib < card.usable <= ceiling:
        row.wrong(f"memory_gib_usable {card.usable / gib:g} does not fit {card.memory_nominal:g} GB and what the driver prints")
    for column, number in (("bandwidth_gb_s", card.bandwidth), ("tdp_w", card.power), ("msrp_usd", card.msrp_usd)):
        if number is not None and number <= 0:
            row.wrong(f"{column} is not above zero")
    _check_dense(row, card, ratios, half_rate)


def _check_dense(row: Row, card: Gpu, ratios: Mapping[str, float], half_rate: bool) -> None:
    tensor = max(card.bf16 or 0.0, card.fp16 or 0.0)
    starts = (card.architecture[:length] for length in range(len(card.architecture), 0, -1))
    start = next((start for start in starts if start in ratios), None)
    if start is None:
        row.wrong(f"architecture {card.architecture!r} is not in dense_ratios.csv")
    ratio = ratios[start] * (_HALF_RATE if half_rate else 1.0)
    if card.fp32 and tensor > ratio * card.fp32:
        row.wrong(f"{tensor / 1e12:g} TFLOPS are more than {ratio:g} x FP32: a sparse or FP16-accumulate figure?")
    announced = card.release.startswith("announced")
    if card.fp8 and card.bf16 and card.fp8 > _FP8_RATIO * card.bf16 and not announced:
        row.wrong(f"fp8 {card.fp8 / 1e12:g} TFLOPS are more than {_FP8_RATIO:g} x bf16: a sparse figure?")
    if card.measured_bf16 and tensor and card.measured_bf16 > 1.25 * tensor:
        row.wrong("more was measured than the peak allows")


def check_architecture(row: Row, one: Architecture) -> None:
    """Counts above zero, active at most total, heads divisible, experts consistent, at least the embedding inside the total."""
    if one.active_parameters > one.parameters:
        row.wrong("more active than total parameters")
    if min(one.parameters, one.active_parameters, one.hidden, one.layers, one.heads, one.kv_heads, one.head_dim, one.vocab) <= 0:
        row.wrong("counts are above zero")
    if one.kv_heads > one.heads:
        row.wrong("more key-value heads than heads")
    if one.vocab * one.hidden * _EMBEDDING_FREE > one.parameters:
        row.wrong("the embedding alone has more parameters than the total")
    if (one.n_experts is None) != (one.top_k is None) or (one.n_experts or 0) < (one.top_k or 0):
        row.wrong("n_experts and top_k belong together, top_k is not above n_experts")
    if (one.kv_layers or 0) > one.layers or (one.window_layers or 0) > one.layers:
        row.wrong("more kv_layers or window_layers than layers")
    if (one.window_layers is None) != (one.window is None):
        row.wrong("window_layers and window belong together")


def check_offer(row: Row, offer: Offer) -> None:
    """Prices are above zero, the instance costs count times one card, a cap needs an hourly price."""
    prices = (offer.per_gpu_hour, offer.per_hour, offer.spot_per_gpu_hour, offer.per_month, offer.monthly_cap)
    if any(price is not None and price <= 0 for price in prices) or (offer.setup_fee or 0) < 0 or offer.count < 1:
        row.wrong("prices are above zero and gpu_count is at least 1")
    if offer.per_hour is not None and abs(offer.per_hour - offer.count * offer.per_gpu_hour) > _ROUNDING * offer.per_hour:
        row.wrong(f"per_hour {offer.per_hour:g} is not {offer.count} x {offer.per_gpu_hour:g}")
    if offer.per_hour is not None and offer.per_month is not None:
        row.wrong("per_hour and per_month exclude each other")
    if offer.monthly_cap is not None and offer.per_hour is None:
        row.wrong("a monthly cap needs per_hour")


def check_speed(row: Row, speed: Speed, card: Gpu) -> None:
    """No row claims more than the card's best measured matmul, unless it is marked as implausible."""
    if speed.tokens_per_second_per_gpu <= 0 or speed.active_parameters > speed.parameters:
        row.wrong("speed is above zero, active is not above total parameters")
    if speed.utilisation is None or speed.quality.startswith("IMPLAUSIBLE"):
        return
    ceiling = utilisation_ceiling(card) * _DERIVED_PEAK_SLACK
    if speed.utilisation > ceiling:
        row.wrong(f"utilisation {speed.utilisation:g} is above {ceiling:.2f}: mark the row IMPLAUSIBLE or correct it")


def utilisation_ceiling(card: Gpu) -> float:
    """Largest share of the dense peak a run can reach on a card: its measured matmul, else 0.90. Never above 1."""
    if card.measured_bf16 and card.bf16:
        return min(1.0, card.measured_bf16 / card.bf16)
    return _CEILING_WITHOUT_MEASUREMENT
