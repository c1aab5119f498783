"""Tournaments of other halls over HTTP: two real halls, one of which follows the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.hall.halls import LIMIT_SECONDS
from tests.wire.http.mini_schema import problems
from tests.wire.http.test_api import GAMES_BY_NAME
from tests.wire.http.test_api_operator import OPERATOR
from tests.wire.http.web_hall import WebHall

AWAY = "/api/tournaments/away"


@pytest.fixture
async def north(tmp_path: Path) -> AsyncIterator[WebHall]:
    (tmp_path / "north").mkdir()
    hall = WebHall(tmp_path / "north", GAMES_BY_NAME)
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture
async def south(tmp_path: Path) -> AsyncIterator[WebHall]:
    (tmp_path / "south").mkdir()
    hall = WebHall(tmp_path / "south", GAMES_BY_NAME)
    await hall.start()
    hall.house.hall.away.poll_seconds = 0.01
    yield hall
    await hall.stop()


async def opened(hall: WebHall, **options: Any) -> int:
    id = await hall.house.hall.tournaments.open({"game": "connect-four", **options})
    await hall.house.hall.tournaments.enter_bots(id, ["random", "sensible"])
    return id


async def post(
    hall: WebHall, path: str = AWAY, headers: dict[str, str] = OPERATOR, **how: Any
) -> tuple[int, Any]:
    """The status, and what is answered or the code of the refusal."""
    response = await hall.ask(path, "POST", headers=headers, **how)
    body = await response.json()
    return response.status, body if response.status == 200 else body["error"]["code"]


async def follow(south: WebHall, north: WebHall, id: int) -> tuple[int, Any]:
    return await post(south, json={"url": north.url(""), "tournament": id})


async def test_standings_are_those_of_the_other_hall(north: WebHall, south: WebHall) -> None:
    # So that the numbers of both halls differ.
    await opened(north)
    id = await opened(north, title="Cup")
    assert await follow(south, north, id) == (200, {"away": 1})
    assert await follow(south, north, id) == (200, {"away": 1})
    body = await south.get(f"{AWAY}/1")
    assert body.pop("shown") == await north.get(f"/api/tournaments/{id}")
    place = {"away": 1, "url": north.url(""), "tournament": id, "reachable": True}
    seen_at_ms = body.pop("seen_at_ms")
    assert body == place
    (listed,) = (await south.get(AWAY))["tournaments"]
    brief = {"title": "Cup", "format": "round-robin", "game": "connect-four", "entrants": 2}
    assert listed == {**place, **brief, "seen_at_ms": seen_at_ms, "status": "open"}
    await north.house.hall.tournaments.begin(id, None)
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await south.get(AWAY))["tournaments"][0]["status"] != "over":
            await asyncio.sleep(0.01)
    shown = (await south.get(f"{AWAY}/1"))["shown"]
    assert shown == await north.get(f"/api/tournaments/{id}")
    assert shown["view"]["status"] == "over"
    assert (await south.get("/api/tournaments"))["tournaments"] == [], "it is none of its own"


async def test_paging(north: WebHall, south: WebHall) -> None:
    for number in (1, 2, 3):
        assert await follow(south, north, await opened(north)) == (200, {"away": number})
    first = await south.get(f"{AWAY}?limit=2")
    assert ([each["away"] for each in first["tournaments"]], first["next"]) == ([1, 2], 2)
    rest = await south.get(f"{AWAY}?limit=2&after=2")
    assert ([each["away"] for each in rest["tournaments"]], rest["next"]) == ([3], None)
    assert await south.refusal(f"{AWAY}?limit=0", 400)


async def test_what_is_not_followed(north: WebHall, south: WebHall) -> None:
    assert await follow(south, north, 77) == (404, "no_such_tournament")
    for url in ("north", "ws://north/ws", "file:///etc/passwd", "http://me:secret@north"):
        asked = {"url": url, "tournament": 1}
        assert await post(south, json=asked) == (400, "bad_request"), url
    assert await post(south, json={"url": north.url("")}) == (400, "bad_request")
    assert await post(south, json={}) == (400, "bad_request")
    nobody = {"url": "http://127.0.0.1:1", "tournament": 1}
    assert await post(south, json=nobody) == (409, "hall_unreachable")
    assert await south.get(AWAY) == {"tournaments": [], "next": None}


async def test_only_the_operator_says_what_is_followed(north: WebHall, south: WebHall) -> None:
    id = await opened(north)
    asked = {"url": north.url(""), "tournament": id}
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        assert await post(south, headers=headers, json=asked) == (401, "not_operator")
    assert (await south.get(AWAY))["tournaments"] == []
    await follow(south, north, id)
    assert await post(south, f"{AWAY}/1/forget", {}) == (401, "not_operator")
    assert (await south.get(f"{AWAY}/1"))["away"] == 1


async def test_forgetting(north: WebHall, south: WebHall) -> None:
    await follow(south, north, await opened(north))
    assert await post(south, f"{AWAY}/1/forget") == (200, {"away": 1})
    assert await post(south, f"{AWAY}/1/forget") == (404, "no_such_tournament")
    code, sentence = await south.refusal(f"{AWAY}/1", 404)
    assert (code, AWAY in sentence) == ("no_such_tournament", True)


async def test_paths_do_not_clash_with_those_of_own_tournaments(south: WebHall) -> None:
    id = await opened(south)
    assert (await south.get(f"/api/tournaments/{id}"))["tournament"] == id
    assert (await south.refusal("/api/tournaments/x", 400))[0] == "bad_request"
    assert (await south.refusal(f"{AWAY}/x", 400))[0] == "bad_request"
    assert (await south.refusal(f"{AWAY}/{id}", 404))[0] == "no_such_tournament"
    begun = await post(south, f"/api/tournaments/{id}/begin")
    assert begun == (200, {"tournament": id})


async def test_it_is_documented(north: WebHall, south: WebHall) -> None:
    document = await south.get("/api/openapi.json")
    operation = document["paths"][AWAY]["post"]
    assert operation["security"] == [{"operator": []}]
    asked = {"url": north.url(""), "tournament": await opened(north)}
    assert problems(asked, operation["requestBody"]["content"]["application/json"]["schema"],
                    document) == []  # fmt: skip
    assert "`hall_unreachable`" in operation["responses"]["409"]["description"]
    answered = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert problems((await post(south, json=asked))[1], answered, document) == []
