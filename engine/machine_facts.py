"""What a machine with these cards needs around it: power supply, circuit, heat, links, cooling, licence.

Enters: cards with their counts, and the catalogue's figures. Leaves: quantities and booleans that rules use as facts. The formulas
are those of the domain brief (source key: mittelstand-training-server); every constant is a figure of the catalogue.
"""

from collections.abc import Iterable
from math import ceil

from engine.catalogue import Catalogue, Gpu, Listing
from engine.currency import converted
from engine.recommendation import Sizing
from engine.request import Site
from engine.units import Quantity, magnitude, quantity

Counted = Iterable[tuple[Gpu, int]]

_GIGA = 1e9  # the links are in GB/s
_STANDARD_SIZE = "power_supply_"
_SHARDED = ("fsdp", "zero3")
_BY_LAYER = ("pipeline", "tensor", "sequence")  # activations travel, no gradients
_ADAPTERS = ("lora", "qlora", "lora8")
_PCIE = {3: "pcie3_bandwidth", 4: "pcie4_bandwidth", 5: "pcie5_bandwidth"}
OWN_COOLING = ("active", "laptop")


def load(cards: Counted, catalogue: Catalogue) -> Quantity:
    """Draw of the whole machine under load [W]: n x board power + CPU + board, fans and drives (170 + 150 W)."""
    return quantity(_load(cards, catalogue), "W")


def _load(cards: Counted, catalogue: Catalogue) -> float:
    """The same in plain watts, as the figures have it."""
    boards = sum((card.power or 0.0) * count for card, count in cards)
    return boards + catalogue.figure("host_cpu_power").typical + catalogue.figure("host_board_power").typical


def power_supply(cards: Counted, catalogue: Catalogue) -> Quantity:
    """The next standard power supply above load x 1.3 [W]; above the largest, as many of those as it takes."""
    wanted = _load(cards, catalogue) * (1 + catalogue.figure("power_supply_reserve").typical)
    sizes = _standard_sizes(catalogue)
    return quantity(next((size for size in sizes if size >= wanted), sizes[-1] * ceil(wanted / sizes[-1])), "W")


def _standard_sizes(catalogue: Catalogue) -> list[float]:
    """Watts of the power supplies one can buy, smallest first."""
    if _STANDARD_SIZE not in catalogue.remembered:
        sizes = (one.typical for name, one in catalogue.figures.items() if name.startswith(_STANDARD_SIZE) and one.unit == "W")
        catalogue.remembered[_STANDARD_SIZE] = sorted(sizes)
    found: list[float] = catalogue.remembered[_STANDARD_SIZE]
    return found


def circuit_load(cards: Counted, catalogue: Catalogue) -> float:
    """Load as a share of what one household circuit carries for hours; above 1 it needs a circuit of its own, or two."""
    return _load(cards, catalogue) / catalogue.figure("socket_power_continuous").typical


def heat(cards: Counted, catalogue: Catalogue) -> Quantity:
    """Heat into the room [W]: every watt drawn."""
    return load(cards, catalogue)


def warms_an_office(cards: Counted, catalogue: Catalogue) -> bool:
    """Whether a 20 m2 office warms within an hour: at 1.2 kW it does."""
    return _load(cards, catalogue) >= catalogue.figure("office_heat_limit").typical


def needs_rack_airflow(cards: Counted) -> bool:
    """Passive (and liquid-cooled) cards live from a rack's air or water; that server is too loud for an office."""
    return any(card.cooling not in OWN_COOLING for card, _ in cards)


def beyond_a_consumer_build(cards: Counted, catalogue: Catalogue) -> bool:
    """More consumer cards than one system takes: four to eight at most."""
    return sum(count for card, count in cards if card.geforce_licence) > catalogue.figure("consumer_cards_max").high


def licence_bars(cards: Counted, site: Site | None) -> bool:
    """The GeForce licence allows hardware one owns, not data-centre deployment."""
    return site == "colocation" and any(card.geforce_licence for card, _ in cards)


