"""Who is at which table: kept up with every beat, through drops, returns and restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Protocol

import structlog

from gamehall.errors import HallError, Unavailable
from gamehall.games.game import Game, Options
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Told, unheard
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import PlayerBack, PlayerDropped, Seated, TableView
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.people.views import view_for, view_of
from gamehall.hall.seats.out_of_reach import OutOfReach
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store
from gamehall.table_log import house

log = structlog.get_logger(__name__)

TABLES_MAX = 64
"""Tables, the newest, at which someone who comes back is found."""

_CONCERNS_ALL = (
    house.Opened,
    house.SeatsDrawn,
    house.Started,
    house.RoundEnded,
    house.RoundVoided,
    house.Closed,
)
"""What changes the seat of everyone at a table, or whether it keeps them busy."""


class HouseBots(Protocol):
    """The bots that this hall can seat."""

    def levels(self, game: str) -> Sequence[str]:
        """From the weakest to the strongest, at a table with the usual options."""

    def usual(self, game: str) -> str:
        """The level of a bot that nobody has chosen one for."""

    def check(self, level: str, game: str, options: Options | None = None) -> None:
        """Raises NoSuchBot if none of this level plays at a table with these options; None are the
        usual ones."""

    async def person(self, level: str, number: int) -> house.Person:
        """The player that the first, second, … bot of this level at a table is."""

    def attend(self, table: int, person: house.Person) -> None:
        """Someone has to play for this seat from now on; may be called again."""


@dataclass(eq=False, repr=False)
class Attendance:
    _tables: Tables
    _players: Players
    _audiences: Audiences
    _store: Store
    _clock: Clock
    _bots: HouseBots
    _: KW_ONLY
    grace_seconds: float
    drop_seconds: float
    outlives_nodes: bool
    """Whether tables come here from nodes that are gone, with people who may be too."""
    on_seated: Callable[[Online, int, int], None]
    """Hears of a player who gets a seat and is connected to another node, of the table, and of the
    row that was told before."""

    def __post_init__(self) -> None:
        self.out_of_reach = OutOfReach(self._tables, self._players, self._store)
        self._deserted: set[int] = set()
        """Tables that were loaded, and to which nobody has come back yet."""
        self._unknown: dict[int, set[int]] = {}
        """By player whom no node has told of yet: the tables in memory where it has a seat."""
        self._returning: set[Link] = set()
        """Connections that are told of their seats by their door, as soon as all are found."""

    # What a beat means for who is here

    def told(self, told: Told) -> None:
        """Keeps up who sits where, and shows the table to those who need to see it anew."""
        table = self._tables.loaded(told.table)
        if told.walk_in or (table is not None and not table.kind.game.binding):
            return  # Nobody is bound to a seat there, and whoever watches follows the events.
        if any(isinstance(event, _CONCERNS_ALL) for event in told.events):
            seats = told.seat_of.items()
        else:
            came = (event for event in told.events if isinstance(event, house.Seated))
            seats = {event.person.player: event.seat for event in came}.items()
        for player, seat in seats:
            online = self._players.online.get(player)
            if online is None:
                self._unknown.setdefault(player, set()).add(told.table)
                continue
            self._follow(online, told.table, seat, told.status)
            if online.elsewhere and told.status != "closed":
                self.on_seated(online, told.table, told.after)
        for player, *_ in told.left:
            if player not in told.seat_of:
                self._unfollow(player, told.table)
        if told.status == "closed":
            self._deserted.discard(told.table)
            for player in told.seat_of:
                self._unfollow(player, told.table)
        if table is None:
            return
        if not table.state.reserved or told.status == "closed":
            for person in table.state.opened.reserved:
                opener = self._players.online.get(person.player)
                if opener is not None:
                    opener.opened.discard(told.table)
        starts = any(isinstance(event, house.Started) for event in told.events)
        for event in told.events:
            if isinstance(event, house.Seated) and event.person.player in told.seat_of:
                self._show_seat(table, event.person, starts)
        if starts:
            self._show_start(table)
            self._note_absent(table)
        if told.left and table.owned:
            self._close_if_deserted(table)

    def _close_if_deserted(self, table: KnownTable) -> None:
        """A table whose rounds begin empty waits for people; one that is not the hall's own must
        not wait for ever."""
        state = table.state
        people = (seat for seat in state.seat_of.values() if state.chairs[seat].bot is None)
        waits = state.game is not None and state.closed is None
        if waits and table.id not in self._tables.of_the_house and next(people, None) is None:
            self._tables.put(Ask(table.id, None, house.Close("empty"), unheard))

    def _follow(self, online: Online, table: int, seat: int, status: str) -> None:
        was_free, is_new = online.free, table not in online.seated
        online.seated[table] = seat
        online.out_of_reach.discard(table)
        if status in ("waiting", "playing"):
            online.busy.add(table)
        else:
            online.busy.discard(table)
        if is_new or online.free != was_free:
            self._players.on_change(online)

    def _unfollow(self, player: int, table: int) -> None:
        self._forget_unknown(player, table)
        online = self._players.online.get(player)
        if online is None:
            return
        online.seated.pop(table, None)
        online.out_of_reach.discard(table)
        online.busy.discard(table)
        if not online.here and not online.seated:
            self._players.forget(online)
        self._players.on_change(online)

    def let_go(self, table: KnownTable) -> None:
        """This node will not hear of it any more: what people elsewhere do there is unknown."""
        for player in tuple(table.state.seat_of):
            self._forget_unknown(player, table.id)
            online = self._players.online.get(player)
            if online is None or online.links or table.id not in online.seated:
                continue
            if online.elsewhere or not table.owned:
                self._unfollow(player, table.id)

    def _forget_unknown(self, player: int, table: int) -> None:
        tables = self._unknown.get(player)
        if tables is not None:
            tables.discard(table)
            if not tables:
                del self._unknown[player]

    def _show_start(self, table: KnownTable) -> None:
        now_ms = self._clock.now_ms()
        watching = self._audiences.watching(table.id)
        for link, seat in list(self._audiences.listeners(table.id)):
            if seat is not None:
                link.tell(Seated(table.id, table.kind.game.name, seat))
            if link.wants_views:
                link.tell(view_of(table, seat, self._players, now_ms, watching))

    def _show_seat(self, table: KnownTable, person: house.Person, starts: bool) -> None:
        if person.bot is not None:
            if table.owned:
                self._bots.attend(table.id, person)
            return
        online = self._players.online.get(person.player)
        if online is None or not online.here:
            # Gone before the seat was written, so nobody has noted it or set an alarm for it.
            self._note_presence(person.player, table, here=False)
            self._leave_later(person.player, table)
        elif not starts:
            self.show(online, table.id)

    def show(self, online: Online, id: int) -> None:
        """Shows a player who has a seat there how the table stands."""
        table = self._tables.loaded(id)
        for link, view in () if table is None else self._views(online.links, table):
            link.tell(view)

    def _views(self, links: Iterable[Link], table: KnownTable) -> list[tuple[Link, TableView]]:
        now_ms, watching = self._clock.now_ms(), self._audiences.watching(table.id)
        return [
            (link, view_for(table, link.online, self._players, now_ms, watching))
            for link in links
            if link.wants_views
        ]

    # Dropping and coming back

    async def come_back(self, online: Online, link: Link) -> None:
        """Finds the seats of a player whose connection this has just become."""
        self._returning.add(link)
        try:
            # The newest: older ones beyond that are over, and close by themselves.
            for table in (await self._store.tables_of(online.player.id))[-TABLES_MAX:]:
                if table not in online.seated:
                    await self.find_seat(online, table)
        finally:
            self._returning.discard(link)
        self.returned(online)

    async def find_seat(self, online: Online, table: int) -> None:
        """Finds a seat that the player has there, as the store says. Raises Unavailable."""
        binds = False
        try:
            self._know(await self._tables.load(table))
        except HallError as error:
            if isinstance(error, Unavailable):
                if not self.outlives_nodes:
                    raise
                binds = await self.out_of_reach.binds(table)
            # A game that is not here any more keeps nobody out of the hall, nor does a table whose
            # node is out of reach: it is looked for again.
            log.warning("seat_out_of_reach", table=table, code=error.code)
        self.out_of_reach.mark(online, table, binds=binds)

    def table_loaded(self, table: KnownTable) -> None:
        """A table is in memory again."""
        for found, seat in self._know(table):
            self._show_found(table, found, seat)
        if not table.owned:
            return
        if type(table.kind.game).presence is not Game.presence:
            if self._is_anyone_here(table):
                # Others may have been lost with the node that owned it.
                self._note_absent(table)
            else:
                self._deserted.add(table.id)
        if self.outlives_nodes and table.kind.game.binding:
            for player, seat in () if table.state.walk_in else table.state.seat_of.items():
                online = self._players.online.get(player)
                if table.state.chairs[seat].bot is None and (online is None or not online.here):
                    self._leave_later(player, table)

    def _is_anyone_here(self, table: KnownTable) -> bool:
        known = (self._players.online.get(player) for player in table.state.seat_of)
        people = (each for each in known if each is not None and each.player.kind != "bot")
        return any(online.here for online in people)

    def _show_found(self, table: KnownTable, online: Online, seat: int) -> None:
        """Someone here got a seat at another node, whose message was lost, maybe with the node."""
        unaware = [link for link in online.links if link not in self._returning]
        if table.state.status == "playing":
            for link in unaware:
                link.tell(Seated(table.id, table.kind.game.name, seat))
        for link, view in self._views(unaware, table):
            link.show_late(view)

    def _know(self, table: KnownTable) -> list[tuple[Online, int]]:
        """Its people and bots are known here from now on. Returns whose seats were not."""
        new: list[tuple[Online, int]] = []
        state = table.state
        audience = self._audiences.of(table.id)
        audience.seat_of = state.seat_of
        audience.walk_in = state.walk_in
        if not table.kind.game.binding or state.closed is not None:
            return new
        for player, seat in () if state.walk_in else state.seat_of.items():
            online = self._players.online.get(player)
            if online is None:
                self._unknown.setdefault(player, set()).add(table.id)
                continue
            if table.id not in online.seated:
                new.append((online, seat))
            self._follow(online, table.id, seat, state.status)
        for person in state.chairs.values():
            if person.bot is not None and table.owned:
                self._bots.attend(table.id, person)
        return new

    def returned(self, online: Online) -> None:
        """Tells the others at its tables, if this is its only connection."""
        if not online.here:
            return  # Gone again, while its seats were found.
        for id in self._unknown.pop(online.player.id, ()):
            known = self._tables.loaded(id)
            state = None if known is None else known.state
            if state is not None and online.player.id in state.seat_of:
                self._follow(online, id, state.seat_of[online.player.id], state.status)
        if online.alarm is not None:
            online.alarm.cancel()
            online.alarm = None
        if not online.links:
            # Its seats were kept here, also at tables of which this node does not hear any more.
            for table in [each for each in online.seated if not self._tables.is_known(each)]:
                self._unfollow(online.player.id, table)
        if len(online.links) + len(online.elsewhere) > 1:
            return
        for table in online.seated:
            found = self._tables.loaded(table)
            self._note_presence(online.player.id, found, here=True)
            if found is not None and found.owned and table in self._deserted:
                # The first who is back need not wait for the others; while nobody was, all were.
                self._deserted.discard(table)
                self._note_absent(found)
            if self._audiences.is_crowd(table):
                continue  # One of thousands, who all together would keep the hall busy.
            notice = PlayerBack(table, online.player.id, online.player.name)
            for link, _ in list(self._audiences.listeners(table)):
                if link.online is not online:
                    link.tell(notice)

    def dropped(self, online: Online) -> None:
        """The last connection of a player is gone: its seats are kept for the grace time, or for a
        shorter one."""
        if not online.seated:
            return
        seconds = self.drop_seconds if online.kept_briefly else self.grace_seconds
        for table in online.seated:
            player = online.player
            self._note_presence(player.id, self._tables.loaded(table), here=False)
            if self._audiences.is_crowd(table):
                continue
            notice = PlayerDropped(table, player.id, player.name, seconds)
            self._audiences.tell(table, notice)
        due_ms = self._clock.now_ms() + int(seconds * 1000)
        online.alarm = self._clock.call_at(due_ms, lambda: self._give_up(online))

    def _note_presence(self, player: int, table: KnownTable | None, *, here: bool) -> None:
        if table is None or not table.owned:
            return  # Its owner notes it.
        if type(table.kind.game).presence is not Game.presence:
            self._tables.put(Ask(table.id, player, house.Presence(here), unheard))

    def _note_absent(self, table: KnownTable) -> None:
        """Notes are those of one round: the next is told anew who is away."""
        if type(table.kind.game).presence is Game.presence:
            return
        for player in table.state.seat_of:
            online = self._players.online.get(player)
            if online is None or not online.here:
                self._note_presence(player, table, here=False)

    def _give_up(self, online: Online) -> None:
        online.alarm = None
        for table in tuple(online.seated):
            found = self._tables.loaded(table)
            if found is None or found.owned:  # Else its owner has the same alarm.
                self.leave_for(online.player.id, table)

    def leave_for(self, player: int, table: int) -> None:
        """Gives up the seat of someone who did not come back, as soon as it can be written."""
        leave = Ask(table, player, house.Leave("dropped"), unheard)
        self._tables.insist(leave, lambda: self._is_gone(player))

    def _leave_later(self, player: int, table: KnownTable) -> None:
        if table.owned:
            due_ms = self._clock.now_ms() + int(self.grace_seconds * 1000)
            self._clock.call_at(due_ms, lambda: self._leave_if_gone(player, table.id))

    def _leave_if_gone(self, player: int, table: int) -> None:
        if self._is_gone(player):
            self.leave_for(player, table)

    def _is_gone(self, player: int) -> bool:
        online = self._players.online.get(player)
        return online is None or (not online.here and online.alarm is None)
