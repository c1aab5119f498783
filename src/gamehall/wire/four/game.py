"""A game of Connect Four as a client of the `four` door follows it: a grid, and whose turn it is.

It is kept up by the events of the table alone.
"""

from __future__ import annotations

from gamehall.games.connect_four import Dropped, View
from gamehall.games.game import Outcome
from gamehall.hall.people.notices import TableView
from gamehall.wire.four.messages import encode, how_it_ended, player_id


class FourGame:
    __slots__ = ("_board", "_ids", "_names", "_outcome", "_over", "_seat", "_turn", "seq", "table")

    def __init__(self, shown: TableView) -> None:
        """From a table at which the game has begun, as one of its two players sees it."""
        assert isinstance(shown.view, View)
        assert shown.seat is not None
        self.table = shown.table
        self.seq = shown.seq
        """The last row of the journal that the client was told of."""
        self._seat = shown.seat
        self._names = [player.name for player in shown.players]
        self._ids = [player_id(player.id) for player in shown.players]
        self._board = [list(row) for row in shown.view.board]
        self._turn = sum(stone > 0 for row in self._board for stone in row) % 2
        self._over = False
        self._outcome: Outcome | None = None

    def drop(self, event: Dropped) -> None:
        row = next(row for row in reversed(self._board) if not row[event.column])
        row[event.column] = event.seat + 1
        self._turn = 1 - event.seat

    def end(self, outcome: Outcome | None) -> None:
        """It is over; without an outcome, it was called off."""
        self._over = True
        self._outcome = outcome

    @property
    def _winner(self) -> int | None:
        return self._outcome.winners[0] if self._outcome and self._outcome.winners else None

    # What the client is told

    def start(self) -> bytes:
        first, second = self._names
        return encode(
            "GAME_START",
            game_id=self.table,
            player1=first,
            player2=second,
            your_number=self._seat + 1,
            your_name=self._names[self._seat],
        )

    def update(self) -> bytes:
        winner = self._winner
        moved = any(stone for stone in self._board[-1])
        # After the end, the last who moved.
        current = 1 - self._turn if self._over and moved else self._turn
        return encode(
            "GAME_UPDATE",
            board=self._board,
            current_player=current + 1,
            winner=None if winner is None else winner + 1,
            winner_id=None if winner is None else self._ids[winner],
            game_over=self._over,
        )

    def result(self) -> bytes:
        winner = self._winner
        return encode(
            "GAME_OVER",
            winner=None if winner is None else self._names[winner],
            winner_id=None if winner is None else self._ids[winner],
            you_won=None if winner is None else winner == self._seat,
            reason=how_it_ended(self._outcome, self._names),
        )
