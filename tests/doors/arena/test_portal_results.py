"""Results count once: told early, twice, too late, by the wrong server, or never."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.doors.arena.game_server import Transport, ints
from tests.doors.arena.portals import LONG_SECONDS, PortalHall, until

WON = {7: (1, 1, 0, 0, 5, 3), 8: (1, 0, 0, 1, 3, 5)}


async def test_a_result_before_the_start(at: PortalHall, transport: Transport) -> None:
    server, id = await at.registered(transport)
    match = (await at.made(id)).match
    await server.wire.send(ints(2, match, 5, 3), ints(3, match, 1))
    server.has_played(match, 5, 3)
    await at.is_so(match, status="over", score1=5, score2=3)
    assert await at.scores() == WON
    # The start that came behind it has changed nothing, and the link is whole.
    await at.made(id)
    assert (await at.match(match))["status"] == "over"


async def test_a_start_and_a_result_in_one_go_with_the_answer(
    at: PortalHall, transport: Transport
) -> None:
    server, id = await at.registered(transport)
    server.answers_creates = False
    server.answers_statuses = False
    making = asyncio.create_task(at.made(id))
    await until(server.creates)
    match = server.creates()[0].match
    await server.wire.send(ints(1), ints(3, match, 1), ints(2, match, 5, 3))
    assert (await making).match == match
    await at.is_so(match, status="over", score1=5, score2=3)
    assert await at.scores() == WON


async def test_a_result_that_is_told_again_counts_once(
    at: PortalHall, transport: Transport
) -> None:
    server, id = await at.registered(transport)
    match = (await at.made(id)).match
    await server.wire.send(*[ints(2, match, 5, 3)] * 50)
    server.has_played(match, 5, 3)
    await at.is_so(match, status="over")
    await server.come()
    await server.wire.send(*[ints(2, match, 5, 3)] * 3)
    await at.restart()
    await server.come()
    with capture_logs() as logged:
        # Once it is over, nothing that is said of it matters.
        await server.wire.send(ints(2, match, 5, 3), ints(2, match, 0, 9), ints(3, match, 1))
        await at.made(id)
    assert await at.scores() == WON
    shown = await at.match(match)
    assert (shown["status"], shown["score1"], shown["score2"]) == ("over", 5, 3)
    ignored = [entry for entry in logged if entry["event"] == "arena_result_ignored"]
    assert [entry["match"] for entry in ignored] == [match], "only where it says something else"


@pytest.mark.parametrize("other", [(5, 3), (0, 9)])
async def test_of_results_at_the_same_moment_one_counts(
    at: PortalHall, other: tuple[int, int]
) -> None:
    """As when a server comes back while what its old link has said is still being written."""
    _, id = await at.registered("tcp")
    match = (await at.made(id)).match
    known = at.portal.known.get(id)
    assert known is not None
    assert known.line is not None
    results = ((5, 3), other, (5, 3))
    await asyncio.gather(*(at.portal.result(known.line, match, *scores) for scores in results))
    shown = await at.match(match)
    told = (shown["score1"], shown["score2"])
    assert told in results
    assert {uid: score[0] for uid, score in (await at.scores()).items()} == {7: 1, 8: 1}
    assert (await at.scores())[7][4:] == told


async def test_results_of_matches_that_are_not_this_servers(
    at: PortalHall, transport: Transport
) -> None:
    server, id = await at.registered(transport)
    liar, liar_id = await at.registered(transport, name="Liar")
    match = (await at.made(id)).match
    with capture_logs() as logged:
        await liar.wire.send(ints(3, match, 1), ints(2, match, 0, 9))
        await liar.wire.send(ints(2, 2**31 - 1, 0, 9), ints(2, 999, 1, 2), ints(2, -1, 1, 2))
        await at.made(liar_id)
    ignored = [entry["match"] for entry in logged if entry["event"] == "arena_result_ignored"]
    assert ignored == [match, 2**31 - 1, 999, -1]
    assert (await at.match(match))["status"] == "waiting"
    assert await at.scores() == {}
    await server.finish(match, 5, 3)
    await at.is_so(match, status="over")
    assert await at.scores() == WON


async def test_a_result_that_is_never_told_is_found_out(
    at: PortalHall, transport: Transport
) -> None:
    server, id = await at.registered(transport)
    unplayed, played = (await at.made(id)).match, (await at.made(id)).match
    server.has_played(played, 5, 3)
    await at.is_so(played, status="over", score1=5, score2=3)
    assert (await at.match(unplayed))["status"] == "waiting"
    times = server.asked(played)
    await until(lambda: server.asked(unplayed) > 3)
    assert server.asked(played) == times, "it is over"
    assert await at.scores() == WON


async def test_all_that_a_server_owes_may_come_at_once(
    tmp_path: Path, transport: Transport
) -> None:
    """More than any other connection may say in one go."""
    at = PortalHall(tmp_path, poll_seconds=LONG_SECONDS)
    await at.start()
    server, id = await at.registered(transport)
    matches = [(await at.made(id, n, n + 1)).match for n in range(30)]
    told = [ints(2, match, 1, 0) for match in matches]
    old = [ints(2, 900_000 + n, 1, 0) for n in range(1500)]
    starts = [ints(3, match, 1) for match in matches]
    await server.come()
    await server.wire.send(*starts, *old, *told, *told)
    for match in matches:
        await at.is_so(match, status="over")
    await at.made(id)
    assert sum(score[0] for score in (await at.scores()).values()) == 60
    await at.stop()


async def test_what_was_said_before_the_link_broke_counts(
    at: PortalHall, transport: Transport
) -> None:
    server, id = await at.registered(transport)
    server.answers_statuses = False
    matches = [(await at.made(id, n, n + 1)).match for n in range(20)]
    await server.wire.send(*(ints(2, match, 1, 0) for match in matches), ints(99))
    for match in matches:
        await at.is_so(match, status="over")
    assert sum(score[0] for score in (await at.scores()).values()) == 40
