"""One sender at a time is responsible for a chat; a dead one's lease runs out; groups keep everything when they move."""

from datetime import UTC, datetime

from bot.store import Conversations, Database, History, Kept, Key, Whose, outbox, people

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def put(database: Database, chat_id: int, *payloads: str) -> None:
    with database.transaction() as connection:
        for payload in payloads:
            outbox.put(connection, outbox.Call(chat_id, payload), NOW)


def test_calls_of_a_chat_keep_their_order(database: Database) -> None:
    put(database, 1, "a", "b")
    put(database, 2, "x")
    put(database, 1, "c")
    with database.reading() as connection:
        assert [one.payload for one in outbox.waiting(connection, 1)] == ["a", "b", "c"]
        assert outbox.chats_with_calls(connection, "me", 100.0) == (1, 2)


def test_a_chat_has_one_sender_until_its_lease_ends(database: Database) -> None:
    put(database, 1, "a")
    with database.transaction() as connection:
        assert outbox.lease(connection, 1, "me", 100.0, 105.0)
        assert not outbox.lease(connection, 1, "you", 101.0, 106.0)
        assert outbox.lease(connection, 1, "me", 101.0, 106.0)
        assert outbox.chats_with_calls(connection, "you", 101.0) == ()
        assert outbox.chats_with_calls(connection, "you", 107.0) == (1,)
        assert outbox.lease(connection, 1, "you", 107.0, 112.0)


def test_leases_are_given_back(database: Database) -> None:
    put(database, 1, "a")
    put(database, 2, "b")
    with database.transaction() as connection:
        for chat in (1, 2):
            outbox.lease(connection, chat, "me", 100.0, 105.0)
        outbox.release(connection, "me", 1)
        assert outbox.chats_with_calls(connection, "you", 101.0) == (1,)
        outbox.release(connection, "me")
        assert outbox.chats_with_calls(connection, "you", 101.0) == (1, 2)


def test_a_chat_that_must_wait_holds_up_no_other(database: Database) -> None:
    put(database, 1, "a")
    put(database, 2, "b")
    with database.transaction() as connection:
        outbox.postpone(connection, 1, 130.0)
        assert outbox.chats_with_calls(connection, "me", 129.0) == (2,)
        assert outbox.chats_with_calls(connection, "me", 130.0) == (1, 2)


def test_a_closed_chat_drops_what_waits_until_somebody_writes_again(database: Database) -> None:
    put(database, 1, "a")
    with database.transaction() as connection:
        outbox.close_chat(connection, 1)
        assert outbox.chats_with_calls(connection, "me", 100.0) == ()
        assert people.place(connection, 1).active is False  # type: ignore[union-attr]
        people.know_place(connection, 1, "private", "")
        assert people.place(connection, 1).active is True  # type: ignore[union-attr]


def test_a_group_that_moves_takes_everything_along(database: Database, kept: Kept) -> None:
    old, new = -5, -1005
    with database.transaction() as connection:
        team = people.first_team(connection, NOW)
        people.know_place(connection, old, "group", "Team")
        people.allow_place(connection, old, team)
    put(database, old, "a")
    Conversations(database).save("{}", NOW, Key("telegram", old, 0, 1))
    Conversations(database).save(None, NOW, Key("telegram", new, 0, 1))
    History(database, Whose(Key("telegram", old, 0, 1), team)).add(kept, NOW)
    for _twice in range(2):
        with database.transaction() as connection:
            outbox.move_chat(connection, old, new)
    assert Conversations(database).load(Key("telegram", new, 0, 1)) == "{}"
    with database.reading() as connection:
        assert [one.payload for one in outbox.waiting(connection, new)] == ["a"]
        assert people.place(connection, new).team_id == team  # type: ignore[union-attr]
        assert people.place(connection, old) is None
    assert History(database, Whose(Key("telegram", new, 0, 1), team)).list()[0].chat_id == new
