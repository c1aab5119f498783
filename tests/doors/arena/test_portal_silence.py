"""Game servers that refuse, answer late, or never; and that only one question is open at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientError

from tests.doors.arena.game_server import Asked, Created, Transport, ints, text
from tests.doors.arena.portals import LONG_SECONDS, SHORT_SECONDS, PortalHall, until
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow
"""Links cut and halls killed, step by step and on both transports."""


@pytest.fixture
async def impatient(tmp_path: Path) -> AsyncIterator[PortalHall]:
    portal = PortalHall(
        tmp_path,
        create_seconds=2 * SHORT_SECONDS,
        status_seconds=SHORT_SECONDS,
        poll_seconds=0.25,
    )
    await portal.start()
    yield portal
    await portal.stop()


async def test_a_refused_match(at: PortalHall, transport: Transport) -> None:
    server, id = await at.registered(transport)
    server.refuses = "Not on\n Sundays. " + "x" * 300
    status, body = await at.make(id)
    assert (status, body["error"]["code"]) == (409, "server_refused")
    message = body["error"]["message"]
    assert message.startswith("The game server says: Not on Sundays. xxx")
    assert len(message) < 250
    shown = await at.match(1000)
    assert shown["status"] == "failed"
    assert shown["ended_at_ms"] is not None
    server.refuses = None
    assert (await at.made(id)).match == 1001
    # Nobody could play it, so whatever is said of it does not count.
    await server.wire.send(ints(3, 1000, 1), ints(2, 1000, 5, 3))
    await at.made(id)
    assert (await at.match(1000))["status"] == "failed"
    assert await at.scores() == {}


async def test_no_answer_to_a_match(impatient: PortalHall, transport: Transport) -> None:
    at = impatient
    server, id = await at.registered(transport)
    other, other_id = await at.registered(transport, name="Chess")
    server.answers_creates = False
    making = [asyncio.create_task(at.make(id)) for _ in range(3)]
    answers = [await task for task in making]
    assert {(status, body["error"]["code"]) for status, body in answers} == {
        (409, "server_unreachable")
    }
    # Its answer would be taken for another one's: the link has ended after the first.
    await server.read_end()
    assert len(server.creates()) == 1
    assert (await at.match(1000))["status"] == "failed"
    assert not (await at.server(id))["reachable"]
    assert (await at.server(other_id))["reachable"]
    await at.made(other_id)
    server.answers_creates = True
    await server.come()
    await at.made(id)
    assert len(other.creates()) == 1


async def test_a_server_that_comes_back_in_time(at: PortalHall, transport: Transport) -> None:
    """Cut off in the middle of a question, it is asked the same again."""
    server, id = await at.registered(transport)
    server.answers_creates = False
    making = asyncio.create_task(at.made(id))
    for _ in range(2):
        await until(server.creates)
        server.log.clear()
        await server.cut()
        await at.is_reachable(id, False)
        await server.come()
    await until(server.creates)
    await server.wire.send(ints(1))
    made = await making
    assert server.creates() == [made]
    assert server.matches[made.match].created == made, "which has the first one"
    await server.finish(made.match, 1, 0)
    await at.is_so(made.match, status="over")


async def test_no_answer_to_how_a_match_stands(impatient: PortalHall, transport: Transport) -> None:
    """It may know nothing of such questions: then it is left alone, and goes on."""
    at = impatient
    server, id = await at.registered(transport)
    server.answers_statuses = False
    match = (await at.made(id)).match
    await until(lambda: server.asked() == 1)
    # Waits for the first question to be given up.
    second = (await at.made(id)).match
    third = (await at.made(id)).match
    assert server.asked() == 1
    await server.start(match)
    await at.is_so(match, status="running")
    await server.finish(second, 2, 2)
    await at.is_so(second, status="over")
    assert server.asked() == 1
    # Late, but it answers: so it is asked again.
    server.answers_statuses = True
    server.plays(match, 4, 0)
    await server.wire.send(server.status_packet(match))
    await at.is_so(match, status="running", score1=4, score2=0)
    server.has_played(third, 0, 1)
    await at.is_so(third, status="over")


@pytest.mark.parametrize("late", [ints(0) + text("No idea."), ints(3, 0)])
async def test_an_answer_that_was_given_up(
    impatient: PortalHall, transport: Transport, late: bytes
) -> None:
    at = impatient
    server, id = await at.registered(transport)
    server.answers_statuses = False
    match = (await at.made(id)).match
    await until(lambda: server.asked() == 1)
    await at.made(id)
    await server.wire.send(late)
    server.answers_statuses = True
    server.has_played(match, 1, 1)
    await at.is_so(match, status="over")


async def test_a_refusal_that_may_answer_either_question(
    tmp_path: Path, transport: Transport
) -> None:
    """The match is asked for once more, where nothing else was asked before."""
    at = PortalHall(tmp_path, status_seconds=SHORT_SECONDS, poll_seconds=0.25)
    await at.start()
    server, id = await at.registered(transport)
    server.answers_statuses = False
    await at.made(id)
    await until(lambda: server.asked() == 1)
    server.answers_creates = False
    making = asyncio.create_task(at.made(id))
    await until(lambda: len(server.creates()) == 2)
    await server.wire.send(ints(0) + text("I have no such match."))
    await until(server.ended.is_set)
    server.answers_creates = True
    await server.come()
    assert (await making).match == 1001
    await server.finish(1001, 5, 3)
    await at.is_so(1001, status="over", score1=5, score2=3)
    await at.stop()


async def test_only_one_question_at_a_time(tmp_path: Path, transport: Transport) -> None:
    at = PortalHall(
        tmp_path, create_seconds=LONG_SECONDS, status_seconds=LONG_SECONDS, poll_seconds=0.25
    )
    await at.start()
    server, id = await at.registered(transport)
    other, other_id = await at.registered(transport, name="Chess")
    await at.made(other_id)
    last = (await at.made(id)).match
    held: list[Created | Asked] = []
    answers = asyncio.Semaphore(0)

    async def hold(question: Created | Asked) -> None:
        held.append(question)
        await answers.acquire()

    async def nothing_else_is_asked() -> None:
        """Although it is time to ask how matches stand: the other server is asked meanwhile."""
        asked = other.asked()
        await until(lambda: other.asked() > asked + 2)
        assert server.log[-1] is held[-1]

    async def next_match() -> object:
        return (await at.get(f"/api/arena/matches?after={last}&limit=1"))["matches"]

    server.before_answer = hold
    await until(lambda: held)
    making = asyncio.create_task(at.made(id))
    await eventually(next_match, "a match that the server is to be asked for")
    await nothing_else_is_asked()
    answers.release()
    await until(lambda: len(held) == 2)
    assert isinstance(held[0], Asked)
    assert isinstance(held[1], Created)
    # One more than can wait: when it is refused, the others do.
    more = [asyncio.create_task(at.make(id)) for _ in range(16)]
    await until(lambda: any(task.done() for task in more))
    await nothing_else_is_asked()
    server.before_answer = None
    answers.release()
    keys = {(await making).key}
    for status, body in [await task for task in more]:
        keys.add(body["keymatch"] if status == 200 else body["error"]["code"])
    assert len(keys) == 17
    assert "too_many" in keys
    wanted = [created.match for created in server.creates()]
    assert wanted == list(range(last, last + 17))
    await at.stop()


async def test_more_than_can_wait_are_refused(at: PortalHall) -> None:
    server, id = await at.registered("tcp")
    server.answers_creates = False
    making = [asyncio.create_task(at.make(id)) for _ in range(20)]
    await until(lambda: server.creates() and sum(task.done() for task in making) == 4)
    codes = [task.result()[1]["error"]["code"] for task in making if task.done()]
    assert codes == ["too_many"] * 4
    server.answers_creates = True
    await server.wire.send(ints(1))
    answers = [await task for task in making]
    assert [status for status, _ in answers].count(200) == 16


async def test_a_match_that_the_server_does_not_know(at: PortalHall, transport: Transport) -> None:
    server, id = await at.registered(transport)
    lost, other = (await at.made(id)).match, (await at.made(id)).match
    del server.matches[lost]
    await until(lambda: server.asked(lost))
    asked = server.asked(lost)
    await until(lambda: server.asked(other) > 4)
    assert server.asked(lost) <= asked + 1, "it is asked once after it has forgotten it"
    assert (await at.match(lost))["status"] == "waiting"
    # It may have been mistaken.
    await server.wire.send(ints(2, lost, 1, 0))
    await at.is_so(lost, status="over")


async def test_a_server_that_does_not_read_holds_up_nobody(
    tmp_path: Path, transport: Transport
) -> None:
    at = PortalHall(tmp_path, create_seconds=LONG_SECONDS, poll_seconds=0.25)
    await at.start()
    deaf, deaf_id = await at.registered(transport, name="Deaf")
    server, id = await at.registered(transport)

    async def never(question: Created | Asked) -> None:
        await asyncio.Event().wait()

    deaf.before_answer = never
    making = asyncio.create_task(at.make(deaf_id))
    await until(deaf.creates)
    match = (await at.made(id)).match
    await server.finish(match, 1, 0)
    await at.is_so(match, status="over")
    assert not making.done()
    # Nor does it hold up the end of the hall.
    await at.stop()
    with pytest.raises(ClientError):
        await making
