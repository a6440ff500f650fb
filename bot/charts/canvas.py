"""What both pictures share: the figure, colours that differ in lightness and hatch as well, labels in the reader's language."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from bot.rendering.environment import environment
from engine.request import Language

WIDTH, HEIGHT, DPI = 1200, 700, 100
INK = "#1a1a1a"  # on white 17:1
SOFT = "#595959"  # on white 7:1, for what is secondary
ALARM = "#a32100"  # on white 7:1
RENT, OWN = "#00579e", "#a34700"  # on white 7.4:1 and 6.2:1; apart for every kind of colour vision
FILLS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442", "#666666")  # Okabe and Ito
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "", "oo", "++")


def figure() -> Any:
    """An empty white figure with its own canvas, large letters."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(made)
    return made


def plain_axes(made: Any, rectangle: tuple[float, float, float, float]) -> Any:
    """Axes without a frame but the bottom line."""
    axes = made.add_axes(rectangle)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(SOFT)
    axes.tick_params(colors=INK, labelsize=18, length=0, pad=8)
    return axes


def png(made: Any) -> bytes:
    """The figure as PNG; the same figure gives the same bytes."""
    out = BytesIO()
    made.savefig(out, format="png", dpi=DPI, facecolor="white", metadata={"Software": None})
    made.clear()
    return out.getvalue()


def labels(lang: Language) -> Callable[..., str]:
    """The words of the pictures: a macro of templates/charts.j2 by name, as plain text."""
    words: Any = environment(lang).get_template("charts.j2").make_module()

    def label(name: str, *arguments: Any) -> str:
        from bot.rendering.medium import finished

        return finished(str(getattr(words, name)(*arguments)), "text").replace("$", r"\$")

    return label
