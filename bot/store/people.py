"""Who may use the bot: members, their team and settings, chats that are allowed, invitations, how often somebody did something."""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bot.store.database import Connection, moment
from engine.request import Language

Role = Literal["admin", "member"]


@dataclass(frozen=True, slots=True)
class Person:
    """A member."""

    user_id: int
    team_id: int
    role: Role
    name: str
    lang: Language | None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """A chat as it is known."""

    chat_id: int
    kind: str
    title: str
    team_id: int | None
    closed: bool
    active: bool
    lang: Language | None
    greeted: bool


def person(connection: Connection, user_id: int) -> Person | None:
    """A member by Telegram's id."""
    rows = connection.run("SELECT user_id, team_id, role, name, lang, settings FROM member WHERE user_id = :id", id=user_id)
    return None if not rows else Person(**{**rows[0], "settings": json.loads(rows[0]["settings"])})


def people(connection: Connection, team_id: int) -> tuple[Person, ...]:
    """A team's members, admins first."""
    rows = connection.run(
        "SELECT user_id, team_id, role, name, lang, settings FROM member WHERE team_id = :team ORDER BY role, joined", team=team_id
    )
    return tuple(Person(**{**row, "settings": json.loads(row["settings"])}) for row in rows)


def admit(connection: Connection, user_id: int, team_id: int, role: Role, name: str, now: datetime) -> None:
    """Make somebody a member; who is one already gets the role."""
    connection.run(
        "INSERT INTO member (user_id, team_id, role, name, settings, joined) VALUES (:user_id, :team_id, :role, :name, '{}', :now)"
        " ON CONFLICT (user_id) DO UPDATE SET team_id = excluded.team_id, role = excluded.role",
        user_id=user_id,
        team_id=team_id,
        role=role,
        name=name,
        now=now,
    )


def remove(connection: Connection, user_id: int, team_id: int) -> bool:
    """End a membership; what they asked stays in the team's history."""
    return connection.change("DELETE FROM member WHERE user_id = :id AND team_id = :team", id=user_id, team=team_id) == 1


def keep_language(connection: Connection, user_id: int, lang: Language) -> None:
    """A member's own language."""
    connection.run("UPDATE member SET lang = :lang WHERE user_id = :id", id=user_id, lang=lang)


def keep_settings(connection: Connection, user_id: int, settings: Mapping[str, Any]) -> None:
    """A member's own settings."""
    connection.run("UPDATE member SET settings = :settings WHERE user_id = :id", id=user_id, settings=json.dumps(settings))


def admins_exist(connection: Connection) -> bool:
    """Whether anybody may invite others."""
    return bool(connection.run("SELECT 1 AS one FROM member WHERE role = 'admin' LIMIT 1"))


def first_team(connection: Connection, now: datetime) -> int:
    """The team that the first admin founds."""
    rows = connection.run("SELECT id FROM team ORDER BY id LIMIT 1")
    made = rows or connection.run("INSERT INTO team (name, defaults, created) VALUES ('', '{}', :now) RETURNING id", now=now)
    return int(made[0]["id"])


def team_defaults(connection: Connection, team_id: int) -> dict[str, Any]:
    """What stands under every request of a team: contract JSON, and the currency."""
    rows = connection.run("SELECT defaults FROM team WHERE id = :id", id=team_id)
    return dict(json.loads(rows[0]["defaults"])) if rows else {}


def keep_team_defaults(connection: Connection, team_id: int, defaults: Mapping[str, Any]) -> None:
    """Replace a team's defaults."""
    connection.run("UPDATE team SET defaults = :defaults WHERE id = :id", id=team_id, defaults=json.dumps(defaults))


def place(connection: Connection, chat_id: int) -> Place | None:
    """A chat as it is known; None for one that nothing was ever sent to."""
    rows = connection.run("SELECT chat_id, kind, title, team_id, closed, active, lang, greeted FROM chat WHERE chat_id = :id", id=chat_id)
    truths = {name: bool(rows[0][name]) for name in ("closed", "active", "greeted")} if rows else {}
    return Place(**{**rows[0], **truths}) if rows else None


