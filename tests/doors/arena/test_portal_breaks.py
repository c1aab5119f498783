"""A match to its end, although the link or either side breaks at some step. It counts once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import ClientError

from gamehall.errors import Unavailable
from tests.doors.arena.game_server import Created, GameServer, Transport, ints, registration
from tests.doors.arena.portals import Api, PortalHall, PortalProcess, until
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.slow
"""Links cut and halls killed, step by step and on both transports."""

STEPS = ("registering", "asked", "accepted", "started", "polled", "told", "over")
WON = {7: (1, 1, 0, 0, 5, 3), 8: (1, 0, 0, 1, 3, 5)}
Break = Callable[[], Awaitable[None]]


class Play:
    """One match from the registration to the result; at `step`, and only there, all breaks."""

    def __init__(self, at: Api, server: GameServer, step: str, breaks: Break) -> None:
        self.at = at
        self.server = server
        self._step = step
        self._break = breaks

    async def reached(self, step: str) -> None:
        if step == self._step:
            await self._break()
            await self.server.come()

    async def whole(self) -> None:
        at, server = self.at, self.server
        await self._register()
        id = await at.id_of(server)
        made = await self._make(id)
        await self.reached("accepted")
        await server.start(made.match)
        await self.reached("started")
        await at.is_so(made.match, status="running")
        server.answers_statuses = self._step != "polled"
        asked = server.asked(made.match)
        await until(lambda: server.asked(made.match) > asked)
        server.answers_statuses = True
        await self.reached("polled")
        await server.finish(made.match, 5, 3)
        await self.reached("told")
        await at.is_so(made.match, status="over", score1=5, score2=3)
        await self.reached("over")
        # Told again, as after every break.
        await server.wire.send(ints(2, made.match, 5, 3))
        last = await at.made(id)
        assert last.match > made.match, "a number comes only once"
        shown = await at.match(made.match)
        assert (shown["status"], shown["score1"], shown["score2"]) == ("over", 5, 3)
        assert await at.scores() == WON
        assert [known["id"] for known in await at.servers()] == [id]

    async def _register(self) -> None:
        if self._step == "registering":
            await self.server.connect()
            await self.server.wire.send(registration()[:17])
            await self.reached("registering")
        else:
            await self.server.come()

    async def _make(self, id: int) -> Created:
        at, server = self.at, self.server
        server.answers_creates = self._step != "asked"
        making = asyncio.create_task(at.make(id))
        await until(server.creates)
        server.answers_creates = True
        await self.reached("asked")
        with suppress(ClientError):
            status, body = await making
            if status == 200:
                return Created(body["matchId"], 7, 8, body["keymatch"])
        # The portal itself was gone: nobody has the key, so nobody plays that match.
        first = server.creates()[0].match
        assert (await at.match(first))["status"] == "failed"
        return await at.made(id)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("how", ["cut", "closed", "stopped"])
async def test_a_link_that_breaks(
    at: PortalHall, transport: Transport, step: str, how: str
) -> None:
    server = at.game_server(transport)
    breaks: dict[str, Break] = {"cut": server.cut, "closed": server.leave, "stopped": at.restart}
    await Play(at, server, step, breaks[how]).whole()


@pytest.mark.parametrize("step", STEPS)
async def test_a_portal_that_is_killed(tmp_path: Path, transport: Transport, step: str) -> None:
    with HallProcess(tmp_path, doors=("arena", "arena-tcp")) as hall:
        at = PortalProcess(hall)
        server = at.game_server(transport)
        await Play(at, server, step, at.restart).whole()
        await server.leave()
        log = "\n".join(hall.stderr)
        assert "Traceback" not in log, log
        for created in server.creates():
            assert created.key not in log
            assert not any(created.key in shown for shown in at.texts)


async def test_many_kills_lose_nothing_and_count_nothing_twice(tmp_path: Path) -> None:
    """The game server plays all the time, and tells each result once, to whoever listens."""
    with HallProcess(tmp_path, doors=("arena", "arena-tcp")) as hall:
        at = PortalProcess(hall)
        server = await at.game_server("tcp").come()
        id = await at.id_of(server)
        made: list[int] = []
        for times in range(4):
            server.log.clear()
            making = asyncio.gather(*(at.make(id, n, n + 1) for n in range(8)))
            if times % 2:
                # In the midst of it: some are made, some are not, and for some nobody knows.
                await until(lambda: len(server.creates()) > 2)
            else:
                made += [body["matchId"] for status, body in await making if status == 200]
            for match in list(server.matches):
                await server.finish(match, match % 5, match % 3)
            await at.kill()
            with suppress(ClientError):
                await making
            await at.restart()
            await server.come()
        for match in made:
            await at.is_so(match, status="over", score1=match % 5, score2=match % 3)
        assert len(made) == 16
        page = (await at.get("/api/arena/matches?limit=200"))["matches"]
        over = [match for match in page if match["status"] == "over"]
        assert {match["id"] for match in over} >= set(made)
        expected: dict[int, int] = {}
        for match in over:
            for uid in (match["uid1"], match["uid2"]):
                expected[uid] = expected.get(uid, 0) + 1
        assert {uid: score[0] for uid, score in (await at.scores()).items()} == expected
        assert len({match["id"] for match in page}) == len(page)
        await server.leave()


async def test_a_registration_whose_answer_nobody_reads(
    at: PortalHall, transport: Transport
) -> None:
    for _ in range(5):
        server = at.game_server(transport)
        await server.connect()
        await server.wire.send(registration())
        server.wire.cut()
    async with asyncio.timeout(WAIT_SECONDS):
        while not (known := await at.servers()) or known[0]["reachable"]:
            await asyncio.sleep(0.02)
    assert len(known) == 1


async def test_a_store_that_is_away(
    at: PortalHall, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks is told so, and what could not be written is found out later."""
    server, id = await at.registered(transport)
    match = (await at.made(id)).match

    async def fail(key: str, value: bytes, before: bytes | None) -> bool:
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(at.hall.hall.rooms.store, "put_fact", fail)
        status, body = await at.make(id)
        assert (status, body["error"]["code"]) == (503, "unavailable")
        await server.finish(match, 5, 3)
        assert await server.read_end() == [Unavailable.message]
        # It is known already, with all that it says, so nothing has to be written.
        assert await server.register() is None
        stranger = at.game_server(transport, name="Chess")
        assert await stranger.register() == Unavailable.message
        server.answers_creates = False
        assert (await at.match(match))["status"] == "waiting"
    await server.come()
    await at.is_so(match, status="over", score1=5, score2=3)
    making = asyncio.create_task(at.make(id))
    server.log.clear()
    await until(server.creates)
    with monkeypatch.context() as broken:
        broken.setattr(at.hall.hall.rooms.store, "put_fact", fail)
        await server.wire.send(ints(1))
        status, body = await making
        assert (status, body["error"]["code"]) == (503, "unavailable")
    lost = server.creates()[0].match
    assert (await at.match(lost))["status"] == "asked"
    await at.restart()
    assert (await at.match(lost))["status"] == "failed"
    assert await at.scores() == WON
