"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "allowance",
        sa.Column("subject", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("period", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "kind", "period"),
    )
    op.create_table(
        "conversation",
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("thread_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(), nullable=True),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("question_message", sa.BigInteger(), nullable=True),
        sa.Column("last_message", sa.BigInteger(), nullable=True),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("channel", "chat_id", "thread_id", "user_id"),
    )
    op.create_table(
        "deployment",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_of_chat", "outbox", ["chat_id", "id"], unique=False)
    op.create_table(
        "team",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("defaults", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "update_inbox",
        sa.Column("update_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("update_id"),
    )
    op.create_index("ix_update_inbox_received", "update_inbox", ["received"], unique=False)
    op.create_table(
        "chat",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("team_id", SERIAL, nullable=True),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("lang", sa.String(), nullable=True),
        sa.Column("greeted", sa.Boolean(), nullable=False),
        sa.Column("not_before", sa.Float(), nullable=False),
        sa.Column("lease", sa.String(), nullable=False),
        sa.Column("lease_until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.PrimaryKeyConstraint("chat_id"),
    )
    op.create_table(
        "invitation",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("team_id", SERIAL, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_by", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_by", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "member",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("team_id", SERIAL, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(), nullable=True),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_table(
        "recommendation",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("team_id", SERIAL, nullable=True),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("search", sa.Text(), nullable=False),
        sa.Column("today", sa.Date(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("catalogue_version", sa.String(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_recommendation_author_id", "recommendation", ["author_id"], unique=False)
    op.create_index("recommendation_of_team", "recommendation", ["team_id", "created"], unique=False)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("recommendation_of_team", "recommendation")
    op.drop_index("ix_recommendation_author_id", "recommendation")
    op.drop_table("recommendation")
    op.drop_table("member")
    op.drop_table("invitation")
    op.drop_table("chat")
    op.drop_index("ix_update_inbox_received", "update_inbox")
    op.drop_table("update_inbox")
    op.drop_table("team")
    op.drop_index("outbox_of_chat", "outbox")
    op.drop_table("outbox")
    op.drop_table("deployment")
    op.drop_table("conversation")
    op.drop_table("allowance")
