"""Guests who are known by a credential alone, which their door makes of what they show."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from gamehall.hall.people.credentials import credential_digest
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.players import Players
from gamehall.store.people import Player
from gamehall.store.store import Store

Enter = Callable[[Link, str, str], Awaitable[Player]]


class Bearers:
    def __init__(self, players: Players, store: Store, hung_up: HungUp, enter: Enter) -> None:
        self._players = players
        self._store = store
        self._hung_up = hung_up
        self.enter = enter
        """Makes the link, by name and credential, the guest who shows it."""

    async def known(self, credential: str) -> Player | None:
        """The guest who has shown this credential before."""
        return await self._store.player_by_token(credential_digest(credential))

    async def is_here(self, player: int | None) -> bool:
        """Whether a client of this player is connected, at any node."""
        online = None if player is None else self._players.online.get(player)
        if online is None:
            return False
        if any(not link.gone for link in online.links):
            return True
        return not await self._hung_up.elsewhere(online)
