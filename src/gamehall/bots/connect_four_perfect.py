"""A player of Connect Four who never gives away a game that is won or drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import structlog

from gamehall.bots.connect_four import StrongBot, by_centre
from gamehall.errors import Unavailable
from gamehall.games.connect_four import Drop, View
from gamehall.games.game import Command
from gamehall.games.two_in_turn import AnswerDraw
from gamehall.solver.solver import Position, Scores, Solver, position_on

log = structlog.get_logger(__name__)

PERFECT = "perfect"
"""Its level, which is there where the solver is installed, and plays when it is asked for."""
TRIES = 20
AGAIN_SECONDS = 1.0
"""Between two tries to get an answer of the solver."""


class PerfectBot:
    """Wins as early as it can, and loses as late.

    Where the solver knows nothing, on another board or when it is away for long, it plays as the
    strong one does: an opponent does not wait for ever.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._otherwise = StrongBot()
        self._is_away = False

    async def think(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        seen = msgspec.convert(view, View)
        position = None
        if seen.turn is not None:
            position = position_on(seen.board, seen.length, seen.turn)
        scores = None if position is None else await self._scores(position)
        if scores is None:
            return self._otherwise.choose(view, legal, seat, rng)
        best = max(score for score in scores if score is not None)
        mine = best if seen.turn == seat else -best
        if mine < 0 and AnswerDraw(True) in legal:
            return AnswerDraw(True)
        if seen.turn != seat:
            return AnswerDraw(False)
        columns = [column for column, score in enumerate(scores) if score == best]
        return Drop(by_centre(columns, len(scores), rng)[0])

    async def close(self) -> None:
        """Nothing of its solver is left."""
        await self._solver.close()

    async def _scores(self, position: Position) -> Scores | None:
        # Whoever was waited for in vain is asked once at each move, until it answers.
        for _ in range(1 if self._is_away else TRIES):
            try:
                scores = await self._solver.scores(position)
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                self._is_away = False
                return scores
        log.warning("solver_away", waited=not self._is_away)
        self._is_away = True
        return None
