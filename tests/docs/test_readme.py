"""The README's way, gone at a real hall in the order in which it is written."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from pathlib import Path

from tests.doors.native.clients import Client
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess, Process

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
WAY = README.partition("## Two commands")[2].partition("## What you can rely on")[0]
BLOCKS = re.findall(r"^```\n(.*?)^```$", WAY, re.MULTILINE | re.DOTALL)
_MAKE, BY_HAND, BOTS, LOOK, MATCH, TOURNAMENT = BLOCKS
WAIT_SECONDS = 60.0


async def test_the_way_of_the_readme(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        at = Visitors(hall)
        await game_of_the_page(at)
        await game_by_hand(at)
        table = await game_of_bots(hall)
        for line in LOOK.replace("TABLE", table).splitlines():
            assert await run(hall, line)
        (*_, first, second) = await run(hall, MATCH.replace("100", "2"))
        assert "% of the points" in first
        assert "% of the points" in second
        await tournament(hall)
        await at.leave()


async def game_of_the_page(at: Visitors) -> None:
    """Whoever follows the way has clicked "Against a bot" first: that takes the first number."""
    page = await at.connect("ws")
    for action, payload in (
        ("hello", {}),
        ("open_table", {"game": "connect-four", "bots": ["sensible"]}),
    ):
        page.send_text(json.dumps({"action": action, "payload": payload}))
        answer = await page.answer()
        assert answer["action"] == action, answer
    assert answer["payload"]["table"] == 1


async def game_by_hand(at: Visitors) -> None:
    """The lines that are typed into `nc`, each after its answer and the player's turn."""
    command, *lines = BY_HAND.splitlines()
    assert command == "$ nc 127.0.0.1 8001"
    client = await at.connect("tcp")
    table = ""
    for written in lines:
        line = written.replace("TABLE", table)
        action = json.loads(line)["action"]
        if action == "act":
            await client.until(lambda: may_move(client), "the turn")
        client.send_text(line)
        answer = await client.answer()
        assert answer["action"] == action, answer
        table = str(answer["payload"].get("table", table))


def may_move(client: Client) -> bool | None:
    """Whether it sits on seat 0, which begins, or the other has begun."""
    begins = any(seated["seat"] == 0 for seated in client.heard("seated"))
    events = [event for told in client.heard("table_events") for event in told["events"]]
    return begins or any(event["type"] == "dropped" for event in events) or None


async def game_of_bots(hall: HallProcess) -> str:
    """The table's number, as both of them have said it."""
    first, second = BOTS.splitlines()
    assert first.endswith(" &")
    said = await asyncio.gather(run(hall, first.removesuffix("&")), run(hall, second))
    (table,) = {re.findall(r"^Table (\d+),", "\n".join(lines), re.MULTILINE)[0] for lines in said}
    return str(table)


async def tournament(hall: HallProcess) -> None:
    opening, *others = TOURNAMENT.splitlines()
    (said,) = await run(hall, opening)
    (number,) = re.findall(r"^Tournament (\d+) is open\.$", said)
    for line in others:
        shown = await run(hall, line.replace("NUMBER", number))
    assert any("Sensible bot 4" in line for line in shown)


async def run(hall: HallProcess, line: str) -> list[str]:
    """What a command prints at this hall; it must succeed."""
    port = str(hall.ports["native"])
    program, *arguments = shlex.split(line.replace("8000", port))
    assert program == ".venv/bin/gamehall"
    match arguments:
        case ["bot", "match", *_]:
            pass
        case ["bot", *_]:
            arguments.append(f"--port={port}")
        case ["tournament", what, *_]:
            arguments.append(f"--url={hall.web_url}")
            arguments += [] if what == "show" else [f"--data={hall.data}"]
    with Process(*arguments) as process:
        assert await asyncio.to_thread(process.wait, WAIT_SECONDS) == 0, process.report()
    return process.stdout
