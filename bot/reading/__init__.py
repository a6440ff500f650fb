"""Reading: text of people enters, readings with their place in the text leave; `understood` makes one request of them.

`read` never raises, whatever the text: what it does not know it leaves alone, what is ambiguous it asks back.
"""

from bot.reading.changes import changed
from bot.reading.grammar import read
from bot.reading.intents import Intent, intent_of
from bot.reading.readings import Reading
from bot.reading.understanding import Understood, understood

__all__ = ["Intent", "Reading", "Understood", "changed", "intent_of", "read", "understood"]
