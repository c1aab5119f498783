"""Programs that play: what they are told, and how each way to misbehave costs one game only."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from gamehall.bots.bot import RandomBot
from gamehall.bots.contender import LevelContender
from gamehall.bots.match import Played, play_game, play_match
from gamehall.bots.program import ProgramContender
from gamehall.games.bingo import Bingo
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Game
from gamehall.games.sicbo import SicBo
from tests.bots.programs import FIRST_LEGAL, ONE_LINE, a_program
from tests.support.waiting import WAIT_SECONDS

GAME = ConnectFour()
RANDOM = LevelContender(RandomBot())


def never_ends(pid: int) -> bool:
    """Whether the process runs: one that has ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def gone(pid: int) -> None:
    until = monotonic() + WAIT_SECONDS
    while never_ends(pid):
        assert monotonic() < until, f"process {pid} still runs"
        await asyncio.sleep(0.01)


async def played(own: ProgramContender, seat: int = 0, game: Game[Any] = GAME) -> Played:
    return await play_game(game, (own, RANDOM) if seat == 0 else (RANDOM, own), "seed")


async def test_it_is_told_what_its_seat_may_see_and_do(tmp_path: Path) -> None:
    log: list[str] = []
    text = FIRST_LEGAL.replace("message = json", "sys.stderr.write(line); message = json")
    outcome = await played(ProgramContender(a_program(tmp_path, text), log=log.append), 1)
    hello, *turns, over = map(json.loads, log)
    assert {key: hello[key] for key in ("type", "version", "game", "seat", "move_ms")} == {
        "type": "hello", "version": 1, "game": "connect-four", "seat": 1, "move_ms": 10_000,
    }  # fmt: skip
    for turn in turns:
        assert turn["type"] == "turn"
        assert turn["view"]["turn"] == 1
        assert {"type": "drop", "column": 6} in turn["legal"]
    assert over["result"] == ("won" if outcome.winners == (1,) else "lost")
    assert over["reason"] == outcome.reason


FAULTS = [
    ("crashed", "sys.exit(3)", "ended with code 3."),
    ("crashed", "os.kill(os.getpid(), 11)", "was ended by signal 11."),
    ("crashed", "os.close(1); time.sleep(3600)", "closed its output, or was killed."),
    ("crashed", ONE_LINE + "raise ValueError", "ended with code 1."),
    ("hung", "time.sleep(3600)", "did not answer within 1 seconds."),
    ("hung", "sys.stdin.read()", "did not answer within 1 seconds."),
    ("hung", ONE_LINE + "print('{', end='', flush=True)", "did not answer within 1 seconds."),
    ("lied", ONE_LINE + "print('castle', flush=True)", "answered 'castle'"),
    ("lied", ONE_LINE + "print(flush=True)", "answered ''"),
    ("lied", ONE_LINE + "os.write(1, b'\\xff\\n')", "answered '\ufffd'"),
    ("lied", ONE_LINE + "print('[' * 20000, flush=True)", "answered '[[["),
    ("lied", ONE_LINE + 'print(\'{"type":"bet"}\', flush=True)', "answered"),
    ("lied", ONE_LINE + "print('null', flush=True)", "answered null"),
    ("lied", ONE_LINE + 'print(\'{"type":"drop","column":99}\', flush=True)', "rules refuse"),
    ("lied", ONE_LINE + "os.write(1, b'1\\n2\\n')", "more than one line."),
    ("overflowed", ONE_LINE + "print('1' * 70000, flush=True)", "more than 65536 bytes."),
    ("overflowed", ONE_LINE + "os.write(1, b'x' * 9999999)", "more than 65536 bytes."),
    ("overflowed", "while True: os.write(2, b'log\\n' * 999)", "65536 bytes to its log"),
]


@pytest.mark.parametrize(("kind", "text", "says"), FAULTS)
async def test_misbehaviour_costs_the_game(tmp_path: Path, kind: str, text: str, says: str) -> None:
    # Only what hangs is waited for: all others would fail with "hung" if nobody noticed them.
    seconds = 1.0 if kind == "hung" else WAIT_SECONDS
    own = ProgramContender(a_program(tmp_path, text), move_seconds=seconds)
    outcome = await played(own)
    assert outcome.fault is not None
    assert outcome.fault.kind == kind, outcome.fault
    assert says in str(outcome.fault)
    assert (outcome.winners, outcome.quitter) == ((1,), 0)
    assert own.misbehaviour == {kind: 1}


async def test_what_it_says_unasked_is_no_answer(tmp_path: Path) -> None:
    # Whether it comes with the answer, before the next turn or after it.
    text = FIRST_LEGAL + "            print('{}', flush=True)\n"
    own = ProgramContender(a_program(tmp_path, text))
    outcome = await played(own)
    assert outcome.fault is not None
    assert outcome.fault.kind == "lied"


async def test_all_that_it_has_started_ends_with_it(tmp_path: Path) -> None:
    log: list[str] = []
    text = """
        child = os.fork()
        if child == 0:
            os.close(1)
            while True: time.sleep(3600)
        sys.stderr.write(f"{child} {os.getpid()}\\n")
    """
    for rest in (FIRST_LEGAL, "    time.sleep(3600)\n"):
        log.clear()
        command = a_program(tmp_path, text + rest.replace("\n    ", "\n        "))
        # Enough to say who it is, on a busy machine too.
        own = ProgramContender(command, move_seconds=5.0, log=log.append)
        await played(own)
        child, parent = map(int, log[0].split())
        await gone(child)
        await gone(parent)
        with pytest.raises(ProcessLookupError):
            os.kill(parent, 0)


async def test_it_may_pass_where_nobody_waits(tmp_path: Path) -> None:
    for game in (Bingo(), SicBo()):
        text = ONE_LINE + "print('null', flush=True)"
        sitting = ProgramContender(a_program(tmp_path, text)).sit(game, 0, 0)
        assert await sitting.choose({}, [], None) is None  # type: ignore[arg-type]
        await sitting.end("over", "big")


async def test_it_is_started_anew_for_each_game_and_not_for_ever(tmp_path: Path) -> None:
    own = ProgramContender(a_program(tmp_path, "sys.exit(1)"))
    mine, other = await play_match(GAME, (own, RANDOM), 8, 1)
    assert (mine.lost, other.won) == (8, 8)
    assert mine.misbehaviour == own.misbehaviour == {"crashed": 3}
    assert not other.misbehaviour


@pytest.mark.parametrize("command", ["", "./nowhere", "'", "/etc/passwd"])
def test_what_cannot_be_run_is_refused(command: str) -> None:
    with pytest.raises(ValueError, match="program"):
        ProgramContender(command)


def test_it_needs_time() -> None:
    with pytest.raises(ValueError, match="seconds"):
        ProgramContender("sh", move_seconds=0)
