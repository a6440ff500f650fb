"""What buying a machine with such cards costs: enter a card and how many, leaves the owned side with everything that runs it.

Price of the cards from the newest listings, net; the platform around them by the number of cards; energy by the board power of the
cards and the host; the tariff, cooling and the rest by the catalogue's defaults.
"""

from dataclasses import dataclass
from datetime import date

from engine.catalogue import Catalogue, Figure, Gpu, Listing
from engine.costs import Own
from engine.currency import converted
from engine.pricing import Priced, priced
from engine.quotes import currency_of
from engine.renting import names_of
from engine.request import Currency, Quotes, Request
from engine.throughput import power

_NODE = "node"
_USED = "used"
_LIST = "msrp"
_KINDS = (("street",), ("article", "estimate"), (_LIST, "derived"), (_USED,))
_CARDS_OF_A_NODE = 8
_RECENT = 200  # days within which listings of a kind are looked at together
_WATTS = 1000.0


@dataclass(frozen=True, slots=True)
class Bought:
    """The owned side in the currency of the answer; `low` and `high` as factors of the purchase; the figures behind it."""

    own: Own
    low: float
    high: float
    figures: tuple[Figure, ...]
    used: bool = False


@dataclass(frozen=True, slots=True)
class _Cards:
    """The price of all cards, net, its spread, whether the machine around them is in it, whether they were used before."""

    price: float
    spread: Priced
    whole: bool
    used: bool


def bought(gpu: Gpu, count: int, request: Request, catalogue: Catalogue, today: date, currency: Currency) -> Bought | None:
    """A machine with `count` such cards; None where the card cannot be bought singly or has no price."""
    question = ("bought", gpu.id, count, request.site, today, currency)
    if question not in catalogue.remembered:
        catalogue.remembered[question] = _bought(gpu, count, request, catalogue, today, currency)
    known: Bought | None = catalogue.remembered[question]
    return known


def _bought(gpu: Gpu, count: int, request: Request, catalogue: Catalogue, today: date, currency: Currency) -> Bought | None:
    found = _cards(gpu, count, catalogue, today, currency)
    watts = power(gpu, count, catalogue)
    if found is None or watts is None:
        return None
    host = 0.0 if found.whole else host_price(gpu, count, catalogue, currency)
    total = found.price + host
    own = Own(
        purchase=total,
        load=watts / _WATTS,
        idle=idle_power(gpu, count, catalogue) / _WATTS,
        tariff=converted(catalogue.figure("tariff_default").typical, "EUR", currency, catalogue),
        pue=cooling(request, catalogue).typical,
    )
    low, high = (1 + found.price * (end - 1) / total for end in (found.spread.low, found.spread.high))
    return Bought(own, low, high, _figures(found.spread, request, catalogue, bool(host)), found.used)


def host_price(gpu: Gpu, count: int, catalogue: Catalogue, currency: Currency) -> float:
    """The platform sized to the cards: a workstation and more lanes for each further card, a rack server for passive cards."""
    figure = catalogue.figure
    passive = "passive" in gpu.cooling and count > 1
    if passive or count > figure("consumer_board_cards").typical * 2:
        euros = figure("host_price_server").typical * -(-count // _CARDS_OF_A_NODE)
    else:
        euros = figure("host_price_one_card").typical + (count - 1) * figure("host_price_per_further_card").typical
    return converted(euros, "EUR", currency, catalogue)


def idle_power(gpu: Gpu, count: int, catalogue: Catalogue) -> float:
    """Watts of the machine without work: the server, and each card beyond the first; a machine of unified memory draws little."""
    if gpu.unified:
        return catalogue.figure("unified_idle_power").typical * count
    return catalogue.figure("server_idle_power").typical + (count - 1) * catalogue.figure("gpu_idle_power").typical


def cooling(request: Request, catalogue: Catalogue) -> Figure:
    """What each kWh draws on top: by the site where it was said, nothing otherwise."""
    return catalogue.figure(f"pue_{request.site}" if request.site else "pue_default")


def energy_price(request: Request, catalogue: Catalogue, currency: Currency) -> float:
    """Money for a kWh the machine draws, with what cooling draws on top: by their tariff, else the usual one."""
    quotes = request.quotes or Quotes()
    price: float = catalogue.figure("tariff_default").typical
    source: Currency = "EUR"
    if quotes.tariff is not None:
        price, source = quotes.tariff.per_kwh, quotes.tariff.currency or currency_of(request) or currency
    return converted(price, source, currency, catalogue) * (quotes.pue or cooling(request, catalogue).typical)


def _cards(gpu: Gpu, count: int, catalogue: Catalogue, today: date, currency: Currency) -> _Cards | None:
    """The price of the cards by the newest listings of the best kind there is; modules only as whole servers."""
    listings = [one for name in names_of(gpu) for one in catalogue.listings_by_card.get(name, ())]
    if "PCIe" not in gpu.form_factor and not gpu.unified:
        nodes = [one for one in listings if one.kind == _NODE and one.count == _CARDS_OF_A_NODE]
        if not nodes or count % _CARDS_OF_A_NODE:
            return None
        node = max(nodes, key=_day)
        return _net(node, node.low, node.high, catalogue, currency, today, count // node.count, True)
    for kinds in _KINDS:
        of_kind = [one for one in listings if one.kind in kinds and one.count == 1]
        if of_kind:
            newest = max(of_kind, key=lambda one: (_day(one), one.currency == "EUR"))
            near = [one for one in of_kind if (_day(newest) - _day(one)).days <= _RECENT and one.currency == newest.currency]
            near = [one for one in near if one is newest or one.kind != _LIST]  # a new list price takes the old one's place
            return _net(newest, min(one.low for one in near), max(one.high for one in near), catalogue, currency, today, count, gpu.unified)
    return None


def _day(listing: Listing) -> date:
    return listing.date or date.min


def _net(
    listing: Listing, low: float, high: float, catalogue: Catalogue, currency: Currency, today: date, count: int, whole: bool
) -> _Cards:
    """Middle of the prices, without tax where they include it, for all cards; the spread covers both ends and the age."""
    tax = 1 + catalogue.figure("vat_de").typical if listing.tax == "gross" else 1.0
    middle = (low + high) / 2
    spread_by = "price_list_spread" if listing.kind == _LIST else "price_old_spread"
    age = priced(listing.id, middle, listing.currency, listing.source, listing.date, today, catalogue, spread_by)
    ends = Priced(min(low / middle, age.low), max(high / middle, age.high), age.figure)
    return _Cards(converted(middle / tax, listing.currency, currency, catalogue) * count, ends, whole, listing.kind == _USED)


def _figures(spread: Priced, request: Request, catalogue: Catalogue, hosted: bool) -> tuple[Figure, ...]:
    names = ["tariff_default", *(["host_price_one_card"] if hosted else []), *([cooling(request, catalogue).id] if request.site else [])]
    return (spread.figure, *(catalogue.figure(name) for name in names))
