"""Inline mode: cards for members, personal and soon stale; a way in for others; never more than Telegram takes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from telegram import InlineQuery, User, error
from telegram_shapes import NOW

from bot.adapters.telegram_door import House
from bot.adapters.telegram_inline import FRESH, MOST_CARDS, answer_inline
from bot.store import Database, people


@dataclass
class Bot:
    trouble: Exception | None = None
    answers: list[dict[str, Any]] = field(default_factory=list)

    async def answer_inline_query(self, _number: str, cards: list[Any], **more: Any) -> None:
        if self.trouble:
            raise self.trouble
        self.answers.append({"cards": cards, **more})


@pytest.fixture
def ask(database: Database, house: Callable[..., House]) -> Callable[..., Any]:
    with database.transaction() as connection:
        people.admit(connection, 1, people.first_team(connection, NOW), "member", "Anna", NOW)

    async def asked(text: str, user_id: int = 1, lang: str = "de", bot: Bot | None = None) -> dict[str, Any]:
        made = bot or Bot()
        query = InlineQuery("1", User(user_id, "Anna", False, language_code=lang), text, "")
        await answer_inline(made, house(), database, query)  # type: ignore[arg-type]
        return made.answers[0] if made.answers else {}

    return asked


async def test_a_member_gets_cards_of_their_own(ask: Callable[..., Any]) -> None:
    answer = await ask("70B qlora 2000 EUR")
    assert 1 < len(answer["cards"]) <= MOST_CARDS
    assert answer["is_personal"] is True
    assert answer["cache_time"] == FRESH <= 30
    for card in answer["cards"]:
        assert 1 <= len(card.title) <= 120
        assert 0 < len(card.input_message_content.message_text.encode("utf-16-le")) // 2 <= 4096
        assert card.reply_markup.inline_keyboard[0][0].url == "https://t.me/advisor_bot?start=inline"
    assert len({card.id for card in answer["cards"]}) == len(answer["cards"])


@pytest.mark.parametrize("text", ["", "  ", "x" * 256, "<b>&", "9**9**9 EUR", "deploy LLM"])
async def test_whatever_is_typed_gets_an_answer(ask: Callable[..., Any], text: str) -> None:
    answer = await ask(text)
    assert len(answer["cards"]) <= MOST_CARDS
    assert answer["cards"] or answer["button"].start_parameter == "inline"


async def test_a_stranger_gets_a_way_in_and_no_card(ask: Callable[..., Any]) -> None:
    answer = await ask("70B qlora", user_id=5)
    assert answer["cards"] == []
    assert answer["button"].start_parameter == "inline"


async def test_a_query_that_is_too_old_is_no_trouble(ask: Callable[..., Any]) -> None:
    late = Bot(error.BadRequest("Query is too old and response timeout expired or query ID is invalid"))
    assert await ask("70B qlora", bot=late) == {}
