"""Loading: what enters is the folder of tables and the prices an admin imported, what leaves is one checked `Catalogue`."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.catalogue import cards, knowledge, models, offers, prices, spellings
from engine.catalogue.prices import Price
from engine.catalogue.things import Listing, Offer, Source
from engine.catalogue.whole import Catalogue
from engine.errors import CatalogueError

DATA = Path(__file__).parent.parent / "data"


def load(folder: Path = DATA, overlays: Iterable[Price] = ()) -> Catalogue:
    """The catalogue of a folder, with imported prices over the shipped ones. Errors: CatalogueError with file and line."""
    try:
        sources = knowledge.sources(folder)
        figures = knowledge.figures(folder, sources) | knowledge.rates(folder, sources)
        gpus = cards.gpus(folder, sources)
        architectures = models.architectures(folder, sources)
        gpu_names, model_names = spellings.name_rules(folder, gpus, architectures)
        shipped = Catalogue(
            version=_version(folder),
            sources=sources,
            figures=figures,
            gpus=gpus,
            architectures=architectures,
            instances=cards.instances(folder, sources, gpus),
            offers=offers.offers(folder, sources, gpus, figures),
            listings=offers.listings(folder, sources, gpus, figures),
            speeds=cards.speeds(folder, sources, gpus),
            gpu_names=gpu_names,
            model_names=model_names,
        )
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{folder}: {error}") from error
    return with_prices(shipped, overlays)


@cache
def catalogue() -> Catalogue:
    """The catalogue shipped with the program, loaded once."""
    return load()


def with_prices(known: Catalogue, overlays: Iterable[Price]) -> Catalogue:
    """The catalogue with imported prices: of the same thing the later one counts, of the same day the imported one."""
    imported = tuple(overlays)
    if not imported:
        return known
    offers = prices.over([one for one in imported if isinstance(one, Offer)], known.offers)
    listings = prices.over([one for one in imported if isinstance(one, Listing)], known.listings)
    version = hashlib.sha256(f"{known.version} {imported!r}".encode()).hexdigest()[:10]
    sources = {one.source: _source(one) for one in imported if one.source not in known.sources}
    return replace(known, version=version, offers=offers, listings=listings, sources={**known.sources, **sources})


def _source(price: Price) -> Source:
    """Where an imported price was read, as it was entered."""
    address = price.source if price.source.startswith(("https://", "http://")) else None
    return Source(price.source, price.source, address, price.date, price.review_by)


def _version(folder: Path) -> str:
    """Ten digits of the hash over all tables: changes whenever a figure does."""
    content = hashlib.sha256()
    for path in sorted(folder.glob("*.csv")):
        content.update(path.name.encode())
        content.update(path.read_bytes())
    return content.hexdigest()[:10]
