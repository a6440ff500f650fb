"""An independent reckoning of the money: one loop over months, a search for the break-even, no closed form, no engine code."""

import math

HOURS = 730.0


def bill(rent: dict, hours: float) -> float:
    """One month's bill."""
    if "per_month" in rent:
        return rent["per_month"]
    if hours == 0:
        return 0.0
    step = rent.get("step", 0.0)
    if step:
        steps = int(hours / step)
        while steps * step < hours - 1e-9 * step:
            steps += 1
        hours = steps * step
    cost = hours * rent["per_hour"]
    return min(cost, rent["cap"]) if "cap" in rent else cost


def simulate(own: dict, rent: dict, hours_by_month: list, ratio: float = 1.0, rate: float = 0.0) -> tuple:
    """(owned, rented) cumulated money per month."""
    owned, rented, curve = own["price"], rent.get("setup", 0.0), []
    for index, hours in enumerate(hours_by_month, start=1):
        worth = 1.0 / math.pow(1.0 + rate, index / 12.0)
        idle = max(HOURS - hours, 0.0) if own.get("always", True) else 0.0
        energy = (own.get("load", 0.0) * hours + own.get("idle", 0.0) * idle) * own.get("pue", 1.0) * own.get("tariff", 0.0)
        upkeep = own["price"] * own.get("maintenance", 0.0) / 12.0 + own.get("admin", 0.0) + own.get("colocation", 0.0)
        owned += (energy + upkeep) * worth
        if index == len(hours_by_month):
            owned -= own["price"] * own.get("resale", 0.0) * worth
        rented += bill(rent, hours / ratio) * worth
        curve.append((owned, rented))
    return tuple(curve)


def pays(own: dict, rent: dict, hours: float, months: int, ratio: float, rate: float) -> bool:
    """Whether owning costs no more at these hours a month."""
    owned, rented = simulate(own, rent, [hours] * months, ratio, rate)[-1]
    return owned <= rented + 1e-9 * max(1.0, abs(rented))
