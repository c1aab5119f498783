"""Who is here; one player may have several connections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamehall.errors import NameTaken, NotBroke, RefilledToday
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.link import Link
from gamehall.hall.people.online import Elsewhere, Online
from gamehall.store.people import Player, PlayerKind, name_key
from gamehall.store.store import Store

BROKE_CHIPS = 10_000
"""Who has fewer is nearly broke, and gets new ones, once in a while."""
REFILL_MS = 24 * 3600 * 1000


@dataclass(eq=False, repr=False)
class Players:
    _store: Store
    _clock: Clock
    start_balance: int
    """The chips that a new player gets."""
    on_change: Callable[[Online], None]
    """Hears of each player who has come, sat down, risen or gone."""

    def __post_init__(self) -> None:
        self.online: dict[int, Online] = {}
        self._names: dict[str, int] = {}
        """Names in use, with the player."""

    # Adding

    async def add(
        self,
        name: str,
        kind: PlayerKind,
        *,
        token_digest: bytes | None = None,
        password_hash: str | None = None,
    ) -> Player:
        """A new player, with the chips that everyone begins with. Raises NameTaken."""
        return await self._store.add_player(
            name,
            kind,
            chips=self.start_balance,
            at_ms=self._clock.now_ms(),
            token_digest=token_digest,
            password_hash=password_hash,
        )

    async def house_bot(self, name: str) -> Player:
        """The bot of that name, or of one like it where a person has the name; new at first."""
        known = await self._store.player_named(name)
        while known is None or known.kind != "bot":
            try:
                return await self.add(name, "bot")
            except NameTaken:
                # A person has the name, or another table asked for the bot at the same time.
                known = await self._store.player_named(name)
                name = name if known is not None and known.kind == "bot" else f"{name} of the house"
        return known

    # Chips

    async def refill(self, online: Online, at_stake: int = 0) -> int:
        """The balance, filled up again from the mint: what everyone began with.

        Raises:
            NotBroke, RefilledToday: there are no new chips for this player now.
        """
        player, below = online.player.id, min(BROKE_CHIPS, self.start_balance)
        if at_stake >= below:
            raise NotBroke("You have chips at stake. See what becomes of them first.")
        filled = await self._store.refill(
            player,
            below=below - at_stake,
            to=self.start_balance,
            at_ms=self._clock.now_ms(),
            every_ms=REFILL_MS,
        )
        if filled is not None:
            return filled
        if await self._store.balance(player) + at_stake < below:
            raise RefilledToday
        raise NotBroke(f"New chips are for those who have fewer than {below}.")

    # Presence

    def named(self, key: str) -> int | None:
        """Who is here, at any node, or kept, and has the name with this key."""
        return self._names.get(key)

    def attach(self, link: Link, player: Player) -> Online:
        """From now on `link` speaks for `player`."""
        online = self.online.get(player.id)
        if online is None:
            online = self.online[player.id] = Online(player)
        elif online.player.name != player.name:
            self._names.pop(name_key(online.player.name), None)
        online.player = player
        self._names[name_key(player.name)] = player.id
        if link.online is not online:
            self.detach(link)
            link.online = online
            online.links.append(link)
        self.on_change(online)
        return online

    def detach(self, link: Link) -> Online | None:
        """The link speaks for nobody; its player, if it has no other link."""
        online = link.online
        link.online = None
        link.token_digest = None
        if online is None:
            return None
        online.links.remove(link)
        online.kept_briefly = link.kept_briefly
        if online.links:
            return None
        if not online.seated and not online.elsewhere:
            self.forget(online)
        self.on_change(online)
        return None if online.elsewhere else online

    def set_elsewhere(
        self, node: str, player: int, at: Elsewhere | None, *, kept_briefly: bool = False
    ) -> Online | None:
        """Someone has come to another node, has changed there, or (None) has gone. The player, if
        it is in the hall now and was not before, or the other way round."""
        online = self.online.get(player)
        if online is None:
            if at is None:
                return None
            online = self.online[player] = Online(at.player)
        was_here = online.here
        if at is None:
            online.elsewhere.pop(node, None)
            online.kept_briefly = kept_briefly
        else:
            online.elsewhere[node] = at
            if online.player.name != at.player.name:
                self._free(online)
            online.player = at.player
            self._names.setdefault(name_key(at.player.name), player)
        if not online.here and not online.seated:
            self.forget(online)
        self.on_change(online)
        return online if online.here != was_here else None

    def forget(self, online: Online) -> None:
        """Nobody waits for this player any more."""
        self.online.pop(online.player.id, None)
        self._free(online)

    def _free(self, online: Online) -> None:
        """Its name is anyone's."""
        key = name_key(online.player.name)
        if self._names.get(key) == online.player.id:
            del self._names[key]
