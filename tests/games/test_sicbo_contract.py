"""Sic Bo keeps what every game promises."""

from __future__ import annotations

from gamehall.games.sicbo import SicBo
from tests.contract.game_contract import GameContract


class TestSicBoContract(GameContract):
    game = SicBo()
    option_sets = (
        {},
        {"bet_max": 5, "reveal_seconds": 0, "pause_seconds": 0},
        {"betting_seconds": 600, "bet_max": 10**12},
    )

    def test_people_walk_in_and_bet(self) -> None:
        """Or else the suite would look at empty tables."""
        assert max(len(table.state.game.bettors) for table in self.played()) >= 3
