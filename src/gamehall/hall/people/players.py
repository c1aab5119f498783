"""Who is here: identity, login, resume; one player may have several connections."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from gamehall.errors import (
    BadName,
    BadToken,
    LoginFailed,
    NameTaken,
    NotBroke,
    RefilledToday,
    RegistrationClosed,
)
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.people.link import Link
from gamehall.hall.people.passwords import Passwords
from gamehall.store.store import Player, Store, name_key

GUEST = "Guest"
NAME_CHARACTERS_MAX = 32
NUMBERED_NAMES_MAX = 10_000
"""Names whose next free number is remembered."""
BROKE_CHIPS = 10_000
"""Who has fewer is nearly broke, and gets new ones, once in a while."""
REFILL_MS = 24 * 3600 * 1000
ABOUT_TO_SIT = 0
"""Stands for a table that is being opened, among those that keep a player busy."""
RECENT_MAX = 64
"""Answers to hall requests that are remembered for each player."""


class Welcome(msgspec.Struct, frozen=True):
    """Who someone is from now on. The token is told once and kept here only as a digest."""

    player: Player
    token: str


class Elsewhere(msgspec.Struct, frozen=True, array_like=True):
    """A player's connections at another node."""

    player: Player
    free: bool
    plays: tuple[str, ...]
    """The games to which it can be challenged, with their usual options."""
    plays_all: bool = False
    """Whether it can be challenged to any game, with any options."""
    playing: bool = False
    """Whether it has a game: it is not only about to sit down."""


class Online:
    """A player who is connected, or who dropped and whose seats are still kept."""

    __slots__ = (
        "alarm",
        "busy",
        "elsewhere",
        "kept_briefly",
        "links",
        "opened",
        "player",
        "recent",
        "said_ms",
        "seated",
    )

    def __init__(self, player: Player) -> None:
        self.player = player
        self.links: list[Link] = []
        """Its connections to this node."""
        self.elsewhere: dict[str, Elsewhere] = {}
        """Those to others, by node."""
        self.seated: dict[int, int] = {}
        """Tables at which it may act, with the seat."""
        self.busy: set[int] = set()
        """Those of them where a game is on or awaited."""
        self.alarm: Alarm | None = None
        """Rings when a dropped player's seats are given up."""
        self.kept_briefly = False
        """Whether its last connection was such that its seats are kept for a short time only."""
        self.opened: set[int] = set()
        """Tables it has opened and may still sit down at."""
        self.recent: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()
        self.said_ms: list[int] = []

    @property
    def here(self) -> bool:
        """Whether it is connected, at whichever node."""
        return bool(self.links or self.elsewhere)

    @property
    def free(self) -> bool:
        return self.here and not self.busy and all(each.free for each in self.elsewhere.values())

    @property
    def challengeable(self) -> bool:
        return self.free and (
            any(link.takes_challenges and not link.gone for link in self.links)
            or any(each.plays for each in self.elsewhere.values())
        )

    @property
    def is_out(self) -> bool:
        """Whether it has gone, or has a game. Who is only about to sit may not come to it."""
        return not self.here or self.playing or any(e.playing for e in self.elsewhere.values())

    @property
    def playing(self) -> bool:
        """Whether it has a game, as far as this node knows by itself."""
        return bool(self.busy - {ABOUT_TO_SIT})

    def can_play(self, game: str, options: Mapping[str, Any]) -> bool:
        """Whether a client here can be challenged to this game, with all of its options named."""
        return any(link.can_play(game, options) for link in self.links)

    def can_answer(self, game: str, options: Mapping[str, Any], *, usual: bool) -> bool:
        """Whether some client, at whichever node, can be challenged to this game. `usual`: whether
        the options are the game's usual ones."""
        return self.can_play(game, options) or any(
            each.plays_all or (usual and game in each.plays) for each in self.elsewhere.values()
        )

    def remember(self, request: str, digest: bytes, answer: Any) -> None:
        self.recent[request] = (digest, answer)
        if len(self.recent) > RECENT_MAX:
            self.recent.popitem(last=False)


def read_name(name: str) -> str:
    """The name, trimmed. Raises BadName."""
    name = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX or not name.isprintable():
        raise BadName
    return name


class Players:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        passwords: Passwords,
        *,
        open_registration: bool,
        start_balance: int,
        grace_seconds: float,
    ) -> None:
        self._store = store
        self._clock = clock
        self._passwords = passwords
        self._open_registration = open_registration
        self.start_balance = start_balance
        """The chips that whoever is new here gets."""
        self._names_kept_until_ms = clock.now_ms() + int(grace_seconds * 1000)
        self.online: dict[int, Online] = {}
        self._names: dict[str, int] = {}
        """Names in use, with the player."""
        self._next_number: dict[str, int] = {}
        self.on_change: Callable[[Online], None] = lambda online: None

    # Identity

    async def hello(self, link: Link, name: str | None, token: str | None) -> Welcome:
        """A guest; or, with a token, the same player again. Raises BadName, BadToken."""
        if token is not None:
            digest = digest_of(token)
            known = await self._store.player_by_token(digest)
            if known is None:
                raise BadToken
            return self._welcome(link, known, token, digest)
        token, digest = new_token()
        wanted = GUEST if name is None else read_name(name)
        player = await self.add_guest(await self.free_name(wanted), digest)
        return self._welcome(link, player, token, digest)

    async def guest(self, link: Link) -> Player:
        """A nameless guest at a door that knows no tokens."""
        player = await self.add_guest(await self.free_name(GUEST))
        self.attach(link, player)
        return player

    async def bearer(self, link: Link, name: str, credential: str) -> Player:
        """The guest who shows this credential, which the door made up; new at its first use."""
        digest = credential_digest(credential)
        player = await self._store.player_by_token(digest)
        if player is None:
            player = await self.add_guest(await self.free_name(read_name(name)), digest)
        self.attach(link, player)
        return player

    async def add_guest(self, name: str, *digests: bytes) -> Player:
        """A new guest with a `free_name`, known by these tokens; whoever was before is not."""
        try:
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
        except BaseException:
            self._names.pop(name_key(name), None)
            raise

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

    async def free_name(self, wanted: str) -> str:
        """The name, with a number behind it if someone has it; in use from now on."""
        name = wanted
        while not await self._take_name(name):
            number = self._next_number.get(name_key(wanted), 2)
            if len(self._next_number) >= NUMBERED_NAMES_MAX:
                self._next_number.clear()
            self._next_number[name_key(wanted)] = number + 1
            name = f"{wanted[: NAME_CHARACTERS_MAX - len(str(number))]}{number}"
        return name

    async def _take_name(self, name: str) -> bool:
        key = name_key(name)
        if key in self._names:
            return False
        # Taken before the store is asked, so that two who come at once get two names.
        self._names[key] = 0
        try:
            free = await self._store.member(name) is None and not await self._is_kept(name)
        except BaseException:
            del self._names[key]
            raise
        if not free:
            del self._names[key]
        return free

    async def _is_kept(self, name: str) -> bool:
        """Whether, after a restart, a guest of that name may still come back to its seats."""
        if self._clock.now_ms() >= self._names_kept_until_ms:
            return False
        known = await self._store.player_named(name)
        return known is not None and bool(await self._store.tables_of(known.id))


def new_token() -> tuple[str, bytes]:
    token = secrets.token_urlsafe(32)
    return token, digest_of(token)


def credential_digest(credential: str) -> bytes:
    """Of what a door makes up to know someone by: no token that a client can send has it."""
    return hashlib.sha256(b"\xff" + credential.encode()).digest()


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
