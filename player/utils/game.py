"""What a player that is a program knows of the game that it plays."""

from collections import Counter
from random import Random

from utils.board import Board
from utils.protocol import GameStarted, GameUpdate, Rows
from utils.search import choose_column

TRIES = 3
"""How often a column is sent on one board: a hall that is in trouble may take it a moment later."""


class Game:
    """Answers boards with columns, and never gives up: a hall that takes none may do so later."""

    def __init__(self, start: GameStarted) -> None:
        self.id = start.game_id
        self.opponent = start.opponent
        self._number = start.number
        self._board: Rows = []
        self._refused: Counter[int] = Counter()
        """How often the hall did not take each column on this board."""
        self._sent: int | None = None
        """The column that we have answered this board with."""
        self.in_doubt = False
        """Whether that answer may not have been taken."""

    def see(self, update: GameUpdate) -> bool:
        """Whether it is our turn on this board."""
        if update.board != self._board:
            self._board = update.board
            self._refused.clear()
        self._sent, self.in_doubt = None, False
        return update.current_player == self._number and not update.game_over

    def choose(self, depth: int, chance: Random) -> int:
        """The best column that has not been refused too often; if all have been, from the top."""
        board = Board.seen_by(self._number, self._board)
        avoid = {column for column, times in self._refused.items() if times >= TRIES}
        if avoid.issuperset(board.open_columns()):
            self._refused.clear()
            avoid.clear()
        again = [column for column in self._refused if column not in avoid]
        self._sent = again[0] if again else choose_column(board, depth, chance, avoid=avoid)
        return self._sent

    def doubt(self) -> None:
        """An error has come, which does not say what it is about. If no new board follows, it was
        about our answer: `refused`."""
        self.in_doubt = self._sent is not None

    def refused(self) -> None:
        """The answer in doubt was not taken."""
        if self._sent is not None:
            self._refused[self._sent] += 1
        self.in_doubt = False
