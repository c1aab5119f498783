"""Tournaments as they are run: what organisers and entrants do, and what everyone may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from gamehall.errors import (
    BadOptions,
    BadRequest,
    NoSuchTournament,
    NotOrganiser,
    TooMany,
)
from gamehall.games.game import Command
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.sent_again import OTHER_CONTENT
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.online import Online
from gamehall.hall.seats.attendance import HouseBots
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.events import Begin, Enter
from gamehall.hall.tournaments.games import TournamentGames
from gamehall.hall.tournaments.tournament import Tournament, View, check_club
from gamehall.store.appends import Request, TableStatus
from gamehall.store.lists import TableInfo
from gamehall.store.store import Store
from gamehall.table_log import house

OPEN_MAX = 8
"""Tournaments that one player may have opened and not ended, of those that one node runs."""


class Shown(msgspec.Struct, frozen=True):
    """A tournament as everyone may see it."""

    id: int
    names: dict[int, str]
    """Of the entrants, by seat."""
    tables: dict[int, int]
    """Where each game of the view is or was played, by number; 0: it is about to begin."""
    view: View


@dataclass(eq=False, repr=False)
class Tournaments:
    games: TournamentGames
    _tables: Tables
    _store: Store
    _clock: Clock
    _bots: HouseBots

    def __post_init__(self) -> None:
        self._opening: Counter[int] = Counter()
        """How many each organiser is just opening."""

    # What organisers and entrants do

    async def open(
        self, options: dict[str, Any], organiser: int = 0, request: Request | None = None
    ) -> int:
        """The table that the new tournament is. `organiser` is a player; 0 is the operator.

        Raises:
            BadOptions, BadRequest, NoSuchGame, TooMany
        """
        if request is not None:
            before = await self._opened_before(request)
            if before is not None:
                return before
        game = options.get("game", "")
        kind = self._tables.public_kind(game if isinstance(game, str) else "")
        own = self._tables.kind(Tournament.name).rules.read_options(
            {**options, "game": kind.game.name, "organiser": organiser}
        )
        if kind.game.seats(kind.rules.read_options(own.game_options)).least != 2:
            raise BadOptions("A tournament is for games of two.")
        if 0 < own.starts_at_ms <= self._clock.now_ms():
            raise BadOptions("A tournament cannot begin before it is open.")
        open = self.games.opened_by(organiser) + self._opening[organiser]
        if organiser and open >= OPEN_MAX:
            raise TooMany
        origin = None if request is None else _origin_of(request)
        options = msgspec.to_builtins(own)
        self._opening[organiser] += 1
        try:
            id = await self._tables.open(Tournament.name, options, origin=origin, request=request)
        finally:
            self._opening[organiser] -= 1
        if self._tables.owned(id):
            self.games.follow(id, organiser)
        return id

    async def _opened_before(self, request: Request) -> int | None:
        """What this request has opened, which counts no more and need not be possible again."""
        existing = await self._store.table_by_origin(_origin_of(request))
        if existing is None:
            return None
        first = (await self._store.read(existing, 0, 1))[0].request
        if first is None or first.digest != request.digest:
            raise BadRequest(OTHER_CONTENT)
        return existing

    async def enter(
        self, online: Online, tournament: int, club: str, request: Request | None = None
    ) -> Done:
        """Seats the player among the entrants, for the machine that it names."""
        person = house.Person(online.player.id, online.player.name)
        # Before it sits down: who is refused has not entered.
        check_club(club.strip())
        await self._find(tournament)
        return await self._enter(tournament, person, club, request)

    async def open_with_bots(self, options: dict[str, Any], levels: Sequence[str]) -> int:
        """The operator's tournament, with bots of the house in it.

        Raises:
            BadOptions, NoSuchGame, NoSuchBot
        """
        # Before it is open, so that none stays behind without its bots.
        self._check_bots(options["game"], levels)
        if len(levels) > options["players_most"]:
            raise BadOptions(f"{len(levels)} bots are more than may enter.")
        id = await self.open(options)
        await self.enter_bots(id, levels)
        return id

    def _check_bots(self, game: str, levels: Sequence[str]) -> None:
        """Raises NoSuchGame or NoSuchBot."""
        name = self._tables.public_kind(game).game.name
        for level in levels:
            self._bots.check(level, name)

    async def enter_bots(self, tournament: int, levels: Sequence[str], club: str = "") -> None:
        """Seats bots of the house, as many as levels are named. Raises NoSuchBot."""
        state = (await self._find(tournament)).state
        self._check_bots(state.options.game, levels)
        there = [person.bot for person in state.chairs.values()]
        for place, level in enumerate(levels):
            number = there.count(level) + list(levels[: place + 1]).count(level)
            await self._enter(tournament, await self._bots.person(level, number), club)

    async def _enter(
        self, tournament: int, person: house.Person, club: str, request: Request | None = None
    ) -> Done:
        done = Awaited[Done]()
        self._tables.put(Ask(tournament, person.player, Enter(club), done, request, person))
        return await done

    async def withdraw(
        self, online: Online, tournament: int, request: Request | None = None
    ) -> Done:
        await self._find(tournament)
        return await self._ask(tournament, online.player.id, house.Leave(), request)

    async def begin(
        self, tournament: int, organiser: int | None, request: Request | None = None
    ) -> Done:
        """`organiser` is the player who wants it; None is the operator. Raises NotOrganiser."""
        state = (await self._find(tournament)).state
        if organiser is not None and state.options.organiser != organiser:
            raise NotOrganiser
        return await self._ask(tournament, None, Begin(), request)

    async def page(self, status: TableStatus | None, after: int, limit: int) -> list[TableInfo]:
        return await self._store.tables(
            game=Tournament.name, status=status, private=False, after=after, limit=limit
        )

    async def shown(self, tournament: int) -> Shown:
        """Raises NoSuchTournament."""
        table = await self._find(tournament)
        view = table.kind.game.view(table.state.game, None)
        if table.state.over:
            # Also where it was called off, of which the game itself knows nothing.
            view = replace(view, status="over")
        names = {seat: person.name for seat, person in table.state.chairs.items()}
        tables = {game.number: await self.games.table(tournament, game) for game in view.games}
        return Shown(tournament, names, tables, view)

    async def _find(self, tournament: int) -> KnownTable:
        info = await self._store.table(tournament)
        if info is None or info.game != Tournament.name:
            raise NoSuchTournament
        return await self._tables.load(tournament)

    def _ask(
        self, table: int, player: int | None, command: Command, request: Request | None
    ) -> Awaited[Done]:
        done = Awaited[Done]()
        self._tables.put(Ask(table, player, command, done, request))
        return done


def _origin_of(request: Request) -> str:
    return f"request:{request.player}:{request.id}"
