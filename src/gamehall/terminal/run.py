"""A player or a spectator at a terminal, from the connection to the goodbye."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from io import TextIOWrapper

import msgspec

from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient
from gamehall.terminal.plain import PlainPlay
from gamehall.terminal.session import Session
from gamehall.terminal.text import printable

GOODBYE_SECONDS = 3.0
"""How long it takes at most to give up a seat at the end."""


class Wish(msgspec.Struct, frozen=True):
    """Where to go first; nowhere is the hall."""

    table: int | None = None
    key: str | None = None
    uid: int | None = None
    watch: bool = False
    plain: bool = False


async def run(client: NativeClient, wish: Wish) -> None:
    """Returns when the player has had enough. Raises ConnectionLost or RequestRefused."""
    async with client:
        session = Session(client)
        listening = asyncio.create_task(session.listen())
        playing = asyncio.create_task(_visit(session, wish))
        try:
            await asyncio.wait({playing, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                # Whoever draws on the screen cleans it up first.
                await asyncio.wait({playing}, timeout=GOODBYE_SECONDS)
                await listening  # Says why there is no hall any more.
            await playing
        finally:
            for task in (playing, listening):
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


async def _visit(session: Session, wish: Wish) -> None:
    await session.enter()
    if wish.uid is not None:
        await session.claim(wish.uid, wish.key or "")
    elif wish.table is not None:
        await session.come_to(wish.table, wish.key, how="watch" if wish.watch else "sit")
    stay = wish.table is None and wish.uid is None
    try:
        if wish.plain:
            # Signs of another encoding cost a sign, not the game.
            for stream in (sys.stdin, sys.stdout):
                if isinstance(stream, TextIOWrapper):
                    stream.reconfigure(errors="replace")
            hall = f"Connected to {session.client.url} as {session.me['name']}."
            plain = PlainPlay(session, sys.stdin, sys.stdout, stay=stay)
            plain.say(printable(hall))
            await plain.play()
        else:
            # Only here: every other command starts without it.
            from gamehall.terminal.app import HallApp

            await HallApp(session, stay=stay).run_async()
    finally:
        if session.here is not None:
            with suppress(ConnectionLost, RequestRefused, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await session.leave()
