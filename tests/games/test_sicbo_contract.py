"""Sic Bo keeps what every game promises."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamehall.games.game import Command
from gamehall.games.sicbo import SicBo
from gamehall.testing import Playout
from tests.contract.game_contract import GameContract

CANDIDATES = 15
"""Sides are many and much alike: some of their bets at each moment are enough."""


class TestSicBoContract(GameContract):
    game = SicBo()
    option_sets = (
        {},
        {"bet_max": 5, "reveal_seconds": 0, "pause_seconds": 0},
        {"betting_seconds": 600, "bet_max": 10**12},
    )

    def candidates(self, table: Playout, rng: Random) -> Iterator[tuple[int, Command]]:
        every = list(super().candidates(table, rng))
        yield from rng.sample(every, min(CANDIDATES, len(every)))

    def test_people_walk_in_and_bet(self) -> None:
        """Or else the suite would look at empty tables."""
        assert max(len(table.state.game.bettors) for table in self.played()) >= 3
