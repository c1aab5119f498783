"""A client of the `mario` door among zones and rooms: where it is, and what it hears there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from gamehall.errors import HallError, NoSuchGame, NoSuchTable
from gamehall.games.sicbo import CHIPS
from gamehall.games.sicbo_events import BetPlaced, Settled
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Told
from gamehall.hall.hall import Hall
from gamehall.hall.people.notices import Notice
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.shell import Channel
from gamehall.wire.sicbo import messages as m
from gamehall.wire.sicbo.dialect import GAME, Croupier
from gamehall.wire.sicbo.mario_messages import Denied, Failure, plugin_says, table_id
from gamehall.wire.sicbo.zones import LOBBY, Zone, zones_of

T = TypeVar("T")

OTHER_TONGUES = frozenset({GAME, LOBBY.game})
"""Those in whose zones nothing native is said."""


class RoomCroupier(Croupier):
    """Sic Bo in rooms, the RFC as clients of the framework know it: wrapped, with more fields."""

    door = "mario"
    datas = m.RoomDatas

    def __init__(self, hall: Hall) -> None:
        super().__init__(hall)
        self.zones = zones_of(hall.games.values())

    def wrap(self, message: m.Message) -> bytes:
        if message.action == "new_round":
            message = m.Message(message.action)
        return plugin_says(super().wrap(message))

    def accepted(self, round: int, bet: BetPlaced) -> m.Message:
        return m.Message("bet_accepted", payload=m.accepted_in_room(round, bet))

    def payouts(self, round: int, settled: Settled) -> Iterable[m.Message]:
        for payouts in settled.payouts.values():
            yield m.paid_out(round, "", sum([paid.chips for paid in payouts]))

    def user_info(self, balance: int, table: int) -> m.Message:
        return msgspec.structs.replace(super().user_info(balance, table), chip_set=CHIPS)


class ZoneLink(NativeLink):
    """In a room is whoever watches its table or sits there."""

    __slots__ = ("_keeps_one_room", "croupier", "games", "zones_table")

    def __init__(self, croupier: RoomCroupier, channel: Channel) -> None:
        super().__init__(croupier.hall, channel)
        self.form = croupier.door
        self.frame = lambda payload: channel.frame(plugin_says(payload))
        self.croupier = croupier
        self.games: set[str] = set()
        """Those into whose zones it is logged in: with the lobby's, which is none."""
        self._keeps_one_room = False
        """Whether it takes all that is said of Sic Bo for the room that it joined last."""
        self.zones_table: int | None = None
        """That room, where messages to the zone of Sic Bo are played; None is the default one."""

    @property
    def takes_challenges(self) -> bool:
        return bool(self.games - OTHER_TONGUES)

    def can_play(self, game: str, options: Mapping[str, Any]) -> bool:
        return game != GAME and game in self.games

    # Where it is

    def zone_named(self, name: str) -> Zone:
        """Raises Denied."""
        zone = self.croupier.zones.get(name)
        if zone is None:
            raise Denied(Failure.NO_SUCH_ZONE, f"There is no zone {name[:64]!r}.")
        return zone

    def own_zone(self, name: str) -> Zone:
        """The zone of that name, into which it is logged in. Raises Denied."""
        zone = self.zone_named(name)
        if zone.game not in self.games:
            raise Denied(Failure.NOT_LOGGED_IN, "Log into this zone first.")
        return zone

    def is_in(self, table: int) -> bool:
        """Whether it is in that room. It has to be logged in."""
        return table in (self.watching or ()) or table in self.me.seated

    def game_at(self, table: int) -> str | None:
        found = self.hall.reading.loaded(table)
        return None if found is None else found.kind.game.name

    async def table_in(self, zone: Zone | None, room: msgspec.Raw) -> KnownTable:
        """The table that the room of that number is, in that zone or in any of its own. Raises
        Denied."""
        if zone is None and not self.games:
            raise Denied(Failure.NOT_LOGGED_IN, "Log into the room's zone first.")
        games = self.games if zone is None else {zone.game}
        id = table_id(room)
        try:
            table = None if id is None else await self.hall.reading.load(id)
        except (NoSuchTable, NoSuchGame):
            table = None
        if table is None or table.kind.game.name not in games:
            raise no_such_room()
        return table

    # Coming and going

    async def enter(
        self, zone: Zone, arrive: Callable[[], Awaitable[T]], *, keeps_one_room: bool = False
    ) -> T:
        """It becomes whoever arrives: in that zone and, for Sic Bo, in its default room."""
        house = await self.croupier.house_table() if zone.game == GAME else None
        before = self.online
        try:
            arrival = await arrive()
        finally:
            if self.online is not before:
                # Whoever it was before has left all zones.
                self.games.clear()
                self._keeps_one_room, self.zones_table = False, None
        self.channel.hello_done()
        if house is not None:
            try:
                # It is in the zone only then: nothing is told before the login is answered.
                await self.hall.seating.watch(self, house, None)
            except HallError:
                self.games.discard(zone.game)
                raise
            self._keeps_one_room, self.zones_table = keeps_one_room, None
            self.moved_to(house)
        self.games.add(zone.game)
        return arrival

    def moved_to(self, table: int) -> None:
        """It has joined that room of Sic Bo: if it keeps only one, it leaves those before."""
        if not self._keeps_one_room:
            return
        self._unwatch_all(GAME, but=table)
        self.zones_table = None if table == self.croupier.house else table

    def moved_out_of(self, table: int) -> None:
        """It leaves that room. Messages to the zone of Sic Bo are for the default one again."""
        self.hall.seating.unwatch(self, table)
        if table == self.zones_table:
            self.zones_table = None

    def _unwatch_all(self, game: str, but: int | None = None) -> None:
        for table in tuple(self.watching or ()):
            if table != but and self.game_at(table) == game:
                self.hall.seating.unwatch(self, table)

    async def rooms_on_arrival(self, zone: Zone) -> list[int]:
        """The default room; in zones without one, wherever it sits."""
        if zone.game == GAME:
            return [await self.croupier.house_table()]
        seated = () if self.online is None else self.online.seated
        return [table for table in seated if self.game_at(table) == zone.game]

    async def leave_zone(self, zone: Zone) -> None:
        """With the last one, it is nobody any more; with the lobby its token ends."""
        if zone is LOBBY:
            await self.hall.people.end_token(self)
        self._unwatch_all(zone.game)
        self.games.discard(zone.game)
        if not self.games:
            await self.hall.people.logout(self)

    # What it hears

    def tell(self, notice: Notice) -> None:
        table = getattr(notice, "table", None)
        game = getattr(notice, "game", None) if table is None else self.game_at(table)
        # The RFC has no notices; and of a game whose zone it is not in, it need not hear.
        heard = self.games if game is None else self.games & {game}
        if heard - OTHER_TONGUES:
            super().tell(notice)

    def tell_table(self, told: Told, seat: int | None) -> None:
        game = self.game_at(told.table)
        if game not in self.games:
            return
        if game != GAME:
            super().tell_table(told, seat)
        elif self._keeps_one_room and told.table != (self.zones_table or self.croupier.house):
            return  # A payout elsewhere, which it would take for one in its room.
        elif not self.croupier.tell(self, told):
            self._stale = (self._stale or set()) | {told.table}

    async def _send_fresh_view(self, table: int) -> None:
        if self.game_at(table) == GAME:
            self.croupier.bring_up_to_date(self, table)
        else:
            await super()._send_fresh_view(table)


def no_such_room() -> Denied:
    return Denied(Failure.NO_SUCH_ROOM, "There is no such room in this zone.")
