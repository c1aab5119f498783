"""`gamehall bench`: how many moves a hall takes, beside a bare echo, which keeps nothing."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from functools import partial
from itertools import chain
from multiprocessing import Process
from time import perf_counter

import msgspec
from aiohttp import web

from gamehall.cli.bot.at_hall import finish, until_stopped
from gamehall.cli.options import HERE, NativeDoor
from gamehall.cli.output import fail, say
from gamehall.client.asking import RequestRefused
from gamehall.client.connection import check_url
from gamehall.client.native_client import NativeClient

TABLES_MAX = 100
"""Two players each, all from one address, from which a hall takes 256 by default."""
GAME = {"game": "connect-four", "options": {"columns": 12, "rows": 12, "length": 12}}
COLUMNS = [(n + n // 24) % 12 for n in range(144)]
"""A long game: nobody gets twelve in a line, and every column is filled."""


def bench(*, seconds: float = 5, tables: int = 50, door: NativeDoor = HERE) -> int:
    """Measure how fast a running hall takes moves, beside a bare echo in the same run.

    Each player moves as soon as the other's move is acknowledged. Both are measured with the same
    client, which is often the limit, and within the hall's limits: so compare ratios.

    Example: gamehall bench --seconds 10 --url ws://127.0.0.1:8000/ws

    Parameters
    ----------
    seconds
        How long each of the two is measured.
    tables
        How many games of Connect Four are played at once.
    """
    if not 0 < seconds <= 3600 or not 1 <= tables <= TABLES_MAX:
        return fail(f"--seconds is above 0, up to 3600, and --tables is 1 to {TABLES_MAX}.", 2)
    try:
        check_url(door.address)
    except ValueError as error:
        return fail(str(error), 2)
    return finish(until_stopped(_compare(door, tables, seconds)), door.address)


async def _compare(door: NativeDoor, tables: int, seconds: float) -> None:
    hall = await _measured(door, tables, seconds)
    listening = socket.create_server(("127.0.0.1", 0))
    echo = Process(target=_echo, args=(listening,), daemon=True)
    echo.start()
    try:
        port = listening.getsockname()[1]
        bare = await _measured(NativeDoor(port=port), tables, seconds)
    finally:
        echo.kill()
    for name, took in (("hall", hall), ("echo", bare)):
        shares = (f"{n} % within {took[len(took) * n // 100]:.2f} ms" for n in (50, 95, 99))
        say(f"{name}: {len(took) / seconds:.0f} moves/s, {', '.join(shares)}")
    slower = hall[len(hall) // 2] / bare[len(bare) // 2]
    say(f"ratio: {len(hall) / len(bare):.2f} of the echo's moves, {slower:.1f} times its median")


def _echo(listening: socket.socket) -> None:
    """Answers every request with the same, until it is killed."""
    welcome = {"token": "", "tables": [], "table": 0}

    async def answer(request: web.Request) -> web.WebSocketResponse:
        opened = web.WebSocketResponse()
        await opened.prepare(request)
        async for message in opened:
            asked = msgspec.json.decode(message.data)
            await opened.send_bytes(msgspec.json.encode({**asked, "payload": welcome}))
        return opened

    app = web.Application()
    app.router.add_get("/ws", answer)
    web.run_app(app, sock=listening, print=None)


async def _measured(door: NativeDoor, tables: int, seconds: float) -> list[float]:
    """How many milliseconds each move took until it was acknowledged, in order."""
    took: list[float] = []
    enter = partial(NativeClient, door.address, name=door.name)
    pairs = [[enter(), enter()] for _ in range(tables)]
    async with AsyncExitStack() as entered:
        for each in chain.from_iterable(pairs):
            await entered.enter_async_context(each)
        end = perf_counter() + seconds
        await asyncio.gather(*(_play(pair, end, took) for pair in pairs))
    return sorted(took)


async def _play(pair: list[NativeClient], end: float, took: list[float]) -> None:
    """One game after the other, until the end."""
    while perf_counter() < end:
        table = (await pair[0].request("open_table", GAME))["table"]
        for each in pair:
            await each.request("sit", {"table": table})
        for move, column in enumerate(COLUMNS):
            act = {"table": table, "command": {"type": "drop", "column": column}}
            began = perf_counter()
            try:
                await pair[move % 2].request("act", act)
            except RequestRefused as refused:
                if move or refused.code != "not_your_turn":
                    raise
                pair.reverse()  # Chance has seated them the other way round.
                await pair[0].request("act", act)
            took.append((perf_counter() - began) * 1000)
            if began > end:
                break
        for each in pair:
            await each.request("leave", {"table": table})
