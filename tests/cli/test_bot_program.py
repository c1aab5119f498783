"""`gamehall bot` with a program of one's own, at a real hall and in matches without one."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bots.programs import FIRST_LEGAL, ONE_LINE, a_program
from tests.bots.test_program_bots import gone
from tests.cli.calling import exit_code
from tests.client.player import Player
from tests.support.processes import HallProcess, Process

WAIT_SECONDS = 60.0


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture
async def ann(hall: HallProcess) -> AsyncIterator[Player]:
    async with Player(hall.ws_url, name="Ann") as player:
        yield player


def own(hall: HallProcess, command: str, *more: str, game: str = "connect-four") -> Process:
    return Process("bot", "program", game, command, f"--url={hall.ws_url}", *more)


async def ended(process: Process) -> int:
    return await asyncio.to_thread(process.wait, WAIT_SECONDS)


@pytest.mark.parametrize("game", ["connect-four", "four-stone", "bingo-duel"])
async def test_it_plays_a_whole_game(hall: HallProcess, tmp_path: Path, game: str) -> None:
    text = FIRST_LEGAL + '        if message["type"] == "over": sys.stderr.write(line)\n'
    other = Process("bot", game, f"--url={hall.tcp_url}", "--level=random", "--games=1")
    with own(hall, a_program(tmp_path, text), "--games=1", game=game) as process, other:
        assert await ended(process) == 0, process.report()
        assert await ended(other) == 0, other.report()
    result = process.stdout[-1].split(": ")[1].split()[0]
    assert f'"result":"{result}"' in process.stderr[-1]


async def test_a_crash_costs_one_game_and_the_next_is_played(
    hall: HallProcess, ann: Player, tmp_path: Path
) -> None:
    flag = tmp_path / "has-crashed"
    crashes_once = f"""
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w").close()
            sys.exit(9)
    """
    text = crashes_once + FIRST_LEGAL.replace("\n    ", "\n        ")
    with own(hall, a_program(tmp_path, text), "--games=2") as process:
        for reason in ("left", "resigned"):
            ann.heard.clear()
            await ann.ask("seek", game="connect-four")
            table = await ann.started()
            if ann.view(table)["seat"] == 0:
                await ann.drop(table, 3)
            if reason == "left":
                over = await ann.next("table_over")
                assert over["outcome"]["reason"] == "left"
                assert over["outcome"]["winners"] == [ann.view(table)["seat"]]
                await ann.ask("leave", table=table)
            else:
                await ann.until(lambda: bool(ann.events(table, "dropped")))  # noqa: B023
                await ann.ask("act", table=table, command={"type": "resign"})
        assert await ended(process) == 0, process.report()
    assert any("crashed, the program ended with code 9." in line for line in process.stdout)
    assert process.stdout[-1] == "Misbehaviour of the program: crashed 1."


async def test_after_three_in_a_row_it_gets_no_more(hall: HallProcess, tmp_path: Path) -> None:
    other = Process("bot", "connect-four", f"--url={hall.tcp_url}", "--level=random")
    program = a_program(tmp_path, ONE_LINE + "print('x' * 99999, flush=True)")
    with own(hall, program) as process, other:
        assert await ended(process) == 1, process.report()
    assert "has lost 3 games in a row" in process.stderr[-1]
    assert process.stdout[-1] == "Misbehaviour of the program: overflowed 3."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_stopped_it_takes_the_program_with_it(
    hall: HallProcess, ann: Player, tmp_path: Path, number: int
) -> None:
    text = "sys.stderr.write(f'{os.getpid()}\\n')\ntime.sleep(3600)"
    table = (await ann.ask("open_table", game="connect-four"))["table"]
    with own(hall, a_program(tmp_path, text), "--move-seconds=600", f"--table={table}") as process:
        await ann.ask("sit", table=table)
        await ann.started()
        if ann.view(table)["seat"] == 0:
            await ann.drop(table, 3)
        await asyncio.to_thread(
            process.wait_until, lambda: any("program: " in line for line in process.stderr)
        )
        assert await asyncio.to_thread(process.stop, number) == 0, process.report()
        (pid,) = (line.split()[1] for line in process.stderr if line.startswith("program: "))
        await gone(int(pid))
        assert (await ann.next("player_left"))["reason"] == "left"


@pytest.mark.slow
async def test_it_bets_at_a_table_that_waits_for_nobody(tmp_path: Path) -> None:
    text = """
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "turn":
                bets = message["view"]["bets"]
                print("null" if bets else '{"type":"bet","side":"BIG","amount":7}', flush=True)
    """
    quick = ("sicbo.betting_seconds=1", "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.1")
    with (
        HallProcess(tmp_path / "data", settings=quick) as hall,
        own(hall, a_program(tmp_path, text), "--games=2", game="sicbo") as process,
    ):
        assert await ended(process) == 0, process.report()
    assert sum("over (" in line for line in process.stdout) == 2
    assert not any("Misbehaviour" in line for line in process.stdout)


def test_a_match_prints_the_score_and_misbehaviour(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    liar = f"program:{a_program(tmp_path, 'print(1, flush=True); sys.stdin.read()')}"
    assert exit_code("bot", "match", "connect-four", "random", liar, games=4, seed=1) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in said[:3]] == ["Game 1", "Game 2", "Game 3"]
    assert said[3] == "Connect Four: 4 games, seed 1."
    assert said[4].startswith("random: 4 won, 0 drawn, 0 lost; 100.0% of the points (95 % Wilson")
    assert said[6] == f"Misbehaviour of {liar}: lied 3."


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        (("match", "connect-four", "random", "genius"), {}, "There is no level 'genius'"),
        (("match", "connect-four", "random", "program:./nowhere"), {}, "no program './nowhere'"),
        (("match", "connect-four", "random", "random"), {"games": -1}, "--games"),
        (("match", "sicbo", "random", "random"), {}, "games that two begin"),
        (("program", "connect-four", "./nowhere"), {}, "There is no program './nowhere'"),
        (("program", "connect-four", "sh"), {"move_seconds": 0}, "seconds"),
        # What the command line itself refuses, in a frame.
        (("match", "connect-four", "random"), {}, "SECOND requires an argument"),
        (("program", "connect-four", "sh"), {"level": "random"}, "--level"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    words: tuple[str, ...],
    options: dict[str, Any],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code("bot", *words, **options) == 2
    assert says in capsys.readouterr().err
