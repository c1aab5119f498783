"""Sit, watch, leave, come back: what people do around the game itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from gamehall.errors import (
    HallError,
    NotSeated,
    RateLimited,
    TableFull,
    TooMany,
    WrongKey,
)
from gamehall.games.game import Command
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done, Reply, Told
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Said, TableView
from gamehall.hall.people.online import ABOUT_TO_SIT, Online
from gamehall.hall.people.players import Players
from gamehall.hall.people.views import view_for
from gamehall.hall.seats.new_tables import TABLES_MAX, person_of
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import Request
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

log = structlog.get_logger(__name__)

SAY_MAX, SAY_WINDOW_MS = 5, 10_000
"""Lines of chat that a player may say in a time."""


@dataclass(eq=False, repr=False)
class Seating:
    _tables: Tables
    _players: Players
    _audiences: Audiences
    _clock: Clock
    _draw_key: DrawKey

    async def void(self, table: int, reason: str) -> Done:
        """Calls the running round off; every stake goes back. Raises NoSuchTable, RoundOver …"""
        done = Awaited[Done]()
        self._tables.put(Ask(table, None, house.Void(reason), done))
        return await done

    # Sitting, leaving, acting

    def act(
        self, online: Online, table: int, command: Command, request: Request | None, reply: Reply
    ) -> None:
        """Brings a player's command to the table. Raises WrongKey."""
        found = self._tables.loaded(table)
        if found is not None:
            self.act_at(found, online, command, request, reply)
        else:
            person = person_of(online)
            self._tables.put(Ask(table, online.player.id, command, reply, request, person))

    def act_at(
        self,
        table: KnownTable,
        online: Online,
        command: Command,
        request: Request | None,
        reply: Reply,
    ) -> None:
        """As `act`, at a table that is in memory."""
        person: house.Person | None = None
        if table.state.walk_in:
            person = person_of(online)
            if table.state.opened.private:
                self._check_came_in(online, table.id, table.state)
        table.put(Ask(table.id, online.player.id, command, reply, request, person))

    def act_as(self, person: house.Person, table: int, command: Command, reply: Reply) -> None:
        """Brings the command of a bot of the house to the table."""
        self._tables.put(Ask(table, person.player, command, reply, person=person))

    def _check_came_in(self, online: Online, table: int, state: TableState) -> None:
        """Where people walk in, a private table's key is shown when one begins to watch."""
        watches = any(table in (link.watching or ()) for link in online.links)
        if not watches and online.player.id not in state.seat_of:
            raise WrongKey

    def leave(
        self, link: Link, online: Online, table: int, request: Request | None, reply: Reply
    ) -> None:
        """Gives up the seat; where people walk in, only stops watching."""
        found = self._tables.loaded(table)
        if found is not None and found.state.walk_in:
            self._audiences.unwatch(link, table)
            reply(Done(table, found.head, None))
            return
        (found or self._tables).put(Ask(table, online.player.id, house.Leave(), reply, request))

    def leave_all(self, link: Link, online: Online, done: Callable[[], None]) -> None:
        """Gives up every seat that it has or is about to get; `done` is called in the end."""
        tables = online.seated.keys() | online.busy - {ABOUT_TO_SIT}
        left = 0

        def reply(_: Done | HallError) -> None:
            nonlocal left
            left += 1
            if left == len(tables):
                done()

        if not tables:
            done()
        for table in tables:
            self.leave(link, online, table, None, reply)

    async def sit(
        self,
        link: Link,
        online: Online,
        table: int,
        seat: int | None,
        key: str | None,
        request: Request | None,
        reply: Reply,
        *,
        invited: bool = False,
    ) -> None:
        """Raises WrongKey, TooMany, or TableFull where the hall gives out the seats and has not
        `invited`; the table's answer is the reply."""
        found = await self._tables.load(table)
        if found.state.walk_in:
            seat_there = self._watch(found, link, key)
            reply(Done(table, found.head, seat_there))
            link.tell(self._view(found, link.online))
            return
        self._check_key(found, online, key)
        if len(online.busy) >= TABLES_MAX and table not in online.seated:
            raise TooMany
        already = table in online.seated
        if found.state.opened.by_invitation and not (invited or already):
            raise TableFull("At this table the hall gives out the seats. You can watch.")

        loop = asyncio.get_running_loop()

        def answered(answer: Done | HallError) -> None:
            reply(answer)
            if isinstance(answer, HallError):
                return
            for each in online.links:
                # From now on they hear of it by the seat, and nothing twice.
                self._audiences.unwatch(each, table)
            if already:
                # The beat that answers is told next: a view of it must not come before.
                loop.call_soon(self._show_again, link, online, table)

        command = house.Sit(person_of(online), seat)
        self._tables.put(Ask(table, online.player.id, command, answered, request))

    def _show_again(self, link: Link, online: Online, table: int) -> None:
        found = self._tables.loaded(table)
        if found is not None:
            link.tell(self._view(found, online))

    # Watching and coming back

    async def watch(self, link: Link, table: int, key: str | None) -> int | None:
        """The seat, if it has one there."""
        return self._watch(await self._tables.load(table), link, key)

    async def watch_and_see(
        self, link: Link, table: int, key: str | None
    ) -> tuple[int | None, TableView]:
        """The seat, if it has one there, and how the table stands."""
        found = await self._tables.load(table)
        return self._watch(found, link, key), self._view(found, link.online)

    def _watch(self, found: KnownTable, link: Link, key: str | None) -> int | None:
        self._check_key(found, link.online, key)
        if link.online is not None and found.id in link.online.seated:
            return self.seat_at(link.online, found.id)
        if len(link.watching or ()) >= TABLES_MAX and found.id not in (link.watching or ()):
            raise TooMany
        self._audiences.watch(link, found.id)
        found.wake()
        return None if link.online is None else found.state.seat_of.get(link.online.player.id)

    def seat_at(self, online: Online, table: int) -> int | None:
        """The seat there; None before the draw, which may move everyone."""
        found = self._tables.loaded(table)
        state = None if found is None else found.state
        if state is not None and state.game is None and state.opened.drawn:
            return None
        return online.seated.get(table)

    def unwatch(self, link: Link, table: int) -> None:
        self._audiences.unwatch(link, table)

    async def send_view(self, link: Link, table: int) -> None:
        """Tells the link how the table stands. Raises NotSeated if it follows it in no way."""
        found = await self._tables.load(table)
        self._check_sees(link, found)
        link.tell(self._view(found, link.online))

    def _view(self, table: KnownTable, online: Online | None) -> TableView:
        watching = self._audiences.watching(table.id)
        return view_for(table, online, self._players, self._clock.now_ms(), watching)

    async def resume(self, link: Link, table: int, after: int | None) -> list[Told] | TableView:
        """What was missed since `after`; if that is too much, how the table stands, or stood when
        it closed. Raises NoSuchTable, NotSeated, Unavailable."""
        found = await self._tables.load(table)
        if after is not None and after > found.head:
            # It has seen more at another node than has come here yet.
            found = await self._tables.caught_up(found, after)
        self._check_sees(link, found)
        if after == found.head:
            return []
        missed = None
        if after is not None and not found.state.walk_in:
            player = None if link.online is None else link.online.player.id
            missed = self._audiences.missed(table, after, player)
        return self._view(found, link.online) if missed is None else missed

    def _check_sees(self, link: Link, table: KnownTable) -> int | None:
        """The seat. Raises NotSeated if it neither follows the table, nor sat there to the end."""
        if table.closed and link.online is not None:
            for seat, person in table.state.chairs.items():
                if person.player == link.online.player.id:
                    return seat
        return self._check_follows(link, table.id)

    def _check_follows(self, link: Link, table: int) -> int | None:
        if link.online is not None and table in link.online.seated:
            return link.online.seated[table]
        if link.watching is not None and table in link.watching:
            return None
        found = self._tables.loaded(table)
        if link.online is not None and found is not None and not found.kind.game.binding:
            # Such a seat is not kept with the player, who hears of everything all the same.
            seat = found.state.seat_of.get(link.online.player.id)
            if seat is not None:
                return seat
        raise NotSeated("You neither sit at this table nor watch it.")

    def say(
        self,
        link: Link,
        online: Online,
        table: int,
        text: str,
        accepted: Callable[[], None] = lambda: None,
    ) -> None:
        """Chat, to all at the table; `accepted` is called before. Raises NotSeated, RateLimited."""
        self._check_follows(link, table)
        now_ms = self._clock.now_ms()
        online.said_ms = [at for at in online.said_ms if at > now_ms - SAY_WINDOW_MS]
        if len(online.said_ms) >= SAY_MAX:
            raise RateLimited
        online.said_ms.append(now_ms)
        accepted()
        self._audiences.say(Said(table, online.player.id, online.player.name, text))

    def _check_key(self, table: KnownTable, online: Online | None, key: str | None) -> None:
        state = table.state
        if not state.opened.private:
            return
        player = None if online is None else online.player.id
        if player in state.seat_of or any(p.player == player for p in state.reserved):
            return
        if not self._draw_key.opens(table.id, key):
            raise WrongKey
