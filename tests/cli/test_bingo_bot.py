"""`gamehall bot bingo` and `gamehall bot bingo-duel` at a real hall, over its native doors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.calling import exit_code
from tests.client.player import Player
from tests.support.processes import HallProcess, Process

SETTINGS = ("bingo.pause_seconds=0.01", "bingo.ready_seconds=0.5", "duel.size=4")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall"), settings=SETTINGS) as hall:
        yield hall


@pytest.fixture
async def ann(hall: HallProcess) -> AsyncIterator[Player]:
    async with Player(hall.ws_url, name="Ann") as player:
        yield player


def a_bot(hall: HallProcess, game: str, *arguments: str, door: str = "ws") -> Process:
    url = hall.ws_url if door == "ws" else hall.tcp_url
    return Process("bot", game, f"--url={url}", *arguments)


async def ended(process: Process) -> int:
    return await asyncio.to_thread(process.wait, 60)


async def come(player: Player) -> int:
    await player.ask("seek", game="bingo")
    table: int = (await player.next("table_view"))["table"]
    return table


async def joined(player: Player, table: int, *names: str) -> None:
    """Returns when these have sat down at the table."""
    await player.until(
        lambda: {e["person"]["name"] for e in player.events(table, "seated")} >= set(names)
    )


async def start(player: Player, table: int) -> None:
    await player.ask("act", table=table, command={"type": "start"})


async def play_on(player: Player, table: int, numbers: int = 75) -> None:
    """Answers that many numbers, or until the round is over; says nothing else."""
    overs = len(player.all("table_over"))
    first = len(player.events(table, "called"))
    for place in range(first, first + numbers):
        await player.until(partial(_has_news, player, table, place, overs))
        if len(player.all("table_over")) > overs:
            return
        await player.ask("act", table=table, command={"type": "ready"})


def _has_news(player: Player, table: int, calls: int, overs: int) -> bool:
    return len(player.events(table, "called")) > calls or len(player.all("table_over")) > overs


async def test_bots_play_rounds_of_bingo_that_people_start(hall: HallProcess, ann: Player) -> None:
    table = await come(ann)
    with (
        a_bot(hall, "bingo", "--games=2", "--name=Eager") as eager,
        a_bot(hall, "bingo", "--games=2", "--level=random", "--name=Dozy", door="tcp") as dozy,
    ):
        await joined(ann, table, "Eager", "Dozy")
        for round in (1, 2):
            await start(ann, table)
            await play_on(ann, table)
            await ann.until(lambda: len(ann.all("table_over")) == round)  # noqa: B023
        assert await ended(eager) == 0, eager.report()
        assert await ended(dozy) == 0, dozy.report()
    for process in (eager, dozy):
        assert sum(": plays on seat " in line for line in process.stdout) == 2
    results = [
        [line.split(": ")[1] for line in process.stdout if line.endswith("(bingo).")]
        for process in (eager, dozy)
    ]
    winners = [set(over["outcome"]["winners"]) for over in ann.all("table_over")]
    assert len(results[0]) == len(results[1]) == len(winners) == 2
    for place, won in enumerate(winners):
        said = sorted(both[place].split()[0] for both in results)
        assert said == (["lost", "lost"] if ann.view(table)["seat"] in won else ["lost", "won"])
    # They have given up their seats.
    await ann.until(lambda: len(ann.events(table, "left")) == 2)


async def test_a_bot_that_comes_late_waits_for_the_next_round(
    hall: HallProcess, ann: Player
) -> None:
    table = await come(ann)
    await start(ann, table)
    round = ann.view(table)["round"]
    with a_bot(hall, "bingo", "--games=1", "--name=Late") as process:
        await joined(ann, table, "Late")
        # All numbers are called, and Ann says nothing.
        await play_on(ann, table)
        await ann.until(lambda: len(ann.all("table_over")) == 1)
        await start(ann, table)
        await play_on(ann, table)
        assert await ended(process) == 0, process.report()
    assert [line.split(": ")[0] for line in process.stdout if ": " in line] == [
        f"Table {table}, round {round + 1}"
    ] * 2


async def test_a_bot_goes_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    settings = ("bingo.pause_seconds=0.02", "bingo.ready_seconds=1")
    with (
        HallProcess(tmp_path, settings=settings) as hall,
        a_bot(hall, "bingo", "--games=1", "--name=Steady") as process,
    ):
        async with Player(hall.ws_url, name="Ann") as ann:
            table = await come(ann)
            await joined(ann, table, "Steady")
            await start(ann, table)
            await play_on(ann, table, numbers=3)
            await asyncio.to_thread(hall.restart)
            await play_on(ann, table)
            assert await ended(process) == 0, process.report()
    assert "Connected again." in process.stdout
    assert process.stdout[-1] == f"Table {table}, round 1: won (bingo)."


async def test_two_bots_play_two_player_bingo(hall: HallProcess, ann: Player) -> None:
    with (
        a_bot(hall, "bingo-duel", "--games=1", "--name=First") as first,
        a_bot(
            hall, "bingo-duel", "--games=1", "--level=random", "--name=Second", door="tcp"
        ) as second,
    ):
        assert await ended(first) == 0, first.report()
        assert await ended(second) == 0, second.report()
    results = [process.stdout[-1].split(": ")[1] for process in (first, second)]
    assert sorted(results) in (["lost (bingo).", "won (bingo)."], ["drawn (draw)."] * 2)
    (game,) = (await ann.ask("history", game="bingo-duel", limit=1))["rounds"]
    assert max(seat["score"] for seat in game["results"]) >= 4


def test_nobody_is_challenged_to_bingo(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", "bingo", seek=False) == 2
    assert "let it seek, or give it a --table" in capsys.readouterr().err
