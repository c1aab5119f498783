"""`gamehall bot` as a process of its own, against other bots and against people, at a real hall."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import exit_code
from tests.client.player import Json, Player
from tests.support.processes import HallProcess, Process

TOYS = str(Path(__file__).parent.parent / "games" / "toys.py")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    """Has one more game, of which it knows the rules from a file."""
    with HallProcess(tmp_path_factory.mktemp("hall"), more=(f"--game={TOYS}",)) as hall:
        yield hall


@pytest.fixture
async def ann(hall: HallProcess) -> AsyncIterator[Player]:
    async with Player(hall.ws_url, name="Ann") as player:
        yield player


def a_bot(
    hall: HallProcess, *arguments: str, game: str = "connect-four", door: str = "ws"
) -> Process:
    url = hall.ws_url if door == "ws" else hall.tcp_url
    return Process("bot", game, f"--url={url}", *arguments)


async def ended(process: Process) -> int:
    return await asyncio.to_thread(process.wait)


async def challenge(ann: Player, process: Process, game: str = "connect-four") -> Json:
    """Challenges the bot as soon as it is there."""
    await asyncio.to_thread(process.wait_until, lambda: bool(process.stdout))
    name = process.stdout[0].partition(" as ")[2].removesuffix(".")
    found = (await ann.ask("list_players", free=True))["players"]
    (id,) = (player["id"] for player in found if player["name"] == name)
    return await ann.ask("challenge", player=id, game=game)


async def drop(ann: Player, table: int, column: int) -> None:
    """Drops as soon as it is the turn to, and returns when the bot has answered."""
    seat = ann.view(table)["seat"]

    def seats() -> list[int]:
        return [event["seat"] for event in ann.events(table, "dropped")]

    await ann.until(lambda: len(seats()) % 2 == seat)
    before = len(seats())
    await ann.drop(table, column)
    await ann.until(lambda: len(seats()) == before + 2)


async def resign(ann: Player, table: int) -> None:
    await ann.ask("act", table=table, command={"type": "resign"})


@pytest.mark.parametrize("level", ["random", "sensible"])
async def test_two_bots_play_a_whole_game(hall: HallProcess, ann: Player, level: str) -> None:
    with (
        a_bot(hall, "--games=1", f"--level={level}", f"--name=First {level}") as first,
        a_bot(hall, "--games=1", "--level=random", f"--name=Second {level}", door="tcp") as second,
    ):
        assert await ended(first) == 0, first.report()
        assert await ended(second) == 0, second.report()
    results = [process.stdout[-1].split(": ")[1].split()[0] for process in (first, second)]
    assert sorted(results) in (["lost", "won"], ["drawn", "drawn"])
    (game,) = (await ann.ask("history", limit=1))["rounds"]
    named = {seat["name"]: seat["result"] for seat in game["results"]}
    words = {"win": "won", "loss": "lost", "draw": "drawn"}
    assert [words[named[f"{name} {level}"]] for name in ("First", "Second")] == results


@pytest.mark.slow
async def test_it_plays_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall, a_bot(hall, "--games=1") as process:
        async with Player(hall.tcp_url, name="Ann") as ann:
            await ann.ask("seek", game="connect-four")
            table = await ann.started()
            await drop(ann, table, 0)
            await asyncio.to_thread(hall.restart)
            await ann.next("connected")
            await drop(ann, table, 1)
            await resign(ann, table)
        assert await ended(process) == 0, process.report()
        assert "Connected again." in process.stdout
        assert process.stdout[-1].endswith("won (resigned).")


@pytest.mark.slow
async def test_it_waits_for_an_opponent_through_a_crash(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall, a_bot(hall, "--games=1") as process:
        await asyncio.to_thread(process.wait_until, lambda: bool(process.stdout))
        await asyncio.to_thread(hall.restart)
        await asyncio.to_thread(process.wait_until, lambda: "Connected again." in process.stdout)
        async with Player(hall.tcp_url, name="Ann") as ann:
            await ann.ask("seek", game="connect-four")
            await resign(ann, await ann.started())
        assert await ended(process) == 0, process.report()


async def test_it_accepts_a_challenge_and_agrees_to_a_rematch(
    hall: HallProcess, ann: Player
) -> None:
    with a_bot(hall, "--no-seek", "--games=2") as process:
        await challenge(ann, process)
        table = await ann.started()
        assert ann.view(table)["seat"] == 0
        await drop(ann, table, 3)
        await resign(ann, table)
        await ann.next("table_over")
        await ann.ask("rematch", table=table)
        await ann.until(lambda: ann.view(table)["round"] == 2)
        await resign(ann, table)
        assert await ended(process) == 0, process.report()
    results = [line for line in process.stdout if "won" in line]
    assert results == [f"Table {table}, round {n}: won (resigned)." for n in (1, 2)]
    # Whoever would wait for another game is told that the bot has gone.
    assert (await ann.next("player_left"))["reason"] == "left"


async def test_it_refuses_what_it_does_not_play(hall: HallProcess, ann: Player) -> None:
    with a_bot(hall, "--no-seek") as process:
        await challenge(ann, process, game="high-card")
        assert (await ann.next("challenge_refused"))["reason"] == "refused"
    with a_bot(hall, "--no-accept") as process:
        await challenge(ann, process)
        await ann.until(lambda: len(ann.all("challenge_refused")) == 2)


async def test_it_sits_down_at_a_private_table(hall: HallProcess, ann: Player) -> None:
    opened = await ann.ask("open_table", game="connect-four", private=True)
    table = opened["table"]
    with a_bot(hall, f"--table={table}", "--key=wrong") as process:
        assert await ended(process) == 1
        assert "This table is private" in process.stderr[-1]
    with a_bot(hall, f"--table={table}", f"--key={opened['key']}", "--games=1") as process:
        await ann.ask("sit", table=table)
        assert await ann.started() == table
        await drop(ann, table, 3)
        await resign(ann, table)
        assert await ended(process) == 0, process.report()


async def test_it_leaves_its_table_when_no_one_is_left_there(
    hall: HallProcess, ann: Player
) -> None:
    table = (await ann.ask("open_table", game="connect-four"))["table"]
    with a_bot(hall, f"--table={table}") as process:
        await ann.ask("sit", table=table)
        await ann.started()
        await resign(ann, table)
        await ann.next("table_over")
        await ann.ask("leave", table=table)
        assert await ended(process) == 0, process.report()


async def test_the_same_seed_plays_the_same(hall: HallProcess, ann: Player) -> None:
    played: list[list[int]] = []
    for _ in range(2):
        with a_bot(hall, "--no-seek", "--level=random", "--seed=5", "--games=1") as process:
            ann.heard.clear()
            await challenge(ann, process)
            table = await ann.started()
            for column in (0, 3, 6):
                await drop(ann, table, column)
            await resign(ann, table)
            assert await ended(process) == 0, process.report()
        drops = ann.events(table, "dropped")
        played.append([event["column"] for event in drops if event["seat"] == 1])
    assert played[0] == played[1]


async def test_it_plays_a_game_from_a_file(hall: HallProcess) -> None:
    how: dict[str, Any] = {"game": "high-card"}
    with (
        a_bot(hall, "--games=2", f"--rules={TOYS}", **how) as first,
        a_bot(hall, "--games=2", f"--rules={TOYS}", **how, door="tcp") as second,
    ):
        assert await ended(first) == 0, first.report()
        assert await ended(second) == 0, second.report()


async def test_interrupted_it_gives_up_its_game(hall: HallProcess, ann: Player) -> None:
    with a_bot(hall) as process:
        await ann.ask("seek", game="connect-four")
        table = await ann.started()
        await drop(ann, table, 3)
        assert await asyncio.to_thread(process.stop, signal.SIGINT) == 0
        assert (await ann.next("player_left"))["reason"] == "left"
        assert not any("Traceback" in line for line in process.stderr)


def test_a_game_that_the_hall_does_not_have_is_a_failure(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        with a_bot(hall, f"--rules={TOYS}", game="high-card") as process:
            assert process.wait() == 1
        assert "This hall does not have that game" in process.stderr[-1]


def test_no_hall_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", "connect-four", url="tcp://127.0.0.1:1") == 1
    assert "Cannot reach tcp://127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"level": "genius"}, "There is no level 'genius'; this game has random, sensible, strong"),
        ({"url": "http://127.0.0.1:8000"}, "is not the address of a hall"),
        ({"games": -1}, "--games"),
        ({"seek": False, "accept": False}, "--table"),
        ({"key": "k"}, "--table"),
        ({"rules": (Path("nowhere.py"),)}, "nowhere.py"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    call: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("bot", call.pop("game", "connect-four"), **call) == 2
    assert says in capsys.readouterr().err


def test_the_help_has_an_example() -> None:
    with Process("bot", "--help") as process:
        assert process.wait() == 0
    assert any("Example: gamehall bot" in line for line in process.stdout)
