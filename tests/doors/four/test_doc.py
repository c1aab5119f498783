"""docs/protocols/four.md, played against a real hall to the byte, and its client run."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from gamehall.config import Settings
from gamehall.server import DOORS
from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors, open_hall
from tests.doors.four.shapes import FIELDS
from tests.support.processes import Process

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "four.md").read_text()
CLIENTS = 6


def blocks(kind: str) -> list[list[str]]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in found]


class Speaker:
    """Someone in a session, who hears one line after the other."""

    def __init__(self, client: Four) -> None:
        self.client = client
        self._heard = 0

    async def hear(self, expected: str) -> None:
        """The next line, with nothing in between."""
        if expected == "(closed)":
            await self.client.end()
            assert len(self.client.lines) == self._heard
            return
        await self.client.until(lambda: len(self.client.lines) > self._heard)
        assert self.client.lines[self._heard] == expected.encode()
        self._heard += 1


@pytest.mark.parametrize("session", blocks("session"), ids=["a game", "coming back"])
async def test_the_sessions_are_played_to_the_byte(session: list[str], tmp_path: Path) -> None:
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        speakers: dict[str, Speaker] = {}
        for line in session:
            name, direction, said = line[: line.index(" ") - 1], *line.split(" ", 1)
            if name not in speakers and name != "both":
                speakers[name] = Speaker(await at.stranger())
            if direction.endswith("<"):
                for hearer in speakers if name == "both" else (name,):
                    await speakers[hearer].hear(said)
            elif said == "(gone)":
                await speakers.pop(name).client.close()
            else:
                speakers[name].client.write(said.encode() + b"\n")
        for speaker in speakers.values():
            assert len(speaker.client.lines) == speaker._heard
        await at.leave()


async def test_its_client_plays_whole_games(tmp_path: Path) -> None:
    (code,) = blocks("python")
    assert len(code) <= 35
    program = tmp_path / "client.py"
    program.write_text("\n".join(code))
    with open_hall(tmp_path / "hall") as hall:
        port = str(hall.ports["four"])

        def play(name: str) -> str:
            command = (sys.executable, str(program), "127.0.0.1", port, name)
            with Process(program=command) as client:
                assert client.wait() == 0, client.report()
            assert not client.stderr, client.report()
            (reason,) = client.stdout
            return reason

        names = [f"client {number}" for number in range(CLIENTS)]
        async with asyncio.timeout(60):
            reasons = await asyncio.gather(*(asyncio.to_thread(play, name) for name in names))
        assert len(set(reasons)) > 1
        for reason in reasons:
            assert re.fullmatch(r"client \d has four in a row\.|A draw: .*", reason)
        Visitors(hall).check_log()


def test_every_message_of_the_hall_is_described() -> None:
    told = DOCUMENT.partition("## What the hall sends")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*) \|$", told, re.MULTILINE))
    assert set(rows) == set(FIELDS)
    for type, fields in FIELDS.items():
        assert {name for name in fields if f"`{name}`" in rows[type]} == fields


def test_the_port_and_the_limits() -> None:
    assert f"TCP on port {DOORS['four']}" in DOCUMENT
    settings = Settings()
    for section, name in re.findall(r"`(lobby|table|limits)\.([a-z_]+)`", DOCUMENT):
        assert hasattr(getattr(settings, section), name)
    for section, name, value in re.findall(r"`(\w+)\.(\w+)` \((\d+)\)", DOCUMENT):
        assert getattr(getattr(settings, section), name) == int(value)
