"""Which column of a price list means what: headers as providers and public catalogues write them, looked up by name, never by place."""

from collections.abc import Mapping, Sequence

# field -> headers, lower case, without separators; the first that a file has counts
_HEADERS: Mapping[str, tuple[str, ...]] = {
    "gpu": ("gpuid", "gpu", "gpuname", "acceleratorname", "accelerator", "gputype", "gpumodel", "card", "karte", "grafikkarte"),
    "memory": ("gpumemory", "gpumemorygb", "memorygb", "vram", "vramgb", "gpuram"),
    "memory_text": ("gpuinfo",),
    "count": ("gpucount", "acceleratorcount", "gpus", "numgpus", "count", "quantity", "anzahl"),
    "per_hour": ("price", "priceperinstanceh", "perhour", "priceperhour", "hourlyprice", "hourly", "pricehourly", "ondemandprice", "preis"),
    "per_gpu_hour": ("pricepergpuh", "pergpuhour", "pricepergpu", "pricepergpuhour", "gpuprice", "usdpergpuhour"),
    "spot_price": ("spotprice", "spotpriceperhour"),
    "spot": ("spot", "isspot", "interruptible"),
    "per_month": ("permonth", "pricepermonth", "monthly", "monthlyprice", "preismonat"),
    "monthly_cap": ("monthlycap", "cap"),
    "setup_fee": ("setupfee", "setup", "einrichtung"),
    "low": ("low", "pricelow", "purchase", "purchaseprice", "kaufpreis"),
    "high": ("high", "pricehigh"),
    "item": ("item", "product", "artikel", "produkt"),
    "market": ("market", "markt", "country", "land"),
    "kind": ("kind", "pricekind", "art"),
    "provider": ("provider", "cloud", "anbieter", "vendor"),
    "instance": ("instancetype", "instance", "instancename", "type", "flavor", "sku"),
    "tier": ("tier",),
    "region": ("region", "location", "zone", "availabilityzone", "datacenter"),
    "eu": ("eu",),
    "currency": ("currency", "waehrung", "währung"),
    "date": ("date", "asof", "day", "datum", "stand", "updated", "fetchedat"),
    "commitment": ("commitment",),
    "tax": ("tax", "steuer"),
    "available": ("available", "availability"),
    "source": ("source", "url", "quelle"),
    "note": ("note", "notiz"),
}
_FIELD_OF = {header: field for field, headers in _HEADERS.items() for header in headers}
DECIDING = ("per_hour", "per_gpu_hour", "per_month", "low", "spot_price")  # one of these must be there


def fields_of(header: Sequence[str]) -> Mapping[str, str]:
    """Field -> the header that means it. Of several headers for one field, the first in the alias table counts."""
    found: dict[str, str] = {}
    for name in header:
        field = _FIELD_OF.get(_plain(name))
        if field is not None and (field not in found or _rank(field, name) < _rank(field, found[field])):
            found[field] = name
    return found


def known_headers() -> tuple[str, ...]:
    """What to name columns, for a refusal: the deciding ones."""
    return ("gpu", "count", "per_hour", "per_gpu_hour", "per_month", "purchase", "currency", "date", "provider", "source")


def _rank(field: str, name: str) -> int:
    return _HEADERS[field].index(_plain(name))


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