def corrects_errors(card: Gpu) -> bool:
    """Whether the card's memory corrects flipped bits as people run it."""
    return card.corrects_errors


def gradient_synchronisation(sizing: Sizing, count: int, catalogue: Catalogue, card: Gpu | None = None) -> Quantity | None:
    """Seconds a step spends on the link alone, nothing overlapped: what must travel over PCIe.

    None for one card, for a server and for layers laid over the cards, where no gradients travel.
    """
    if count < 2 or sizing.method in ("serve", "rag") or sizing.fit.sharding in _BY_LAYER:
        return None
    sharded = sizing.fit.sharding in _SHARDED
    travels = _sharded_bytes(sizing, count, catalogue) if sharded else ring(gradient_bytes(sizing), count)
    return quantity(travels / link_bandwidth(catalogue, card), "s")


def ring(size: float, count: int) -> float:
    """Bytes each card sends in a ring all-reduce: 2 (n - 1) / n x size."""
    return 2 * (count - 1) / count * size


def gradient_bytes(sizing: Sizing) -> float:
    """Gradients in 16 bit [byte]: 2 B a parameter of the whole model, or the adapters alone."""
    if sizing.method in _ADAPTERS:
        return sum(magnitude(term.size, "byte") for term in sizing.footprint.terms if term.term == "adapters")
    return 2 * sizing.architecture.parameters


def _sharded_bytes(sizing: Sizing, count: int, catalogue: Catalogue) -> float:
    """FSDP and ZeRO-3 move about three times the weights a step, each card all but its own part."""
    held = sum(magnitude(term.size, "byte") for term in sizing.footprint.terms if term.term == "weights") * count
    weights = min(held, 2 * sizing.architecture.parameters)
    return catalogue.figure("sharded_traffic").typical * weights * (count - 1) / count


def link_bandwidth(catalogue: Catalogue, card: Gpu | None = None) -> float:
    """Usable PCIe bandwidth of x16 in one direction [byte/s]; generation 4 where the card is not known: 25 of 32 GB/s."""
    figure = _PCIE.get(card.pcie_generation or 4, "pcie4_bandwidth") if card else "pcie4_bandwidth"
    return catalogue.figure(figure).typical * _GIGA * catalogue.figure("pcie_usable_share").typical


def is_newest_generation(card: Gpu, catalogue: Catalogue) -> bool:
    """Whether nothing newer of its maker is out: the generation whose first card came last (announced ones are not out)."""
    question = ("newest generation", card.vendor)
    if question not in catalogue.remembered:
        first: dict[str, str] = {}
        for one in catalogue.gpus.values():
            if one.vendor == card.vendor and one.release[:1].isdigit():
                first[generation(one)] = min(one.release, first.get(generation(one), one.release))
        catalogue.remembered[question] = max(first, key=lambda name: first[name]) if first else None
    return bool(catalogue.remembered[question] == generation(card))


def generation(card: Gpu) -> str:
    """The family of its chip: Ada, Hopper, Blackwell."""
    return card.architecture.split()[0]


def over_list_price(card: Gpu, catalogue: Catalogue) -> float | None:
    """Share by which the newest street price lies above the list price, both net; None where one of them is not known."""
    street = [one for one in catalogue.listings_by_card.get(card.id, ()) if one.kind == "street" and one.count == 1 and one.date]
    if not street or not card.msrp_usd:
        return None
    newest = max(one.date for one in street if one.date)
    prices = [_net_dollars(one, catalogue) for one in street if one.date == newest]
    return sum(prices) / len(prices) / card.msrp_usd - 1


def _net_dollars(listing: Listing, catalogue: Catalogue) -> float:
    tax = 1 + catalogue.figure("vat_de").typical if listing.tax == "gross" else 1.0
    return converted((listing.low + listing.high) / 2 / tax, listing.currency, "USD", catalogue)
