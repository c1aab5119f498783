"""Who waits for a game with anyone: gone with the process, never durable.

What follows from it, a table, is: a pairing opens one table only, by its origin.

Each node pairs its own people. Who is left is announced to the other nodes, again and again: of
two who want the same, the node of the one with the lower id proposes, and the other's node
answers whether it still waits. Whoever is held for a table stays on the lists until it sits.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import msgspec
import structlog

from gamehall.errors import BadRequest, HallError, NotFree, TooMany
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import ASK_SECONDS, Held, Holds
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

SEEKS_MAX = 8
"""Wait lists that one player may be on."""
AGAIN_SECONDS = 1.0
"""How often those who wait are announced, and paired if it did not come to it before."""
ANNOUNCED_MAX = 500
"""Seeks in one message."""

SeekKey = tuple[str, bytes, bool]
"""The game, all of its options, and whether it is rated."""


class _Seek(msgspec.Struct, frozen=True, array_like=True):
    game: str
    options: bytes
    rated: bool
    player: int

    @property
    def key(self) -> SeekKey:
        return (self.game, self.options, self.rated)


class _Seeks(Body, frozen=True):
    """Who waits at the node that says it."""

    seeks: tuple[_Seek, ...]


class _Propose(Body, frozen=True):
    """Is this player held for a game that this node opens?"""

    seek: _Seek
    origin: str


class WaitLists:
    def __init__(
        self,
        *,
        exchange: Exchange,
        players: Players,
        tables: Tables,
        seating: Seating,
        holds: Holds,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        before_telling: Callable[[], None],
    ) -> None:
        self._exchange = exchange
        self._players = players
        self._tables = tables
        self._seating = seating
        self._holds = holds
        self._spawn = spawn
        self._seeks: dict[SeekKey, list[Online]] = {}
        self._before_telling = before_telling
        exchange.on("seeks", _Seeks, self._hear)
        exchange.answer("propose", _Propose, self._asked)

    async def seek(self, online: Online, game: str, options: dict[str, Any], rated: bool) -> None:
        """Waits for someone who wants the same; then both are `seated`."""
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game needs no opponent: open a table, or watch one and play.")
        if sum(online in waiting for waiting in self._seeks.values()) >= SEEKS_MAX:
            raise TooMany
        key = (kind.game.name, msgspec.json.encode(read), rated)
        if online not in self._seeks.get(key, ()):
            await self._pair(online, key)

    def cancel(self, online: Online, game: str | None = None) -> None:
        """It does not wait any more, for this game or any."""
        for key, waiting in list(self._seeks.items()):
            if online in waiting and (game is None or key[0] == game):
                waiting.remove(online)
            if not waiting:
                del self._seeks[key]

    async def _pair(
        self, online: Online, key: SeekKey, tried: frozenset[Online] = frozenset()
    ) -> None:
        other = next((each for each in self._free(key) if each not in {*tried, online}), None)
        if other is None:
            waiting = self._seeks.setdefault(key, [])
            if online not in waiting:
                waiting.append(online)
                self._announce([_Seek(*key, online.player.id)])
            return
        try:
            await self._open((other, online), key, _new_origin())
        except NotFree:
            # One of them has gone meanwhile: the other is to play whoever waits by now.
            for side in (other, online):
                if side.free and (side is online or side in self._seeks.get(key, ())):
                    await self._pair(side, key, tried | {other, online})

    async def _open(
        self, people: tuple[Online, Online], key: SeekKey, origin: str, held: bool = False
    ) -> None:
        game, options, rated = key
        await self._seating.open_match(
            people,
            game,
            msgspec.json.decode(options),
            drawn=True,
            rated=rated,
            origin=origin,
            held=people if held else (),
        )

    def _free(self, key: SeekKey) -> Iterator[Online]:
        return (online for online in self._seeks.get(key, ()) if online.free)

    # Other nodes

    async def run(self) -> None:
        """Looks again at those who wait, for as long as the hall runs."""
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            left = []
            for key in list(self._seeks):
                free = list(self._free(key))
                if len(free) > 1:
                    self._spawn(self._pair_again(free[0], key))
                left += [_Seek(*key, online.player.id) for online in free]
            self._announce(left)

    async def _pair_again(self, online: Online, key: SeekKey) -> None:
        try:
            await self._pair(online, key)
        except HallError as error:
            log.info("not_paired", player=online.player.id, code=error.code)

    def _announce(self, seeks: list[_Seek], node: str | None = None) -> None:
        if self._exchange.alone or not seeks:
            return
        self._before_telling()
        for start in range(0, len(seeks), ANNOUNCED_MAX):
            said = _Seeks(tuple(seeks[start : start + ANNOUNCED_MAX]))
            if node is None:
                self._exchange.tell_all("seeks", said)
            else:
                self._exchange.tell(node, "seeks", said)

    def _hear(self, node: str, said: _Seeks) -> None:
        theirs_to_propose = []
        for seek in said.seeks:
            mine = next(
                (each for each in self._free(seek.key) if each.player.id != seek.player), None
            )
            if mine is None:
                continue
            if mine.player.id < seek.player:
                self._spawn(self._propose(mine, node, seek))
            else:
                # Ids only grow while it goes to and fro, so that it ends.
                theirs_to_propose.append(_Seek(*seek.key, mine.player.id))
        self._announce(theirs_to_propose, node)

    async def _propose(self, mine: Online, node: str, seek: _Seek) -> None:
        other = self._players.online.get(seek.player)
        if other is None:
            return  # Not heard of yet: it is announced again.
        origin = _new_origin()
        try:
            await self._holds.hold((mine,), origin)
            asked = _Propose(seek, origin)
            await self._exchange.question(node, "propose", asked, Held, ASK_SECONDS)
            if mine not in self._seeks.get(seek.key, ()):
                raise NotFree  # It waits no more.
            await self._open((other, mine), seek.key, origin, held=True)
        except HallError as error:
            self._holds.let_go((mine, other), origin)
            log.info("not_paired", player=mine.player.id, code=error.code)

    def _asked(self, node: str, asked: _Propose, reply: Answering) -> None:
        online = self._players.online.get(asked.seek.player)
        if online is None or online not in self._seeks.get(asked.seek.key, ()):
            raise NotFree

        async def answer(online: Online) -> None:
            try:
                await self._holds.hold((online,), asked.origin, node)
            except HallError as error:
                reply(error)
            else:
                reply(Held())

        self._spawn(answer(online))


def _new_origin() -> str:
    return f"pair:{secrets.token_hex(12)}"
