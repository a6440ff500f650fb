"""The money picture: what owning and renting cost by the hours worked, with the break-even and its range; else month by month."""

from dataclasses import dataclass
from math import inf
from typing import Any

from bot.charts.canvas import INK, OWN, RENT, SOFT, figure, labels, plain_axes, png
from bot.rendering.views import money_view
from engine.recommendation import Recommendation
from engine.request import Language
from engine.units import magnitude, quantity

_POINTS = 120
_ROUNDING = 1e-6
_APART = 6  # pixels between notes
_BESIDE = ((18.0, -52.0), (56.0, -52.0), (94.0, -52.0), (18.0, -90.0), (56.0, -90.0))  # of the break-even [points]
_AT_THE_FOOT = ((0.0, 22.0), (40.0, 22.0), (80.0, 22.0), (-40.0, 22.0), (0.0, 46.0), (0.0, 70.0), (0.0, 94.0))


@dataclass(frozen=True, slots=True)
class Lines:
    """Both sides by hours of work over the horizon: own = base + slope x hours; rent up to a cap a month, scaled to the curve."""

    base: float
    slope: float
    per_hour: float
    cap: float | None  # over the horizon

    def own(self, hours: float) -> float:
        return self.base + self.slope * hours

    def rent(self, hours: float) -> float:
        bill = self.per_hour * hours
        return bill if self.cap is None else min(bill, self.cap)


def money_picture(recommendation: Recommendation, lang: Language) -> bytes:
    """By hours where a break-even is known and both sides are straight lines (or capped), by months otherwise."""
    lines = lines_of(recommendation)
    return _by_months(recommendation, lang) if lines is None else _by_hours(recommendation, lines, lang)


def lines_of(recommendation: Recommendation) -> Lines | None:
    """The two lines through what the engine computed: the end of the curve at the planned hours, and the break-even."""
    bought = recommendation.acquisition
    if bought.break_even is None or bought.hours is None or not bought.curve:
        return None
    last, hours, even = bought.curve[-1], magnitude(bought.hours, "hour"), magnitude(bought.break_even, "hour")
    if last.own is None or last.rent is None or hours <= 0 or abs(even - hours) < 1e-6 * hours:
        return None
    own, rent = float(last.own.magnitude), float(last.rent.magnitude)
    per_hour, cap = _rate(recommendation, hours, rent)
    at_break_even = per_hour * even if cap is None else min(per_hour * even, cap)
    slope = (own - at_break_even) / (hours - even)
    found = Lines(own - slope * hours, slope, per_hour, cap)
    return found if slope >= -_ROUNDING * per_hour and found.base > 0 else None


def _rate(recommendation: Recommendation, hours: float, rent: float) -> tuple[float, float | None]:
    """Money an hour, and the cap over the horizon, so that the bill at the planned hours is the engine's."""
    quotes = recommendation.request.quotes
    offer = quotes.rent if quotes else None
    if offer is None or offer.per_hour is None or offer.monthly_cap is None:
        return rent / hours, None
    cap = offer.monthly_cap * len(recommendation.acquisition.curve)
    scale = rent / min(offer.per_hour * hours, cap)
    return offer.per_hour * scale, cap * scale


def _by_hours(recommendation: Recommendation, lines: Lines, lang: Language) -> bytes:
    label, view, bought = labels(lang), money_view(recommendation), recommendation.acquisition
    assert bought.break_even is not None  # noqa: S101  # lines_of asked for it
    assert bought.hours is not None  # noqa: S101  # likewise
    even, hours = magnitude(bought.break_even, "hour"), magnitude(bought.hours, "hour")
    low, high = (inf if end is None else magnitude(end, "hour") for end in view.break_even_range or (bought.break_even, bought.break_even))
    end = max(even * 1.6, min(high, even * 2) * 1.08, hours * 1.12)
    made, axes = _canvas(label("money_title", view.months), label, bought.currency)
    grid = [end * step / _POINTS for step in range(_POINTS + 1)]
    axes.plot(grid, [lines.rent(one) for one in grid], color=RENT, linewidth=4)
    axes.plot(grid, [lines.own(one) for one in grid], color=OWN, linewidth=4, linestyle=(0, (6, 2)))
    top = max(lines.rent(end), lines.own(end)) * 1.25
    axes.set_xlim(0, end)
    axes.set_ylim(0, top)
    axes.axvspan(max(low, 0), min(high, end), facecolor="#e8e8e8", hatch="//", edgecolor="#cfcfcf", zorder=0)
    axes.plot([even], [lines.own(even)], marker="o", markersize=16, color=INK, zorder=5)
    _planned(axes, lines, hours, even, label, recommendation)
    crossing = _note(axes, label("break_even", bought.break_even, view.weekly), (even, lines.own(even)), _BESIDE[0], "left", INK, bold=True)
    _settle(axes, crossing, _BESIDE)
    if view.break_even_range:
        middle = (max(low, 0) + min(high, end)) / 2
        _settle(axes, _note(axes, label("range", *view.break_even_range), (middle, 0), _AT_THE_FOOT[0], "center", SOFT), _AT_THE_FOOT)
    axes.set_xlabel(label("hours_axis", view.months), fontsize=18, color=SOFT)
    axes.xaxis.set_major_formatter(lambda value, _: label("axis_number", value))
    return png(made)


