"""The hall as a portal: game servers come, matches are made at them, results are kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.hall.arena.as_portal.facts import FIRST_MATCH
from gamehall.wire.arena.codec import MATCH_MIN
from tests.doors.arena.game_server import Ended, GameServer, Transport, ints
from tests.doors.arena.portals import LONG_SECONDS, PortalHall, until
from tests.wire.http.mini_schema import problems


async def test_a_server_that_registers_is_listed(at: PortalHall, transport: Transport) -> None:
    server, id = await at.registered(transport)
    assert await at.servers() == [
        {
            "id": id,
            "name": "Bingo",
            "address": "203.0.113.7",
            "port": 27004,
            "rule": "Five lines win.\nNobody waits.",
            "author": "Ngân",
            "reachable": True,
        }
    ]
    await server.leave()
    await at.is_reachable(id, False)


async def test_a_server_that_hangs_up_is_out_of_reach_at_once(
    at: PortalHall, transport: Transport
) -> None:
    at.hall._keeper.half_closed.seconds = LONG_SECONDS
    server, id = await at.registered(transport)
    made = await at.made(id)
    await server.start(made.match)
    await server.finish(made.match, 5, 3)
    await server.leave()
    await at.is_reachable(id, False)
    # What it had said before counts.
    await at.is_so(made.match, status="over", score1=5, score2=3)


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        ({"name": ""}, "The name has 1 to 100 characters."),
        ({"name": "x" * 101}, "The name has 1 to 100 characters."),
        ({"name": "a\nb"}, "The name has characters that cannot be shown."),
        ({"name": "  "}, "A server has a name, and an address without spaces."),
        ({"ip": ""}, "The address has 1 to 253 characters."),
        ({"ip": "a b"}, "A server has a name, and an address without spaces."),
        ({"port": 0}, "A port is a number from 1 to 65535."),
        ({"port": 65536}, "A port is a number from 1 to 65535."),
        ({"port": -1}, "A port is a number from 1 to 65535."),
        ({"rule": "x" * 4001}, "The rule has 0 to 4000 characters."),
        ({"author": "x" * 201}, "The author has 0 to 200 characters."),
        ({"author": "\x00"}, "The author has characters that cannot be shown."),
    ],
)
async def test_values_that_cannot_be(
    at: PortalHall, transport: Transport, offer: dict[str, Any], words: str
) -> None:
    server = at.game_server(transport, **offer)
    assert await server.register() == words
    with pytest.raises(Ended):
        await server.read_answer()
    assert await at.servers() == []


async def test_a_match_is_made_played_and_counted(at: PortalHall, transport: Transport) -> None:
    assert FIRST_MATCH == MATCH_MIN
    server, id = await at.registered(transport)
    status, body = await at.make(id, 7, 8)
    assert status == 200
    (created,) = server.creates()
    assert body == {
        "matchId": 1000,
        "address": "203.0.113.7",
        "port": 27004,
        "keymatch": created.key,
    }
    assert created == (1000, 7, 8, created.key)
    assert len(created.key) == 32
    shown = await at.match(1000)
    made_at_ms = shown.pop("made_at_ms")
    assert shown == {
        "id": 1000,
        "server": id,
        "uid1": 7,
        "uid2": 8,
        "status": "waiting",
        "score1": None,
        "score2": None,
        "ended_at_ms": None,
    }
    await server.start(1000)
    await at.is_so(1000, status="running")
    server.plays(1000, 2, 1)
    await at.is_so(1000, status="running", score1=2, score2=1)
    assert await at.scores() == {}
    await server.finish(1000, 5, 3)
    await at.is_so(1000, status="over", score1=5, score2=3)
    assert (await at.match(1000))["ended_at_ms"] >= made_at_ms
    assert await at.scores() == {7: (1, 1, 0, 0, 5, 3), 8: (1, 0, 0, 1, 3, 5)}
    again = await at.made(id)
    assert again.match == 1001
    assert again.key != created.key
    assert all(key not in shown for shown in at.texts for key in (created.key, again.key))


async def test_both_numbers_after_a_3_are_told_apart(at: PortalHall, transport: Transport) -> None:
    """`3, match, 1` is a start, `3, 1, score, score` an answer: also in one go."""
    server, id = await at.registered(transport)
    first, second = await at.made(id), await at.made(id, 9, 10)
    server.answers_statuses = False
    await until(lambda: server.asked(first.match))
    asked = server.asked()
    polled = [said for said in server.log if said in ((first.match,), (second.match,))][-1][0]
    other = first.match + second.match - int(polled)
    assert asked
    await server.wire.send(ints(3, other, 1), ints(3, 1, 4, 2), ints(2, other, 0, 6))
    await at.is_so(int(polled), status="running", score1=4, score2=2)
    await at.is_so(other, status="over", score1=0, score2=6)


async def test_scores_add_up(at: PortalHall) -> None:
    server, id = await at.registered("tcp")
    for uid1, uid2, score1, score2 in ((1, 2, 5, 3), (2, 1, 4, 4), (1, 3, 0, 2), (3, 2, -1, 0)):
        match = (await at.made(id, uid1, uid2)).match
        await server.finish(match, score1, score2)
        await at.is_so(match, status="over")
    scores = await at.scores()
    assert scores == {
        1: (3, 1, 1, 1, 9, 9),
        2: (3, 1, 1, 1, 7, 8),
        3: (2, 1, 0, 1, 1, 0),
    }
    assert list(scores) == [3, 1, 2], "by won, by fewest lost, by the difference of points"
    page = await at.get("/api/arena/scores?limit=2")
    assert [score["uid"] for score in page["scores"]] == [3, 1]
    rest = await at.get(f"/api/arena/scores?after={page['next']}")
    assert [score["uid"] for score in rest["scores"]] == [2]
    assert rest["next"] is None


async def test_the_same_server_again_takes_the_place_of_its_link(
    at: PortalHall, transport: Transport
) -> None:
    old, id = await at.registered(transport)
    match = (await at.made(id)).match
    new = at.game_server(transport, rule="Other rules.", author="")
    new.matches = old.matches
    assert await new.register() is None
    assert await old.read_end() == []
    assert await at.server(id) == {**await at.server(id), "rule": "Other rules.", "author": ""}
    assert [server["reachable"] for server in await at.servers()] == [True]
    assert (await at.made(id)).match in new.matches
    assert len(old.creates()) == 1
    await new.finish(match, 1, 0)
    await at.is_so(match, status="over")
    await at.restart()
    kept = await at.server(id)
    assert (kept["rule"], kept["author"], kept["reachable"]) == ("Other rules.", "", False)
    await new.come()
    assert [server["id"] for server in await at.servers()] == [id]
    for offer in ({"port": 27005}, {"ip": "::1"}, {"name": "Chess"}):
        other, _ = at.game_server(transport, **offer), None
        assert await other.register() is None
    assert [server["id"] for server in await at.servers()] == [id, id + 1, id + 2, id + 3]


async def test_matches_by_pages(at: PortalHall) -> None:
    _, id = await at.registered("ws")
    made = [(await at.made(id, n, n + 1)).match for n in range(5)]
    page = await at.get("/api/arena/matches?limit=3")
    assert [match["id"] for match in page["matches"]] == made[:3]
    rest = await at.get(f"/api/arena/matches?limit=3&after={page['next']}")
    assert [match["id"] for match in rest["matches"]] == made[3:]
    assert rest["next"] is None
    newest = await at.get("/api/arena/matches?limit=3&newest=true")
    older = await at.get(f"/api/arena/matches?limit=3&newest=true&before={newest['next']}")
    assert older["next"] is None
    everyone = [*page["matches"], *rest["matches"]]
    assert [*newest["matches"], *older["matches"]] == everyone[::-1]
    await at.registered("ws", name="Chess")
    page = await at.get("/api/arena/servers?limit=1")
    assert [server["name"] for server in page["servers"]] == ["Bingo"]
    rest = await at.get(f"/api/arena/servers?limit=1&after={page['next']}")
    assert [server["name"] for server in rest["servers"]] == ["Chess"]
    assert rest["next"] is None


async def test_what_the_operator_may_ask_for(at: PortalHall) -> None:
    server, id = await at.registered("tcp")
    gone, gone_id = await at.registered("ws", name="Chess")
    await gone.leave()
    await at.is_reachable(gone_id, False)
    path, right = "/api/arena/matches", {"server": id, "uid1": 1, "uid2": 2}
    for token in (None, "", "wrong"):
        status, body = await at.ask(path, "POST", token=token, json=right)
        assert (status, body["error"]["code"]) == (401, "not_operator")
    for asked, status, code in (
        ({**right, "server": 77}, 404, "no_such_server"),
        ({**right, "server": gone_id}, 409, "server_unreachable"),
        ({**right, "server": str(id)}, 400, "bad_request"),
        ({**right, "uid1": 2}, 400, "bad_request"),
        ({**right, "uid1": -1}, 400, "bad_request"),
        ({**right, "uid2": 2**31}, 400, "bad_request"),
        ({**right, "uid2": 2.0}, 400, "bad_request"),
        ({**right, "key": "x"}, 400, "bad_request"),
        ({"server": id, "uid1": 1}, 400, "bad_request"),
    ):
        answered, body = await at.ask(path, "POST", token=at.token, json=asked)
        assert (answered, body["error"]["code"]) == (status, code), asked
    assert server.creates() == []
    assert (await at.get(path))["matches"] == []
    made = await at.made(id, 0, 2**31 - 1)
    assert server.creates() == [made]


async def test_there_is_a_number_of_servers_that_are_too_many(
    at: PortalHall, transport: Transport
) -> None:
    at.portal.known.most = 3
    servers = [(await at.registered(transport, name=f"Game {n}"))[0] for n in range(3)]
    late = at.game_server(transport, name="Late")
    assert await late.register() == "There are too many game servers here."
    owes, idle = servers[0], servers[1]
    match = (await at.made(1)).match
    await owes.leave()
    await at.is_reachable(1, False)
    assert await late.register() == "There are too many game servers here.", "a result is owed"
    await idle.leave()
    await at.is_reachable(2, False)
    assert await late.register() is None
    assert [(s["id"], s["name"]) for s in await at.servers()] == [
        (1, "Game 0"),
        (3, "Game 2"),
        (4, "Late"),
    ]
    await at.restart()
    at.portal.known.most = 3
    assert [server["id"] for server in await at.servers()] == [1, 3, 4]
    await owes.come()
    await owes.finish(match, 2, 2)
    await at.is_so(match, status="over")
    assert await idle.register() is None
    assert [server["id"] for server in await at.servers()] == [1, 4, 5], "ids come only once"


async def test_a_hundred_servers_at_once(at: PortalHall) -> None:
    transports: tuple[Transport, ...] = ("ws", "tcp")
    servers = [at.game_server(transports[n % 2], name=f"Game {n}") for n in range(100)]
    await asyncio.gather(*(server.come() for server in servers))
    ids = {known["name"]: known["id"] for known in await at.servers()}
    assert len(set(ids.values())) == 100

    async def play(number: int, server: GameServer) -> int:
        match = (await at.made(ids[f"Game {number}"], number, number + 1)).match
        assert [created.match for created in server.creates()] == [match]
        await server.start(match)
        await at.is_so(match, status="running")
        if number % 3:
            await server.finish(match, number, 1)
        else:
            server.has_played(match, number, 1)  # The portal finds out.
        await at.is_so(match, status="over", score1=number, score2=1)
        return match

    matches = await asyncio.gather(*(play(n, server) for n, server in enumerate(servers)))
    assert sorted(matches) == list(range(1000, 1100))
    scores = await at.scores()
    assert len(scores) == 101
    assert sum(score[0] for score in scores.values()) == 200


async def test_what_is_answered_is_what_is_documented(at: PortalHall) -> None:
    server, id = await at.registered("ws")
    match = (await at.made(id)).match
    await server.finish(match, 5, 3)
    await at.is_so(match, status="over")
    document = await at.get("/api/openapi.json")
    _, made = await at.make(id)
    asked = {"server": id, "uid1": 7, "uid2": 8}
    make = document["paths"]["/api/arena/matches"]["post"]
    assert make["security"] == [{"operator": []}]
    body = make["requestBody"]["content"]["application/json"]["schema"]
    assert problems(asked, body, document) == []
    assert problems({"server": id}, body, document) != []
    answered = make["responses"]["200"]["content"]["application/json"]["schema"]
    assert problems(made, answered, document) == []
    for status, code in (("404", "no_such_server"), ("409", "server_unreachable")):
        assert f"`{code}`" in make["responses"][status]["description"]
    for path in ("servers", "matches", "scores"):
        shown = await at.get(f"/api/arena/{path}")
        assert shown[path]
        responses = document["paths"][f"/api/arena/{path}"]["get"]["responses"]
        schema = responses["200"]["content"]["application/json"]["schema"]
        assert problems(shown, schema, document) == []
