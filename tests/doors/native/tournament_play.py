"""What people at a tournament do, as the native door's page describes it."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Sequence
from typing import Any

from tests.doors.native.clients import Client, Json
from tests.doors.native.playing import GAME, WON_BY_FIRST, drop
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS


async def open_tournament(organiser: Client, **options: Any) -> int:
    answer = await organiser.ask("open_tournament", game=GAME, **options)
    id: int = answer["tournament"]
    assert answer == {"tournament": id}
    return id


async def enter(client: Client, tournament: int, club: str = "") -> int:
    """The seat."""
    answer = await client.ask("enter_tournament", tournament=tournament, club=club)
    seat: int = answer["seat"]
    assert answer == {"tournament": tournament, "seat": seat}
    return seat


async def play_next(clients: Sequence[Client]) -> tuple[Client, Client]:
    """Those who are seated next play, and who begins wins: winner and loser."""
    first, second = await seated_pair(clients)
    table = first.heard("seated")[-1]["table"]
    for turn, column in enumerate(WON_BY_FIRST):
        await drop((first, second)[turn % 2], table, column)
    return first, second


async def seated_pair(clients: Sequence[Client]) -> tuple[Client, Client]:
    """Two who were seated at the same table and have not begun; the one who begins first."""
    tables: dict[int, dict[int, Client]] = {}

    def find() -> tuple[Client, Client] | None:
        for client in clients:
            for notice in client.notices:
                payload = notice["payload"]
                if notice["action"] == "seated" and payload["game"] == GAME:
                    tables.setdefault(payload["table"], {})[payload["seat"]] = client
        return next(((p[0], p[1]) for p in tables.values() if len(p) == 2), None)

    async with asyncio.timeout(WAIT_SECONDS):
        while (pair := find()) is None:
            await asyncio.sleep(0.005)
    for client in pair:
        await client.notice("seated")
    return pair


async def over(client: Client, tournament: int) -> Json:
    """How it stands in the end, as the client is told who follows it."""
    await client.notice("table_over", table=tournament)
    answer = await client.ask("tournament", tournament=tournament)
    assert answer["view"]["status"] == "over"
    return answer


def told(client: Client, tournament: int) -> list[Json]:
    """All events of the tournament that the client was told, in order."""
    notices = client.heard("table_events")
    return [event for n in notices if n["table"] == tournament for event in n["events"]]


def ranking(shown: Json) -> list[tuple[int, str, int]]:
    """Rank, name and points of each."""
    names = shown["names"]
    standings = shown["view"]["standings"]
    return [(each["rank"], names[str(each["seat"])], each["points"]) for each in standings]


async def as_operator(hall: HallProcess, path: str, body: Json) -> Json:
    """What the hall answers to its operator."""
    token = (hall.data / "operator-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{hall.web_url}{path}", json.dumps(body).encode(), headers)

    def ask() -> Json:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
            answer: Json = json.loads(response.read())
        return answer

    return await asyncio.to_thread(ask)