def _planned(axes: Any, lines: Lines, hours: float, even: float, label: Any, recommendation: Recommendation) -> None:
    """Their own hours: a thin line, and on it what either way costs them."""
    currency, end, top = recommendation.acquisition.currency, axes.get_xlim()[1], axes.get_ylim()[1]
    right = hours > end * 0.55
    side, sign = ("right", -1) if right else ("left", 1)
    axes.axvline(hours, color=INK, linewidth=2)
    _note(axes, label("planned", quantity(hours, "hour")), (hours, top), (sign * 10, -22), side, INK, bold=True)
    own, rent = lines.own(hours), lines.rent(hours)
    above = 64 if 0 < sign * (even - hours) < 0.5 * end else 24  # clear of the break-even
    for value, other, colour, name in ((own, rent, OWN, "own"), (rent, own, RENT, "rent")):
        axes.plot([hours], [value], marker="s", markersize=11, color=colour, zorder=5)
        shift = (sign * 14, above) if value >= other else (sign * 14, -24) if right or name == "own" else (62, 4)
        _note(axes, label("ending", label(name), quantity(value, currency)), (hours, value), shift, side, colour, bold=True)


def _by_months(recommendation: Recommendation, lang: Language) -> bytes:
    """The cumulated curves as the engine has them; where they never meet, the picture says so."""
    label, bought = labels(lang), recommendation.acquisition
    made, axes = _canvas(label("money_title", len(bought.curve)), label, bought.currency)
    ends, top = [], 0.0
    for name, colour, style in (("own", OWN, (0, (6, 2))), ("rent", RENT, "-")):
        values = [float(value.magnitude) for month in bought.curve if (value := getattr(month, name)) is not None]
        if values:
            axes.plot(range(1, len(values) + 1), values, color=colour, linewidth=4, linestyle=style)
            ends.append((label("ending", label(name), quantity(values[-1], bought.currency)), values[-1], colour))
            top = max(top, *values)
    end = float(len(bought.curve))
    axes.set_xlim(0, end)
    axes.set_ylim(0, top * 1.15 or 1)
    _names(axes, tuple(ends), end, top * 1.15)
    if bought.break_even is None and len(ends) == 2:
        _note(axes, label("no_break_even"), (end * 0.03, top * 1.15), (0, -30), "left", SOFT)
    axes.set_xlabel(label("months_axis"), fontsize=18, color=SOFT)
    axes.xaxis.set_major_formatter(lambda value, _: label("axis_number", value))
    return png(made)


def _canvas(title: str, label: Any, currency: str) -> tuple[Any, Any]:
    made = figure()
    made.text(0.03, 0.93, title, fontsize=26, weight="bold", color=INK, va="center")
    axes = plain_axes(made, (0.14, 0.13, 0.82, 0.72))
    axes.grid(axis="y", color="#dddddd", linewidth=1)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_formatter(lambda value, _: label("axis_money", value, currency))
    axes.locator_params(axis="y", nbins=6)
    return made, axes


def _names(axes: Any, ends: tuple[tuple[str, float, str], ...], end: float, top: float) -> None:
    """The lines' names at their right ends: the upper one above its line, the lower one below where there is room."""
    upper = max((value for _, value, _ in ends), default=0.0)
    for text, value, colour in ends:
        above = value == upper or value < top * 0.14
        _note(axes, text, (end, value), (-6, 24 if above else -26), "right", colour, bold=True)


def _settle(axes: Any, note: Any, shifts: tuple[tuple[float, float], ...]) -> None:
    """Move a note to the first place where it covers no other and stays in the picture; where there is none, to the first."""
    others = [one.get_window_extent().padded(_APART) for one in axes.texts if one is not note]
    width, frame = axes.figure.bbox.x1, axes.get_window_extent()
    for shift in (*shifts, shifts[0]):
        note.xyann = shift
        box = note.get_window_extent()
        if box.x0 >= 0 and box.x1 <= width and frame.y0 <= box.y0 and not any(box.overlaps(one) for one in others):
            return


def _note(axes: Any, text: str, at: tuple[float, float], shift: tuple[float, float], side: str, colour: str, bold: bool = False) -> Any:
    return axes.annotate(
        text, at, xytext=shift, textcoords="offset points", ha=side, va="center", fontsize=20, weight="bold" if bold else "normal",
        color=colour, zorder=6, bbox={"facecolor": "white", "edgecolor": "none", "pad": 2, "alpha": 0.85},
    )  # fmt: skip
