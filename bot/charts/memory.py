"""The memory picture: each term starts where the one before ends, the sum stands below against what the card gives."""

from dataclasses import dataclass
from typing import Any

from bot.charts.canvas import ALARM, FILLS, HATCHES, INK, SOFT, figure, labels, plain_axes, png
from bot.rendering.views import terms_shown
from engine.recommendation import Recommendation, Sizing
from engine.request import Language
from engine.units import gigabytes

_OTHERS = 2  # further sizings shown below the sum
_BAR = 0.62


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis: what the card gives (None without one), and how far it reaches [GB]."""

    usable: float | None
    end: float


def memory_picture(recommendation: Recommendation, lang: Language) -> bytes:
    """The first sizing term by term, others as plain bars."""
    label = labels(lang)
    first, others = recommendation.sizings[0], recommendation.sizings[1 : 1 + _OTHERS]
    usable = recommendation.fit.usable
    scale = _scale(recommendation.sizings, None if usable is None else gigabytes(usable))
    made = figure()
    made.text(0.03, 0.94, label("memory_title", first.method, first.architecture.name), fontsize=26, weight="bold", color=INK, va="center")
    made.text(0.03, 0.865, _need(first, scale, label), fontsize=21, color=INK, va="center")
    axes = plain_axes(made, (0.26, 0.1, 0.7, 0.72))
    rows = _terms(axes, first, label, scale)
    names = [*rows, label("total"), *(label("method_name", other.method) for other in others)]
    _sum(axes, first, len(rows))
    for place, other in enumerate(others, len(rows) + 1):
        _plain_bar(axes, other, place, label, scale)
    _finish(axes, names, scale, label)
    return png(made)


def _scale(sizings: tuple[Sizing, ...], usable: float | None) -> Scale:
    """Room for the first sizing and the card; a far larger alternative is cut and says so by its label."""
    first = gigabytes(sizings[0].footprint.high)
    wanted = max(first, usable or 0.0)
    others = [gigabytes(one.footprint.expected) for one in sizings[1 : 1 + _OTHERS]]
    return Scale(usable, max([wanted, *(one for one in others if one <= 2 * wanted)]) * 1.3)


def _need(sizing: Sizing, scale: Scale, label: Any) -> str:
    """The sum with its range, and what the card gives."""
    ends = (sizing.footprint.expected, sizing.footprint.low, sizing.footprint.high)
    return str(label("need", *ends) if scale.usable is None else label("need_of", *ends, scale.usable))


def _terms(axes: Any, sizing: Sizing, label: Any, scale: Scale) -> list[str]:
    """One row a term; returns their names."""
    start, names = 0.0, []
    for place, (name, size) in enumerate(terms_shown(sizing.footprint)):
        width = gigabytes(size)
        axes.barh(place, width, left=start, height=_BAR, **_fill(place))
        _value(axes, (start, start + width), place, label("bare", width), scale)
        start += width
        names.append(label("term_name", name))
    return names


def _sum(axes: Any, sizing: Sizing, place: int) -> None:
    """All terms in one bar, its range as a whisker."""
    start, footprint = 0.0, sizing.footprint
    for number, (_, size) in enumerate(terms_shown(footprint)):
        axes.barh(place, gigabytes(size), left=start, height=_BAR, **_fill(number))
        start += gigabytes(size)
    low, high = gigabytes(footprint.low), gigabytes(footprint.high)
    for width, colour in ((7, "white"), (3, INK)):
        axes.plot([low, high], [place, place], color=colour, linewidth=width, solid_capstyle="butt", zorder=4)
        axes.plot([low, high], [place, place], linestyle="none", marker="|", markersize=22, markeredgewidth=width, color=colour, zorder=4)


def _plain_bar(axes: Any, sizing: Sizing, place: int, label: Any, scale: Scale) -> None:
    """A further sizing: only its sum, cut at the end of the axis."""
    width = min(gigabytes(sizing.footprint.expected), scale.end)
    axes.barh(place, width, height=_BAR, color="#d0d0d0", edgecolor=INK, linewidth=1)
    inside = width > scale.end * 0.25
    at, shift, side = (width, -10, "right") if inside else (width, 10, "left")
    text = label("one_size", sizing.footprint.expected)
    axes.annotate(text, (at, place), xytext=(shift, 0), textcoords="offset points", ha=side, va="center", fontsize=20, color=INK)


def _value(axes: Any, ends: tuple[float, float], place: int, text: str, scale: Scale) -> None:
    """A number beside its bar: behind it at the left edge of the picture, before it further right, where nothing else stands."""
    behind = ends[0] < scale.end * 0.15
    at, shift, side = (ends[1], 10, "left") if behind else (ends[0], -10, "right")
    number = axes.annotate(text, (at, place), xytext=(shift, 0), textcoords="offset points", ha=side, va="center", fontsize=20, color=INK)
    number.set_path_effects(_halo())


def _halo() -> list[Any]:
    """White around a number, so that it can be read across the card's line."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=6, foreground="white")]


def _fill(place: int) -> dict[str, Any]:
    return {"color": FILLS[place % len(FILLS)], "hatch": HATCHES[place % len(HATCHES)], "edgecolor": INK, "linewidth": 1}


def _finish(axes: Any, names: list[str], scale: Scale, label: Any) -> None:
    """Names at the left, the card as a line across all rows with what lies beyond it shaded."""
    axes.set_yticks(range(len(names)), names, fontsize=20 if max(map(len, names)) <= 18 else 17)
    axes.set_ylim(len(names) - 0.4, -1.25)
    axes.set_xlim(0, scale.end)
    axes.xaxis.set_major_formatter(lambda value, _: label("axis_size", value))
    axes.set_xlabel(label("gigabytes_axis"), fontsize=18, color=SOFT)
    if scale.usable is None:
        return
    axes.axvspan(scale.usable, scale.end, facecolor="#f7e3dd", zorder=0)
    axes.axvline(scale.usable, color=ALARM, linewidth=3, linestyle=(0, (5, 2)))
    right = scale.usable < scale.end * 0.7
    axes.annotate(
        label("capacity", scale.usable), (scale.usable, -1.25), xytext=(8 if right else -8, -4), textcoords="offset points",
        ha="left" if right else "right", va="top", fontsize=20, weight="bold", color=ALARM,
    )  # fmt: skip
