"""docs/write-a-game.md: its game is the example's, holds the contract and is played in a hall."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.catalogue import catalogue
from gamehall.config import Settings
from gamehall.testing import Playout
from tests.contract.game_contract import GameContract
from tests.doors.native.clients import Client
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess, Process

ROOT = Path(__file__).parents[2]
FILE = ROOT / "examples" / "nim.py"
DOCUMENT = (ROOT / "docs" / "write-a-game.md").read_text()
NIM = catalogue([FILE])["nim"]


def blocks(kind: str) -> list[str]:
    """The code blocks of that kind."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [text for each, text in found if each == kind]


class TestNim(GameContract):
    game = NIM


def test_the_document_shows_the_example() -> None:
    assert blocks("python")[0] == FILE.read_text()
    assert len(FILE.read_text().splitlines()) <= 60


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_comes_to_its_end(seed: int) -> None:
    table = Playout(NIM, seed=seed)
    (winner,) = table.run().outcome.winners
    last = table.rows[-1]
    assert (last.seat, last.events[0].seat) == (winner, winner)
    assert table.state.game == {"sticks": 0, "turn": 1 - winner}


def test_the_tests_of_the_document_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FILE.parent))
    space: dict[str, Any] = {}
    exec(blocks("python")[1], space)
    tests = [value for name, value in space.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_the_judge_says_what_the_document_shows() -> None:
    (shown,) = blocks("console")
    command, *lines = shown.splitlines()
    with Process(*command.split()[2:], folder=ROOT) as process:
        assert process.wait(100) == 0, process.report()
    # How fast it is differs from one machine to the other.
    assert process.stdout[:-1] == lines[:-1]
    pattern = re.compile(r"\d+ µs")
    assert pattern.sub("", process.stdout[-1]) == pattern.sub("", lines[-1])


def test_the_settings_of_a_bad_line() -> None:
    rows = re.findall(r"\| `dev\.(\w+)` \| (\d+) \|", DOCUMENT)
    assert {name: float(value) for name, value in rows} == msgspec.structs.asdict(Settings().dev)


async def finish(client: Client, table: int) -> None:
    """Takes one stick whenever it may, until the game is over."""
    while not client.heard("table_over"):
        events, views = len(client.heard("table_events")), len(client.heard("table_view"))
        await client.ask("resume", table=table)
        await more(client, "table_view", views)
        if client.heard("table_view")[-1]["legal"]:
            await client.ask("act", table=table, command={"type": "take", "sticks": 1})
        await more(client, "table_events", events)


async def more(client: Client, action: str, than: int) -> None:
    """Waits until there are more notices of that kind, or the game is over."""
    await client.until(
        lambda: len(client.heard(action)) > than or bool(client.heard("table_over")) or None, action
    )


async def test_the_session_is_played_to_the_end(tmp_path: Path) -> None:
    (serve,) = (text.split() for text in blocks("") if "gamehall serve" in text)
    assert serve == [".venv/bin/gamehall", "serve", "--game", "examples/nim.py"]
    with HallProcess(tmp_path, more=serve[2:], folder=ROOT) as hall:
        at = Visitors(hall)
        client = await at.connect("tcp")
        (lines,) = (text.splitlines()[1:] for text in blocks("") if text.startswith("$ nc"))
        for line in lines:
            if json.loads(line)["action"] == "act":
                await client.until(lambda: may_take(client), "the turn")
            client.send_text(line)
            answer = await client.answer()
            assert answer["action"] == json.loads(line)["action"], answer
        await finish(client, table=1)
        (over,) = client.heard("table_over")
        assert over["outcome"]["reason"] == "last_stick"
        await at.leave()


def may_take(client: Client) -> bool | None:
    """Whether it sits on seat 0, which begins, or the other has begun."""
    begins = any(seated["seat"] == 0 for seated in client.heard("seated"))
    events = [event for told in client.heard("table_events") for event in told["events"]]
    return begins or any(event["type"] == "took" for event in events) or None


async def test_two_programs_play_it(tmp_path: Path) -> None:
    with HallProcess(tmp_path, more=(f"--game={FILE}",)) as hall:
        bot = ("bot", "nim", f"--url={hall.ws_url}", f"--rules={FILE}", "--games=1")
        with Process(*bot) as one, Process(*bot) as other:
            for process in (one, other):
                assert await asyncio.to_thread(process.wait) == 0, process.report()
        said = " ".join((*one.stdout, *other.stdout))
        assert "won (last_stick)" in said
        assert "lost (last_stick)" in said
        journal = f"{hall.web_url}/api/tables/1/journal"
        for command in ("replay", "verify"):
            with Process(command, journal, f"--game={FILE}") as process:
                assert await asyncio.to_thread(process.wait) == 0, process.report()
