"""Guests who are known by a credential alone, which their door makes of what they show."""

from __future__ import annotations

from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.players import Players, credential_digest
from gamehall.hall.visitors.entrance import Entrance
from gamehall.store.people import Player
from gamehall.store.store import Store


class Bearers:
    def __init__(self, players: Players, store: Store, hung_up: HungUp, entrance: Entrance) -> None:
        self._players = players
        self._store = store
        self._hung_up = hung_up
        self._entrance = entrance

    async def enter(self, link: Link, name: str, credential: str) -> Player:
        """Makes the link the guest who shows this credential; `name` is for a new one."""
        return await self._entrance.bearer(link, name, credential)

    async def known(self, credential: str) -> Player | None:
        """The guest who has shown this credential before."""
        return await self._store.player_by_token(credential_digest(credential))

    async def is_here(self, player: int | None) -> bool:
        """Whether a client of this player is connected, at whichever node."""
        online = None if player is None else self._players.online.get(player)
        if online is None:
            return False
        if any(not link.gone for link in online.links):
            return True
        return not await self._hung_up.elsewhere(online)
