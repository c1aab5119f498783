"""docs/protocols/arena.md: its packets are those that are sent, and its sessions are played."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from gamehall.config import ArenaSettings
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.wire.arena import codec as c
from gamehall.wire.http.api_arena import ARENA_ROUTES
from tests.doors.arena.portals import PortalProcess
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "arena.md").read_text()
TOKEN = re.compile(r"'[^']*'|\S+")
TEXT = "text"
PACKETS: dict[str, c.Packet] = {
    "register": Offer("203.0.113.7", 27004, "Bingo", "Five lines.", "Ann"),
    "accepted": c.Accepted(),
    "refused": c.Rejected("Not now"),
    "create": c.Create(1000, 7, 8, "secret"),
    "started": c.Started(1000),
    "result": c.Result(1000, 5, 3),
    "ask for a status": c.AskStatus(1000),
    "status, not started": c.Status(0),
    "status, running": c.Status(1, (2, 1)),
    "status, over": c.Status(2, (5, 3)),
}


def block(kind: str) -> list[str]:
    (lines,) = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return str(lines).splitlines()


def pattern(written: str) -> list[bytes | int | str]:
    """Bytes, the number of bytes that may be anything, or TEXT."""
    parts: list[bytes | int | str] = []
    for token in TOKEN.findall(written):
        if token.startswith("'"):
            parts.append(token[1:-1].encode())
        elif token.startswith("…"):
            parts.append(TEXT if token[1:] == TEXT else int(token[1:]))
        else:
            parts.append(bytes.fromhex(token))
    return parts


@pytest.mark.parametrize("line", block("packets"), ids=lambda line: line.partition(":")[0])
def test_packets_are_as_they_are_written(line: str) -> None:
    name, _, written = line.partition(": ")
    assert b"".join(pattern(written)) == c.encode(PACKETS[name])  # type: ignore[arg-type]


def test_all_packets_are_there() -> None:
    assert [line.partition(":")[0] for line in block("packets")] == list(PACKETS)
    assert {type(packet) for packet in PACKETS.values()} == set(c.Packet.__args__)


def hears(link: socket.socket, part: bytes | int | str, line: str) -> None:
    if part == TEXT:
        part = int.from_bytes(link.recv(4, socket.MSG_WAITALL), "little")
    length = part if isinstance(part, int) else len(part)
    heard = link.recv(length, socket.MSG_WAITALL)
    assert len(heard) == length, line
    assert isinstance(part, int) or heard == part, f"{heard!r} in place of {line}"


def lines_of(kind: str) -> list[tuple[str, str, str]]:
    found = [re.fullmatch(r"(\w+)([<>]) (.*)", line) for line in block(kind)]
    return [(match[1], match[2], match[3]) for match in found if match is not None]


async def test_the_portal_is_as_it_is_written(tmp_path: Path) -> None:
    with HallProcess(tmp_path, doors=("arena-tcp",)) as hall:
        at = PortalProcess(hall)
        link = socket.create_connection(("127.0.0.1", hall.ports["arena-tcp"]), WAIT_SECONDS)
        asked: asyncio.Task[tuple[int, Any]]
        for who, direction, written in lines_of("session"):
            if who == "server":
                for part in pattern(written):
                    if direction == ">":
                        assert isinstance(part, bytes)
                        link.sendall(part)
                    else:
                        await asyncio.to_thread(hears, link, part, written)
            elif direction == ">":
                method, path, *body = written.split(" ", 2)
                how = {"json": json.loads(body[0]), "token": at.token} if body else {}
                asked = asyncio.create_task(at.ask(path, method, **how))
            else:
                _, answer = await asked
                if "keymatch" in answer:
                    answer["keymatch"] = "…"
                assert answer == json.loads(written)
        assert link.recv(1) == b"", "it is not closed"
        link.close()


async def test_the_game_server_is_as_it_is_written(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as portal:
        portal.settimeout(WAIT_SECONDS)
        url = f"tcp://127.0.0.1:{portal.getsockname()[1]}"
        settings = (f"arena.portal={url}", "arena.games=connect-four")
        with HallProcess(tmp_path, settings=settings, doors=()) as hall:
            link, _ = portal.accept()
            link.settimeout(WAIT_SECONDS)
            for _, direction, written in lines_of("portal"):
                for part in pattern(written):
                    if direction == ">":
                        hears(link, part, written)
                    else:
                        assert isinstance(part, bytes)
                        link.sendall(part)
            link.close()
            assert hall.running


def test_all_paths_and_settings_are_there() -> None:
    paths = set(re.findall(r"\| `(\w+ /api/arena/\w+)` \|", DOCUMENT))
    assert paths == {f"{route.method} {route.path}" for route in ARENA_ROUTES}
    settings = set(re.findall(r"\| `arena\.(\w+)` \|", DOCUMENT))
    assert settings == set(ArenaSettings.__struct_fields__)
