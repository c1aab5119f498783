"""docs/protocols/practice.md, played against a real hall, and its client run."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gamehall.config import Settings
from gamehall.games.four_stone import FourStone
from gamehall.server import DOORS
from gamehall.wire.practice.messages import Heard, Said, StoneAction
from tests.docs.test_native_doc import fits
from tests.doors.practice import shapes
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import QUICK, Visitors
from tests.support.processes import Process

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "practice.md").read_text()
SETTINGS = QUICK
CLIENTS = 6
ROOM = 1
"""As it is written; in a hall in which others have played it is another."""
SEATS = ("fire", "water")


def blocks(kind: str) -> list[list[str]]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in found]


class Session:
    """Everyone in a session: who has said and heard what, and what its names stand for."""

    def __init__(self, at: Visitors) -> None:
        self._at = at
        self._clients: dict[str, Practice] = {}
        self._seats: dict[str, str] = {}
        self._ids: dict[str, Any] = {}
        self._room = 0

    async def play(self, line: str) -> None:
        found = re.fullmatch(r"(\w+)([<>]) (.*)", line)
        assert found is not None, line
        name, direction, said = found.groups()
        if name == "both":
            for each in SEATS:
                await self._hear(self._seats[each], json.loads(said))
            return
        name = self._seats.get(name, name)
        if said == "(gone)":
            await self._clients.pop(name).reset()
            return
        if name not in self._clients:
            self._clients[name] = await self._at.stranger()
        if direction == "<":
            await self._hear(name, json.loads(said))
        else:
            message = json.loads(said)
            message["id"] = self._ids.get(message["id"], message["id"])
            if message["code"] == shapes.ACT:
                assert message["info"]["room"] == ROOM
                message["info"]["room"] = self._room
            self._clients[name].ids.add(message["id"])
            self._clients[name].say(message)

    async def _hear(self, name: str, expected: Any) -> None:
        """The next message, with nothing in between."""
        told = await self._clients[name].next()
        id = expected["id"]
        if isinstance(id, str) and id.startswith("$"):
            expected["id"] = self._ids.setdefault(id, told["id"])
        if told["code"] == shapes.START:
            self._seats[SEATS[told["info"]["move_turn"]]] = name
            self._room = told["info"]["room"]
        if expected["info"] is not None and "room" in expected["info"]:
            assert expected["info"]["room"] == ROOM
            expected["info"]["room"] = self._room
        assert fits(told, expected), f"{told} came in place of {expected}"

    async def end(self) -> None:
        """Nobody was told anything else."""
        for client in self._clients.values():
            await client.quiet()


@pytest.mark.parametrize("lines", blocks("session"), ids=["a game", "another", "coming back"])
async def test_the_sessions_are_played_as_they_are_written(lines: list[str], at: Visitors) -> None:
    session = Session(at)
    for line in lines:
        await session.play(line)
    await session.end()


async def test_its_client_plays_whole_games(at: Visitors, tmp_path: Path) -> None:
    (code,) = blocks("python")
    assert len(code) <= 60
    program = tmp_path / "client.py"
    program.write_text("\n".join(code))
    url = f"ws://127.0.0.1:{at.port}"

    def play(name: str) -> str:
        with Process(program=(sys.executable, str(program), url, name)) as client:
            assert client.wait(60) == 0, client.report()
        assert not client.stderr, client.report()
        (reason,) = client.stdout
        return reason

    names = [f"client {number}" for number in range(CLIENTS)]
    reasons = await asyncio.gather(*(asyncio.to_thread(play, name) for name in names))
    assert set(reasons) <= {"one_stone", "no_move", "repetition"}


# The tables


def rows(section: str) -> dict[str, str]:
    """The rows of the table of that section, by their code."""
    text = DOCUMENT.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| (\d{6}) \| (.*) \|$", text, re.MULTILINE))


def test_every_message_of_the_hall_is_described() -> None:
    told = rows("What the hall sends")
    assert set(map(int, told)) == set(Said)
    for code, keys in shapes.KEYS.items():
        assert set(re.findall(r"`(\w+)`", told[str(code)].split("|")[0])) == keys


def test_every_message_of_a_client_is_described() -> None:
    assert set(map(int, rows("What a client sends"))) == set(Heard)


def test_four_stone_is_described() -> None:
    assert set(map(int, rows("Four Stone"))) == set(StoneAction)
    text = DOCUMENT.partition("## Four Stone\n")[2].partition("\n## ")[0]
    assert FourStone.aliases[0] in DOCUMENT
    for code in ("not_your_turn", "no_such_place", "not_your_stone", "not_adjacent", "place_taken"):
        assert f"`{code}`" in text


def test_the_port_and_the_limits() -> None:
    assert f"WebSocket on port {DOORS['practice']}" in DOCUMENT
    settings = Settings()
    for section, name in re.findall(r"`(table|limits)\.([a-z_]+)`", DOCUMENT):
        assert hasattr(getattr(settings, section), name)
    for section, name, value in re.findall(r"`(\w+)\.(\w+)` \((\d+)\)", DOCUMENT):
        assert getattr(getattr(settings, section), name) == int(value)
