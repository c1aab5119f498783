"""Who comes as a guest gets a name that nobody else has. The lead gives them out.

At doors that know no tokens a name and an address are all there is to know a guest by. So the lead
decides there too who has come back. It knows the people of all nodes, and remembers what it has
given until it hears that the guest is there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Generic, TypeVar

from gamehall.errors import Conflict, Unavailable
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Turns
from gamehall.hall.nodes.exchange import Body, Spawn, later
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.credentials import NAME_CHARACTERS_MAX, credential_digest, read_name
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.store.people import Player, name_key
from gamehall.store.store import Store

T = TypeVar("T")

GUEST = "Guest"
NAMESAKES_MAX = 64
"""Guests with one name from one address who can still be told apart when they come back."""
ARRIVING_MAX = 512
"""Those who come with one name from one address at once; more are refused."""
NAMES_MAX = 10_000
"""Names whose next free number is remembered."""
DECIDED_SECONDS = 5.0
"""How long the lead may take: a guest's old node may have to be given up."""
AGAIN_SECONDS = 2.0
"""After which it is asked again: the question or the answer may be lost."""


class _Comes(Body, frozen=True):
    """Someone comes as a guest. Answered with an `Arrival`."""

    name: str
    mark: str
    """Of this question. Asked again, the lead answers as before."""
    digest: bytes = b""
    """Of what the guest is known by from now on."""
    place: str = ""
    """A door and an address: a guest of that name who dropped there is taken back."""

    @property
    def who(self) -> str:
        """The same for all questions that lead to the same guest."""
        return self.digest.hex() or self.mark


class Arrival(Body, frozen=True):
    player: Player
    back: bool = False
    """Whether it was here before, and has its seats still."""


