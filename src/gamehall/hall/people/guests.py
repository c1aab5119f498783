"""Guests of doors that know no tokens: a name and an address are all there is to know them by."""

from __future__ import annotations

import msgspec

from gamehall.hall.nodes.common_turns import Arbiter, CommonTurns
from gamehall.hall.people.credentials import credential_digest, read_name
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.players import Players
from gamehall.store.people import Player, name_key
from gamehall.store.store import Store

NAMESAKES_MAX = 64
"""Guests with one name from one address who can still be told apart when they come back."""
ARRIVING_MAX = 512
"""Those who come with one name from one address at once to one node; more are refused."""


class Arrival(msgspec.Struct, frozen=True):
    player: Player
    back: bool
    """Whether it was here before, and has its seats still."""


class Guests:
    def __init__(self, players: Players, store: Store, arbiter: Arbiter, hung_up: HungUp) -> None:
        self._players = players
        self._store = store
        self._hung_up = hung_up
        self._turns = CommonTurns(arbiter, "guest", ARRIVING_MAX)

    async def arrive(self, link: Link, door: str, name: str) -> Arrival:
        """The guest who dropped at this door and whose seats are kept; otherwise a new one.

        A name that someone else has gets a number behind it. Whoever had to take such a name is
        taken back by it, and by the name that was asked for: its client may know only that.

        Raises:
            BadName: a name has 1 to 32 printable characters.
        """
        wanted = read_name(name)
        place = f"guest|{door}|{link.address}"
        async with self._turns.of(f"{place}|{name_key(wanted)}"):
            unused: bytes | None = None
            for number in range(NAMESAKES_MAX):
                digest = _digest(place, wanted, number)
                player = await self._store.player_by_token(digest)
                if player is not None and await self._is_away(player):
                    self._players.attach(link, player)
                    return Arrival(player, True)
                if unused is None and (player is None or player.id not in self._players.online):
                    unused = digest
                if player is None:
                    break
            digests = [] if unused is None else [unused]
            taken = await self._players.free_name(wanted)
            if taken != wanted:
                digests += await self._unused(place, taken)
            player = await self._players.add_guest(taken, *digests)
            self._players.attach(link, player)
            return Arrival(player, False)

    async def _unused(self, place: str, name: str) -> list[bytes]:
        """What nobody who is here or kept is known by, if there is something left."""
        for number in range(NAMESAKES_MAX):
            digest = _digest(place, name, number)
            player = await self._store.player_by_token(digest)
            if player is None or player.id not in self._players.online:
                return [digest]
        return []

    async def _is_away(self, player: Player) -> bool:
        """Whether it has seats and no client; one that has just hung up makes way."""
        if player.kind != "guest":
            return False
        online = self._players.online.get(player.id)
        if online is None:
            # After a restart the store alone knows who sits where.
            seated = bool(await self._store.tables_of(player.id))
            online = self._players.online.get(player.id)
            return seated and (online is None or not online.here)
        if not self._hung_up.here(player.id) or not await self._hung_up.elsewhere(online):
            return False
        return bool(online.seated or await self._store.tables_of(player.id))


def _digest(place: str, name: str, number: int) -> bytes:
    return credential_digest(f"{place}|{number}|{name_key(name)}")
