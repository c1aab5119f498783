"""Who is here: identity, login, resume; one player may have several connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from gamehall.errors import (
    BadToken,
    LoginFailed,
    NameTaken,
    NotBroke,
    RefilledToday,
    RegistrationClosed,
)
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.credentials import (
    digest_of,
    new_token,
    read_name,
)
from gamehall.hall.people.link import Link
from gamehall.hall.people.online import Elsewhere, Online
from gamehall.hall.people.passwords import Passwords
from gamehall.store.people import Player, PlayerKind, name_key
from gamehall.store.store import Store

BROKE_CHIPS = 10_000
"""Who has fewer is nearly broke, and gets new ones, once in a while."""
REFILL_MS = 24 * 3600 * 1000


class Welcome(msgspec.Struct, frozen=True):
    """Who someone is from now on. The token is told once and kept here only as a digest."""

    player: Player
    token: str


class Players:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        passwords: Passwords,
        *,
        open_registration: bool,
        start_balance: int,
        on_change: Callable[[Online], None],
    ) -> None:
        """`on_change` hears of each player who has come, sat down, risen or gone."""
        self._store = store
        self._clock = clock
        self._passwords = passwords
        self._open_registration = open_registration
        self.start_balance = start_balance
        """The chips that a new player gets."""
        self.online: dict[int, Online] = {}
        self._names: dict[str, int] = {}
        """Names in use, with the player."""
        self.on_change = on_change

    # Identity

    async def resume(self, link: Link, token: str) -> Welcome:
        """The player to whom the token was given. Raises BadToken."""
        digest = digest_of(token)
        known = await self._store.player_by_token(digest)
        if known is None:
            raise BadToken
        return self._welcome(link, known, token, digest)

    async def add_guest(self, name: str, digests: Sequence[bytes]) -> Player:
        """A new guest, known by these tokens; whoever was known by them before is not any more."""
        for digest in digests:
            await self._store.drop_token(digest)
        player = await self._store.add_player(
            name,
            "guest",
            chips=self.start_balance,
            at_ms=self._clock.now_ms(),
            token_digest=digests[0] if digests else None,
        )
        for digest in digests[1:]:
            await self._store.add_token(player.id, digest, self._clock.now_ms())
        return player

    async def register(self, link: Link, name: str, password: str) -> Welcome:
        """A member of that name; who was a guest keeps seats and chips.

        Sent again with the same password, it is a login. Raises NameTaken, BadPassword …
        """
        name = read_name(name)
        self._check_may_register(link, name)
        if await self._store.member(name) is not None:
            try:
                return await self.login(link, name, password)
            except LoginFailed as failed:
                # With its cause: guessing a password this way counts as a failed login too.
                raise NameTaken from failed
        player = await self._add_member(link, name, await self._passwords.hash(link, password))
        return await self._welcome_with_token(link, player)

    async def login(self, link: Link, name: str, password: str) -> Welcome:
        """The member of that name. Raises LoginFailed."""
        return await self._welcome_with_token(link, await self._known(link, name, password))

    async def enter(self, link: Link, name: str, password: str) -> Player:
        """Login at a door that knows no tokens: a name that nobody has is registered.

        Raises:
            LoginFailed: the password is another.
            NameTaken, RegistrationClosed, BadName, BadPassword: it cannot be registered.
        """
        player = await self._known_or_new(link, name, password)
        self.attach(link, player)
        return player

    async def enter_for_token(self, link: Link, name: str, password: str) -> Welcome:
        """As `enter`, with a token by which the same player is known again."""
        player = await self._known_or_new(link, name, password)
        return await self._welcome_with_token(link, player)

    async def enter_by_token(self, link: Link, name: str, token: str) -> Player:
        """The player of that name, to whom the token was given. It is not this connection's, whose
        logout does not end it. Raises BadToken, BadName."""
        player = await self._store.player_by_token(digest_of(token))
        if player is None or name_key(player.name) != name_key(read_name(name)):
            raise BadToken
        self.attach(link, player)
        return player

    async def _known_or_new(self, link: Link, name: str, password: str) -> Player:
        name = read_name(name)
        if await self._store.member(name) is None:
            self._check_may_register(link, name)
            password_hash = await self._passwords.hash(link, password, least=1)
            # Unless it came through another connection meanwhile.
            with suppress(NameTaken):
                return await self._add_member(link, name, password_hash)
        return await self._known(link, name, password)

    def _check_may_register(self, link: Link, name: str) -> None:
        if not self._open_registration:
            raise RegistrationClosed
        in_use = self._names.get(name_key(name))
        if in_use is not None and (link.online is None or in_use != link.online.player.id):
            other = self.online.get(in_use)
            if other is None or other.player.kind == "guest":
                raise NameTaken

    async def _add_member(self, link: Link, name: str, password_hash: str) -> Player:
        guest = link.online.player if link.online and link.online.player.kind == "guest" else None
        if guest is not None:
            return await self._store.make_member(guest.id, name, password_hash)
        return await self._store.add_player(
            name,
            "member",
            chips=self.start_balance,
            at_ms=self._clock.now_ms(),
            password_hash=password_hash,
        )

    async def _known(self, link: Link, name: str, password: str) -> Player:
        member = await self._store.member(name)
        known = None if member is None else member.password_hash
        if not await self._passwords.matches(link, password, known) or member is None:
            raise LoginFailed
        return member.player

    async def house_bot(self, name: str) -> Player:
        """The bot of that name, or of one like it where a person has the name; new at first."""
        known = await self._store.player_named(name)
        while known is None or known.kind != "bot":
            try:
                return await self._store.add_player(
                    name, "bot", chips=self.start_balance, at_ms=self._clock.now_ms()
                )
            except NameTaken:
                # A person has the name, or another table asked for the bot at the same time.
                known = await self._store.player_named(name)
                name = name if known is not None and known.kind == "bot" else f"{name} of the house"
        return known

    async def logout(self, link: Link) -> None:
        """The connection is nobody's any more, and its token is worth nothing."""
        await self.end_token(link)
        self.detach(link)

    async def end_token(self, link: Link) -> None:
        """The token that was given to this connection is worth nothing from now on."""
        if link.token_digest is not None:
            await self._store.drop_token(link.token_digest)
            link.token_digest = None

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

    def uses(self, key: str) -> bool:
        """Whether someone who is here, at any node, or kept has the name with this key."""
        return key in self._names

    def name_of(self, player: int) -> str | None:
        """Of someone who is connected or whose seats are kept."""
        online = self.online.get(player)
        return None if online is None else online.player.name

    def kinds_here(self) -> list[PlayerKind]:
        """One for each player who is connected to this node."""
        return [online.player.kind for online in self.online.values() if online.links]

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

    async def _welcome_with_token(self, link: Link, player: Player) -> Welcome:
        token, digest = new_token()
        await self._store.add_token(player.id, digest, self._clock.now_ms())
        return self._welcome(link, player, token, digest)

    def _welcome(self, link: Link, player: Player, token: str, digest: bytes) -> Welcome:
        self.attach(link, player)
        link.token_digest = digest
        return Welcome(player, token)
