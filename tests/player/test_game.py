"""What the AI makes of updates and errors."""

from __future__ import annotations

from random import Random

from tests.player.fake_hall import Board, dropped, played
from utils.game import TRIES, Game
from utils.protocol import GameStarted, GameUpdate

ONE_IS_OPEN = played(*[column for column in range(6) for _ in range(6)])
TWO_ARE_OPEN = played(*[column for column in range(5) for _ in range(6)])


def _game(number: int = 1) -> Game:
    return Game(GameStarted(game_id=3, opponent="Bob", number=number, name="Ada"))


def _update(board: Board, current: int = 1, over: bool = False) -> GameUpdate:
    return GameUpdate([list(row) for row in board], current, over)


def _choose(game: Game) -> int:
    return game.choose(1, Random(1))


def test_it_knows_when_it_is_its_turn() -> None:
    for number in (1, 2):
        game = _game(number)
        assert game.see(_update(ONE_IS_OPEN, number))
        assert not game.see(_update(ONE_IS_OPEN, 3 - number))
        assert not game.see(_update(ONE_IS_OPEN, number, over=True))


def _refused(game: Game, times: int = TRIES) -> set[int]:
    """What it has tried, this often in vain."""
    tried = set()
    for _ in range(times):
        tried.add(_choose(game))
        game.doubt()
        game.refused()
    return tried


def test_a_column_is_sent_again_before_another_is_tried() -> None:
    game = _game()
    game.see(_update(TWO_ARE_OPEN))
    (first,) = _refused(game)
    assert {first, _choose(game)} == {5, 6}
    game.see(_update(TWO_ARE_OPEN))
    assert _choose(game) != first


def test_when_all_were_refused_it_begins_anew() -> None:
    game = _game()
    game.see(_update(TWO_ARE_OPEN))
    (first,), (second,) = _refused(game), _refused(game)
    assert {first, second} == {5, 6}
    assert _choose(game) == first


def test_on_a_new_board_a_refused_one_may_be_chosen() -> None:
    game = _game()
    game.see(_update(TWO_ARE_OPEN))
    (first,) = _refused(game)
    other = 11 - first
    game.see(_update(dropped(TWO_ARE_OPEN, other, 2)))
    assert _refused(game, 2) == {_choose(game)}


def test_what_was_not_refused_may_be_sent_again() -> None:
    game = _game()
    game.see(_update(ONE_IS_OPEN))
    assert _choose(game) == 6
    game.see(_update(ONE_IS_OPEN))
    assert _choose(game) == 6


def test_an_error_leaves_a_doubt_only_if_something_was_sent_and_until_the_next_board() -> None:
    game = _game()
    game.see(_update(TWO_ARE_OPEN))
    game.doubt()
    assert not game.in_doubt
    _choose(game)
    assert not game.in_doubt
    game.doubt()
    assert game.in_doubt
    game.see(_update(dropped(TWO_ARE_OPEN, 5, 1), current=2))
    assert not game.in_doubt
    game.doubt()
    assert not game.in_doubt
