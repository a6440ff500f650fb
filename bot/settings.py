"""What an operator can set: environment variables SIZEWELL_*, a `.env` file or a folder of secrets enter, frozen Settings leave.

Importing this costs a third of a second: commands that touch no database do without.
"""

import os
import re
import sys
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AnyHttpUrl, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from engine.errors import Refusal

PREFIX = "SIZEWELL_"
SECRETS_FOLDER = "/run/secrets"


class Settings(BaseSettings):
    """Every setting of DESIGN §6, plus limits; nothing is required here, commands say what they miss."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    telegram_token: SecretStr | None = None
    telegram_api_url: AnyHttpUrl | None = None
    admins: Annotated[tuple[int, ...], NoDecode] = ()
    database_url: str = ""
    webhook_url: AnyHttpUrl | None = None
    webhook_secret: SecretStr | None = None
    take_over: bool = False
    listen: Annotated[str, Field(pattern=r"^[^\s:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$")] = "127.0.0.1:8080"
    data_dir: Path = Field(default_factory=lambda: user_data_folder())
    lang_default: Literal["de", "en"] | None = None
    today: date | None = None
    tz: str | None = None
    log_format: Literal["auto", "json", "console"] = "auto"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    messages_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 120
    documents_per_hour: Annotated[int, Field(ge=1, le=100_000)] = 60
    charts_per_hour: Annotated[int, Field(ge=1, le=100_000)] = 600

    @field_validator("admins", mode="before")
    @classmethod
    def _comma_separated(cls, value: Any) -> Any:
        return tuple(part for part in value.replace(" ", "").split(",") if part) if isinstance(value, str) else value

    @field_validator("tz")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        try:
            return value if value is None else ZoneInfo(value).key
        except (ZoneInfoNotFoundError, OSError):  # a folder of zones is no zone
            raise ValueError("no time zone has this name") from None

    @field_validator("webhook_secret")
    @classmethod
    def _as_telegram_takes_it(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", value.get_secret_value()):
            raise ValueError("1 to 256 characters of A-Z, a-z, 0-9, _ and -")
        return value

    @model_validator(mode="after")
    def _default_database(self) -> "Settings":
        if not self.database_url:
            object.__setattr__(self, "database_url", f"sqlite:///{self.data_dir / 'sizewell.db'}")
        return self

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone people are shown; None for the system's."""
        return None if self.tz is None else ZoneInfo(self.tz)


def user_data_folder() -> Path:
    """Where programs keep a user's data on this platform: XDG_DATA_HOME, Application Support or LOCALAPPDATA."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "sizewell"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "sizewell"
    named = os.environ.get("XDG_DATA_HOME", "")
    return (Path(named) if Path(named).is_absolute() else home / ".local" / "share") / "sizewell"


@cache
def settings() -> Settings:
    """The settings of this process, read once. Errors: Refusal setting_unusable, naming the variable and what it held."""
    folder = os.environ.get(f"{PREFIX}SECRETS_DIR", SECRETS_FOLDER)
    try:
        return Settings(_secrets_dir=folder if Path(folder).is_dir() else None)
    except ValidationError as error:
        raise _refusal(error) from None


def _refusal(error: ValidationError) -> Refusal:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    secret = name in ("telegram_token", "webhook_secret")
    read = None if secret else str(first["input"])[:200]
    return Refusal("setting_unusable", PREFIX + name.upper(), read, {"why": first["msg"]})
