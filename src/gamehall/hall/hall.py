"""The facade that doors talk to: one hall, by capability.

`people` who someone is · `lobby`, `game_finder` who is free or waits · `challenges` who wants to
play whom · `seating` tables and seats · `house_tables` the hall's own tables · `reading` what is
played and was · `tournaments` · `matches`, `portal` the arena.
Everything a door needs, and nothing of how it is done: `rooms` has that (wiring.py).
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog

from gamehall.errors import NoSuchGame, Unavailable
from gamehall.games.game import Game
from gamehall.hall.housekeeping import Housekeeping
from gamehall.hall.nodes.background import AGAIN_SECONDS
from gamehall.hall.wiring import Rooms

log = structlog.get_logger(__name__)


class Hall:
    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._housekeeping = Housekeeping(rooms)
        self._has_joined = False
        self.games = rooms.games
        self.clock = rooms.clock
        self.spawn = rooms.background.spawn
        self.people = rooms.people
        self.bots = rooms.bots
        self.nodes = rooms.nodes
        self.balance = rooms.balance
        self.new_tables = rooms.new_tables
        self.seating = rooms.seating
        self.house_tables = rooms.house_tables
        self.sicbo_bets = rooms.sicbo_bets
        self.lobby = rooms.lobby
        self.game_finder = rooms.game_finder
        self.challenges = rooms.challenges
        self.reading = rooms.reading
        self.replays = rooms.replays
        self.analyses = rooms.analyses
        self.reports = rooms.reports
        self.tournaments = rooms.tournaments
        self.away = rooms.away
        self.matches = rooms.matches
        self.portal = rooms.portal
        self.duel_rooms = rooms.duel_rooms
        self.duels = rooms.duels

    def game_named(self, name: str) -> Game[Any]:
        """The game of that name, or one of its other names. Raises NoSuchGame."""
        game = self.games.get(name)
        if game is None:
            raise NoSuchGame
        return game

    async def join(self) -> None:
        """Makes this a node that others can reach, as soon as it can reach them: before its doors
        open, so that nobody waits behind them."""
        if self._has_joined:
            return
        rooms = self.rooms
        # The bus first: a node with a lease has its share of what there is to do.
        await rooms.bus.start(rooms.exchange.received, rooms.presence.remind)
        await rooms.nodes.join()
        rooms.background.keep(rooms.nodes.run)
        self._has_joined = True

    async def start(self) -> None:
        """Takes up the timers of tables that were open before. Raises Unavailable."""
        await self.join()
        await self._find_house_tables()
        rooms, keep = self.rooms, self.rooms.background.keep
        await rooms.matches.course.start()
        keep(rooms.tables.waking.run)
        if rooms.nodes.alone:
            self.spawn(self._housekeeping.leave_for_absent())
            self.spawn(rooms.tournaments.games.take_up())
        else:
            keep(rooms.tables.keep_up)
            keep(rooms.tables.relay.run)
            keep(rooms.balance.run)
            keep(rooms.presence.run)
            keep(rooms.table_talk.run)
            keep(rooms.lobby.run)
            keep(rooms.tournaments.games.keep_up)
        keep(rooms.front.run)
        keep(self._housekeeping.sweep)
        keep(self._housekeeping.forget)
        keep(rooms.portal.run)
        keep(rooms.ratings.run)
        keep(rooms.away.run)

    async def _find_house_tables(self) -> None:
        every = {game.name: game for game in self.games.values()}
        while True:
            try:
                return await self.house_tables.find(every)
            except Unavailable:
                if self.rooms.nodes.alone:
                    raise  # Its disk is full, say: the operator has to do something.
                log.warning("waiting_for_store")
            await asyncio.sleep(AGAIN_SECONDS)

    def retire(self) -> None:
        """Before a planned stop: no other node hands tables to this one any more."""
        self.balance.takes = False

    async def stop(self) -> None:
        """No table takes anything any more; what was accepted is the store's to finish."""
        await self.rooms.tables.stop()
        await self.rooms.background.stop()
        self.rooms.passwords.close()
        try:
            await self.rooms.nodes.leave()
        except Unavailable:
            log.warning("tables_not_handed_over")
