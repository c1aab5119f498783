"""How people come in, by any door: every way to say who they are, and what follows from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from gamehall.errors import NotAllowed, NotBroke, RefilledToday
from gamehall.hall.people.guests import Arrival, Guests
from gamehall.hall.people.link import Link
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players, Welcome
from gamehall.hall.seats.attendance import Attendance
from gamehall.hall.seats.stakes import Stakes
from gamehall.store.people import Player, PlayerKind

T = TypeVar("T")


class Entrance:
    def __init__(
        self,
        *,
        players: Players,
        guests: Guests,
        attendance: Attendance,
        stakes: Stakes,
        stop_following: Callable[[Link], None],
    ) -> None:
        """`stop_following` takes a link out of everything that it watches."""
        self._players = players
        self._guests = guests
        self._attendance = attendance
        self._stakes = stakes
        self._stop_following = stop_following

    async def hello(self, link: Link, name: str | None, token: str | None) -> Welcome:
        """A guest; or, with a token, the same player again. Raises BadName, BadToken."""
        return await self._enter(
            link,
            (
                self._guests.hello(link, name)
                if token is None
                else self._players.resume(link, token)
            ),
        )

    async def register(self, link: Link, name: str, password: str) -> Welcome:
        return await self._enter(link, self._players.register(link, name, password))

    async def login(self, link: Link, name: str, password: str) -> Welcome:
        return await self._enter(link, self._players.login(link, name, password))

    async def enter(self, link: Link, name: str, password: str) -> Player:
        """The member of that name; a name that nobody has is registered."""
        return await self._enter(link, self._players.enter(link, name, password))

    async def enter_for_token(self, link: Link, name: str, password: str) -> Welcome:
        """As `enter`, with a token for `enter_by_token`."""
        return await self._enter(link, self._players.enter_for_token(link, name, password))

    async def enter_by_token(self, link: Link, name: str, token: str) -> Player:
        """The player of that name, who shows a token in place of the password."""
        return await self._enter(link, self._players.enter_by_token(link, name, token))

    async def guest(self, link: Link) -> Player:
        """A nameless guest at a door that knows no tokens."""
        return await self._enter(link, self._guests.nameless(link))

    async def named_guest(self, link: Link, door: str, name: str) -> Arrival:
        """A guest at a door that knows no tokens; one who dropped there is taken back."""
        return await self._enter(link, self._guests.arrive(link, door, name))

    async def bearer(self, link: Link, name: str, credential: str) -> Player:
        """The guest who shows this credential: the same whenever it is shown."""
        return await self._enter(link, self._guests.bearer(link, name, credential))

    async def refill(self, online: Online) -> int:
        """The balance of a player who is nearly broke, filled up. Raises NotBroke, RefilledToday"""
        at_stake = await self._stakes.of(online.player.id)
        return await self._players.refill(online, at_stake)

    async def deposit(self, online: Online) -> int:
        """`refill`, for clients that know nothing of its rule. Raises NotAllowed."""
        try:
            return await self.refill(online)
        except (NotBroke, RefilledToday) as error:
            raise NotAllowed(str(error)) from None

    async def logout(self, link: Link) -> None:
        online = link.online
        self._stop_following(link)
        await self._players.logout(link)
        self._maybe_dropped(online)

    async def end_token(self, link: Link) -> None:
        await self._players.end_token(link)

    def name_of(self, player: int) -> str | None:
        return self._players.name_of(player)

    def kinds_here(self) -> list[PlayerKind]:
        """Of everyone who is connected to this node."""
        return self._players.kinds_here()

    def disconnected(self, link: Link) -> None:
        """The connection has ended by itself."""
        self._stop_following(link)
        self._detach(link)

    async def _enter(self, link: Link, entering: Awaitable[T]) -> T:
        before = link.online
        welcome = await entering
        if before is not None and before is not link.online:
            # It was someone else until now, who may have no other connection.
            self._stop_following(link)
            self._maybe_dropped(before)
        if link.online is not None:
            try:
                await self._attendance.come_back(link.online)
            except BaseException:
                # Nobody yet, so that the same hello can be sent again.
                self._detach(link)
                raise
        return welcome

    def _detach(self, link: Link) -> None:
        online = link.online
        self._players.detach(link)
        self._maybe_dropped(online)

    def _maybe_dropped(self, online: Online | None) -> None:
        if online is not None and not online.here and online.alarm is None:
            self._attendance.dropped(online)
