"""What every move of a finished game was worth, where a solver knows it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec

from gamehall.errors import NotAnalysed, Unavailable
from gamehall.games.connect_four import ConnectFour, Dropped
from gamehall.hall.beat.steps import Kind
from gamehall.hall.records.reading import Reading
from gamehall.hall.records.replays import events_of
from gamehall.hall.tables.tables import Tables
from gamehall.solver.solver import (
    NOT_INSTALLED,
    OTHER_BOARD,
    JudgedGame,
    JudgedMove,
    Solver,
    is_solved,
)
from gamehall.store.journals import RoundSpan
from gamehall.table_log import house

WAITING_MAX = 8
"""Analyses that wait for the one that is made: bots at tables ask the same solver."""
KEPT_MAX = 128
"""Analyses that are kept for the next who ask."""


class Analysis(msgspec.Struct, frozen=True):
    table: int
    round: int
    moves: tuple[JudgedMove, ...]


class Analyses:
    def __init__(self, tables: Tables, reading: Reading, solver: Solver | None) -> None:
        self._tables = tables
        self._reading = reading
        self._solver = solver
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._kept: OrderedDict[tuple[int, int], Analysis] = OrderedDict()

    async def of(self, id: int, key: str | None, round: int) -> Analysis:
        """Every drop of a round that is over.

        Raises:
            NoSuchTable, WrongKey, NoSuchRound, RoundRunning, NotAnalysed
            Unavailable: the solver is starting, or has too much to do.
        """
        info = await self._reading.table(id, key)
        if info.game != ConnectFour.name:
            raise NotAnalysed
        span = await self._reading.span(info, round)
        if self._solver is None:
            raise NotAnalysed(NOT_INSTALLED)
        if self._waiting >= WAITING_MAX:
            raise Unavailable("Too many games are being analysed. Ask again in a moment.")
        self._waiting += 1
        try:
            async with self._turn:
                kept = self._kept.get((id, round))
                if kept is None:
                    drops = await self._drops(self._tables.kind(info.game), id, round, span)
                    kept = Analysis(id, round, await _judged(drops, self._solver))
                self._keep(kept)
                return kept
        finally:
            self._waiting -= 1

    def _keep(self, analysis: Analysis) -> None:
        self._kept[analysis.table, analysis.round] = analysis
        self._kept.move_to_end((analysis.table, analysis.round))
        if len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)

    async def _drops(
        self, kind: Kind, id: int, round: int, span: RoundSpan
    ) -> list[tuple[int, Dropped]]:
        """Each with the number of its row. Raises NotAnalysed for a board that is not solved."""
        drops: list[tuple[int, Dropped]] = []
        begun = False
        async for row in self._reading.rows(id, kind, span.first_seq, span.last_seq):
            for event in events_of(row, round, begun=begun):
                begun = True
                if isinstance(event, Dropped):
                    drops.append((row.seq, event))
                elif isinstance(event, house.Opened) and not is_solved(
                    kind.rules.read_options(event.options)
                ):
                    raise NotAnalysed(OTHER_BOARD)
        return drops


async def _judged(drops: list[tuple[int, Dropped]], solver: Solver) -> tuple[JudgedMove, ...]:
    game, moves = JudgedGame(), []
    for seq, drop in drops:
        scores = await solver.scores(game.position, patient=False)
        moves.append(game.judge(seq, drop.seat, drop.column, scores))
    return tuple(moves)
