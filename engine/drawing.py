"""What a machine of the user's own offer draws where they did not say: enter request and cards, leaves an owned side without a price.

An offer that comes with a card or a tariff is the price of a machine that runs, and its power is part of what it costs; mere prices
against each other stay what they are (what a quote does not give counts as nothing).
"""

from typing import TypeAlias

from engine.buying import cooling, idle_power
from engine.catalogue import Catalogue, Gpu
from engine.costs import Own
from engine.currency import converted
from engine.request import Currency, Request
from engine.throughput import power

Cards: TypeAlias = tuple[Gpu, int]
_WATTS = 1000.0


def usual_server(catalogue: Catalogue, currency: Currency) -> Own:
    """What a common GPU server draws, at the usual tariff."""
    load, idle = (catalogue.figure(f"server_{state}_power").typical / _WATTS for state in ("load", "idle"))
    return Own(0.0, load=load, idle=idle, tariff=usual_tariff(catalogue, currency))


def usual_tariff(catalogue: Catalogue, currency: Currency) -> float:
    """Money for a kWh where nobody named a tariff."""
    return converted(catalogue.figure("tariff_default").typical, "EUR", currency, catalogue)


def running(request: Request, cards: Cards | None, catalogue: Catalogue, currency: Currency) -> Own | None:
    """How the machine they were offered runs, before what the quotes say of it; None where they compare prices alone.

    With a card its board power and the host around it; without one, but with a tariff for a task, what a common server draws.
    A power they named stands as they named it.
    """
    quotes = request.quotes
    if quotes is None or quotes.purchase is None:
        return None
    for_a_task = bool(request.models or request.hardware)
    told = quotes.tariff is not None or quotes.power is not None
    if cards is None and not (for_a_task and told):
        return None
    machine = usual_server(catalogue, currency)
    load, idle = machine.load, machine.idle
    watts = power(*cards, catalogue) if cards else None
    if cards is not None and watts is not None:
        load, idle = watts / _WATTS, idle_power(*cards, catalogue) / _WATTS
    if quotes.power is not None:
        load = idle = 0.0
    return Own(0.0, load=load, idle=idle, tariff=machine.tariff, pue=cooling(request, catalogue).typical)
