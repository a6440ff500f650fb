"""What is kept: conversations, the history, who may use the bot, what is still to be sent.

`tables` (SQLModel) says how it looks and `migrations` how it came to be; every statement is in plain SQL that SQLite and
PostgreSQL both read, so that the terminal needs neither SQLModel nor SQLAlchemy to start.
"""

from bot.store.conversations import Conversations, Key
from bot.store.database import Connection, Database, open_database
from bot.store.history import Entry, History, Kept, Whose

__all__ = ["Connection", "Conversations", "Database", "Entry", "History", "Kept", "Key", "Whose", "open_database"]
