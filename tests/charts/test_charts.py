"""The pictures: size, opaque, the same bytes again, both languages, no pyplot; the numbers of the caption are the engine's."""

import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from datetime import date
from itertools import combinations
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "rendering"))
from made_recommendations import SHAPES, asking, full_does_not_fit, gb, money, money_only, shape_a, sizing, tight

from bot.answering import answer_message
from bot.charts import drawable, picture
from bot.charts.money import lines_of, money_picture
from bot.rendering import caption
from engine.catalogue import catalogue
from engine.errors import Refusal
from engine.recommendation import Month
from engine.request import Language, Request
from engine.units import quantity

ROOT = Path(__file__).resolve().parents[2]


def header(png: bytes) -> tuple[int, int, int]:
    """Width, height and colour type of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colour = struct.unpack(">IIBB", png[16:26])
    return width, height, colour


def corner_alpha(png: bytes) -> int:
    """Alpha of the first pixel (filter type of the first line is accounted for by its being the first pixel)."""
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    return zlib.decompress(data)[4]


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("kind", ["memory", "money"])
def test_a_picture_is_1200_by_700_opaque_and_repeatable(kind: str, lang: str) -> None:
    made = picture(shape_a(), kind, lang)
    width, height, colour = header(made)
    assert (width, height) == (1200, 700)
    assert colour != 6 or corner_alpha(made) == 255
    assert made == picture(shape_a(), kind, lang)
    assert made != picture(tight(), "memory", lang)


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if drawable(shape())])
def test_every_shape_with_something_to_see_is_drawn(name: str) -> None:
    for kind in drawable(SHAPES[name]()):
        assert len(picture(SHAPES[name](), kind, "de")) > 10_000


def test_the_other_kind_is_drawn_where_there_is_none_of_this() -> None:
    assert picture(tight(), "money", "en") == picture(tight(), "memory", "en")
    assert picture(money_only(), "memory", "en") == picture(money_only(), "money", "en")
    assert caption(tight(), "money", "en") == caption(tight(), "memory", "en")
    assert caption(asking(), "money", "en") == ""
    with pytest.raises(Refusal):
        picture(asking(), "memory", "en")


def test_the_lines_go_through_what_the_engine_computed() -> None:
    lines = lines_of(shape_a())
    assert lines is not None
    last = shape_a().acquisition.curve[-1]
    assert lines.rent(432) == pytest.approx(last.rent.magnitude)
    assert lines.own(432) == pytest.approx(last.own.magnitude)
    assert lines.own(8500) == pytest.approx(lines.rent(8500))


def test_a_cap_bends_the_rent() -> None:
    quotes = {"purchase": {"amount": 10700, "currency": "EUR"}, "rent": {"per_hour": 1.4247, "monthly_cap": 889, "currency": "EUR"}}
    curve = tuple(Month(month, quantity(10700 + 98.55 * month, "EUR"), quantity(889 * month, "EUR")) for month in range(1, 37))
    made = replace(
        money_only(),
        request=Request.model_validate({"usage": {"training_hours_per_month": 730}, "quotes": quotes}),
        acquisition=replace(money("buy", hours=26280, break_even=8705.31), curve=curve),
    )
    lines = lines_of(made)
    assert lines is not None
    assert lines.rent(26280) == pytest.approx(32004)
    assert lines.rent(8705.31) == pytest.approx(8705.31 * 1.4247)
    assert lines.own(26280) == pytest.approx(14247.8)
    assert picture(made, "money", "en") != picture(money_only(), "money", "en")


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize(
    "message", ["8B LoRA 40 h/month, QLoRA 32B, 5000 €", "8B LoRA, 200 h/month, RTX 4090", "8B LoRA 600 h/month", "32B QLoRA 400 h/month"]
)
def test_notes_cover_no_other(lang: Language, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr("bot.charts.money.png", lambda made: drawn.append(made) or b"")
    made = answer_message(message, lang, catalogue(), date(2026, 12, 1))
    assert made.acquisition.curve
    money_picture(made, lang)
    (axes,) = drawn[0].axes
    boxes = [one.get_window_extent() for one in axes.texts]
    assert boxes
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_a_range_that_reaches_beyond_the_horizon_is_open_above() -> None:
    """The headline's break-even lies inside its range: cheaper rent may mean that buying never pays."""
    made = answer_message("8B LoRA 600 h/month", "en", catalogue(), date(2026, 12, 1))
    rent = next(one for one in made.acquisition.sensitivity if one.input == "rent")
    assert rent.low is None
    assert "no upper limit" in caption(made, "money", "en")
    assert "nach oben offen" in caption(made, "money", "de")
    both = replace(made.acquisition, sensitivity=(replace(rent, low=quantity(90_000, "hour")),))
    assert "–90,000 h" in caption(replace(made, acquisition=both), "money", "en")


def test_without_break_even_the_months_are_drawn() -> None:
    never = replace(shape_a(), acquisition=replace(money(), break_even=None, break_even_per_month=None))
    assert lines_of(never) is None
    assert len(picture(never, "money", "en")) > 10_000


def test_a_far_larger_alternative_does_not_squeeze_the_picture() -> None:
    wide = replace(
        shape_a(), sizings=(*shape_a().sizings[:1], sizing("full", need=replace(shape_a().footprint, method="full", expected=gb(4000))))
    )
    assert len(picture(wide, "memory", "en")) > 10_000


def test_captions_hold_the_numbers_and_the_limit() -> None:
    assert "22,1 GB (20,6–23,9)" in caption(shape_a(), "memory", "de")
    assert "Logits 3,2" in caption(shape_a(), "memory", "de")
    money_words = caption(shape_a(), "money", "en")
    assert "own €4,590, rent €284" in money_words
    assert "8,500 h, that is 54 h a week. Range: 6,200–13,000 h" in money_words
    assert len(caption(full_does_not_fit(), "memory", "de", "html")) <= 1024


def test_pyplot_is_never_imported() -> None:
    code = (
        "import sys; sys.path[:0] = ['tests/rendering']\n"
        "from made_recommendations import shape_a\nfrom bot.charts import picture\n"
        "assert 'matplotlib' not in sys.modules\n"
        "picture(shape_a(), 'money', 'de')\nassert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, env={"PATH": "", "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"})


@pytest.mark.campaign
def test_500_pictures_do_not_grow_the_process() -> None:
    """Resident memory after 500 pictures against after the first 20: less than 20 MB more."""

    def resident() -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * 4096 / 1e6

    for _ in range(10):
        picture(shape_a(), "memory", "de"), picture(shape_a(), "money", "en")
    before = resident()
    for _ in range(250):
        picture(shape_a(), "memory", "de"), picture(shape_a(), "money", "en")
    grown = resident() - before
    print(f"grown by {grown:.1f} MB over 500 pictures")
    assert grown < 20
