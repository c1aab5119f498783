"""Who waits for a game with anyone who wants the same. The lead pairs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gamehall.errors import BadRequest, HallError, NotFree, TooMany
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.messages import Noted, SeekKey, Seeks
from gamehall.hall.lobby.openings import ABOUT_TO_BEGIN
from gamehall.hall.people.online import Online
from gamehall.hall.tables.tables import Tables

SEEKS_MAX = 8
"""Wait lists that one player may be on."""


class WaitLists:
    def __init__(self, front: Front, tables: Tables) -> None:
        self._front = front
        self._tables = tables

    async def seek(self, online: Online, game: str, options: dict[str, Any], rated: bool) -> None:
        """Waits for someone who wants the same; then both are `seated`."""
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game needs no opponent: open a table, or watch one and play.")
        player, seeks = online.player.id, self._front.seeks
        before = seeks.get(player, ())
        if len(before) >= SEEKS_MAX:
            raise TooMany
        key = SeekKey(kind.game.name, msgspec.json.encode(read), rated)
        if key in before:
            return
        seeks[player] = (*before, key)
        try:
            await self._front.ask(player, Seeks(player, seeks[player]), Noted)
        except HallError:
            self._keep(player, [each for each in seeks.get(player, ()) if each != key])
            if not self._front.is_drawn(player):
                self._front.tell_seeks(player)
            raise

    async def cancel(self, online: Online, game: str | None = None) -> None:
        """It does not wait any more, for this game or any. Raises NotFree, Unavailable: it does."""
        player = online.player.id
        before = self._front.seeks.get(player, ())
        given_up = [key for key in before if game in (None, key.game)]
        if not given_up:
            if self._front.is_drawn(player):
                raise NotFree(ABOUT_TO_BEGIN)
            return
        self._keep(player, [key for key in before if key not in given_up])
        try:
            await self._front.ask(player, Seeks(player, self._front.seeks.get(player, ())), Noted)
        except HallError:
            if not online.is_out:
                self._keep(player, [*self._front.seeks.get(player, ()), *given_up])
            raise

    def drop(self, online: Online) -> None:
        """It plays, or is gone."""
        if self._front.seeks.pop(online.player.id, None):
            self._front.tell_seeks(online.player.id)

    def _keep(self, player: int, keys: Iterable[SeekKey]) -> None:
        self._front.seeks.pop(player, None)
        if keys := tuple(dict.fromkeys(keys)):
            self._front.seeks[player] = keys
