"""The catalogue: what enters are the tables under engine/data, what leaves is one checked, frozen `Catalogue`."""

from engine.catalogue.loading import catalogue, load
from engine.catalogue.things import Architecture, Figure, Gpu, Instance, Listing, Offer, Source, Speed
from engine.catalogue.whole import Catalogue

__all__ = ["Architecture", "Catalogue", "Figure", "Gpu", "Instance", "Listing", "Offer", "Source", "Speed", "catalogue", "load"]
