"""Loading: what enters is the folder of tables and the prices an admin imported, what leaves is one checked `Catalogue`."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeAlias

from engine.catalogue import cards, knowledge, models, offers, spellings
from engine.catalogue.things import Catalogue, Listing, Offer
from engine.errors import CatalogueError

DATA = Path(__file__).parent.parent / "data"
Price: TypeAlias = Offer | Listing


def load(folder: Path = DATA, overlays: Iterable[Price] = ()) -> Catalogue:
    """The catalogue of a folder, imported prices before the shipped ones. Errors: CatalogueError with file and line."""
    imported = tuple(overlays)
    try:
        sources = knowledge.sources(folder)
        figures = knowledge.figures(folder, sources) | knowledge.rates(folder, sources)
        gpus = cards.gpus(folder, sources)
        architectures = models.architectures(folder, sources)
        gpu_names, model_names = spellings.name_rules(folder, gpus, architectures)
        return Catalogue(
            version=_version(folder, imported),
            sources=sources,
            figures=figures,
            gpus=gpus,
            architectures=architectures,
            instances=cards.instances(folder, sources, gpus),
            offers=(*(one for one in imported if isinstance(one, Offer)), *offers.offers(folder, sources, gpus, figures)),
            listings=(*(one for one in imported if isinstance(one, Listing)), *offers.listings(folder, sources, gpus, figures)),
            speeds=cards.speeds(folder, sources, gpus),
            gpu_names=gpu_names,
            model_names=model_names,
        )
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{folder}: {error}") from error


@cache
def catalogue() -> Catalogue:
    """The catalogue shipped with the program, loaded once."""
    return load()


def _version(folder: Path, imported: tuple[Price, ...]) -> str:
    """Ten digits of the hash over all tables: changes whenever a figure does."""
    content = hashlib.sha256()
    for path in sorted(folder.glob("*.csv")):
        content.update(path.name.encode())
        content.update(path.read_bytes())
    content.update(repr(imported).encode() if imported else b"")
    return content.hexdigest()[:10]
