"""A strict Telegram Bot API server for tests, on a loopback port, with a person's side to talk to the bot.

The bot's side is HTTP: every method is checked against `botapi.schema.json` (Bot API 10.3) and refuses what the real server
refuses, with its texts. The test's side is `Telegram`: people, groups, taps, files, faults, the passing of time; what a bot
does against the rules is collected in `violations`, which must be empty at the end of a test.

`botapi.schema.json` is derived from the models of aiogram 3.31 (https://github.com/aiogram/aiogram, MIT licence,
Copyright (c) 2017 - present Alex Root Junior); `botapi.LICENSE` is its notice. What the server does beside the documentation
was read in the source of https://github.com/tdlib/telegram-bot-api.
"""

from fakegram.people import Room, Shown, Voice
from fakegram.telegram import Telegram

__all__ = ["Room", "Shown", "Telegram", "Voice"]
