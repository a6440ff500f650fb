"""Numbers, money and dates in both languages; the no-break space stands as ~ here."""

import datetime

import pytest

from bot.rendering import money, numbers
from engine.units import quantity as q


def shown(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", "~")


@pytest.mark.parametrize(
    ("form", "value", "arguments", "german", "english"),
    [
        (numbers.size, q(22.09, "GB"), (), "22,1~GB", "22.1~GB"),
        (numbers.size, q(0.34, "GB"), (), "0,3~GB", "0.3~GB"),
        (numbers.size, q(25_279_070_208, "byte"), (), "25,3~GB", "25.3~GB"),
        (numbers.size, q(208.4, "GB"), (), "208~GB", "208~GB"),
        (numbers.size, q(99.96, "GB"), (), "100~GB", "100~GB"),
        (numbers.size, q(1191.6, "GB"), (), "1.190~GB", "1,190~GB"),
        (numbers.size, q(12_340, "GB"), (), "12,3~TB", "12.3~TB"),
        (numbers.span, q(20.3, "GB"), (q(23.9, "GB"),), "20–24", "20–24"),
        (numbers.span, q(6.66, "GB"), (q(7.71, "GB"),), "6,6–7,8", "6.6–7.8"),
        (numbers.hours, q(432, "h"), (), "432~h", "432~h"),
        (numbers.hours, q(8493.2, "h"), (2,), "8.500~h", "8,500~h"),
        (numbers.hours, q(2.75, "h"), (), "2,8~h", "2.8~h"),
        (numbers.hours, q(0.05, "h"), (), "3~min", "3~min"),
        (numbers.weekly, q(7510.35 / 36, "hour/month"), (), "48", "48"),
        (numbers.weekly, q(12, "hour/month"), (), "2,8", "2.8"),
        (numbers.tokens, q(2048, "token"), (), "2.048", "2,048"),
        (numbers.tokens_floor, q(3712, "token"), (), "3.700", "3,700"),
        (numbers.tokens_floor, q(8192, "token"), (), "8.192", "8,192"),
        (numbers.tokens_floor, q(97, "token"), (), "97", "97"),
        (numbers.long_number, 1.4e11, (), "140~Milliarden", "140~billion"),
        (numbers.long_number, 2e12, (), "2~Billionen", "2~trillion"),
        (numbers.long_number, 48_512, (), "48.500", "48,500"),
        (numbers.percent, 0.173, (), "17~%", "17%"),
        (numbers.percent, 0.6, (), "60~%", "60%"),
        (numbers.billions, 8.03e9, (), "8B", "8B"),
        (numbers.billions, 0.5e9, (), "0,5B", "0.5B"),
        (numbers.billions, 46.7e9, (), "46,7B", "46.7B"),
        (numbers.billions, 5e7, (), "50M", "50M"),
        (numbers.day, datetime.date(2026, 9, 25), (), "25.09.2026", "25 Sep 2026"),
        (numbers.seconds, q(0.4375, "s"), (), "0,44", "0.44"),
        (numbers.watts, q(1.6, "kW"), (), "1.600", "1,600"),
        (numbers.plain_number, "10700", (), "10.700", "10,700"),
        (numbers.plain_number, "1 000", (), "1.000", "1,000"),
        (numbers.plain_number, "0.14T", (), "140~Milliarden", "140~billion"),
        (numbers.plain_number, "A100 · 80 GB", (), "A100 · 80 GB", "A100 · 80 GB"),
        (numbers.card, "NVIDIA GeForce RTX 4090", (), "RTX 4090", "RTX 4090"),
        (money.amount, 5000, ("EUR",), "5.000~€", "€5,000"),
        (money.amount, 1234.56, ("CHF",), "1.234,56~CHF", "CHF~1,234.56"),
        (money.amount, 300, ("USD",), "300~$", "$300"),
        (money.price, 1.4247, ("EUR",), "1,42~€/h", "€1.42/h"),
        (money.price, q(0.079, "USD/h"), (), "0,079~$/h", "$0.079/h"),
        (money.money, q(4283, "EUR"), (), "4.280~€", "€4,280"),
        (money.money, q(32004, "EUR"), (), "32.000~€", "€32,000"),
        (money.money, q(99.8, "EUR"), (), "100~€", "€100"),
        (money.money, q(3.456, "EUR"), (), "3,46~€", "€3.46"),
        (money.money, q(-120, "EUR"), (), "−120~€", "−€120"),
        (money.money_span, q(129, "EUR"), (q(300.4, "EUR"),), "129–300~€", "€129–300"),
        (money.money_span, q(8.93, "CHF"), (q(20.8, "CHF"),), "8,93–21~CHF", "CHF~8.93–21"),
    ],
)  # fmt: skip
def test_values_read_as_people_write_them(form: object, value: object, arguments: tuple[object, ...], german: str, english: str) -> None:
    assert shown(form(value, "de", *arguments)) == german  # type: ignore[operator]
    assert shown(form(value, "en", *arguments)) == english  # type: ignore[operator]


def test_what_is_unknown_shows_as_a_dash_and_never_fails() -> None:
    from jinja2 import Undefined

    from bot.rendering.filters import filters

    for name, form in filters("de").items():
        if name not in ("capitalised", "gigabytes", "one_line", "paragraphs"):
            assert form(None) == form(Undefined()) == "–"


def test_every_filter_a_template_uses_exists() -> None:
    from jinja2 import nodes

    from bot.rendering.environment import TEMPLATES, environment

    made = environment("en")
    for path in TEMPLATES.rglob("*.j2"):
        used = {node.name for node in made.parse(path.read_text(encoding="utf-8")).find_all(nodes.Filter)}
        assert used <= set(made.filters), path.name
