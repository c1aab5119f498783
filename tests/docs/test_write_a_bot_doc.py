"""docs/write-a-bot.md: its bot plays, its commands run, and its lines are those that are sent."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from gamehall.bots.contender import KINDS
from gamehall.bots.line_process import LINE_BYTES_MAX, LOG_BYTES_MAX
from gamehall.bots.match import play_game
from gamehall.bots.program import MOVE_SECONDS, ProgramContender
from gamehall.catalogue import catalogue
from tests.bots.programs import a_program
from tests.support.processes import HallProcess, Process

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "write-a-bot.md").read_text()
WAIT_SECONDS = 60.0


def blocks(kind: str) -> list[str]:
    """The code blocks of that kind."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [text for each, text in found if each == kind]


def command(containing: str) -> list[str]:
    """What follows `gamehall` in the one command that has this in it."""
    (line,) = (text for text in blocks("") if text.startswith("gamehall") and containing in text)
    return shlex.split(line)[1:]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a reader has saved the bot, beside the examples."""
    (tmp_path / "mybot.py").write_text(blocks("python")[0])
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize(("containing", "games"), [("mybot.py --games 10", 10), ("first.sh", 4)])
def test_a_match_is_played(folder: Path, containing: str, games: int) -> None:
    line = command(containing.replace("mybot.py ", 'mybot.py" '))
    with Process(*line, folder=folder) as process:
        assert process.wait(WAIT_SECONDS) == 0, process.report()
    assert process.stdout[0] == f"Connect Four: {games} games, seed 1."
    assert len(process.stdout) == 3, "and no misbehaviour"


def test_the_bot_plays_at_a_hall(folder: Path, tmp_path: Path) -> None:
    line = command("bot program")
    with HallProcess(tmp_path / "data") as hall:
        url = f"--url={hall.ws_url}"
        with (
            Process(*line, url, folder=folder) as own,
            Process("bot", "connect-four", "--level=random", "--games=1", url) as other,
        ):
            assert own.wait(WAIT_SECONDS) == 0, own.report()
            assert other.wait(WAIT_SECONDS) == 0, other.report()
    assert re.search(r"round 1: (won|lost|drawn) \(", own.stdout[-1])


async def test_the_lines_are_those_that_are_sent(tmp_path: Path) -> None:
    (shown,) = (text.splitlines() for text in blocks("") if text.startswith("<"))
    answers = [line for line in shown if not line.startswith("<")]
    log: list[str] = []
    program = a_program(
        tmp_path,
        f"""
        answers = iter({answers!r})
        for line in sys.stdin:
            sys.stderr.write(line)
            if json.loads(line)["type"] == "turn":
                print(next(answers), flush=True)
        """,
    )
    own = ProgramContender(program, log=log.append)
    other = ProgramContender(f"{sys.executable} -c {shlex.quote(blocks('python')[0])}")
    await play_game(catalogue()["bingo-duel"], (other, own), "1:0")
    sent = [line.removeprefix("< ") for line in shown if line.startswith("<")]
    assert len(sent) == len(log)
    for line, real in zip(sent, log, strict=True):
        # What is left out in the document may be anything.
        assert re.fullmatch(re.escape(line).replace(r",\ …", ".*"), real), (line, real)
    assert json.loads(log[0])["move_ms"] == MOVE_SECONDS * 1000


def test_the_kinds_and_limits_are_named() -> None:
    assert re.findall(r"^\| `(\w+ed|hung)` \|", DOCUMENT, re.MULTILINE) == list(KINDS)
    assert DOCUMENT.count("64 KiB") == 2
    assert LINE_BYTES_MAX == LOG_BYTES_MAX == 64 * 1024
