"""Games that were played here stand in the journal, and `gamehall verify` finds them right."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.doors.practice import stones
from tests.doors.practice.halls import QUICK, Visitors, open_hall
from tests.doors.practice.playing import CONNECT_FOUR, drop, match, over, play
from tests.support.processes import HallProcess, Process

Row = dict[str, Any]


def read(source: str) -> list[Row]:
    with urlopen(source) as answer:
        return [json.loads(line) for line in answer]


async def judged(rows: list[Row], folder: Path) -> int:
    """What `gamehall verify` says to a file with these rows."""
    file = folder / "round.jsonl"
    file.write_text("".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows))
    with Process("verify", str(file)) as verify:
        return await asyncio.to_thread(verify.wait)


async def journal(hall: HallProcess, room: int) -> list[Row]:
    return await asyncio.to_thread(read, f"{hall.web_url}/api/tables/{room}/journal")


def events_of(rows: list[Row], type: str) -> list[Row]:
    """Beside the rows a journal has a line of its own, without events."""
    return [
        event for row in rows if "events" in row for event in row["events"] if event["type"] == type
    ]


async def test_two_games(tmp_path: Path) -> None:
    with open_hall(tmp_path / "hall", *QUICK) as hall:
        at = Visitors(hall)
        players = await at.pair()
        game = await match(*players)
        await play(game, stones.FIRE_WINS)
        await over(game, 0, "one_stone")
        four_stone = await journal(hall, game.room)
        game = await match(*players, CONNECT_FOUR)
        await drop(game, (0, 1, 0, 1, 0, 1, 0))
        await over(game, 0, "line")
        connect_four = await journal(hall, game.room)
        await at.leave()
    # The hall is gone, and the files are enough.
    for rows in (four_stone, connect_four):
        assert await judged(rows, tmp_path) == 0
        for player in players:
            assert player.name in json.dumps(rows)
    columns = [event["column"] for event in events_of(connect_four, "dropped")]
    assert columns == [0, 1, 0, 1, 0, 1, 0]
    moved = events_of(four_stone, "moved")
    places = [[*event["from"], *event["to"]] for event in moved]
    assert places == [list(map(int, digits)) for digits in stones.FIRE_WINS.split()]
    assert [event["taken"] for event in moved] == [[], [], [[1, 1]], [], [[2, 1]], [], [[3, 1]]]
    moved[2]["taken"] = []
    assert await judged(four_stone, tmp_path) == 1
