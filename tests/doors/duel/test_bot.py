"""`gamehall bot duel` as a process of its own, against itself and others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.cli.calling import exit_code
from tests.client.player import Player
from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists, open_hall
from tests.support.processes import HallProcess, Process

SETTINGS = ("duel.size=4", "duel.gap_ms=5", "duel.close_seconds=0.2")


def a_bot(at: Duelists, match: int, uid: int, opponent: int, *more: str) -> Process:
    return Process(
        "bot",
        "duel",
        f"--port={at.hall.ports['duel']}",
        f"--uid={uid}",
        f"--opponent={opponent}",
        f"--match={match}",
        "--key=the key",
        *more,
    )


def said(process: Process, uid: int) -> str:
    """How the match has ended for a bot that was that player."""
    assert process.wait() == 0, process.report()
    assert process.stdout[0].endswith(f" as player {uid}."), process.report()
    return process.stdout[-1].removeprefix("The match is over: ").removesuffix(".")


@pytest.mark.parametrize("fast", [(), ("--fast",)])
def test_two_bots_play_each_other(at: Duelists, fast: tuple[str, ...]) -> None:
    match = at.new_match()
    # The second has the players the other way round, as it is natural for it.
    with a_bot(at, match, 7, 8, *fast) as first:
        first.wait_until(lambda: bool(first.stdout))
        with a_bot(at, match, 8, 7) as second:
            results = [said(first, 7), said(second, 8)]
    assert sorted(results) in (["lost", "won"], ["drawn", "drawn"])


@pytest.mark.slow
def test_a_bot_plays_a_native_bot(at: Duelists) -> None:
    with a_bot(at, at.new_match(), 7, 8) as duelist:
        duelist.wait_until(lambda: bool(duelist.stdout))
        table = newest_table(at.hall)
        native = ("bot", "bingo-duel", f"--url={at.hall.tcp_url}", f"--table={table}", "--games=1")
        with Process(*native) as other:
            result = said(duelist, 7)
            assert other.wait() == 0, other.report()
    words = {"won": "lost", "lost": "won", "drawn": "drawn"}
    assert f": {words[result]} (" in other.stdout[-1], other.report()


def newest_table(hall: HallProcess) -> int:
    async def find() -> int:
        async with Player(hall.tcp_url, name="Looks") as player:
            tables = (await player.ask("list_tables", game="bingo-duel", status="waiting"))[
                "tables"
            ]
            found: int = tables[-1]["id"]
            return found

    return asyncio.run(find())


@pytest.mark.slow
def test_it_plays_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Duelists(hall)
        match = at.new_match()
        with a_bot(at, match, 7, 8) as process:
            process.wait_until(lambda: bool(process.stdout))
            text = f"7:8:{match}:the key:fast"
            client = at.enters(text, 8)
            board = client.take(p.BOARD)
            client.pick(1)
            picks = [1, client.take(p.PICKED)]
            client.take(p.YOURS)
            hall.restart()
            process.wait_until(lambda: len(process.stdout) == 2)
            client = at.comes_back(text, 8, board, picks)
            assert client.is_my_turn()
            at.leave()


def test_it_says_that_the_other_left(tmp_path: Path) -> None:
    with open_hall(tmp_path, "table.grace_seconds=0.1", *SETTINGS) as hall:
        at = Duelists(hall)
        match = at.new_match()
        with a_bot(at, match, 7, 8) as process:
            process.wait_until(lambda: bool(process.stdout))
            at.enters(f"7:8:{match}:the key", 8).reset()
            assert said(process, 7) == "won, since the opponent left"
        at.leave()


def test_it_is_not_let_in(at: Duelists) -> None:
    first, *_ = at.pair()
    match = at.new_match() - 1
    with a_bot(at, match, 7, 8) as process:
        assert process.wait() == 1, process.report()
    assert "does not let it in" in process.stderr[-1]
    assert not first.is_my_turn()


@pytest.mark.parametrize(
    "call",
    [
        {"uid": 1, "key": "a:b"},
        {"uid": -1, "key": "k"},
        {"uid": 1, "key": "k", "match": 3},
        {"uid": 1, "key": "k", "level": "perfect"},
    ],
)
def test_wrong_calls(call: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", "duel", **call) == 2
    assert capsys.readouterr().err.startswith("gamehall: ")


@pytest.mark.parametrize("call", [{"key": "k"}, {"uid": 1}, {"uid": 1, "key": "k", "match": "x"}])
def test_calls_that_the_command_line_refuses(call: dict[str, object]) -> None:
    assert exit_code("bot", "duel", **call) == 2


def test_nobody_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", "duel", uid=1, key="k", port=1) == 1
    assert "Cannot reach 127.0.0.1:1" in capsys.readouterr().err
