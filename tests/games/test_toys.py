"""The toys are games like any other."""

from tests.contract.game_contract import GameContract
from tests.games.toys import HighCard


class TestHighCard(GameContract):
    game = HighCard()
    option_sets = (
        {},
        {"least": 0},
        {"least": 3, "kept": False},
        {"again_ms": None},
        {"again_ms": 0},
    )
