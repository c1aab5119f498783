"""Messages and questions between nodes, over a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from gamehall.bus.redis_bus import RedisBus
from gamehall.errors import Conflict, HallError, NotYourTurn, Refused, Unavailable
from gamehall.hall.nodes.exchange import Answering, Body, Exchange, error_of
from tests.bus.redis_server import new_prefix, server
from tests.hall.halls import until


class Old(Body, frozen=True):
    text: str


class New(Body, frozen=True):
    text: str
    more: int = 7


@asynccontextmanager
async def two() -> AsyncIterator[tuple[Exchange, Exchange]]:
    prefix = new_prefix()
    buses = [RedisBus(server().url, prefix=prefix) for _ in range(2)]
    a, b = (Exchange(bus) for bus in buses)
    for bus, exchange in zip(buses, (a, b), strict=True):
        await bus.start(exchange.received, lambda: None)
    try:
        yield a, b
    finally:
        for bus in buses:
            await bus.close()


async def test_releases_that_differ_by_a_field_understand_each_other() -> None:
    async with two() as (a, b):
        heard: list[object] = []
        b.on("grown", Old, lambda _, body: heard.append(body))
        b.on("shrunk", New, lambda _, body: heard.append(body))
        a.tell(b.node, "never heard of", Old("?"))
        a.tell(b.node, "grown", New("a", 8))
        a.tell_all("shrunk", Old("b"))
        await until(lambda: len(heard) == 2)
        assert heard == [Old("a"), New("b", 7)]


async def test_a_message_that_fails_does_not_stop_the_next() -> None:
    async with two() as (a, b):
        heard: list[str] = []

        def fail(_: str, body: Old) -> None:
            raise ZeroDivisionError

        b.on("bad", Old, fail)
        b.on("good", Old, lambda _, body: heard.append(body.text))
        a.tell(b.node, "bad", Old(""))
        a.tell(b.node, "good", msgspec.structs.replace(Old("x"), text="y"))
        await until(lambda: heard == ["y"])


async def test_a_question_gets_the_answer_or_the_error_of_the_other_node() -> None:
    async with two() as (a, b):

        def answer(sender: str, body: Old, reply: Answering) -> None:
            if body.text == "no":
                raise NotYourTurn("Wait.")
            if body.text == "fault":
                raise ZeroDivisionError
            reply(New(sender + body.text))

        b.answer("ask", Old, answer)
        said = await a.question(b.node, "ask", Old("!"), New, 5)
        assert said == New(a.node + "!")
        with pytest.raises(NotYourTurn, match="Wait"):
            await a.question(b.node, "ask", Old("no"), New, 5)
        with pytest.raises(HallError) as raised:
            await a.question(b.node, "ask", Old("fault"), New, 5)
        assert raised.value.code == "internal"


async def test_whoever_does_not_answer_in_time_or_is_gone_is_unavailable() -> None:
    async with two() as (a, b):
        kept: list[Answering] = []
        b.answer("ask", Old, lambda _, body, reply: kept.append(reply))
        with pytest.raises(Unavailable):
            await a.question(b.node, "ask", Old(""), New, 0.1)
        asking = asyncio.ensure_future(a.question(b.node, "ask", Old(""), New, 60))
        await until(lambda: len(kept) == 2)
        a.node_gone(b.node)
        with pytest.raises(Unavailable):
            await asking
        kept[1](New("too late"))


def test_errors_cross_by_their_codes() -> None:
    assert type(error_of("conflict", "x")) is Conflict
    unknown = error_of("of_a_newer_release", "Not so.")
    assert type(unknown) is Refused
    assert str(unknown) == "Not so."
