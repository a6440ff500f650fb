"""Price lists as providers and public catalogues write them: by column names, divided by count, held back where they cannot be right."""

import contextlib
import csv
import io
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.prices.columns import fields_of
from bot.prices.importing import draft_of, jumps_held, read_list
from bot.prices.lines import Sheet
from bot.prices.regions import in_eu
from bot.store.price_book import Draft
from engine.catalogue import Catalogue, Listing, Offer, catalogue
from engine.errors import Refusal

DAY = date(2026, 11, 28)
SHEET = Sheet(provider="RunPod", day=DAY, source="https://example.org/list", currency="USD", entered_by="anna")
BLANK = Sheet()
GOOD = {"gpu": "RTX 4090", "per_hour": "0.70", "provider": "RunPod", "currency": "USD", "date": "2026-11-28", "source": "price page"}


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue()


def _offer(draft: Draft) -> Offer:
    assert isinstance(draft.price, Offer), draft
    return draft.price


def _read(text: str, known: Catalogue, sheet: Sheet = SHEET) -> tuple[Draft, ...]:
    return read_list(text, sheet, known).drafts


def test_a_plain_list_becomes_offers_with_who_and_where_and_when_to_look_again(known: Catalogue) -> None:
    (draft,) = _read("GPU,Count,Price\nRTX 4090,2,1.40\n", known)
    offer = _offer(draft)
    assert draft.state == "accepted"
    assert (offer.gpu, offer.count, offer.per_hour, offer.per_gpu_hour) == ("rtx4090", 2, 1.4, 0.7)
    assert (offer.provider, offer.currency, offer.date, offer.review_by) == ("RunPod", "USD", DAY, date(2026, 12, 28))
    assert (offer.source, offer.entered_by, offer.commitment, offer.tax) == ("https://example.org/list", "anna", "on-demand", "unknown")


def test_a_line_of_the_sky_catalogue_is_divided_by_its_count(known: Catalogue) -> None:
    text = (
        "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
        "p4d.24xlarge,96,1152,A100,8,\"{'Gpus': [{'Name': 'A100', 'MemoryInfo': {'SizeInMiB': 40960}}]}\",us-east-1,us-east-1a,21.96,8.8\n"
        "p4d.24xlarge,96,1152,A100,8,\"{'Gpus': [{'Name': 'A100', 'MemoryInfo': {'SizeInMiB': 40960}}]}\",us-east-1,us-east-1b,22.96,8.8\n"
        "m5.large,2,8,,,,us-east-1,us-east-1a,0.096,0.03\n"
    )
    made = read_list(text, Sheet("AWS", DAY, "catalogue", "USD"), known)
    (draft,) = made.drafts
    offer = _offer(draft)
    assert (made.lines, made.merged) == (2, 1)  # the machine without a card is no line, the dearer zone is left out
    assert (offer.gpu, offer.count, offer.region, offer.eu) == ("a100-40-sxm", 8, "us-east-1", False)
    assert offer.per_gpu_hour == pytest.approx(21.96 / 8)
    assert offer.spot_per_gpu_hour == pytest.approx(1.1)
    assert offer.provider_kind == "hyperscaler"


def test_a_line_of_gpuhunt_that_is_marked_spot_is_spot(known: Catalogue) -> None:
    header = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
    demand, spot = _read(f"{header}x,eu-north1,4.5,16,200,1,H100,80,False,\nx,eu-north1,2.1,16,200,1,H100,80,True,\n", known)
    assert (_offer(demand).commitment, _offer(demand).per_gpu_hour, _offer(demand).eu) == ("on-demand", 4.5, True)
    assert (_offer(spot).commitment, _offer(spot).per_gpu_hour) == ("spot", 2.1)


def test_a_list_with_semicolons_german_numbers_and_a_byte_order_mark_is_read(known: Catalogue) -> None:
    (draft,) = _read(
        "\ufeffGrafikkarte;Anbieter;Preis Monat;Währung;Datum;Quelle\nRTX PRO 6000 Max-Q;Hetzner;1.089,50;EUR;2026-11-20;Webseite\n",
        known,
        BLANK,
    )
    offer = _offer(draft)
    assert (offer.per_month, offer.per_hour, offer.commitment) == (1089.5, None, "monthly")
    assert offer.per_gpu_hour == pytest.approx(1089.5 / 730)
    assert (offer.currency, offer.date, offer.provider_kind) == ("EUR", date(2026, 11, 20), "dedicated")


