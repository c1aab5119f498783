"""Logins with a credential: through one connection at a time, in the whole hall."""

from __future__ import annotations

import msgspec

from gamehall.hall.nodes.common_turns import Arbiter, CommonTurns
from gamehall.hall.people.guests import Guests
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.visitors.entrance import Entrance
from gamehall.store.people import Player

LOGINS_MAX = 8
"""Logins with one credential that are answered one after the other; more are refused."""
ALIVE_SECONDS = 2.0
"""How long a connection has to show that it is alive when its player comes through another."""


class Login(msgspec.Struct, frozen=True):
    player: Player
    elsewhere: bool
    """Whether the player is connected already, so that nobody was logged in."""


class SingleLogins:
    def __init__(self, people: Entrance, guests: Guests, hung_up: HungUp, arbiter: Arbiter) -> None:
        self._people = people
        self._guests = guests
        self._hung_up = hung_up
        self._turns = CommonTurns(arbiter, "practice", LOGINS_MAX)

    async def log_in(self, link: Link, name: str, credential: str) -> Login:
        """The guest who shows this credential, unless another live connection is that guest's."""
        async with self._turns.of(credential):
            known = await self._guests.known(credential)
            if known and not await self._hung_up.everywhere(known.id, ALIVE_SECONDS):
                return Login(known, elsewhere=True)
            player = await self._people.bearer(link, name, credential)
            return Login(player, elsewhere=False)
