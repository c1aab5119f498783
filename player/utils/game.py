"""What a player that is a program knows of the game that it plays."""

from random import Random

from utils.board import Board
from utils.protocol import GameStarted, GameUpdate, ProtocolError, Rows
from utils.search import choose_column


class Game:
    """Answers boards with columns, and never again with one that was not taken."""

    def __init__(self, start: GameStarted) -> None:
        self.id = start.game_id
        self.opponent = start.opponent
        self._number = start.number
        self._board: Rows = []
        self._refused: set[int] = set()
        """The columns that the hall did not take on this board."""
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
        """The best column that has not been refused. Raises ProtocolError if all have been."""
        board = Board.seen_by(self._number, self._board)
        if self._refused.issuperset(board.open_columns()):
            raise ProtocolError(f"the hall takes none of our moves in game {self.id}")
        self._sent = choose_column(board, depth, chance, avoid=self._refused)
        return self._sent

    def doubt(self) -> None:
        """An error has come, which does not say what it is about. If no new board follows, it was
        about our answer: `refused`."""
        self.in_doubt = self._sent is not None

    def refused(self) -> None:
        """The answer in doubt was not taken."""
        if self._sent is not None:
            self._refused.add(self._sent)
        self.in_doubt = False
