"""Players that are programs: what one is, and which there are.

A bot is given what its seat may see and do, never the state of the game: it can know no more than
a person in its place. It keeps nothing between calls and does no I/O, so the same bot plays at any
number of tables; whoever runs it fetches the view and sends the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from gamehall.bots.bingo import RandomListener, SensibleListener
from gamehall.bots.bingo_duel import SensiblePicker, StrongPicker
from gamehall.bots.connect_four import SensibleBot, StrongBot
from gamehall.bots.connect_four_perfect import PerfectBot
from gamehall.bots.four_stone import SensibleMover, StrongMover
from gamehall.bots.sicbo import RandomBettor, SensibleBettor, StrongBettor
from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.connect_four import ConnectFour
from gamehall.games.four_stone import FourStone
from gamehall.games.game import Command
from gamehall.games.sicbo import SicBo


class Bot(Protocol):
    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        """One of the `legal` commands, of which there is at least one, or another that the rules
        accept now. None is nothing for the moment: it is asked again when something has happened.
        What the rules refuse, it may think over once.

        `view` is as `game.view` gives it, or as it arrives over the wire, decoded.
        """
        ...


AnyBot = Bot | PerfectBot
"""The perfect one thinks in another process, and nobody may stand still while it does."""


class RandomBot:
    """Plays any game that can list its legal commands."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        return rng.choice(legal)


_RANDOM: Bot = RandomBot()
_BOTS: dict[str, dict[str, Bot]] = {
    Bingo.name: {
        "random": RandomListener(),
        "sensible": SensibleListener(),
        "strong": SensibleListener(),
    },
    BingoDuel.name: {"sensible": SensiblePicker(), "strong": StrongPicker()},
    ConnectFour.name: {"sensible": SensibleBot(), "strong": StrongBot()},
    FourStone.name: {"sensible": SensibleMover(), "strong": StrongMover()},
    SicBo.name: {
        "random": RandomBettor(),
        "sensible": SensibleBettor(),
        "strong": StrongBettor(),
    },
}


def bots_for(game_name: str) -> dict[str, Bot]:
    """The bots of a game by their level: `random` for every game, and those made for it."""
    return {"random": _RANDOM, **_BOTS.get(game_name, {})}