def know_place(connection: Connection, chat_id: int, kind: str, title: str) -> None:
    """Somebody wrote there: it can be reached again."""
    connection.run(
        "INSERT INTO chat (chat_id, kind, title, closed, active, greeted, not_before, lease, lease_until)"
        " VALUES (:id, :kind, :title, :no, :yes, :no, 0, '', 0) ON CONFLICT (chat_id) DO UPDATE"
        " SET kind = excluded.kind, title = excluded.title, active = excluded.active",
        id=chat_id,
        kind=kind,
        title=title,
        yes=True,
        no=False,
    )


def allow_place(connection: Connection, chat_id: int, team_id: int) -> None:
    """Let a group use the bot for a team."""
    connection.run("UPDATE chat SET team_id = :team, closed = :no WHERE chat_id = :id", id=chat_id, team=team_id, no=False)


def close_place(connection: Connection, chat_id: int) -> None:
    """Shut a group out; from now on only /allow opens it."""
    connection.run("UPDATE chat SET team_id = NULL, closed = :yes WHERE chat_id = :id", id=chat_id, yes=True)


def greet_once(connection: Connection, chat_id: int) -> bool:
    """Whether the one line for strangers is still due there; from now on it is not."""
    return connection.change("UPDATE chat SET greeted = :yes WHERE chat_id = :id AND greeted = :no", id=chat_id, yes=True, no=False) == 1


def keep_place_language(connection: Connection, chat_id: int, lang: Language) -> None:
    """A group's language."""
    connection.run("UPDATE chat SET lang = :lang WHERE chat_id = :id", id=chat_id, lang=lang)


def fresh_code() -> str:
    """Something nobody can guess."""
    return secrets.token_urlsafe(16)


def digest(code: str) -> str:
    """What is kept of a code that must stay secret."""
    return hashlib.sha256(code.encode()).hexdigest()


def invite(connection: Connection, team_id: int, role: Role, by: int, now: datetime, expires: datetime) -> str:
    """A new invitation; its code, which is not kept."""
    code = fresh_code()
    connection.run(
        "INSERT INTO invitation (digest, team_id, role, created_by, created, expires) VALUES (:digest, :team, :role, :by, :now, :expires)",
        digest=digest(code),
        team=team_id,
        role=role,
        by=by,
        now=now,
        expires=expires,
    )
    return code


def accept(connection: Connection, code: str, user_id: int, name: str, now: datetime) -> Role | None:
    """Use an invitation up; None for one that is unknown, used or expired."""
    rows = connection.run("SELECT team_id, role, expires, used_by FROM invitation WHERE digest = :digest", digest=digest(code))
    if not rows or rows[0]["used_by"] is not None or moment(rows[0]["expires"]) <= now:
        return None
    used = connection.change(
        "UPDATE invitation SET used_by = :user WHERE digest = :digest AND used_by IS NULL", digest=digest(code), user=user_id
    )
    if not used:
        return None
    admit(connection, user_id, rows[0]["team_id"], rows[0]["role"], name, now)
    role: Role = rows[0]["role"]
    return role


def count(connection: Connection, subject: int, kind: str, period: int) -> int:
    """How often somebody did this in the period, this time included."""
    rows = connection.run(
        "INSERT INTO allowance (subject, kind, period, used) VALUES (:subject, :kind, :period, 1)"
        " ON CONFLICT (subject, kind, period) DO UPDATE SET used = allowance.used + 1 RETURNING used",
        subject=subject,
        kind=kind,
        period=period,
    )
    connection.run(
        "DELETE FROM allowance WHERE subject = :subject AND kind = :kind AND period < :period", subject=subject, kind=kind, period=period
    )
    return int(rows[0]["used"])


def noted(connection: Connection, name: str) -> str | None:
    """What the installation remembers under a name."""
    rows = connection.run("SELECT content FROM deployment WHERE name = :name", name=name)
    return rows[0]["content"] if rows else None


def note(connection: Connection, name: str, content: str) -> bool:
    """Remember something; False if it was remembered just so. Of several that say the same at once, one is told True."""
    return (
        connection.change(
            "INSERT INTO deployment (name, content) VALUES (:name, :content)"
            " ON CONFLICT (name) DO UPDATE SET content = excluded.content WHERE deployment.content <> excluded.content",
            name=name,
            content=content,
        )
        == 1
    )