def test_a_price_to_buy_becomes_a_listing(known: Catalogue) -> None:
    (draft,) = _read("card,purchase price,high,currency,tax,market,kind\nRTX 6000 Ada,7100,7400,€,gross,DE,street\n", known)
    listing = draft.price
    assert isinstance(listing, Listing)
    assert (listing.low, listing.high, listing.currency, listing.tax, listing.kind) == (7100, 7400, "EUR", "gross", "street")
    assert listing.review_by == date(2027, 1, 27)


HELD = [
    ({"per_hour": "0"}, "price_not_positive"),
    ({"per_hour": "0.00"}, "price_not_positive"),
    ({"per_hour": "-0.7"}, "price_not_positive"),
    ({"per_hour": "cheap"}, "not_a_number"),
    ({"per_hour": "1,234"}, "not_a_number"),  # one thousand or one and a bit
    ({"per_hour": "nan"}, "not_a_number"),
    ({"per_hour": "1e999"}, "not_a_number"),
    ({"per_hour": "9" * 400}, "not_a_number"),  # a float holds it as infinity
    ({"per_hour": "1e13"}, "not_a_number"),
    ({"setup_fee": "-5"}, "price_not_positive"),
    ({"monthly_cap": "-5"}, "price_not_positive"),
    ({"date": ""}, "date_missing"),
    ({"date": "28.11.2026"}, "date_unreadable"),
    ({"date": "2026-13-01"}, "date_unreadable"),
    ({"date": "9999-12-31"}, "date_unreadable"),  # no day follows on which to look again
    ({"date": "0026-11-28"}, "date_unreadable"),
    ({"currency": ""}, "currency_missing"),
    ({"currency": "JPY"}, "currency_unknown"),
    ({"provider": ""}, "provider_missing"),
    ({"source": ""}, "source_missing"),
    ({"gpu": "A100"}, "card_ambiguous"),
    ({"gpu": "Voodoo 2"}, "card_unknown"),
    ({"count": "0"}, "count_unusable"),
    ({"count": "1.5"}, "count_unusable"),
    ({"count": "9" * 400}, "not_a_number"),
    ({"count": "1e9"}, "count_unusable"),
    ({"commitment": "forever"}, "word_unknown"),
    ({"tax": "perhaps"}, "word_unknown"),
    ({"instance": ""}, "without_host"),
    ({"per_hour": "", "low": "0"}, "price_not_positive"),
    ({"per_hour": "", "low": "900", "high": "800"}, "price_not_positive"),
    ({"per_hour": "", "per_month": "0"}, "price_not_positive"),
]


@pytest.mark.parametrize(("changed", "reason"), HELD)
def test_what_cannot_be_a_price_is_held_back_with_the_reason(known: Catalogue, changed: dict[str, str], reason: str) -> None:
    assert draft_of(GOOD, BLANK, known).state == "accepted"
    held = draft_of({**GOOD, **changed}, BLANK, known)
    assert (held.price, held.state, held.reason) == (None, "quarantined", reason)
    assert held.written["gpu"]


def test_a_memory_of_absurd_length_is_none(known: Catalogue) -> None:
    for text in (f"SizeInMiB: {'9' * 5000}", f"SizeInMiB: {'9' * 500}"):
        assert _offer(draft_of({**GOOD, "memory_text": text, "memory": "9" * 500}, BLANK, known)).gpu == "rtx4090"


@pytest.mark.parametrize(
    ("per_hour", "reason"),
    [("7.40", ""), ("7.41", "jump_up"), ("0.148", ""), ("0.147", "jump_down")],  # known: 0.74 $/h on 2026-09-25
)
def test_a_jump_beyond_tenfold_or_a_fifth_is_held_back_and_keeps_its_price(known: Catalogue, per_hour: str, reason: str) -> None:
    secure = {**GOOD, "tier": "Secure Cloud", "per_hour": per_hour}
    draft = jumps_held(draft_of(secure, BLANK, known), known)
    assert draft.reason == reason
    assert draft.state == ("quarantined" if reason else "accepted")
    assert draft.price is not None


