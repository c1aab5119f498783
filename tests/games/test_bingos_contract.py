from tests.contract.game_contract import GameContract
from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel


class TestBingo(GameContract):
    game = Bingo()
    people = 3
    option_sets = ({}, {"free_centre": False})


class TestDuel(GameContract):
    game = BingoDuel()
    option_sets = ({}, {"size": 3})
