"""How alembic reaches the tables: over the connection that `bot.store.schema` gives it, in the transaction that is open there."""

from typing import Any

from alembic import context


def tables() -> Any:
    """What migrations are compared with; None for a plain upgrade, which need not import SQLModel."""
    if not context.config.attributes.get("compare"):
        return None
    from sqlmodel import SQLModel

    import bot.store.price_tables
    import bot.store.tables  # noqa: F401

    return SQLModel.metadata


# Batch mode, since SQLite cannot change a column in place; the caller's transaction is the one that counts.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables(),
    render_as_batch=True,
    compare_type=True,
    transactional_ddl=False,
)
context.run_migrations()