class _ForAWhile(Generic[T]):
    """What is remembered only for a time, which is the same for all of it."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._ms = int(seconds * 1000)
        self._kept: dict[str, tuple[int, T]] = {}
        """With the time until which it is. What ends first comes first."""

    def get(self, key: str) -> T | None:
        until_ms, value = self._kept.get(key, (0, None))
        return value if until_ms > self._clock.now_ms() else None

    def keep(self, key: str, value: T) -> None:
        now_ms = self._clock.now_ms()
        self._kept.pop(key, None)
        self._kept[key] = (now_ms + self._ms, value)
        while self._kept[first := next(iter(self._kept))][0] <= now_ms:
            del self._kept[first]

    def forget(self, key: str) -> None:
        self._kept.pop(key, None)


class Guests:
    def __init__(
        self,
        *,
        players: Players,
        store: Store,
        clock: Clock,
        nodes: Nodes,
        lead: Lead,
        hung_up: HungUp,
        grace_seconds: float,
        spawn: Spawn,
        knows_everyone: Callable[[], bool],
    ) -> None:
        """`knows_everyone`: whether this node has heard who is at each of the others."""
        self._players = players
        self._store = store
        self._clock = clock
        self._nodes = nodes
        self._lead = lead
        self._hung_up = hung_up
        self._names_kept_until_ms = clock.now_ms() + int(grace_seconds * 1000)
        self._knows_everyone = knows_everyone
        self._turns = Turns(ARRIVING_MAX)
        # Longer than the node that asked waits for the answer: after that the guest is not one.
        waited_for_seconds = nodes.lease_seconds + 2 * DECIDED_SECONDS
        self._given = _ForAWhile[str](clock, waited_for_seconds)
        """By name of a guest who is not here yet: `_Comes.who` it is for."""
        self._arrivals = _ForAWhile[Arrival](clock, waited_for_seconds)
        """By mark of the question, what was answered."""
        self._next_number: dict[str, int] = {}
        lead.serve("guest", _Comes, later(spawn, "guest", self._decide))

    async def come(self, name: str | None, digest: bytes = b"", place: str = "") -> Arrival:
        """Whom the lead makes of someone who comes: without a name, a guest of any.

        `digest`: of what the guest is known by from now on. `place`: a door and an address. The
        guest who dropped there and whose seats are kept is taken back; otherwise it is a new one. A
        name that someone else has gets a number behind it. Whoever had to take such a name is
        taken back by it, and by the name that was asked for: its client may know only that.

        Raises:
            BadName: a name has 1 to 32 printable characters.
            Unavailable: there is no lead for longer than it takes to get a new one.
        """
        wanted = GUEST if name is None else read_name(name)
        comes = _Comes(wanted, secrets.token_hex(8), digest, place)
        seconds = self._nodes.lease_seconds + DECIDED_SECONDS
        return await self._lead.insist("guest", comes, Arrival, seconds, AGAIN_SECONDS)

    async def known(self, credential: str) -> Player | None:
        """The guest who has shown this credential before."""
        return await self._store.player_by_token(credential_digest(credential))

    async def is_seated(self, player: Player) -> bool:
        """After a restart, and of tables of other nodes, the store alone knows who sits where."""
        online = self._players.online.get(player.id)
        return bool(online and online.seated) or bool(await self._store.tables_of(player.id))

    # The lead

    async def _decide(self, _: str, comes: _Comes) -> Arrival:
        if not self._knows_everyone():
            raise Unavailable  # It has not led for long.
        async with self._turns.of(comes.mark):
            arrival = self._arrivals.get(comes.mark)
            if arrival is None:
                arrival = await self._arrive(comes)
                self._arrivals.keep(comes.mark, arrival)
        if not self._nodes.decides:
            raise Unavailable  # Another may have decided meanwhile.
        return arrival

    async def _arrive(self, comes: _Comes) -> Arrival:
        if not comes.place:
            return await self._add_bearer(comes)
        async with self._turns.of((comes.place, name_key(comes.name))):
            return await self._take_back(comes) or await self._add_namesake(comes)

    def player_changed(self, online: Online) -> None:
        """Who is here has its name by that."""
        if online.here:
            self._given.forget(name_key(online.player.name))

    async def _take_back(self, comes: _Comes) -> Arrival | None:
        for number in range(NAMESAKES_MAX):
            player = await self._store.player_by_token(_digest(comes.place, comes.name, number))
            if player is None:
                return None
            if player.kind == "guest" and await self._is_away(player, comes.who):
                self._give(name_key(player.name), comes.who)
                return Arrival(player, back=True)
        return None

    async def _add_bearer(self, comes: _Comes) -> Arrival:
        """A new guest who is known by nothing, or by a digest that nobody had before."""
        name = await self._free_name(comes.name, comes.who)
        try:
            player = await self._players.add(name, "guest", token_digest=comes.digest or None)
        except Conflict:
            # The guest was added when this was asked first, of this node or of the lead before it.
            added = await self._store.player_by_token(comes.digest)
            if added is None or not self._may_have(added, comes.who):
                raise Unavailable from None
            self._give(name_key(added.name), comes.who)
            player = added
        return Arrival(player)

    def _may_have(self, player: Player, who: str) -> bool:
        """Whether nobody else was given its name meanwhile."""
        key = name_key(player.name)
        return self._players.named(key) in (None, player.id) and not self._is_given(key, who)

    async def _add_namesake(self, comes: _Comes) -> Arrival:
        """A new guest, known by name and place; whoever was known by them is not any more."""
        digests = await self._unused(comes.place, comes.name, comes.who)
        name = await self._free_name(comes.name, comes.who)
        if name != comes.name:
            digests += await self._unused(comes.place, name, comes.who)
        for digest in digests:
            await self._store.drop_token(digest)
        first = digests[0] if digests else None
        player = await self._players.add(name, "guest", token_digest=first)
        for digest in digests[1:]:
            await self._store.add_token(player.id, digest, self._clock.now_ms())
        return Arrival(player)

    async def _unused(self, place: str, name: str, who: str) -> list[bytes]:
        """What nobody who is here or kept is known by, if there is something left."""
        for number in range(NAMESAKES_MAX):
            digest = _digest(place, name, number)
            player = await self._store.player_by_token(digest)
            if player is None or not (
                player.id in self._players.online
                or self._is_given(name_key(player.name), who)
                or await self.is_seated(player)
            ):
                return [digest]
        return []

    async def _is_away(self, player: Player, who: str) -> bool:
        """Whether it has seats and no client; one that has just hung up makes way."""
        online = self._players.online.get(player.id)
        if online is not None and not (
            self._hung_up.here(player.id) and await self._hung_up.elsewhere(online)
        ):
            return False
        if not await self.is_seated(player) or self._is_given(name_key(player.name), who):
            return False
        online = self._players.online.get(player.id)
        return online is None or not online.here

    # Names

    async def _free_name(self, wanted: str, who: str) -> str:
        """The name, with a number behind it if someone has it; given from now on, also if it cannot
        be said whether the guest was added: then it is asked for again, by the same."""
        name = wanted
        while not await self._take_name(name, who):
            number = self._next_number.get(name_key(wanted), 2)
            if len(self._next_number) >= NAMES_MAX:
                self._next_number.clear()
            self._next_number[name_key(wanted)] = number + 1
            name = f"{wanted[: NAME_CHARACTERS_MAX - len(str(number))]}{number}"
        return name

    async def _take_name(self, name: str, who: str) -> bool:
        key = name_key(name)
        if self._players.named(key) is not None or self._is_given(key, who):
            return False
        # Given before the store is asked, so that two who come at once get two names.
        self._give(key, who)
        try:
            free = await self._store.member(name) is None and not await self._is_kept(name)
        except BaseException:
            self._given.forget(key)
            raise
        if not free:
            self._given.forget(key)
        return free

    async def _is_kept(self, name: str) -> bool:
        """Whether a guest of that name may still come back to its seats: after a restart, or at a
        table of another node."""
        if self._nodes.alone and self._clock.now_ms() >= self._names_kept_until_ms:
            return False
        known = await self._store.player_named(name)
        return known is not None and bool(await self._store.tables_of(known.id))

    def _give(self, key: str, who: str) -> None:
        self._given.keep(key, who)

    def _is_given(self, key: str, who: str) -> bool:
        """Whether it is for someone else."""
        return self._given.get(key) not in (None, who)


def _digest(place: str, name: str, number: int) -> bytes:
    return credential_digest(f"{place}|{number}|{name_key(name)}")
