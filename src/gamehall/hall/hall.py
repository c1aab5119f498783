"""The facade that doors talk to: one hall, by capability.

`players` who someone is · `lobby` who is free or waits · `challenges` who wants to play whom ·
`seating` tables and seats · `standing` the hall's own tables · `attendance` who is where ·
`tables` their logs · `store` what was kept. Everything a door needs, and nothing of how it is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec
import structlog

from gamehall.bus.bus import Bus
from gamehall.errors import (
    HallError,
    NoSuchGame,
    NotAllowed,
    NotBroke,
    NotLoggedIn,
    RefilledToday,
    Unavailable,
)
from gamehall.games.game import Game
from gamehall.hall.arena.as_portal.portal import Portal
from gamehall.hall.arena.as_server.matches import Matches
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Done, Told
from gamehall.hall.lobby.challenges import Challenges
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.lobby import LobbyHall
from gamehall.hall.lobby.wait_lists import WaitLists
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Arbiter
from gamehall.hall.nodes.exchange import Exchange
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.guests import Arrival, Guests
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.passwords import Passwords
from gamehall.hall.people.players import Online, Players, Welcome
from gamehall.hall.people.watching import WatchingCounts
from gamehall.hall.records.analysis import Analyses
from gamehall.hall.records.ratings import Ratings
from gamehall.hall.records.records import Records
from gamehall.hall.records.replays import Replays
from gamehall.hall.records.reports import Reports
from gamehall.hall.records.retelling import Retelling
from gamehall.hall.seats.attendance import Attendance, HouseBots
from gamehall.hall.seats.glances import Glances
from gamehall.hall.seats.holds import Holds
from gamehall.hall.seats.house_tables import StandingTables
from gamehall.hall.seats.presence import Presence
from gamehall.hall.seats.seating import Seating
from gamehall.hall.seats.sicbo_bets import SicBoBets
from gamehall.hall.seats.stakes import Stakes
from gamehall.hall.seats.table_talk import TableTalk
from gamehall.hall.tables.balance import Balance
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.away import Away, OtherHalls
from gamehall.hall.tournaments.away_nodes import AwayNodes
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.hall.tournaments.tournaments import Tournaments
from gamehall.hall.visitors.free_tables import FreeTables
from gamehall.solver.solver import Solver
from gamehall.store.store import Player, Store

T = TypeVar("T")
log = structlog.get_logger(__name__)

SWEEP_SECONDS = 30.0
"""How often idle tables are let go."""
FORGET_SECONDS = 3600.0
ABSENT_PAGE = 100
OWNER_SECONDS = 3.0
"""How long a table that has lost its owner is waited for, beyond the lease."""
AGAIN_SECONDS = 2.0
"""How long housekeeping waits when the store is away."""


class Hall:
    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        *,
        store: Store,
        bus: Bus,
        clock: Clock,
        draw_key: DrawKey,
        make_bots: Callable[[Hall], HouseBots],
        other_halls: OtherHalls,
        solver: Solver | None = None,
        grace_seconds: float = 60,
        drop_seconds: float = 10,
        rematch_seconds: float = 120,
        seat_seconds: float = 30,
        challenge_seconds: float = 60,
        no_show_seconds: float = 300,
        open_registration: bool = True,
        start_balance: int = 1_000_000,
        keep_days: float = 0,
        lease_seconds: float = 3,
        options: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """`options`: by game, those that hold where a table is opened without. `solver`: None where
        it is not installed."""
        self.games = games
        self.store = store
        self.bus = bus
        self.clock = clock
        self.draw_key = draw_key
        self._grace_seconds = grace_seconds
        self._keep_days = keep_days
        self.exchange = Exchange(bus)
        self.nodes = Nodes(store, self.exchange, clock, lease_seconds)
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_joined = False
        self.listeners: list[Callable[[Told], None]] = []
        """Told whenever seats, rounds or tables have changed. They make nobody wait."""
        self.followed: set[int] = set()
        """Tables of which they are told everything."""
        self._passwords = Passwords()
        self.players = Players(
            store,
            clock,
            self._passwords,
            open_registration=open_registration,
            start_balance=start_balance,
            grace_seconds=grace_seconds,
        )
        lead = Lead(self.exchange, self.nodes, lambda: self.presence.flush())
        self.arbiter = Arbiter(lead, self.nodes)
        self.hung_up = HungUp(self.exchange, self.nodes, self.players)
        self.guests = Guests(self.players, store, self.arbiter, self.hung_up)
        self.audiences = Audiences(self.players)
        WatchingCounts(self.audiences, clock)
        self.tables = Tables(
            {**games, Tournament.name: Tournament()},
            store=store,
            nodes=self.nodes,
            exchange=self.exchange,
            clock=clock,
            draw_key=draw_key,
            rematch_ms=int(rematch_seconds * 1000),
            patience_ms=int(grace_seconds * 1000),
            owner_seconds=lease_seconds + OWNER_SECONDS,
            options=options or {},
        )
        self.balance = Balance(self.tables, store, self.nodes, self.exchange, self.spawn)
        self._stakes = Stakes(self.exchange, self.nodes, self.tables)
        self._glances = Glances(self.tables, self.audiences, clock)
        self.bots = make_bots(self)
        self._holds = Holds(
            nodes=self.nodes,
            players=self.players,
            tables=self.tables,
            clock=clock,
            spawn=self.spawn,
        )
        self.seating = Seating(
            tables=self.tables,
            players=self.players,
            audiences=self.audiences,
            store=store,
            clock=clock,
            draw_key=draw_key,
            bots=self.bots,
            seat_seconds=seat_seconds,
        )
        self.sicbo_bets = SicBoBets(store, self.tables, self.seating)
        self.standing = StandingTables(
            tables=self.tables,
            audiences=self.audiences,
            store=store,
            clock=clock,
            seat_seconds=seat_seconds,
        )
        self.free_tables = FreeTables(self.standing, store, self.tables)
        self.attendance = Attendance(
            tables=self.tables,
            players=self.players,
            audiences=self.audiences,
            store=store,
            clock=clock,
            bots=self.bots,
            grace_seconds=grace_seconds,
            drop_seconds=drop_seconds,
        )
        self._front = Front(
            exchange=self.exchange,
            nodes=self.nodes,
            lead=lead,
            players=self.players,
            seating=self.seating,
            holds=self._holds,
            clock=clock,
            seconds=challenge_seconds,
            spawn=self.spawn,
            before_telling=lambda: self.presence.flush(),
        )
        self.lobby = LobbyHall(
            exchange=self.exchange,
            nodes=self.nodes,
            players=self.players,
            tables=self.tables,
            wait_lists=WaitLists(self._front, self.tables),
            clock=clock,
        )
        self.challenges = Challenges(self._front, self.players, self.tables)
        self.portal = Portal(store, clock, self.nodes, self.exchange, self.spawn)
        self.tournaments = Tournaments(
            tables=self.tables,
            players=self.players,
            store=store,
            clock=clock,
            nodes=self.nodes,
            bots=self.bots,
            followed=self.followed,
            spawn=self.spawn,
        )
        self.listeners.append(self.tournaments.told)
        away = Away(store, clock, other_halls, self.spawn)
        self.away = AwayNodes(away, store, self.nodes, self.exchange, self.spawn)
        self.records = Records(store, self.tables, draw_key)
        self.replays = Replays(store, self.tables, self.records)
        self.analyses = Analyses(store, self.tables, self.records, solver)
        self.reports = Reports(store, self.audiences, clock)
        self.retelling = Retelling(self.tables)
        self.ratings = Ratings(store, self.tables, self.nodes)
        self.listeners.append(self.ratings.told)
        self.matches = Matches(
            games,
            store=store,
            clock=clock,
            nodes=self.nodes,
            exchange=self.exchange,
            tables=self.tables,
            seating=self.seating,
            spawn=self.spawn,
            no_show_seconds=no_show_seconds,
            grace_seconds=grace_seconds,
        )
        self.listeners.append(self.matches.told)
        self.tables.on_loaded = self._table_loaded
        self.tables.has_people = self.audiences.has_people
        self.tables.is_needed = self._is_needed
        self.tables.on_let_go = self._let_go
        self.tables.finder.on_claimed = self.standing.recognise
        self.attendance.outlives_nodes = not bus.alone
        self.players.on_change = self._player_changed
        self.tables.on_told = self.told
        self.presence = Presence(
            exchange=self.exchange,
            nodes=self.nodes,
            players=self.players,
            attendance=self.attendance,
            clock=clock,
            usual_options=self._for_two(),
        )
        self.tables.relay.before_asking = self.presence.flush
        self._talk = TableTalk(
            exchange=self.exchange,
            nodes=self.nodes,
            tables=self.tables,
            players=self.players,
            audiences=self.audiences,
            attendance=self.attendance,
            store=store,
            spawn=self.spawn,
        )

    def _for_two(self) -> dict[str, dict[str, Any]]:
        """Games that one can be challenged to, with their usual options."""
        usual = {}
        for name in {game.name for game in self.games.values()}:
            kind = self.tables.kind(name)
            options = kind.rules.read_options({})
            if kind.game.public and kind.game.seats(options).least == 2:
                usual[name] = msgspec.to_builtins(options)
        return usual

    # Life

    async def join(self) -> None:
        """Makes this a node that others can reach, as soon as it can reach them: before its doors
        open, so that nobody waits behind them."""
        if self._has_joined:
            return
        # The bus first: a node with a lease has its share of what there is to do.
        await self.bus.start(self.exchange.received, self.presence.remind)
        await self.nodes.join()
        self._keep(self.nodes.run)
        self._has_joined = True

    async def start(self) -> None:
        """Takes up the timers of tables that were open before. Raises Unavailable."""
        await self.join()
        await self._find_standing()
        await self.matches.start()
        self._keep(self.tables.run)
        if self.nodes.alone:
            self.spawn(self._leave_for_absent())
            self.spawn(self.tournaments.take_up())
        else:
            self._keep(self.tables.keep_up)
            self._keep(self.tables.relay.run)
            self._keep(self.balance.run)
            self._keep(self.presence.run)
            self._keep(self._talk.run)
            self._keep(self.lobby.run)
            self._keep(self.tournaments.keep_up)
        self._keep(self._front.run)
        self._keep(self._sweep)
        self._keep(self.portal.run)
        self._keep(self.ratings.run)
        self._keep(self.away.run)
        if self._keep_days > 0:
            self._keep(self._forget)

    async def _find_standing(self) -> None:
        every = {game.name: game for game in self.games.values()}
        while True:
            try:
                return await self.standing.find(every)
            except Unavailable:
                if self.nodes.alone:
                    raise  # Its disk is full, say: the operator has to do something.
                log.warning("waiting_for_store")
            await asyncio.sleep(AGAIN_SECONDS)

    async def stop(self) -> None:
        """No table takes anything any more; what was accepted is the store's to finish."""
        await self.tables.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._passwords.close()
        try:
            await self.nodes.leave()
        except Unavailable:
            log.warning("tables_not_handed_over")

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _keep(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Has it done for as long as the hall runs, also if a fault of the hall itself ends it."""

        async def run() -> None:
            while True:
                try:
                    return await work()
                except Exception:
                    log.exception("task_failed")
                await asyncio.sleep(AGAIN_SECONDS)

        self.spawn(run())

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("task_failed", exc_info=task.exception())

    def game_named(self, name: str) -> Game[Any]:
        """The game of that name, or one of its other names. Raises NoSuchGame."""
        game = self.games.get(name)
        if game is None:
            raise NoSuchGame
        return game

    # Identity

    async def hello(self, link: Link, name: str | None, token: str | None) -> Welcome:
        return await self._enter(link, self.players.hello(link, name, token))

    async def register(self, link: Link, name: str, password: str) -> Welcome:
        return await self._enter(link, self.players.register(link, name, password))

    async def login(self, link: Link, name: str, password: str) -> Welcome:
        return await self._enter(link, self.players.login(link, name, password))

    async def enter(self, link: Link, name: str, password: str) -> Player:
        """The member of that name; whoever has a name that nobody has is registered."""
        return await self._enter(link, self.players.enter(link, name, password))

    async def enter_for_token(self, link: Link, name: str, password: str) -> Welcome:
        """As `enter`, with a token for `enter_by_token`."""
        return await self._enter(link, self.players.enter_for_token(link, name, password))

    async def enter_by_token(self, link: Link, name: str, token: str) -> Player:
        """The player of that name, who shows a token in place of the password."""
        return await self._enter(link, self.players.enter_by_token(link, name, token))

    async def guest(self, link: Link) -> Player:
        """A nameless guest at a door that knows no tokens."""
        return await self._enter(link, self.players.guest(link))

    async def named_guest(self, link: Link, door: str, name: str) -> Arrival:
        """A guest at a door that knows no tokens; who dropped there is taken back."""
        return await self._enter(link, self.guests.arrive(link, door, name))

    async def bearer(self, link: Link, name: str, credential: str) -> Player:
        """The guest who shows this credential: the same whenever it is shown."""
        return await self._enter(link, self.players.bearer(link, name, credential))

    async def refill(self, online: Online) -> int:
        """The balance, filled up for someone who is nearly broke. Raises NotBroke, RefilledToday"""
        at_stake = await self._stakes.of(online.player.id)
        return await self.players.refill(online, at_stake)

    async def deposit(self, online: Online) -> int:
        """`refill`, for clients that know nothing of its rule. Raises NotAllowed."""
        try:
            return await self.refill(online)
        except (NotBroke, RefilledToday) as error:
            raise NotAllowed(str(error)) from None

    async def seek(
        self,
        link: Link,
        game: str,
        options: dict[str, Any],
        rated: bool,
        accepted: Callable[[], None],
    ) -> None:
        """Finds a game: at the hall's own table, if it has one of that kind, or by waiting for
        someone who wants the same. `accepted` is called before anything follows from it.

        Raises:
            NotFree, NoSuchGame, TooMany …
        """
        online = link.online
        if online is None:
            raise NotLoggedIn  # It has gone meanwhile.
        if options or not self.standing.begins_empty(game):
            await self.lobby.seek(online, game, options, rated)
            accepted()
            return
        refused: asyncio.Future[HallError | None] = asyncio.get_running_loop().create_future()

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, Done):
                accepted()
            refused.set_result(None if isinstance(answer, Done) else answer)

        table = await self.standing.table(game)
        await self.seating.sit(link, online, table, None, None, None, reply)
        error = await refused
        if error is not None:
            raise error

    async def logout(self, link: Link) -> None:
        online = link.online
        self._stop_following(link)
        await self.players.logout(link)
        self._maybe_dropped(online)

    async def _enter(self, link: Link, entering: Awaitable[T]) -> T:
        before = link.online
        welcome = await entering
        if before is not None and before is not link.online:
            # It was someone else until now, who may have no other connection.
            self._stop_following(link)
            self._maybe_dropped(before)
        if link.online is not None:
            try:
                await self.attendance.come_back(link.online)
            except BaseException:
                # Nobody yet, so that the same hello can be sent again.
                online = link.online
                self.players.detach(link)
                self._maybe_dropped(online)
                raise
        return welcome

    def disconnected(self, link: Link) -> None:
        """The connection has ended by itself."""
        online = link.online
        self._stop_following(link)
        self.players.detach(link)
        self._maybe_dropped(online)

    def _player_changed(self, online: Online) -> None:
        self._holds.player_changed(online)
        if online.is_out:
            self.lobby.cancel_seeks(online)
        self._front.player_changed(online)
        self.lobby.player_changed(online)
        self.presence.changed(online)

    def _stop_following(self, link: Link) -> None:
        self.audiences.unwatch_all(link)
        self.lobby.unwatch(link)

    def _maybe_dropped(self, online: Online | None) -> None:
        if online is not None and not online.here and online.alarm is None:
            self.attendance.dropped(online)

    # What tables tell

    def _table_loaded(self, table: KnownTable) -> None:
        self.attendance.table_loaded(table)
        self.tournaments.table_loaded(table)

    def told(self, told: Told) -> None:
        self.audiences.deliver(told)
        if told.walk_in and not told.events:
            self._glances.changed(told.table)
        if told.by_the_house:
            try:
                self.attendance.told(told)
            except Exception:
                # A game's `view`, say: the lobby and the next beat are not to suffer for it.
                log.exception("showing_failed", table=told.table, seq=told.seq)
            self.lobby.told(told)
            self._listen(told)
            if told.status == "closed":
                self.audiences.forget(told.table)
        elif told.table in self.followed:
            self._listen(told)
        # It is kept for those who resume, and need not keep the seats and states of a crowd.
        told.seat_of, told.scenes = {}, ()

    def _listen(self, told: Told) -> None:
        for listener in self.listeners:
            try:
                listener(told)
            except Exception:
                log.exception("listener_failed", table=told.table, seq=told.seq)

    # Housekeeping

    async def _leave_for_absent(self) -> None:
        """After a restart: whoever did not come back in the grace time has left."""
        started_ms = self.clock.now_ms()
        await asyncio.sleep(self._grace_seconds)
        after = 0
        while True:
            try:
                page = await self.store.tables(
                    game=None, status=None, private=True, after=after, limit=ABSENT_PAGE
                )
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            for info in page:
                after = info.id
                # Those that were opened since know who is here; none is opened in the future.
                if not started_ms <= info.opened_at_ms <= self.clock.now_ms():
                    await self._leave_at(info.id)
            if len(page) < ABSENT_PAGE:
                return

    async def _leave_at(self, id: int) -> None:
        try:
            table = await self.tables.load(id)
        except HallError as error:
            log.warning("absent_players_stay", table=id, code=error.code)
            return
        state = table.state
        assert state is not None
        bound = table.kind.game.binding and not state.walk_in
        for player, seat in state.seat_of.items() if bound else ():
            online = self.players.online.get(player)
            if state.chairs[seat].bot is None and (online is None or not online.here):
                if online is not None and online.alarm is not None:
                    continue
                self.attendance.leave_for(player, id)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.standing.close_deserted()
            self.tables.evict(self._needed)
            self.audiences.forget_unknown(self.tables.is_known)

    def _needed(self, table: KnownTable) -> bool:
        if self._is_needed(table.id):
            return True
        self.audiences.forget(table.id)
        return False

    def _let_go(self, table: KnownTable) -> None:
        self.attendance.let_go(table)
        if not self._is_needed(table.id):
            self.audiences.forget(table.id)

    def _is_needed(self, table: int) -> bool:
        return (
            self.audiences.needed(table)
            or self.tournaments.plays_at(table)
            or self.matches.is_played_at(table)
        )

    async def _forget(self) -> None:
        while True:
            before_ms = self.clock.now_ms() - int(self._keep_days * 86_400_000)
            try:
                forgotten = ABSENT_PAGE if self.nodes.leads else 0
                while forgotten == ABSENT_PAGE:
                    forgotten = await self.store.forget(before_ms, ABSENT_PAGE)
            except HallError as error:
                log.warning("cannot_forget", code=error.code)
            await asyncio.sleep(FORGET_SECONDS)
