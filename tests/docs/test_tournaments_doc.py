"""docs/tournaments.md is executed, and its rules are those that the code states."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gamehall.hall.tournaments.formats import FORMATS, standings
from tests.support.processes import HallProcess
from tests.system.e2e.logs import get_json

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
OPEN, BEGIN, BOT, FOLLOW, AWAY_BOT, AWAY_SHOW, VERIFY = COMMANDS
(PRINTED,) = re.findall(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
WAIT_SECONDS = 60
# A hall at its default address, so to say.
PROGRAMS = """
gamehall() {
    case "$1" in
        tournament) "$PYTHON" -m gamehall "$@" --url "http://$HALL" ;;
        bot) "$PYTHON" -m gamehall "$@" --url "ws://$HALL/ws" ;;
        *) "$PYTHON" -m gamehall "$@" ;;
    esac
}
"""


async def run(folder: Path, address: str, commands: str) -> str:
    """What the commands print; they must succeed."""
    process = await asyncio.create_subprocess_exec(
        "sh", "-e", "-c", PROGRAMS + commands.replace("127.0.0.1:8000", address),
        cwd=folder,
        env={"PYTHON": sys.executable, "PATH": os.defpath, "HALL": address},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, said.decode()
    return said.decode()


async def test_the_commands_do_what_the_page_says(tmp_path: Path) -> None:
    with HallProcess(tmp_path / "gamehall-data") as hall:
        address = f"127.0.0.1:{hall.ports['native']}"
        assert await run(tmp_path, address, OPEN) == "Tournament 1 is open.\n"
        playing = asyncio.create_task(run(tmp_path, address, BOT))
        where = f"http://{address}/api/tournaments/1"
        async with asyncio.timeout(WAIT_SECONDS):
            while len((await get_json(where))["view"]["entrants"]) < 4 and not playing.done():
                await asyncio.sleep(0.05)
        assert await run(tmp_path, address, BEGIN) == "Tournament 1 has begun.\n"
        assert "The tournament is over: rank " in await playing
        command, _, printed = PRINTED.partition("\n")
        shown = await run(tmp_path, address, command.removeprefix("$ "))
        assert (await run(tmp_path, address, VERIFY)).splitlines()[-1].startswith("Verified")
    # Who wins is chance; all else is as it is printed there.
    assert shapes(shown) == shapes(printed)


@pytest.mark.slow
async def test_the_commands_for_two_halls_do_what_the_page_says(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("north", "south")}
    for folder in folders.values():
        folder.mkdir()
    with (
        HallProcess(folders["north"] / "gamehall-data") as north,
        HallProcess(folders["south"] / "gamehall-data") as south,
    ):
        there, here = (f"127.0.0.1:{hall.ports['native']}" for hall in (north, south))
        await run(folders["north"], there, OPEN)
        said = await run(folders["south"], here, FOLLOW.replace("north:8000", there))
        assert said == "It is followed here under the number 1.\n"
        playing = asyncio.create_task(run(folders["south"], here, AWAY_BOT))
        where = f"http://{there}/api/tournaments/1"
        async with asyncio.timeout(WAIT_SECONDS):
            while len((await get_json(where))["view"]["entrants"]) < 4 and not playing.done():
                await asyncio.sleep(0.05)
            await run(folders["north"], there, BEGIN)
            assert "The tournament is over: rank " in await playing
            final = await run(folders["north"], there, AWAY_SHOW.replace("--away", ""))
            while (shown := await run(folders["south"], here, AWAY_SHOW)).find(final) < 0:
                pass  # It is asked for every two seconds.
    assert shown.startswith(f"Held at http://{there}, seen ")
    assert " Sara " in final


def shapes(printed: str) -> list[str]:
    """The lines without what chance decides: ranks and results are only counted."""
    lines = (re.sub("^Won by .*", "Won", line) for line in printed.splitlines())
    return ["…" if re.match(r" *\d", line) else line for line in lines]


def flowing(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", FORMATS)
def test_the_rules_of_each_format_are_those_of_the_code(name: str) -> None:
    module = sys.modules[type(FORMATS[name]).__module__]
    assert module.__doc__ is not None
    section = re.search(rf"\n### [^\n]*`{name}`[^\n]*\n(.*?)\n##", DOCUMENT, re.DOTALL)
    assert section is not None
    said = "copy the docstring of the module into the page"
    assert flowing(section.group(1)) == flowing(module.__doc__), said


def test_the_rules_of_standings_are_those_of_the_code() -> None:
    section = re.search(r"\n## Standings\n(.*?)\n## ", DOCUMENT, re.DOTALL)
    assert section is not None
    assert flowing(section.group(1)) == flowing(standings.__doc__ or "")
