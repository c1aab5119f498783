"""What becomes of a tournament's games: told to the tournament, wherever its table is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from gamehall.errors import HallError, Refused, Unavailable
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.events import Report
from gamehall.hall.tournaments.formats.field import NO_SHOW, Match
from gamehall.store.store import Store
from gamehall.table_log import house

log = structlog.get_logger(__name__)

AGAIN_MS = 2000
"""How long opening, sitting down, leaving or reporting waits when the store is away."""
VOID = "void"

Ended = house.RoundEnded | house.RoundVoided


class TournamentReports:
    def __init__(
        self,
        *,
        tables: Tables,
        players: Players,
        store: Store,
        clock: Clock,
        nodes: Nodes,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._tables = tables
        self._players = players
        self._store = store
        self._clock = clock
        self._nodes = nodes
        self._followed: set[int] = set()
        """The tables of which `told` hears everything."""
        self._spawn = spawn
        self._games: dict[int, tuple[int, Match]] = {}
        """Tables at which games are on, with the tournament and its game."""
        self._table_of: dict[tuple[int, int], int] = {}
        """The other way round, by tournament and number, until the result is counted."""
        self._organisers: dict[int, int] = {}
        """Of the tournaments that this node runs, which need not be in memory all the time."""
        self._found: dict[tuple[int, int], int] = {}
        """As `_table_of`, of tournaments that other nodes run."""

    def _report_dropped(self, table: int, ended: Ended, people: tuple[house.Person, ...]) -> None:
        """Reports a game that someone did not come back to. If the other is away just then, it has
        its own time to come back, and has won if it does."""
        here = any(self._is_here(person) for person in people)
        if not here and any(self._may_come_back(person) for person in people):
            again_ms = self._clock.now_ms() + AGAIN_MS
            self._clock.call_at(again_ms, lambda: self._report_dropped(table, ended, people))
        else:
            self._report(table, ended, no_show=not here)

    def _report(self, table: int, ended: Ended, *, no_show: bool = False) -> None:
        """Tells the tournament what has become of a game. `no_show`: neither is there."""
        if table not in self._games:
            return
        tournament, game = self._games.pop(table)
        report = Report(game.number, None, VOID, table=table)
        if isinstance(ended, house.RoundEnded):
            outcome, points = ended.outcome, ended.outcome.scores
            seats = (game.first, game.second)
            winner = seats[outcome.winners[0]] if outcome.winners else None
            scores = None if points is None else (points.get(0, 0), points.get(1, 0))
            report = Report(game.number, winner, outcome.reason, scores, table)
            if no_show:
                report = Report(game.number, None, NO_SHOW, table=table)
        self._send(tournament, report)

    def _report_broke(self, table: int, broke: set[int]) -> None:
        """Reports a game that has not begun, since these seats could not pay: the other has won."""
        tournament, game = self._games.pop(table)
        could = [of for seat, of in enumerate((game.first, game.second)) if seat not in broke]
        winner = could[0] if len(could) == 1 else None
        self._send(tournament, Report(game.number, winner, house.NO_FUNDS, table=table))

    def _send(self, tournament: int, report: Report) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable):
                # Another node that runs it by now sees for itself what there is to report.
                if tournament in self._organisers:
                    again_ms = self._clock.now_ms() + AGAIN_MS
                    self._clock.call_at(again_ms, lambda: self._send(tournament, report))
            elif isinstance(answer, Refused):
                # Reported before: the tournament has counted it.
                log.info("report_refused", tournament=tournament, code=answer.code)

        self._tables.put(Ask(tournament, None, report, answered))

    def _is_here(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return person.bot is not None or (online is not None and online.here)

    def _may_come_back(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return online is not None and online.alarm is not None
