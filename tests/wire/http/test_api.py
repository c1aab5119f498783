"""The HTTP API: lists, tables, players, and how it refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from gamehall.games import GAMES
from tests.games.toys import HighCard
from tests.hall.halls import KEY, FakeLink
from tests.wire.http.web_hall import WebHall

TOY = HighCard()
GAMES_BY_NAME = {game.name: game for game in GAMES}


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, {**GAMES_BY_NAME, TOY.name: TOY, "highest-card": TOY})
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture
async def ann(hall: WebHall) -> FakeLink:
    return await hall.house.guest("Ann")


@pytest.fixture
async def bob(hall: WebHall) -> FakeLink:
    return await hall.house.guest("Bob")


def _id(link: FakeLink) -> int:
    assert link.online is not None
    return link.online.player.id


# Games and tables


async def test_games(hall: WebHall) -> None:
    answer = await hall.get("/api/games")
    assert [game["name"] for game in answer["games"]] == [
        "connect-four",
        "bingo",
        "bingo-duel",
        "sicbo",
        "four-stone",
        "high-card",
    ]
    four = answer["games"][0]
    assert four["title"] == "Connect Four"
    assert (four["least"], four["most"]) == (2, 2)
    assert four["options"]["columns"] == 7
    assert "drop" in four["commands"]
    assert "random" in four["bots"]
    first = await hall.get("/api/games?limit=1")
    assert (len(first["games"]), first["next"]) == (1, 1)
    last = await hall.get("/api/games?limit=1&after=5")
    assert (last["games"][0]["name"], last["next"]) == ("high-card", None)


async def test_tables_by_game_and_status(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    over = await hall.play(ann, bob)
    playing = await hall.play(ann, bob, (3,))
    waiting = await hall.open(ann, TOY.name)

    async def ids(query: str) -> list[int]:
        return [table["id"] for table in (await hall.get(f"/api/tables{query}"))["tables"]]

    assert await ids("") == [over, playing, waiting]
    assert await ids("?status=playing") == [playing]
    assert await ids("?status=over") == [over]
    assert await ids("?game=connect-four") == [over, playing]
    assert await ids("?game=highest-card") == [waiting]
    assert await ids("?game=connect-four&status=waiting") == []


async def test_tables_are_paged(hall: WebHall, ann: FakeLink) -> None:
    opened = [await hall.open(ann) for _ in range(5)]
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = await hall.get(f"/api/tables?limit=2&after={after}")
        found += [table["id"] for table in page["tables"]]
        after = page["next"]
    assert found == opened


async def test_one_table(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    table = await hall.play(ann, bob, (3,))
    answer = await hall.get(f"/api/tables/{table}")
    assert (answer["id"], answer["game"], answer["status"]) == (table, "connect-four", "playing")
    assert set(answer["names"]) == {"Ann", "Bob"}


async def test_a_private_table_needs_its_key(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    table = await hall.play(ann, bob, private=True)
    assert (await hall.get("/api/tables?status=over"))["tables"] == []
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/journal"):
        assert (await hall.refusal(path, 403))[0] == "wrong_key"
        assert (await hall.refusal(f"{path}?key=wrong", 403))[0] == "wrong_key"
        assert (await hall.refusal(f"{path}?key=%C3%A9%FF", 403))[0] == "wrong_key"
        assert (await hall.ask(f"{path}?key={KEY.table_key(table)}")).status == 200
    assert (await hall.get("/api/history"))["rounds"] == []


# Players, standings, history


async def test_players(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    table = await hall.play(ann, bob)
    answer = await hall.get("/api/players/Ann")
    assert (answer["id"], answer["name"], answer["kind"]) == (_id(ann), "Ann", "guest")
    assert [result["table"] for result in answer["results"]] == [table]
    assert "balance" not in str(answer)
    assert "token" not in str(answer)
    assert (await hall.refusal("/api/players/Nobody", 404))[0] == "no_such_player"


async def test_players_with_odd_names(hall: WebHall) -> None:
    for name, path in (("a/b?c#d", "a%2Fb%3Fc%23d"), ("Zoë 日本", "Zo%C3%AB%20%E6%97%A5%E6%9C%AC")):
        await hall.house.guest(name)
        async with aiohttp.ClientSession() as session:
            url = URL(hall.url("/api/players/") + path, encoded=True)
            async with session.get(url) as response:
                assert (await response.json())["name"] == name


async def test_standings(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    table = await hall.play(ann, bob)
    assert ann.online is not None
    winner = "Ann" if ann.online.seated[table] == 0 else "Bob"
    answer = await hall.get("/api/standings")
    assert answer["standings"][0]["name"] == winner
    assert (answer["standings"][0]["won"], answer["standings"][1]["lost"]) == (1, 1)
    assert answer["next"] is None
    first = await hall.get("/api/standings?limit=1")
    assert (first["standings"], first["next"]) == (answer["standings"][:1], 1)
    second = await hall.get("/api/standings?limit=1&after=1")
    assert (second["standings"], second["next"]) == (answer["standings"][1:], None)
    assert (await hall.get("/api/standings?game=high-card"))["standings"] == []


async def test_history(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    eve = await hall.house.guest("Eve")
    tables = [await hall.play(*pair) for pair in ((ann, bob), (ann, eve), (bob, eve))]

    async def found(query: str) -> list[int]:
        return [round["table"] for round in (await hall.get(f"/api/history{query}"))["rounds"]]

    assert await found("") == tables[::-1]
    assert await found(f"?player={_id(ann)}") == [tables[1], tables[0]]
    assert await found("?game=high-card") == []
    first = await hall.get("/api/history?limit=2")
    (round,) = (await hall.get(f"/api/history?limit=2&after={first['next']}"))["rounds"]
    assert round["table"] == tables[0]
    assert {result["result"] for result in round["results"]} == {"win", "loss"}
    assert "balance" not in str(round)
    rounds = (await hall.get("/api/history"))["rounds"]
    ended = [(r["table"], seat["player"], seat["result"]) for r in rounds for seat in r["results"]]
    for link in (ann, bob, eve):
        for result in ("win", "draw", "loss"):
            expected = [table for table, *who in ended if who == [_id(link), result]]
            assert await found(f"?player={_id(link)}&result={result}") == expected
    now_ms = hall.house.clock.now_ms()
    assert await found(f"?since_ms={now_ms}") == tables[::-1]
    assert await found(f"?until_ms={now_ms}") == await found(f"?since_ms={now_ms + 1}") == []
    assert (await hall.refusal("/api/history?result=win", 400))[0] == "bad_request"


# Refusals


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("tables?limit=x", "limit"),
        ("tables?limit=0", "limit"),
        ("tables?limit=201", "limit"),
        ("tables?limit=3.0", "limit"),
        ("tables?limit=1e1", "limit"),
        ("tables?limit=", "limit"),
        ("tables?limit=99999999999999999999999999", "limit"),
        ("tables?after=-1", "after"),
        ("tables?status=open", "status"),
        ("tables?limit=1&limit=2", "limit"),
        ("tables?colour=red", "colour"),
        ("tables/x", "id"),
        ("tables/0", "id"),
        ("tables/01", "id"),
        ("tables/2147483648", "id"),
        ("tables/1?id=2", "id"),
        ("tables/1?key=" + "k" * 65, "key"),
        ("tables/1/journal?limit=1001", "limit"),
        ("tables/1/journal?after=x", "after"),
        ("players/" + "n" * 257, "name"),
        ("standings?after=10001", "after"),
        ("history?player=Ann", "player"),
        ("games?limit=-5", "limit"),
    ],
)
async def test_ill_typed_values_are_named(hall: WebHall, query: str, name: str) -> None:
    code, message = await hall.refusal(f"/api/{query}", 400)
    assert code == "bad_request"
    assert f"`{name}`" in message


async def test_what_is_not_there(hall: WebHall) -> None:
    assert (await hall.refusal("/api/tables/77", 404))[0] == "no_such_table"
    assert (await hall.refusal("/api/tables/77/journal", 404))[0] == "no_such_table"
    for path in ("tables", "standings", "history"):
        assert (await hall.refusal(f"/api/{path}?game=chess", 404))[0] == "no_such_game"


async def test_reading_changes_nothing(hall: WebHall, ann: FakeLink, bob: FakeLink) -> None:
    table = await hall.play(ann, bob, (0, 1))
    before = await hall.get(f"/api/tables/{table}")
    for path in ("", "/journal", "/journal?limit=1"):
        await (await hall.ask(f"/api/tables/{table}{path}")).read()
    assert await hall.get(f"/api/tables/{table}") == before
    assert hall.house.hall.rooms.tables.loaded(table) is not None
