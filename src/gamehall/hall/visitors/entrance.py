"""How people come in, by any door: every way to say who they are, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass

import msgspec

from gamehall.errors import (
    BadToken,
    LoginFailed,
    NameTaken,
    NotAllowed,
    NotBroke,
    RefilledToday,
    RegistrationClosed,
)
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Arbiter, CommonTurns
from gamehall.hall.people.credentials import credential_digest, digest_of, new_token, read_name
from gamehall.hall.people.guests import Arrival, Guests
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.online import Online
from gamehall.hall.people.passwords import Passwords
from gamehall.hall.people.players import Players
from gamehall.hall.seats.attendance import Attendance
from gamehall.hall.seats.stakes import Stakes
from gamehall.store.people import Player, PlayerKind, name_key
from gamehall.store.store import Store

LOGINS_MAX = 8
"""Logins with one credential that are answered one after the other; more are refused."""
ALIVE_SECONDS = 2.0
"""How long a connection has to show that it is alive when its player comes through another."""


class Login(msgspec.Struct, frozen=True):
    player: Player
    elsewhere: bool
    """Whether the player is connected already, so that nobody was logged in."""


class Welcome(msgspec.Struct, frozen=True):
    """Who someone is from now on. The token is told once and kept here only as a digest."""

    player: Player
    token: str


@dataclass(eq=False, repr=False)
class Entrance:
    _store: Store
    _clock: Clock
    _players: Players
    _guests: Guests
    _passwords: Passwords
    _attendance: Attendance
    _stakes: Stakes
    _hung_up: HungUp
    _arbiter: Arbiter
    _: KW_ONLY
    open_registration: bool
    stop_following: Callable[[Link], None]
    """Takes a link out of everything that it watches."""
    tell_presence: Callable[[], None]
    """Tells the other nodes of people whom they may not know yet."""

    def __post_init__(self) -> None:
        self._logins = CommonTurns(self._arbiter, "practice", LOGINS_MAX)

    # Members, and whoever has a token

    async def hello(self, link: Link, name: str | None, token: str | None) -> Welcome:
        """A guest; or, with a token, the same player again. Raises BadName, BadToken."""
        if token is None:
            token, digest = new_token()
            guest = (await self._guests.come(name, digest)).player
            return Welcome(await self._enter(link, guest, digest, at_once=True), token)
        digest = digest_of(token)
        known = await self._store.player_by_token(digest)
        if known is None:
            raise BadToken
        return Welcome(await self._enter(link, known, digest), token)

    async def register(self, link: Link, name: str, password: str) -> Welcome:
        """A member of that name; who was a guest keeps seats and chips.

        Sent again with the same password, it is a login. Raises NameTaken, BadPassword …
        """
        name = read_name(name)
        self._check_may_register(link, name)
        if await self._store.member(name) is None:
            player = await self._add_member(link, name, await self._passwords.hash(link, password))
        else:
            try:
                player = await self._known(link, name, password)
            except LoginFailed as failed:
                # With its cause: guessing a password this way counts as a failed login too.
                raise NameTaken from failed
        return await self._enter_with_token(link, player)

    async def login(self, link: Link, name: str, password: str) -> Welcome:
        """The member of that name. Raises LoginFailed."""
        return await self._enter_with_token(link, await self._known(link, name, password))

    async def enter(self, link: Link, name: str, password: str) -> Player:
        """Login at a door that knows no tokens: a name that nobody has is registered.

        Raises:
            LoginFailed: the password is another.
            NameTaken, RegistrationClosed, BadName, BadPassword: it cannot be registered.
        """
        return await self._enter(link, await self._known_or_new(link, name, password))

    async def enter_for_token(self, link: Link, name: str, password: str) -> Welcome:
        """As `enter`, with a token for `enter_by_token`."""
        player = await self._known_or_new(link, name, password)
        return await self._enter_with_token(link, player)

    async def enter_by_token(self, link: Link, name: str, token: str) -> Player:
        """The player of that name, to whom the token was given. It is not this connection's, whose
        logout does not end it. Raises BadToken, BadName."""
        player = await self._store.player_by_token(digest_of(token))
        if player is None or name_key(player.name) != name_key(read_name(name)):
            raise BadToken
        return await self._enter(link, player)

    async def _known(self, link: Link, name: str, password: str) -> Player:
        member = await self._store.member(name)
        known = None if member is None else member.password_hash
        if not await self._passwords.matches(link, password, known) or member is None:
            raise LoginFailed
        return member.player

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
        if not self.open_registration:
            raise RegistrationClosed
        in_use = self._players.named(name_key(name))
        if in_use is not None and (link.online is None or in_use != link.online.player.id):
            other = self._players.online.get(in_use)
            if other is None or other.player.kind == "guest":
                raise NameTaken

    async def _add_member(self, link: Link, name: str, password_hash: str) -> Player:
        guest = link.online.player if link.online and link.online.player.kind == "guest" else None
        if guest is not None:
            return await self._store.make_member(guest.id, name, password_hash)
        return await self._players.add(name, "member", password_hash=password_hash)

    async def _enter_with_token(self, link: Link, player: Player) -> Welcome:
        token, digest = new_token()
        await self._store.add_token(player.id, digest, self._clock.now_ms())
        return Welcome(await self._enter(link, player, digest), token)

    # Guests at doors that know no tokens

    async def guest(self, link: Link) -> Player:
        """A guest without a name, whom nobody will know again."""
        return (await self._come(link, None)).player

    async def named_guest(self, link: Link, door: str, name: str) -> Arrival:
        """A guest of that name; one who dropped at this door is taken back (`Guests.come`)."""
        place = f"guest|{door}|{link.address}"
        arrival = await self._come(link, name, place=place)
        if not arrival.back or link.online is None:
            return arrival
        try:
            seated = await self._guests.is_seated(arrival.player)
        except BaseException:
            # Nobody yet, so that the same name can be sent again.
            self._detach(link)
            raise
        if not seated:
            # Its last seat was given up after the lead had decided: it is new like anyone else.
            self._detach(link)
            arrival = await self._come(link, name, place=place)
        return arrival

    async def bearer(self, link: Link, name: str, credential: str) -> Player:
        """The guest who shows this credential, which the door made up; new at its first use."""
        known = await self._guests.known(credential)
        if known is None:
            return (await self._come(link, name, credential_digest(credential))).player
        return await self._enter(link, known)

    async def only_bearer(self, link: Link, name: str, credential: str) -> Login:
        """As `bearer`, unless another live connection, at whichever node, is that guest's."""
        async with self._logins.of(credential):
            known = await self._guests.known(credential)
            if known and not await self._hung_up.everywhere(known.id, ALIVE_SECONDS):
                return Login(known, elsewhere=True)
            return Login(await self.bearer(link, name, credential), elsewhere=False)

    async def _come(
        self, link: Link, name: str | None, digest: bytes = b"", place: str = ""
    ) -> Arrival:
        arrival = await self._guests.come(name, digest, place)
        await self._enter(link, arrival.player, at_once=True)
        return arrival

    # Coming in, and going

    async def _enter(
        self, link: Link, player: Player, digest: bytes | None = None, *, at_once: bool = False
    ) -> Player:
        """The link speaks for this player from now on. `digest`: of the token that it has shown or
        was given. `at_once`: whether the lead waits to hear of it."""
        before = link.online
        online = self._players.attach(link, player)
        if digest is not None:
            link.token_digest = digest
        if at_once:
            self.tell_presence()
        if before is not None and before is not online:
            # It was someone else until now, who may have no other connection.
            self.stop_following(link)
            self._maybe_dropped(before)
        try:
            await self._attendance.come_back(online, link)
        except BaseException:
            # Nobody yet, so that the same hello can be sent again.
            self._detach(link)
            raise
        return player

    async def logout(self, link: Link) -> None:
        """The connection is nobody's any more, and its token is worth nothing."""
        self.stop_following(link)
        await self.end_token(link)
        self._detach(link)

    async def end_token(self, link: Link) -> None:
        """The token that was given to this connection is worth nothing from now on."""
        if link.token_digest is not None:
            await self._store.drop_token(link.token_digest)
            link.token_digest = None

    def disconnected(self, link: Link) -> None:
        """The connection has ended by itself."""
        self.stop_following(link)
        self._detach(link)

    def _detach(self, link: Link) -> None:
        online = link.online
        self._players.detach(link)
        self._maybe_dropped(online)

    def _maybe_dropped(self, online: Online | None) -> None:
        if online is not None and not online.here and online.alarm is None:
            self._attendance.dropped(online)

    # Who is here

    def name_of(self, player: int) -> str | None:
        """Of someone who is connected or whose seats are kept."""
        online = self._players.online.get(player)
        return None if online is None else online.player.name

    def kinds_here(self) -> list[PlayerKind]:
        """One for each player who is connected to this node."""
        return [online.player.kind for online in self._players.online.values() if online.links]

    @property
    def in_memory(self) -> int:
        """How many are connected to any node, or have seats that are kept."""
        return len(self._players.online)

    async def refill(self, online: Online) -> int:
        """The balance of a player who is nearly broke, filled up. Raises NotBroke, RefilledToday"""
        return await self._stakes.refill(online)

    async def deposit(self, online: Online) -> int:
        """`refill`, for clients that know nothing of its rule. Raises NotAllowed."""
        try:
            return await self.refill(online)
        except (NotBroke, RefilledToday) as error:
            raise NotAllowed(str(error)) from None
