"""Prices that an admin imports."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "price_entry",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("entered", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entered_by", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("released", SERIAL, nullable=True),
        sa.Column("day", sa.Date(), nullable=True),
        sa.Column("price", sa.Text(), nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("price_entry")