def test_a_jump_is_measured_across_currencies(known: Catalogue) -> None:
    euro = known.figure("exchange_rate_eur_usd").typical
    hetzner = {**GOOD, "gpu": "RTX PRO 6000 Max-Q", "provider": "Hetzner", "currency": "USD"}
    assert jumps_held(draft_of({**hetzner, "per_hour": f"{14.2 * euro:.4f}"}, BLANK, known), known).reason == ""
    assert jumps_held(draft_of({**hetzner, "per_hour": f"{14.3 * euro:.4f}"}, BLANK, known), known).reason == "jump_up"


def test_a_new_seller_is_measured_by_what_others_take(known: Catalogue) -> None:
    newcomer = {**GOOD, "gpu": "H100 80GB", "provider": "Nimbus"}
    assert jumps_held(draft_of({**newcomer, "per_hour": "3.10"}, BLANK, known), known).state == "accepted"
    assert jumps_held(draft_of({**newcomer, "per_hour": "310"}, BLANK, known), known).reason == "jump_up"
    assert jumps_held(draft_of({**newcomer, "per_hour": "0.01"}, BLANK, known), known).reason == "jump_down"


def test_columns_are_found_by_name_wherever_they_stand() -> None:
    assert fields_of(["Price", "AcceleratorName", "Unrelated", "AcceleratorCount"]) == {
        "per_hour": "Price",
        "gpu": "AcceleratorName",
        "count": "AcceleratorCount",
    }
    assert fields_of(["price_per_gpu_h", "gpu-id"]) == {"per_gpu_hour": "price_per_gpu_h", "gpu": "gpu-id"}


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "gpu,colour\n4090,black\n", "price,date\n1,2026-11-28\n"])
def test_a_list_without_card_or_price_columns_is_refused(known: Catalogue, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_list(text, SHEET, known)
    assert refused.value.code == "price_columns"


def test_a_list_without_lines_is_refused(known: Catalogue) -> None:
    with pytest.raises(Refusal) as refused:
        read_list("gpu,price\n", SHEET, known)
    assert refused.value.code == "price_list_empty"


@pytest.mark.parametrize(
    ("region", "eu"),
    [
        *(
            ("eu-central-1", True),
            ("eu-north1", True),
            ("europe-west4", True),
            ("germanywestcentral", True),
            ("FIN-01", True),
            ("DE", True),
        ),
        *(("eu-west-2", False), ("eu-central-2", False), ("europe-west6", False), ("uksouth", False), ("Oslo", False), ("IS", False)),
        *(("us-east-1", False), ("us-east-1a", False), ("eastus2", False), ("ap-south-1", False), ("CANADA-1", False)),
        *(("", None), ("mixed", None), ("US/CA/EU", None), ("FI/IS", None), ("secure", None)),
    ],
)
def test_a_region_lies_in_the_eu_only_if_its_name_says_so(region: str, eu: bool | None) -> None:
    assert in_eu(region) is eu


@pytest.mark.parametrize("text", ["g" * 200_000, '"', "gpu;price\n\n\n", "gpu,price\n" + "x" * 200_000 + ",1\n"])
def test_a_broken_list_is_refused(known: Catalogue, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_list(text, SHEET, known)
    assert refused.value.code in ("price_columns", "price_list_empty")


CELLS = st.text(max_size=12) | st.sampled_from(["4090", "A100", "1.5", "-1", "0", "1,5", "2026-11-28", "USD", "8"])


@given(st.lists(st.lists(CELLS, max_size=8), max_size=8))
def test_whatever_a_list_holds_every_line_is_a_price_above_zero_or_has_a_reason(lines: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["gpu", "count", "price", "currency", "date", "spotprice", "permonth", "purchase"], *lines])
    with contextlib.suppress(Refusal):
        made = read_list(out.getvalue(), SHEET, catalogue())
        assert made.lines == len(made.drafts) + made.merged
        for draft in made.drafts:
            assert draft.price is not None or (draft.state == "quarantined" and draft.reason)
            if isinstance(draft.price, Offer):
                assert draft.price.per_gpu_hour > 0
                assert draft.price.gpu in catalogue().gpus
