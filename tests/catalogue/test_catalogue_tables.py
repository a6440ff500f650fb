"""Invariants over the whole shipped catalogue, as others rely on them."""

import ast
import datetime
from pathlib import Path

import pytest

import engine
from engine.catalogue import Catalogue, catalogue, load
from engine.catalogue.keys import compact, normalised
from engine.catalogue.loading import DATA
from engine.catalogue.plausible import ANY_VARIANT, utilisation_ceiling
from engine.units import magnitude, unit

GIB = 2.0**30


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


def test_everything_of_the_tables_is_there(known: Catalogue) -> None:
    assert len(known.gpus) >= 146
    assert len(known.architectures) >= 610
    assert len(known.instances) >= 294
    assert len(known.offers) >= 332  # the one "rent" that is a self-hosting cost is a figure instead
    assert len(known.listings) >= 48
    assert len(known.speeds) >= 133


def test_loading_twice_gives_the_same_and_the_shipped_one_is_loaded_once(known: Catalogue) -> None:
    assert load() == known
    assert catalogue() is known


def test_the_version_changes_with_any_figure_and_with_an_imported_price(known: Catalogue, tmp_path: Path) -> None:
    for path in DATA.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert load(tmp_path).version == known.version
    figures = tmp_path / "figures.csv"
    figures.write_text(figures.read_text(encoding="utf-8").replace("vat_de,,0.19", "vat_de,,0.20"), encoding="utf-8")
    assert load(tmp_path).version != known.version
    assert load(overlays=[known.offers[0]]).version != known.version


def test_every_source_is_known_titled_dated_and_used(known: Catalogue) -> None:
    used = {one.source for one in (*known.offers, *known.listings, *known.speeds, *known.instances, *known.figures.values())}
    used |= {entry.partition(":")[0] for one in (*known.gpus.values(), *known.architectures.values()) for entry in one.cited}
    assert used <= set(known.sources)
    for source in known.sources.values():
        assert source.title
        assert source.read is not None
        assert source.review_by is not None
        assert source.read <= source.review_by
        assert source.address is None or source.address.startswith("https://")


def test_every_figure_has_a_unit_a_date_and_a_day_to_look_again(known: Catalogue) -> None:
    for figure in known.figures.values():
        assert unit(figure.unit) is not None
        assert figure.date is not None, figure.id
        assert figure.review_by is not None, figure.id
        assert figure.date <= figure.review_by, figure.id
        assert figure.low <= figure.typical <= figure.high, figure.id


