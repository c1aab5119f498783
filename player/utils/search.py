"""The AI: it looks some moves ahead, and supposes that the other does so too."""

from collections.abc import Collection
from random import Random

from utils.board import Board, has_four

WIN = 1000
"""More than any lead can be. What is left of the depth is added: a quick win is a better one."""
INFINITE = 10 * WIN


def choose_column(board: Board, depth: int, chance: Random, avoid: Collection[int] = ()) -> int:
    """The best open column; of several that are equally good, any. Those to `avoid` do not count.

    `depth` is the number of moves that it looks ahead, from 1: its own, the answer, and so on.
    """
    best: list[int] = []
    best_value = -INFINITE
    for column in board.open_columns():
        if column not in avoid:
            # One below the best so far, so that an equally good column is seen as such.
            value = -_value(board.play(column), depth - 1, -INFINITE, 1 - best_value)
            if value > best_value:
                best, best_value = [], value
            if value == best_value:
                best.append(column)
    return chance.choice(best)


def _value(board: Board, depth: int, alpha: int, beta: int) -> int:
    """What the board is worth to the player whose turn it is: negamax with alpha-beta pruning.

    Only values between `alpha` and `beta` matter. The player has something worth `alpha` already,
    and the other will not let it come to anything worth more than `beta`.
    """
    if has_four(board.theirs):
        return -(WIN + depth)
    columns = board.open_columns()
    if not columns:
        return 0
    if depth == 0:
        return board.lead()
    for column in columns:
        alpha = max(alpha, -_value(board.play(column), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
