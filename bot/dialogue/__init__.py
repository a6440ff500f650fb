"""The conversation: `step(session, event, now, world) -> (session, effects)`, pure, without Telegram, database or clock."""

from bot.dialogue.core import step
from bot.dialogue.session import Session, World, opened, resumed, saved

__all__ = ["Session", "World", "opened", "resumed", "saved", "step"]
