"""Several halls may share one Redis, and hear nothing of each other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from gamehall.config import load
from gamehall.hall.beat.draws import DrawKey
from gamehall.ports import bus_at
from tests.bus.redis_server import server
from tests.hall.halls import until


async def test_nodes_hear_those_with_the_same_draw_key_alone() -> None:
    sets = ("store.url=postgresql://db/hall", f"bus.url={server().url}")
    settings = load(None, {}, sets)
    ours, theirs = DrawKey(bytes(range(32))), DrawKey(bytes(range(1, 33)))
    heard: list[tuple[int, bytes]] = []

    def hears(place: int) -> Callable[[str, bytes], None]:
        return lambda _, message: heard.append((place, message))

    async with AsyncExitStack() as stack:
        buses = [bus_at(settings, key) for key in (ours, ours, theirs)]
        for place, bus in enumerate(buses):
            stack.push_async_callback(bus.close)
            await bus.start(hears(place), lambda: None)
        sender, _, stranger = buses
        stranger.tell_all(b"psst")
        sender.tell_all(b"all")
        sender.send(stranger.node, b"to you")
        sender.send(buses[1].node, b"to a friend")
        await until(lambda: (1, b"to a friend") in heard)
        await stranger.ping()
        assert heard == [(1, b"all"), (1, b"to a friend")]
