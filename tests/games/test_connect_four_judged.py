"""Connect Four before other judges: published counts, a naive one, what holds for any game."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gamehall import errors
from gamehall.games.connect_four import ConnectFourOptions, Drop, Position
from gamehall.games.game import Outcome, Start
from tests.contract.game_contract import GameContract
from tests.games.connect_four_play import GAME, do, new, refusal


def test_position_counts() -> None:
    """Distinct positions by the number of stones, where finished games are not continued."""
    positions = {new().stones: new()}
    counts = [len(positions)]
    for _ in range(8):
        following: dict[tuple[int, int], Position] = {}
        for state in positions.values():
            for command in GAME.legal(state, state.turn):
                after = do(GAME.fork(state), state.turn, command)
                following.setdefault(after.stones, after)
        positions = following
        counts.append(len(positions))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


class TestConnectFourContract(GameContract):
    game = GAME
    option_sets = (
        {},
        {"move_seconds": 0.5},
        {"columns": 3, "rows": 3, "length": 3},
        {"columns": 9, "rows": 4, "length": 5},
    )


# Against a naive judge


Board = list[list[int]]


def naive_line(board: Board, stone: int, length: int) -> set[tuple[int, int]]:
    """Every (row, column) that is part of a line of this colour."""
    found: set[tuple[int, int]] = set()
    for row in range(len(board)):
        for column in range(len(board[0])):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + down * n, column + right * n) for n in range(length)]
                if all(
                    0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] == stone
                    for r, c in line
                ):
                    found |= set(line)
    return found


@st.composite
def games(draw: st.DrawFn) -> tuple[ConnectFourOptions, list[int]]:
    columns, rows = draw(st.integers(3, 12)), draw(st.integers(3, 12))
    length = draw(st.integers(3, min(5, max(columns, rows))))
    # Few columns at a time, so that lines come about.
    near = st.integers(0, min(columns, draw(st.integers(2, 12))) - 1)
    drops = draw(st.lists(near, max_size=columns * rows))
    return ConnectFourOptions(columns, rows, length), drops


@given(games())
def test_the_rules_agree_with_a_naive_judge(played: tuple[ConnectFourOptions, list[int]]) -> None:
    options, drops = played
    state = GAME.start(Start(options, (0, 1), 1, 0))
    board: Board = [[0] * options.columns for _ in range(options.rows)]
    for count, column in enumerate(drops):
        seat, free = count % 2, [row for row in board if not row[column]]
        if not free:
            assert refusal(state, seat, Drop(column)) == "column_full"
            return
        do(state, seat, Drop(column))
        free[-1][column] = seat + 1
        line = naive_line(board, seat + 1, options.length)
        view = GAME.view(state, None)
        assert view.board == tuple(map(tuple, board))
        assert {(spot.row, spot.column) for spot in view.line} == line
        if line:
            assert GAME.outcome(state) == Outcome((seat,), "line")
            return
        full = all(all(row) for row in board)
        assert GAME.outcome(state) == (Outcome((), "board_full") if full else None)
        if full:
            return


@given(st.lists(st.integers(0, 6), max_size=42))
def test_a_fork_stays_where_it_is(drops: list[int]) -> None:
    state = new()
    for column in drops:
        kept, before = GAME.fork(state), msgspec.json.encode(GAME.view(state, None))
        try:
            do(state, state.turn, Drop(column))
        except errors.Refused:
            break
        assert msgspec.json.encode(GAME.view(kept, None)) == before
        assert kept != state