def test_every_figure_the_code_asks_for_exists(known: Catalogue) -> None:
    asked = set()
    for folder in ("engine", "bot"):
        for path in (Path(engine.__file__).parent.parent / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "figure" and node.args:
                    name = node.args[0]
                    if isinstance(name, ast.Constant) and isinstance(name.value, str):
                        asked.add(name.value)
    assert asked
    assert asked <= set(known.figures)


def test_memory_is_never_more_than_the_card_has(known: Catalogue) -> None:
    for card in known.gpus.values():
        nominal = card.memory_nominal * GIB
        assert 0.5 * nominal < card.usable <= 1.002 * nominal, card.id
        if card.driver_total is not None:
            assert card.usable <= 1.002 * card.driver_total, card.id
    assert magnitude(known.gpus["rtx4090"].usable_memory, "GB") == pytest.approx(25.3, abs=0.2)  # nominal 24 GB are 24 GiB


def test_tflops_are_dense(known: Catalogue) -> None:
    dense = {"rtx3090": 71.2, "rtx4090": 165.2, "a100-80-sxm": 312, "h100-sxm": 989, "b200": 2250, "mi300x": 1307, "l40s": 362}
    for card, tflops in dense.items():
        assert known.gpus[card].bf16 == tflops * 1e12


def test_cards_without_tensor_bf16_say_so(known: Catalogue) -> None:
    for card in known.gpus.values():
        if card.vendor == "NVIDIA" and card.compute_capability and float(card.compute_capability) < 8.0:
            assert card.bf16_support == "n", card.id
            assert card.flash_attention == "n", card.id
            assert card.bf16 is None, card.id


def test_geforce_has_no_ecc_and_ada_no_nvlink(known: Catalogue) -> None:
    for card in known.gpus.values():
        if card.name.startswith("GeForce"):
            assert not card.corrects_errors, card.id
            assert card.geforce_licence, card.id
        if card.architecture.startswith("Ada"):
            assert not card.nvlink, card.id


def test_no_id_is_shadowed_by_another_rows_alias(known: Catalogue) -> None:
    assert {known.gpu_aliases[compact(one)] for one in known.gpus} == set(known.gpus)
    assert {known.architecture_aliases[normalised(one)] for one in known.architectures} == set(known.architectures)


def test_active_parameters_follow_the_experts(known: Catalogue) -> None:
    for one in known.architectures.values():
        per_layer_embeddings = one.id.startswith(("gemma-3n-e", "gemma-4-e"))  # they load, but are looked up instead of multiplied
        if one.n_experts is None and not per_layer_embeddings:
            assert one.active_parameters == one.parameters, one.id
        if one.n_experts is not None:
            assert one.active_parameters < one.parameters, one.id
    assert known.architectures["mixtral-8x7b"].active_parameters == pytest.approx(12.9e9, rel=0.01)


def test_latent_and_global_widths_are_read_from_the_attention(known: Catalogue) -> None:
    extra = known.architectures["deepseek-v3"].extra
    assert (extra["kv_lora"], extra["rope"], extra["nope"], extra["v"], extra["q_lora"]) == (512, 64, 128, 128, 1536)
    assert known.architectures["gemma-4-31b"].extra == {"global_head_dim": 512, "global_kv_heads": 4}
    assert known.architectures["qwen2-57b-a14b"].extra == {"shared_ffn": 20480}


def test_unread_fields_keep_their_mark(known: Catalogue) -> None:
    assert "bw" in known.gpus["rtx4090"].verified_fields
    assert "nvlink" not in known.gpus["rtx4090"].verified_fields
    assert not known.gpus["gtx1650"].verified_fields
    assert "layers" in known.architectures["llama-3.1-8b"].verified_fields
    assert sum(not one.verified for one in known.instances) >= 74
    assert not known.figures["server_cards_max"].verified


def test_offers_are_consistent(known: Catalogue) -> None:
    for offer in known.offers:
        assert offer.per_gpu_hour > 0, offer.id
        assert offer.gpu in known.gpus or offer.gpu in ANY_VARIANT, offer.id
        assert (offer.date is None) == (offer.date_quality == "undated"), offer.id
        assert offer.per_hour is None or offer.per_hour == pytest.approx(offer.count * offer.per_gpu_hour, rel=0.011), offer.id
        if offer.date is not None:
            assert offer.review_by == offer.date + datetime.timedelta(days=30), offer.id
    assert len({one.id for one in known.offers}) == len(known.offers)


def test_hetzner_offers_have_cap_fee_tax_and_availability(known: Catalogue) -> None:
    capped, monthly, small = (one for one in known.offers if one.provider == "Hetzner")
    assert (capped.per_hour, capped.monthly_cap, capped.setup_fee, capped.billing_step_minutes) == (1.4247, 889, 0, 60)
    assert (monthly.per_hour, monthly.per_month, monthly.commitment) == (None, 889, "monthly")
    assert (small.per_month, small.setup_fee, small.available) == (184, 79, False)
    assert {one.eu for one in (capped, monthly, small)} == {True}
    assert {one.tax for one in (capped, monthly, small)} == {"unknown"}


@pytest.mark.parametrize(
    ("provider", "region", "eu"),
    [
        ("Hetzner", "DE", True),
        ("Scaleway", "FR/NL/PL", True),
        ("OVHcloud", "GRA", True),
        ("AWS", "us-east-1", False),
        ("Verda", "FI/IS", True),
        ("Hyperstack", "EU/CA/US", None),
    ],
)
def test_an_offer_says_whether_it_runs_in_the_eu(known: Catalogue, provider: str, region: str, eu: bool | None) -> None:
    found = [one for one in known.offers if one.provider == provider and one.region == region]
    assert found
    assert {one.eu for one in found} == {eu}


def test_a_self_hosting_cost_is_no_rent(known: Catalogue) -> None:
    assert not [one for one in known.offers if one.gpu == "a800-80" and one.provider_kind == "article"]
    assert known.figures["quoted_a800_self_hosting"].typical == 0.79


def test_listings_are_consistent(known: Catalogue) -> None:
    for listing in known.listings:
        assert 0 < listing.low <= listing.high, listing.id
        assert listing.gpu == "" or listing.gpu in known.gpus or listing.gpu in ANY_VARIANT, listing.id
    assert {one.tax for one in known.listings if "Geizhals" in one.market} == {"gross"}
    three = next(one for one in known.listings if one.count == 3)
    assert (three.low, three.high) == (28_800, 38_400)


def test_speeds_stay_below_what_was_measured_unless_marked(known: Catalogue) -> None:
    for speed in known.speeds:
        if speed.utilisation is not None and not speed.quality.startswith("IMPLAUSIBLE"):
            assert speed.utilisation <= 1.03 * utilisation_ceiling(known.gpus[speed.gpu]), speed
    marked = [speed for speed in known.speeds if speed.quality.startswith("IMPLAUSIBLE")]
    assert {speed.gpu for speed in marked} == {"dgxspark", "rtxa6000"}
    assert utilisation_ceiling(known.gpus["a100-80-sxm"]) == pytest.approx(0.87, abs=0.005)
    assert utilisation_ceiling(known.gpus["h100-sxm"]) == pytest.approx(0.80, abs=0.005)
    assert utilisation_ceiling(known.gpus["mi300x"]) == pytest.approx(0.51, abs=0.005)


def test_the_newest_exchange_rate_counts(known: Catalogue) -> None:
    dollar = known.figures["exchange_rate_eur_usd"]
    assert (dollar.typical, dollar.unit, dollar.date) == (1.1225, "USD/EUR", datetime.date(2026, 10, 3))
    assert known.figures["exchange_rate_eur_gbp"].low < 1 < 1.1 < 1 / known.figures["exchange_rate_eur_gbp"].low
    assert not known.figures["exchange_rate_eur_chf"].verified
