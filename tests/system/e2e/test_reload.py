"""`serve --reload`: new rules in mid-game; the old ones stay where the new ones are no good."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamehall.client.asking import RequestRefused
from gamehall.client.native_client import NativeClient
from tests.support.processes import HallProcess, Process

NIM = (Path(__file__).parents[3] / "examples" / "nim.py").read_text()
SECONDS = 60.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    return file


def put(file: Path, text: str) -> None:
    """As editors do: nobody sees half of it."""
    other = file.with_suffix(".new")
    other.write_text(text)
    other.replace(file)


@pytest.fixture
def hall(tmp_path: Path, file: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", more=(f"--game={file}", "--reload")) as hall:
        yield hall


async def said(hall: HallProcess, words: str, times: int = 1) -> None:
    def holds() -> bool:
        return sum(words in line for line in hall.stderr) == times

    await asyncio.to_thread(hall.wait_until, holds, SECONDS)


async def take(players: tuple[NativeClient, NativeClient], table: int, sticks: int) -> None:
    """Whoever's turn it is takes so many. Raises RequestRefused."""
    command = {"type": "take", "sticks": sticks}
    for player in players:
        try:
            await player.request("act", {"table": table, "command": command})
            return
        except RequestRefused as refusal:
            if refusal.code != "not_your_turn":
                raise
    raise AssertionError("it is nobody's turn")


async def opened(players: tuple[NativeClient, NativeClient]) -> int:
    table: int = (await players[0].request("open_table", {"game": "nim"}))["table"]
    for player in players:
        await player.request("sit", {"table": table})
    return table


async def outcome(player: NativeClient) -> str:
    async with asyncio.timeout(SECONDS):
        async for notice in player:
            if notice.action == "table_over":
                return str(notice.payload["outcome"]["reason"])
    raise AssertionError("the game was never over")


async def test_a_game_goes_on_with_new_rules(hall: HallProcess, file: Path) -> None:
    anna, bob = players = (
        NativeClient(hall.ws_url, name="anna"),
        NativeClient(hall.tcp_url, name="bob"),
    )
    async with anna, bob:
        table = await opened(players)
        await take(players, table, 3)
        with pytest.raises(RequestRefused, match="no more than there are"):
            await take(players, table, 5)

        # Of the same length, so that only its content tells the difference.
        put(file, NIM.replace("(1, 2, 3)", "(1, 2, 5)").replace("last_stick", "last_match"))
        await said(hall, "reloaded")
        await take(players, table, 5)
        await take(players, table, 5)
        await take(players, table, 2)
        assert await outcome(anna) == await outcome(bob) == "last_match"
    assert hall.stop() == 0, hall.report()


async def test_rules_that_are_no_good_are_not_taken(hall: HallProcess, file: Path) -> None:
    anna, bob = players = (
        NativeClient(hall.ws_url, name="anna"),
        NativeClient(hall.tcp_url, name="bob"),
    )
    async with anna, bob:
        table = await opened(players)
        await take(players, table, 3)
        for number, (old, new, words) in enumerate(
            [
                ("def apply", "def apply(:", ": SyntaxError"),
                ("def view", "def look", "has no `view`"),
                (
                    "sticks: int\n\n\nclass Nim",
                    "stones: int\n\n\nclass Nim",
                    "cannot be rebuilt",
                ),
                ('name = "nim"', 'name = "nim-two"', "no file has 'nim'"),
                ("(1, 2, 3) if", "(1, 2, three) if", "cannot be shown: NameError"),
                ("places = range", "places = runge", "cannot be shown: NameError"),
            ],
            start=1,
        ):
            put(file, NIM.replace(old, new, 1))
            await said(hall, "not reloaded", number)
            assert words in hall.stderr[-1], hall.report()
            await take(players, table, 1)
        put(file, NIM.replace("(1, 2, 3)", "(1, 2, 6)"))
        await said(hall, "reloaded", 7)
        await take(players, table, 6)
        assert await outcome(bob) == "last_stick"


async def test_a_bot_of_the_house_plays_on(hall: HallProcess, file: Path) -> None:
    async with NativeClient(hall.ws_url, name="anna") as anna:
        opening = {"game": "nim", "bots": ["random"]}
        table = (await anna.request("open_table", opening))["table"]
        await anna.request("sit", {"table": table})
        put(file, NIM.replace("last_stick", "last_match"))
        await said(hall, "reloaded")
        async with asyncio.timeout(SECONDS):
            async for notice in anna:
                if notice.action == "table_over":
                    break
                if notice.action == "table_view" and not notice.payload["legal"]:
                    continue
                if notice.action in ("table_view", "table_events"):
                    await try_to_take(anna, table)
        assert notice.payload["outcome"]["reason"] == "last_match"


async def try_to_take(player: NativeClient, table: int) -> None:
    command = {"type": "take", "sticks": 1}
    try:
        await player.request("act", {"table": table, "command": command})
    except RequestRefused as refusal:
        if refusal.code not in ("not_your_turn", "round_over"):
            raise


def test_there_must_be_a_file() -> None:
    with Process("serve", "--reload") as process:
        assert process.wait() == 2
    assert "name a file with --game" in process.stderr[0]
