"""docs/existing-clients.md: its addresses lead to the doors, and its commands are executed."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gamehall.config import Settings
from gamehall.server import DOORS
from tests.support.processes import HallProcess, Process

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "existing-clients.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\|.*\| (?P<set>[^|]*`[^|]*) \| \[`(?P<door>[\w-]+)`\]\((?P<page>[^)]+)\) \|$", re.M
)
ROWS = [match.groupdict() for match in ROW.finditer(DOCUMENT)]
COMMANDS = [
    shlex.split(line)[1:]
    for block in re.findall(r"^```sh\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
WEB_PORT = 8000
LIMIT_SECONDS = 60
POLL_SECONDS = 0.05
"""Between two questions whether a bot has come: more often would be over the rate."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    data = tmp_path_factory.mktemp("hall")
    settings = ("bingo.pause_seconds=0",)
    with HallProcess(data, doors=tuple(DOORS), settings=settings) as hall:
        yield hall


# What it says


def test_every_door_for_existing_clients_is_named_with_its_port() -> None:
    assert {row["door"] for row in ROWS} == set(DOORS) - {"native-tcp"}
    for row in ROWS:
        ports = {
            int(port)
            for port in re.findall(r"HALL:(\d+)|port `(\d+)`", row["set"])
            for port in port
            if port
        }
        assert ports - {WEB_PORT} == {DOORS[row["door"]]}, row


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", DOCUMENT)
    assert links
    for link in links:
        assert (ROOT / "docs" / link).exists(), link
    assert "docs/existing-clients.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_settings_have_the_defaults_that_it_names() -> None:
    named = re.findall(r"`(\w+)\.(\w+)` \(([\d.]+)\)", DOCUMENT)
    assert len(named) > 8
    for section, name, default in named:
        assert float(default) == getattr(getattr(Settings(), section), name), name


# Where clients connect to


async def test_every_websocket_address_leads_to_its_door(hall: HallProcess) -> None:
    addresses = [(r["door"], url) for r in ROWS for url in re.findall(r"`(ws://[^`]+)`", r["set"])]
    assert len(addresses) == 9
    for door, url in addresses:
        assert await greeting(here(hall, url)) == await greeting(
            f"ws://127.0.0.1:{hall.ports[door]}/"
        )
    with pytest.raises(InvalidStatus):
        await greeting(here(hall, f"ws://HALL:{WEB_PORT}/elsewhere"))


async def greeting(url: str) -> Any:
    """What a door answers to what no door understands, without the time of the answer."""
    async with connect(url, compression=None) as socket:
        await socket.send(b"\0" * 4)
        try:
            said = await asyncio.wait_for(socket.recv(), LIMIT_SECONDS)
        finally:
            await socket.close()
    return said if isinstance(said, bytes) else re.sub(r'"timestamp": ?[\d.]+', "", said)


def here(hall: HallProcess, text: str) -> str:
    """The text with this hall's address and ports."""
    ports = {
        WEB_PORT: hall.ports["native"],
        **{port: hall.ports[name] for name, port in DOORS.items()},
    }
    text = re.sub(r"HALL:(\d+)", lambda found: f"127.0.0.1:{ports[int(found[1])]}", text)
    return {str(port): str(real) for port, real in ports.items()}.get(text, text).replace(
        "HALL", "127.0.0.1"
    )


# What it has run


async def test_a_bot_is_challenged_at_four_and_the_game_seen_again(hall: HallProcess) -> None:
    async with bot(hall, "connect-four"), lines(hall, "four") as (reader, writer):

        def say(type: str, **data: Any) -> None:
            writer.write(json.dumps({"type": type, "data": data}).encode() + b"\n")

        async def hear(type: str) -> Any:
            while (message := json.loads(await reader.readline()))["type"] != type:
                pass
            return message["data"]

        say("REGISTER", name="container")
        players: list[Any] = []
        while not players:
            await asyncio.sleep(POLL_SECONDS)
            say("LIST_PLAYERS")
            players = (await hear("LIST_PLAYERS"))["players"]
        say("CHALLENGE", opponent_id=players[0]["id"])
        table = (await hear("GAME_START"))["game_id"]
        say("DISCONNECT")
        await reader.read()
    for command in ("replay", "verify"):
        assert await run(hall, command, table) == 0


async def test_a_bot_plays_a_match_at_duel(hall: HallProcess) -> None:
    async with bot(hall, "duel") as process, lines(hall, "duel") as (reader, writer):
        # The bot opens the match: the client says no more than what it has built in.
        await asyncio.to_thread(process.wait_until, lambda: bool(process.stdout), LIMIT_SECONDS)
        hello = b"7:8:21:secret"
        writer.write(b"\0\0\0\0" + len(hello).to_bytes(4, "little") + hello)
        await reader.readuntil(b"int32")  # The board: both are here.


async def test_a_bot_plays_at_practice(hall: HallProcess) -> None:
    async with bot(hall, "four-stone"), connect(f"ws://127.0.0.1:{hall.ports['practice']}") as room:
        for code, info in ((200002, {"name": "worker"}), (200004, {"game_id": "four_stone"})):
            await room.send(json.dumps({"code": code, "id": "", "info": info, "timestamp": 0}))
        async with asyncio.timeout(LIMIT_SECONDS):
            while json.loads(await room.recv())["code"] != 100004:
                pass


async def test_a_bot_wins_at_caller(hall: HallProcess) -> None:
    async with bot(hall, "bingo") as process, lines(hall, "caller") as (reader, writer):
        await asyncio.to_thread(process.wait_until, lambda: bool(process.stdout), LIMIT_SECONDS)
        writer.write(b"caller\n/start\n")
        while b"wins" not in (line := await reader.readline()):
            assert line, "the hall has closed"
            if line.startswith(b"CHECK_NUMBER"):
                writer.write(b"READY\n")


async def test_a_bot_bets_at_sic_bo(hall: HallProcess) -> None:
    async with bot(hall, "sicbo"), connect(f"ws://127.0.0.1:{hall.ports['rfc']}") as gambler:
        bets = 0
        async with asyncio.timeout(LIMIT_SECONDS):
            while not bets:
                await asyncio.sleep(POLL_SECONDS)
                await gambler.send('{"action":"get_table_info"}')
                bets = json.loads(await gambler.recv())["datas"]["tableInfo"]["totalBet"]


@asynccontextmanager
async def bot(hall: HallProcess, what: str) -> AsyncIterator[Process]:
    (command,) = [each for each in COMMANDS if each[:2] == ["bot", what]]
    with Process(*(here(hall, word) for word in command)) as process:
        yield process


@asynccontextmanager
async def lines(
    hall: HallProcess, door: str
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async with asyncio.timeout(LIMIT_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.ports[door])
        yield reader, writer
        writer.close()


async def run(hall: HallProcess, name: str, table: int) -> int:
    """The exit code of a command about table 1, at this one."""
    (command,) = [each for each in COMMANDS if each[0] == name]
    words = [here(hall, word).replace("/tables/1/", f"/tables/{table}/") for word in command]
    with Process(*words) as process:
        return await asyncio.to_thread(process.wait, LIMIT_SECONDS)
