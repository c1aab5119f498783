"""How the rooms of a hall are joined: what each is given, and who hears of what.

Rooms call those to their left by constructor arguments. What a room has to tell to its right comes
here, to one method each, which calls the rooms that hear of it, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog

from gamehall.bus.bus import Bus
from gamehall.games.game import Game
from gamehall.hall.arena.as_portal.portal import Portal
from gamehall.hall.arena.as_server.course import MatchCourse
from gamehall.hall.arena.as_server.matches import Matches
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Told
from gamehall.hall.beat.steps import Kind
from gamehall.hall.lobby.challenges import Challenges
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.game_finder import GameFinder
from gamehall.hall.lobby.lobby import LobbyHall
from gamehall.hall.nodes.background import Background
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Arbiter
from gamehall.hall.nodes.exchange import Exchange, Spawn
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.guests import Guests
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Said
from gamehall.hall.people.online import Online
from gamehall.hall.people.passwords import Passwords
from gamehall.hall.people.players import Players
from gamehall.hall.people.watching import WatchingCounts
from gamehall.hall.records.analysis import Analyses
from gamehall.hall.records.ratings import Ratings
from gamehall.hall.records.reading import Reading
from gamehall.hall.records.replays import Replays
from gamehall.hall.records.reports import Reports
from gamehall.hall.seats.attendance import Attendance, HouseBots
from gamehall.hall.seats.glances import Glances
from gamehall.hall.seats.holds import Holds
from gamehall.hall.seats.house_tables import HouseTables
from gamehall.hall.seats.new_tables import NewTables
from gamehall.hall.seats.presence import Presence
from gamehall.hall.seats.seating import Seating
from gamehall.hall.seats.sicbo_bets import SicBoBets
from gamehall.hall.seats.stakes import Stakes
from gamehall.hall.seats.table_talk import TableTalk
from gamehall.hall.settings import HallSettings
from gamehall.hall.tables.balance import Balance
from gamehall.hall.tables.kinds import Kinds
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.away import Away, OtherHalls
from gamehall.hall.tournaments.games import TournamentGames
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.hall.tournaments.tournaments import Tournaments
from gamehall.hall.visitors.duel_matches import DuelMatches
from gamehall.hall.visitors.duel_rooms import DuelRooms
from gamehall.hall.visitors.entrance import Entrance
from gamehall.solver.solver import Solver
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

OWNER_SECONDS = 3.0
"""How long a table that has lost its owner is waited for, beyond the lease."""

MakeBots = Callable[
    [Mapping[str, Game[Any]], Players, Audiences, Reading, Seating, Stakes, Spawn], HouseBots
]


class Rooms:
    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        *,
        store: Store,
        bus: Bus,
        clock: Clock,
        draw_key: DrawKey,
        make_bots: MakeBots,
        other_halls: OtherHalls,
        solver: Solver | None = None,
        settings: HallSettings | None = None,
    ) -> None:
        """`solver`: None where it is not installed."""
        self.games = games
        self.store = store
        self.bus = bus
        self.clock = clock
        self.settings = settings = settings or HallSettings()
        self.background = Background()
        self._nodes_and_tables(bus, draw_key, settings)
        self._seats(make_bots, draw_key, settings)
        self._lobby(settings)
        self._records(solver)
        self._beyond(other_halls, settings)
        self._visitors()
        self.listeners: list[Callable[[Told], None]] = [
            self.tournaments.games.told,
            self.ratings.told,
            self.matches.course.told,
        ]
        """Told whenever seats, rounds or tables have changed. They make nobody wait."""

    def _nodes_and_tables(self, bus: Bus, draw_key: DrawKey, settings: HallSettings) -> None:
        self.exchange = Exchange(bus)
        self.nodes = Nodes(
            self.store,
            self.exchange,
            self.clock,
            settings.lease_seconds,
            on_gone=self._node_gone,
            on_lapsed=self._lapsed,
        )
        self.passwords = Passwords()
        self.players = Players(self.store, self.clock, settings.start_balance, self.player_changed)
        self.lead = Lead(self.exchange, self.nodes, self.tell_presence)
        spawn = self.background.spawn
        self.arbiter = Arbiter(self.lead, self.nodes, spawn)
        self.hung_up = HungUp(self.exchange, self.nodes, self.players, spawn)
        self.audiences = Audiences(
            self.players,
            on_watched=self._watched,
            on_counted=self._counted,
            on_said=self._said,
        )
        self._watching = WatchingCounts(self.audiences, self.clock)
        games = {**self.games, Tournament.name: Tournament()}
        self.tables = Tables(
            Kinds(games, int(settings.rematch_seconds * 1000), settings.options),
            self.store,
            self.nodes,
            self.exchange,
            self.clock,
            draw_key,
            self,
            patience_ms=int(settings.grace_seconds * 1000),
            owner_seconds=settings.lease_seconds + OWNER_SECONDS,
        )
        self.reading = Reading(self.store, bus, self.tables, draw_key)
        self.balance = Balance(self.tables, self.store, self.nodes, self.exchange, spawn)

    def _seats(self, make_bots: MakeBots, draw_key: DrawKey, settings: HallSettings) -> None:
        spawn, seat_ms = self.background.spawn, int(settings.seat_seconds * 1000)
        self.seating = Seating(self.tables, self.players, self.audiences, self.clock, draw_key)
        self.stakes = Stakes(self.exchange, self.nodes, self.tables, self.players)
        self.bots = make_bots(
            self.games,
            self.players,
            self.audiences,
            self.reading,
            self.seating,
            self.stakes,
            spawn,
        )
        self.holds = Holds(self.nodes, self.players, self.tables, self.clock, spawn)
        self.new_tables = NewTables(
            self.tables, self.store, self.clock, draw_key, self.bots, seat_ms=seat_ms
        )
        self.sicbo_bets = SicBoBets(self.store, self.tables, self.seating)
        self.house_tables = HouseTables(
            self.tables, self.audiences, self.store, self.clock, seat_ms=seat_ms
        )
        self.attendance = Attendance(
            self.tables,
            self.players,
            self.audiences,
            self.store,
            self.clock,
            self.bots,
            grace_seconds=settings.grace_seconds,
            drop_seconds=min(settings.drop_seconds, settings.grace_seconds),
            outlives_nodes=not self.bus.alone,
            on_seated=self._seated_elsewhere,
        )
        self.presence = Presence(
            self.exchange,
            self.nodes,
            self.players,
            self.attendance,
            self.clock,
            self.tables.public_kinds(),
        )
        self.guests = Guests(
            players=self.players,
            store=self.store,
            clock=self.clock,
            nodes=self.nodes,
            lead=self.lead,
            hung_up=self.hung_up,
            grace_seconds=settings.grace_seconds,
            spawn=spawn,
            knows_everyone=self.presence.knows_everyone,
        )
        self.table_talk = TableTalk(
            self.exchange,
            self.tables,
            self.players,
            self.attendance,
            self.audiences,
            self.store,
            spawn,
        )
        self._glances = Glances(self.tables, self.audiences, self.clock)
        self.people = Entrance(
            self.store,
            self.clock,
            self.players,
            self.guests,
            self.passwords,
            self.attendance,
            self.stakes,
            self.hung_up,
            self.arbiter,
            open_registration=settings.open_registration,
            stop_following=self._stop_following,
            tell_presence=self.tell_presence,
        )

    def _lobby(self, settings: HallSettings) -> None:
        self.front = Front(
            self.exchange,
            self.nodes,
            self.lead,
            self.players,
            self.new_tables,
            self.holds,
            self.attendance.out_of_reach,
            self.store,
            self.clock,
            self.background.spawn,
            challenge_seconds=settings.challenge_seconds,
        )
        self.lobby = LobbyHall(
            self.exchange, self.nodes, self.players, self.tables, self.front, self.clock
        )
        self.game_finder = GameFinder(self.lobby, self.house_tables, self.seating)
        self.challenges = Challenges(self.front, self.nodes, self.players, self.tables)

    def _records(self, solver: Solver | None) -> None:
        self.replays = Replays(self.tables, self.reading)
        self.analyses = Analyses(self.tables, self.reading, solver)
        self.reports = Reports(self.store, self.audiences, self.clock)
        self.ratings = Ratings(self.store, self.tables, self.nodes)

    def _beyond(self, other_halls: OtherHalls, settings: HallSettings) -> None:
        store, clock, tables, spawn = self.store, self.clock, self.tables, self.background.spawn
        games = TournamentGames(tables, self.players, store, clock, self.nodes, spawn)
        self.tournaments = Tournaments(games, tables, store, clock, self.bots)
        self.away = Away(store, clock, other_halls, self.nodes, self.lead, spawn)
        self.portal = Portal(store, clock, self.nodes, self.exchange, spawn)
        course = MatchCourse(
            store,
            clock,
            self.nodes,
            self.exchange,
            tables,
            spawn,
            grace_ms=int(settings.grace_seconds * 1000),
            no_show_ms=int(settings.no_show_seconds * 1000),
        )
        self.matches = Matches(self.games, course, store, clock, tables, self.seating)

    def _visitors(self) -> None:
        self.duel_rooms = DuelRooms(self.store, self.tables)
        self.duels = DuelMatches(
            self.matches,
            self.people,
            self.guests,
            self.hung_up,
            self.seating,
            self.tables,
            self.store,
            self.clock,
            self.arbiter,
        )

    # What nodes tell

    def _node_gone(self, node: str) -> None:
        for room in (
            self.arbiter,
            self.tables.followers,
            self.tables.relay,
            self.holds,
            self.presence,
            self.audiences,
            self.front.desk,
            self.front,
            self.lobby,
            self.portal,
        ):
            try:
                room.node_gone(node)
            except Exception:
                # It is told once: the others are not to miss it.
                log.exception("node_listener_failed", node=node)

    def _lapsed(self) -> None:
        self.front.desk.clear()
        self.tables.lapse()

    # What people tell

    def player_changed(self, online: Online) -> None:
        """A player has come, sat down, risen or gone."""
        self.guests.player_changed(online)
        self.holds.player_changed(online)
        if not online.may_wait:
            self.lobby.drop_seeks(online)
        self.front.player_changed(online)
        self.lobby.player_changed(online)
        self.presence.changed(online)

    def tell_presence(self) -> None:
        """Other nodes hear of people before they hear of what these want."""
        self.presence.flush()

    def _stop_following(self, link: Link) -> None:
        self.audiences.unwatch_all(link)
        self.lobby.unwatch(link)

    def _watched(self, table: int) -> None:
        self._watching.changed(table)

    def _counted(self, table: int) -> None:
        self.table_talk.counted(table)

    def _said(self, said: Said) -> None:
        self.table_talk.said(said)

    def _seated_elsewhere(self, online: Online, table: int, after: int) -> None:
        self.table_talk.seated(online, table, after)

    # What tables tell, and ask (tables.Surroundings)

    def told(self, told: Told) -> None:
        """A beat is durable, or rows of another node's table have come."""
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
        elif self.tournaments.games.follows(told.table):
            self._listen(told)
        # It is kept for those who resume, and need not keep the seats and states of a crowd.
        told.seat_of, told.scenes = {}, ()

    def _listen(self, told: Told) -> None:
        for listener in self.listeners:
            try:
                listener(told)
            except Exception:
                log.exception("listener_failed", table=told.table, seq=told.seq)

    async def claimed(self, kind: Kind, table: int) -> None:
        await self.house_tables.recognise(kind, table)

    def loaded(self, table: KnownTable) -> None:
        self.table_talk.table_loaded(table)
        self.attendance.table_loaded(table)
        self.tournaments.games.table_loaded(table)

    def let_go(self, table: KnownTable) -> None:
        self.attendance.let_go(table)
        if not self.is_needed(table.id):
            self.audiences.forget(table.id)

    def unfollowed(self, table: int, node: str) -> None:
        self.audiences.watched_elsewhere(table, node, 0)

    def has_people(self, table: int) -> bool:
        return self.audiences.has_people(table)

    def is_needed(self, table: int) -> bool:
        return (
            self.audiences.needed(table)
            or self.tournaments.games.plays_at(table)
            or self.matches.course.is_played_at(table)
        )
