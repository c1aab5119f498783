"""Ratings, which follow from the finished rounds of rated tables.

They are read again from where the last one was counted, so a round counts once, whatever happens in
between. The leading node counts for all; should two do it at once, what one of them has counted
first holds. Bots have a league of their own: a round in which people and bots met changes nobody's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import structlog
from openskill.models import PlackettLuce

from gamehall.errors import Unavailable
from gamehall.hall.beat.requests import Told
from gamehall.hall.nodes.background import AGAIN_SECONDS
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import SeatResult
from gamehall.store.lists import RatedRound, Rating
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

PAGE = 100
"""Rounds that are counted at once."""
POLL_SECONDS = 1.0
"""How often rounds are looked for that have ended at other nodes."""

_model = PlackettLuce()
_RANKS = {"win": 0, "draw": 1, "loss": 2}


class Ratings:
    def __init__(self, store: Store, tables: Tables, nodes: Nodes) -> None:
        self._store = store
        self._tables = tables
        self._nodes = nodes
        self._due = asyncio.Event()

    def told(self, told: Told) -> None:
        """A round may have ended that counts."""
        table = self._tables.loaded(told.table)
        if told.ended and table is not None and table.state.opened.rated:
            self._due.set()

    async def run(self) -> None:
        """Counts what is not counted yet, for as long as the hall runs."""
        while True:
            try:
                while self._nodes.leads and await self._count():
                    pass
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self._nodes.alone else POLL_SECONDS):
                    await self._due.wait()
            self._due.clear()

    async def _count(self) -> bool:
        """Whether there may be more."""
        rounds = await self._store.unrated_rounds(PAGE)
        if not rounds:
            return False
        ratings: dict[tuple[int, str], Rating] = {}
        for round in rounds:
            await self._rate(round, ratings)
        changed = [rating for rating in ratings.values() if rating.rounds]
        await self._store.put_ratings(rounds[0].id, rounds[-1].id, changed)
        return len(rounds) == PAGE

    async def _rate(self, round: RatedRound, ratings: dict[tuple[int, str], Rating]) -> None:
        players = [result.player for result in round.results]
        unknown = [player for player in players if (player, round.game) not in ratings]
        for known in await self._store.ratings_of(round.game, unknown):
            ratings[known.player, round.game] = known
        for result in round.results:
            if (result.player, round.game) not in ratings:
                ratings[result.player, round.game] = await self._newcomer(result, round.game)
        before = [ratings[player, round.game] for player in players]
        if len(set(players)) < 2 or len({rating.bot for rating in before}) > 1:
            return
        for rating in rated(before, round.results):
            ratings[rating.player, round.game] = rating

    async def _newcomer(self, result: SeatResult, game: str) -> Rating:
        player = await self._store.player(result.player)
        fresh = _model.rating()
        bot = player is not None and player.kind == "bot"
        return Rating(result.player, result.name, game, bot, fresh.mu, fresh.sigma, 0)


def rated(before: Sequence[Rating], results: Sequence[SeatResult]) -> list[Rating]:
    """What a round makes of the ratings of those who played it."""
    teams = [[_model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    ranks = [float(_RANKS[result.result]) for result in results]
    return [
        Rating(old.player, old.name, old.game, old.bot, new.mu, new.sigma, old.rounds + 1)
        for old, (new,) in zip(before, _model.rate(teams, ranks=ranks), strict=True)
    ]
