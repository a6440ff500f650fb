"""`sizewell prices` as an admin uses it: what is entered is kept with who and when, shown, and reaches the catalogue."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.settings import settings
from bot.store.database import open_database
from bot.store.price_book import Draft, PriceBook
from engine.catalogue import catalogue
from engine.catalogue.prices import over

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADD = (
    "prices",
    "add",
    "--gpu",
    "4090",
    "--provider",
    "RunPod",
    "--currency",
    "EUR",
    "--date",
    "2026-11-29",
    "--source",
    "https://example.org",
    "--by",
    "anna",
)


@pytest.fixture(autouse=True)
def _own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SIZEWELL_DATABASE_URL", f"sqlite:///{tmp_path / 'sizewell.db'}")
    monkeypatch.setenv("SIZEWELL_TODAY", "2026-11-30")
    monkeypatch.setenv("SIZEWELL_LANG_DEFAULT", "en")
    settings.cache_clear()
    yield
    settings.cache_clear()


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=given)


def said(*words: str, given: str | None = None) -> str:
    result = run(*words, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def book() -> PriceBook:
    return PriceBook(open_database(settings().database_url))


def test_a_price_that_was_added_is_kept_with_who_and_when_and_listed_first() -> None:
    assert said(*ADD, "--per-hour", "0.42") == "1 price entered.\n"
    (entry,) = book().entries()
    assert (entry.entered_by, entry.draft.state) == ("anna", "accepted")
    assert abs((datetime.now(UTC) - entry.entered).total_seconds()) < 60
    assert said("prices", "list", "-n", "1").startswith("€0.42/h · RTX 4090 · RunPod · net or gross not stated · 29 Nov 2026\n")
    assert "entered by anna" in said("prices", "show", "4090")


def test_a_price_by_the_month_and_one_to_buy_can_be_added() -> None:
    said(*ADD, "--per-month", "300", "--setup", "79", "--eu")
    said(*ADD, "--purchase", "1899", "--tax", "gross", "--market", "DE")
    rows = json.loads(said("prices", "list", "--gpu", "4090", "--json"))["rows"]
    monthly = next(row for row in rows if row["entered_by"] == "anna" and row["kind"] == "rent")
    bought = next(row for row in rows if row["entered_by"] == "anna" and row["kind"] == "buy")
    assert (monthly["per_month"], monthly["setup_fee"], monthly["eu"], monthly["per_hour"]) == (300, 79, True, None)
    assert monthly["low"] == pytest.approx(300 / 730)
    assert (bought["low"], bought["unit"], bought["tax"], bought["freshness"]) == (1899, "EUR", "gross", "fresh")


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (("--per-hour", "0"), "not above zero"),
        (("--per-hour", "cheap"), "cannot be read"),
        (("--per-hour", "1", "--purchase", "2000"), "exactly one of"),
        ((), "exactly one of"),
        (("--per-hour", "1", "--currency", "JPY"), "EUR, USD, GBP, CHF"),
        (("--per-hour", "1", "--date", "yesterday"), "2026-11-30"),
        (("--per-hour", "1", "--date", "2026-12-01"), "still to come"),
        (("--per-hour", "1", "--gpu", "A100"), "name its memory"),
        (("--per-hour", "1", "--gpu", "Voodoo"), "not in the catalogue"),
    ],
)
def test_a_price_that_cannot_be_is_refused_in_words_and_not_kept(words: tuple[str, ...], needle: str) -> None:
    result = run(*ADD, *words)
    assert result.exit_code == 2
    assert needle in result.stderr
    assert book().entries() == ()


def test_a_price_list_from_the_future_is_refused() -> None:
    """Today is 30 November: what claims to hold later is a slip or a forecast, and would beat every real price as the newest."""
    header = "gpu,price,currency,date,provider,source\n"
    out = said("prices", "import", "-", given=header + "4090,0.6,USD,2026-12-01,X,page\nL40S,1,USD,2026-11-30,X,page\n")
    assert "1 price entered." in out
    assert "the day is still to come" in out
    refused = run("prices", "import", "-", "--date", "2099-01-01", given=header + "L40S,1,USD,,X,page\n")
    assert refused.exit_code == 2
    assert "today is 30 Nov 2026" in refused.stderr.replace("\N{NO-BREAK SPACE}", " ")


def test_a_jump_is_held_back_until_somebody_accepts_it() -> None:
    out = said(*ADD, "--per-hour", "42")
    assert "0 prices entered." in out
    assert "more than ten times the price known so far" in out
    assert book().overlays() == ()
    assert "1 · " in said("prices", "list", "--quarantined")
    assert said("prices", "accept", "1", "--by", "berta") == "1 price entered.\n"
    assert [one.entered_by for one in book().entries()] == ["anna", "berta"]  # nothing was changed, a row was added
    assert book().overlays()[0].entered_by == "berta"
    assert said("prices", "list", "--quarantined") == "Nothing is held back.\n"
    assert run("prices", "accept", "1").exit_code == 2


def test_a_line_that_became_no_price_cannot_be_accepted() -> None:
    said("prices", "import", "-", "--provider", "X", given="gpu,price\n4090,0\n")
    assert len(book().quarantined()) == 1
    assert run("prices", "accept", "1").exit_code == 2
    assert run("prices", "accept", "99").exit_code == 2


LIST = "gpu,count,price,currency,date\n4090,1,0.60,USD,2026-11-29\nL40S,8,8.00,USD,2026-11-29\nH100,1,0,USD,2026-11-29\nT4,1,0.3,USD,\n"


def test_an_import_says_what_was_kept_and_what_was_held_back(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(LIST, encoding="utf-8")
    words = ("prices", "import", str(path), "--provider", "Nimbus", "--source", "https://example.org", "--by", "anna")
    dry = said(*words, "--dry-run")
    assert dry.startswith("2 prices would be entered.")
    assert book().entries() == ()
    out = said(*words)
    assert out.startswith("2 prices entered.")
    assert "2 lines held back:" in out
    assert "1 × the price is not above zero" in out
    assert "1 × the day of the price is missing" in out
    facts = json.loads(said(*words, "--dry-run", "--json"))
    assert (facts["accepted"], facts["lines"], facts["reasons"]) == (2, 4, {"price_not_positive": 1, "date_missing": 1})
    assert {one.draft.price.gpu for one in book().entries() if one.draft.price} == {"rtx4090", "l40s"}


@pytest.mark.parametrize(("given", "needle"), [("colour,price\nred,1\n", "column"), ("gpu,price\n", "card"), ("", "column")])
def test_a_list_that_is_none_is_refused(given: str, needle: str) -> None:
    result = run("prices", "import", "-", given=given)
    assert result.exit_code == 2
    assert needle in result.stderr
    assert run("prices", "import", "/nowhere/list.csv").exit_code == 2


def test_entered_prices_reach_the_catalogue_and_are_loaded_once_until_another_comes() -> None:
    assert book().catalogue() is catalogue()
    said(*ADD, "--per-hour", "0.42")
    first = book().catalogue()
    assert first.version != catalogue().version
    assert any(one.entered_by == "anna" for one in first.offers)
    assert book().catalogue() is first
    said(*ADD, "--per-hour", "0.43")
    assert book().catalogue().version != first.version
    (current,) = (one for one in book().catalogue().offers if one.entered_by == "anna")
    assert current.per_gpu_hour == 0.43  # of one day the later entry counts


def test_all_of_an_import_is_kept_or_nothing() -> None:
    kept = book()
    with pytest.raises(TypeError):
        kept.add([Draft(None, "quarantined", "date_missing", {"gpu": "4090"}), Draft(None, written={"gpu": object()})], "anna", NOW)  # type: ignore[dict-item]
    assert kept.entries() == ()


def test_prices_survive_the_way_through_the_database() -> None:
    offer, listing = catalogue().offers[0], catalogue().listings[0]
    kept = book()
    kept.add([Draft(offer), Draft(listing)], "anna", NOW)
    back = [one.draft.price for one in kept.entries()]
    assert [one and (one.id, one.date, one.review_by, one.currency, one.source) for one in back] == [
        (one.id, one.date, one.review_by, one.currency, one.source) for one in (offer, listing)
    ]
    assert [one.entered for one in kept.entries()] == [NOW, NOW]


def test_a_list_of_one_card_is_cheapest_first_and_old_prices_are_ranges() -> None:
    rows = json.loads(said("prices", "list", "--gpu", "A100 80GB", "--kind", "rent", "--json", "-n", "1000"))["rows"]
    lows = [row["low"] for row in rows]
    assert lows == sorted(lows)
    assert {row["gpu"] for row in rows} <= {"a100-80-sxm", "a100-any"}
    for row in rows:
        assert (row["low"] < row["high"]) == (row["freshness"] in ("old", "undated")), row["id"]
        assert (row["age_days"] is None) == (row["freshness"] == "undated")


def test_only_offers_in_the_eu_are_listed_where_that_is_asked() -> None:
    rows = json.loads(said("prices", "list", "--eu", "--kind", "rent", "--json", "-n", "1000"))["rows"]
    assert rows
    assert all(row["eu"] is True for row in rows)


def test_a_card_that_means_several_or_none_is_asked_back() -> None:
    several, none = run("prices", "show", "A100"), run("prices", "show", "RTX 4900")
    assert (several.exit_code, none.exit_code) == (2, 2)
    assert "A100 40GB" in several.stderr
    assert "RTX 4090" in none.stderr


def test_the_offer_that_counts_and_the_way_prices_moved_are_shown() -> None:
    out = said("prices", "show", "H100")
    assert out.count("this offer counts") == 1
    assert "How it moved" in out
    assert "RunPod Secure Cloud: $3.29/h (19 Aug 2026) → " in out


def test_check_names_what_is_due_and_nothing_before_its_day() -> None:
    today = json.loads(said("prices", "check", "--json"))["due"]
    assert today["total"] > 0
    assert sum(one["undated"] for one in today["prices"]) == sum(one.date is None for one in over(catalogue().offers, ()))
    early = json.loads(said("prices", "check", "--json", "--today", "2025-01-01"))["due"]
    dated = [one for one in early["prices"] if one["count"] > one["undated"]]
    assert {one["source"]["key"] for one in dated} == {"launch-prices"}  # launch prices of 2020 and 2022
    assert early["figures"] == []
    later = json.loads(said("prices", "check", "--json", "--within", "400"))["due"]
    assert later["total"] > today["total"]
    assert any(one["id"] == "exchange_rate_eur_usd" for one in later["figures"])


def test_check_fails_on_demand_for_a_nightly_job() -> None:
    assert run("prices", "check", "--strict").exit_code == 1
    assert run("prices", "check").exit_code == 0


@pytest.mark.parametrize("words", [("list", "-n", "2"), ("show", "4090"), ("check",), ("list", "--quarantined")])
def test_the_commands_speak_german(words: tuple[str, ...]) -> None:
    german, english = said("prices", *words, "--lang", "de"), said("prices", *words, "--lang", "en")
    assert german != english
    assert "Jahr" in german or "Tage" in german or "," in german or "nichts" in german
