"""Two halls, each the portal of the other by one setting: made here, played there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.doors.arena.federation import Native, play_duel, win_four
from tests.doors.arena.game_server import Created, Transport
from tests.doors.arena.portals import DOORS, PortalProcess
from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client
from tests.doors.duel.judge import lines, played_out
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.slow
"""Links cut and halls killed, step by step and on both transports."""

SETTINGS = ("duel.size=3", "duel.casual=false", "table.grace_seconds=60")
FOUR, DUEL = "connect-four", "bingo-duel"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def hall_with_portal(data: Path, transport: Transport, port: int, portal: int) -> HallProcess:
    scheme = {"ws": "ws", "tcp": "tcp"}[transport]
    hall = HallProcess(
        data,
        settings=(
            *SETTINGS,
            f"arena.portal={scheme}://127.0.0.1:{portal}",
            f"arena.games={DUEL},{FOUR}",
        ),
        doors=("native-tcp", "duel", DOORS[transport]),
    )
    hall.ports[DOORS[transport]] = port
    return hall


@contextmanager
def two_halls(folder: Path, transport: Transport) -> Iterator[tuple[PortalProcess, PortalProcess]]:
    here, there = free_port(), free_port()
    with (
        hall_with_portal(folder / "here", transport, here, there) as first,
        hall_with_portal(folder / "there", transport, there, here) as second,
    ):
        try:
            yield PortalProcess(first), PortalProcess(second)
        except AssertionError as error:
            error.add_note(f"{first.report()}\n{second.report()}")
            raise
        for hall in (first, second):
            log = "\n".join(hall.stderr)
            assert "Traceback" not in log, log


async def server_of(at: PortalProcess, game: str) -> int:
    """The id of the other hall's game, once it can be reached."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            for server in await at.servers():
                if server["name"] == game and server["reachable"]:
                    return int(server["id"])
            await asyncio.sleep(0.05)


def enter(hall: HallProcess, made: Created) -> tuple[Client, Client]:
    """Both users at the duel door, in the match: they show their own uids and the key."""
    clients = []
    for uid in (made.uid1, made.uid2):
        client = Client(hall.ports["duel"])
        client.hello(f"{uid}:{made.key}:fast")
        assert client.take(p.ACCEPTED) == str(uid)
        clients.append(client)
    first, second = clients
    return first, second


async def test_both_ways_at_once(tmp_path: Path, transport: Transport) -> None:
    with two_halls(tmp_path, transport) as halls:
        for at, other in (halls, halls[::-1]):
            made = await at.made(await server_of(at, DUEL))
            server = await at.server(await server_of(at, DUEL))
            assert (server["address"], server["port"]) == ("127.0.0.1", other.hall.ports["duel"])
            first, second = enter(other.hall, made)
            for client in (first, second):
                client.take(p.BOARD)
            await at.is_so(made.match, status="running")
            numbers = [number for row in first.board for number in row]
            picks, _ = played_out(first.board, second.board, numbers)
            play_duel(first, second, picks, ends=True)
            scores = [lines(client.board, picks) for client in (first, second)]
            await at.is_so(made.match, status="over", score1=scores[0], score2=scores[1])
            four = await at.made(await server_of(at, FOUR), 9, 10)
            ann, bob = Native(other.hall), Native(other.hall)
            table = ann.ask("claim_match", uid=9, key=four.key)["table"]
            assert bob.ask("claim_match", uid=10, key=four.key)["table"] == table
            win_four(ann, bob, table)
            await at.is_so(four.match, status="over", score1=1, score2=0)
            assert {uid: score[0] for uid, score in (await at.scores()).items()} == {
                7: 1, 8: 1, 9: 1, 10: 1,
            }  # fmt: skip


async def test_both_are_killed_on_the_way(tmp_path: Path, transport: Transport) -> None:
    with two_halls(tmp_path, transport) as (at, other):
        made = await at.made(await server_of(at, DUEL))
        await other.restart()
        first, second = enter(other.hall, made)
        first.take(p.BOARD)
        second.take(p.BOARD)
        boards = (first.board, second.board)
        numbers = [number for row in first.board for number in row]
        picks, _ = played_out(*boards, numbers)
        await at.kill()
        play_duel(first, second, picks[:3])
        await other.kill()
        await at.restart()
        assert (await at.match(made.match))["status"] in ("waiting", "running")
        await other.restart()
        first, second = enter(other.hall, made)
        for client, board in zip((first, second), boards, strict=True):
            assert client.take(p.BOARD) == board
            assert [client.take(p.PICKED) for _ in range(3)] == picks[:3]
        await at.is_so(made.match, status="running")
        await at.kill()
        # The second has picked last, and `play_duel` has the second begin.
        play_duel(second, first, picks[3:], ends=True)
        scores = [lines(board, picks) for board in boards]
        # Nobody was there to be told, and now nobody is there who could tell.
        await other.kill()
        await at.restart()
        assert (await at.match(made.match))["status"] == "running"
        await other.restart()
        await at.is_so(made.match, status="over", score1=scores[0], score2=scores[1])
        for hall in (at, other, at):
            await hall.restart()
        await server_of(at, DUEL)
        again = await at.made(await server_of(at, DUEL))
        assert again.match > made.match
        assert {uid: score[0] for uid, score in (await at.scores()).items()} == {7: 1, 8: 1}
        for text in (*at.texts, *at.hall.stderr, *other.hall.stderr):
            assert made.key not in text
