"""How imported prices are kept, as a SQLModel table. Rows are only ever added: a later row says more, none is changed."""

from datetime import date, datetime

from sqlalchemy import Text
from sqlmodel import Field, SQLModel

from bot.store.tables import _SERIAL


class PriceEntry(SQLModel, table=True):
    """A price that somebody entered. `price` is the offer or listing as JSON, empty where the row could not become one.

    state: accepted, or quarantined for the `reason`; `released` is the quarantined row that an accepted one lets through.
    """

    __tablename__ = "price_entry"
    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, sa_type=_SERIAL, primary_key=True)
    entered: datetime
    entered_by: str = Field(sa_type=Text)
    state: str
    reason: str = ""
    released: int | None = Field(default=None, sa_type=_SERIAL, nullable=True)
    day: date | None = None
    price: str = Field(default="", sa_type=Text)
    written: str = Field(default="", sa_type=Text)
