"""The games of the house. A new one is a file of its own and a name in this list."""

from __future__ import annotations

from typing import Any

from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.connect_four import ConnectFour
from gamehall.games.four_stone import FourStone
from gamehall.games.game import Game
from gamehall.games.sicbo import SicBo

GAMES: tuple[Game[Any], ...] = (ConnectFour(), Bingo(), BingoDuel(), SicBo(), FourStone())
