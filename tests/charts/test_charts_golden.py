"""The two kinds of picture as they were looked at and approved, drawn by the engine's own recommendations.

After a wanted change run `python tests/charts/test_charts_golden.py`, then look at the pictures.
"""

import datetime
import sys
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import pytest  # noqa: E402  # the path comes first when run by hand

from bot.charts import picture  # noqa: E402
from engine import advise  # noqa: E402
from engine.catalogue import catalogue  # noqa: E402
from engine.request import Request  # noqa: E402

GOLDEN = ROOT / "tests" / "golden" / "charts"
TODAY = datetime.date(2026, 11, 30)
REQUESTS = {
    "memory": {
        "models": [{"name": "Qwen2.5 32B"}],
        "methods": ["qlora"],
        "training": {"sequence_length": 512},
        "hardware": [{"gpu": "RTX 3090"}],
    },
    "money": {
        "usage": {"training_hours_per_month": 12},
        "quotes": {
            "purchase": {"amount": 10700, "currency": "EUR", "tax": "net"},
            "rent": {"per_hour": 1.4247, "monthly_cap": 889, "currency": "EUR"},
            "power": {"load_w": 450, "idle_w": 100, "powered": "always"},
            "tariff": {"per_kwh": 0.3, "currency": "EUR"},
        },
    },
}
EVERY = [(kind, lang) for kind in REQUESTS for lang in ("de", "en")]
TOLERANCE = 0.03  # of full scale, on average: letters drawn by another version of a font library differ a little


def drawn(kind: str, lang: str) -> bytes:
    return picture(advise(Request.model_validate(REQUESTS[kind]), catalogue(), TODAY), kind, lang)


@pytest.mark.parametrize(("kind", "lang"), EVERY)
def test_pictures_look_as_approved(kind: str, lang: str) -> None:
    from matplotlib.image import imread

    made = imread(BytesIO(drawn(kind, lang)), format="png")
    approved = imread(GOLDEN / f"{kind}-{lang}.png")
    assert made.shape == approved.shape
    assert abs(made - approved).mean() < TOLERANCE


def write() -> None:
    """Replace the golden pictures."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for kind, lang in EVERY:
        (GOLDEN / f"{kind}-{lang}.png").write_bytes(drawn(kind, lang))


if __name__ == "__main__":
    write()
