"""`sizewell prices`: what the catalogue's prices are, how old, which are due, and how an admin brings in new ones."""

from bot.prices import entering  # noqa: F401  # adds its commands
from bot.prices.commands import prices_app

__all__ = ["prices_app"]
