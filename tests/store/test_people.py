"""Who is in: by claim, by invitation once and until it expires, counted in periods; what is secret is kept as a digest only."""

import threading
from datetime import UTC, datetime, timedelta

from bot.store import Conversations, Database, History, Kept, Key, Whose, conversations, people

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def invited(database: Database, role: people.Role = "member") -> str:
    with database.transaction() as connection:
        team = people.first_team(connection, NOW)
        return people.invite(connection, team, role, 1, NOW, NOW + timedelta(days=7))


def test_an_invitation_lets_one_person_in_with_its_role(database: Database) -> None:
    code = invited(database, "admin")
    with database.transaction() as connection:
        assert people.accept(connection, code, 5, "Anna", NOW) == "admin"
        assert people.accept(connection, code, 6, "Ben", NOW) is None
        assert people.person(connection, 5).name == "Anna"  # type: ignore[union-attr]
        assert people.person(connection, 6) is None
        assert people.admins_exist(connection)


def test_an_invitation_ends(database: Database) -> None:
    code = invited(database)
    with database.transaction() as connection:
        assert people.accept(connection, code, 5, "Anna", NOW + timedelta(days=7)) is None
        assert people.accept(connection, "guessed", 5, "Anna", NOW) is None


def test_two_people_cannot_use_one_invitation_at_once(database: Database) -> None:
    code = invited(database)
    roles: list[object] = []

    def come(user_id: int) -> None:
        with database.transaction() as connection:
            roles.append(people.accept(connection, code, user_id, "", NOW))

    threads = [threading.Thread(target=come, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, roles)) == ["None"] * 4 + ["member"]


def test_the_code_of_an_invitation_is_not_kept(database: Database) -> None:
    code = invited(database)
    with database.reading() as connection:
        rows = connection.run("SELECT * FROM invitation")
    assert code not in str(rows)


def test_a_person_may_do_so_much_in_a_period_and_a_new_one_begins_at_nothing(database: Database) -> None:
    with database.transaction() as connection:
        assert [people.count(connection, 5, "messages", 1) for _ in range(3)] == [1, 2, 3]
        assert people.count(connection, 6, "messages", 1) == 1
        assert people.count(connection, 5, "messages", 2) == 1
        assert connection.run("SELECT count(*) AS n FROM allowance")[0]["n"] == 2


def test_of_several_replicas_one_is_told_to_set_the_menu(database: Database) -> None:
    told: list[bool] = []

    def start() -> None:
        with database.transaction() as connection:
            told.append(people.note(connection, "menu", "v2"))

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(told) == 1


def test_forgetting_deletes_ones_own_and_nobody_elses(database: Database, kept: Kept) -> None:
    with database.transaction() as connection:
        team = people.first_team(connection, NOW)
    for user in (5, 6):
        key = Key("telegram", user, 0, user)
        History(database, Whose(key, team)).add(kept, NOW)
        Conversations(database).save("{}", NOW, key)
    with database.transaction() as connection:
        conversations.forget(connection, "telegram", 5)
    assert [entry.author_id for entry in History(database, Whose(team_id=team)).list()] == [6]
    assert Conversations(database).load(Key("telegram", 5, 0, 5)) is None
    assert Conversations(database).load(Key("telegram", 6, 0, 6)) == "{}"
