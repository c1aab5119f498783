"""The sensible player of Four Stone: it takes, flees and wins, and every game with it ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from gamehall.bots import four_stone
from gamehall.bots.bot import Bot, RandomBot, bots_for
from gamehall.bots.four_stone import WON, SensibleMover
from gamehall.games.four_stone import Move, Position
from gamehall.games.four_stone_board import moves, stone, taken
from gamehall.games.game import Command, Outcome
from tests.games.four_stone_play import GAME, at, do, move, new

MOVES_MOST = 2000


def chosen(state: Position, wire: bool = False, seed: int = 0) -> Command:
    view: object = GAME.view(state, state.turn)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    legal = list(GAME.legal(state, state.turn))
    return SensibleMover().choose(view, legal, state.turn, Random(seed))


def play(bots: Sequence[Bot], seed: int) -> Outcome:
    """How a game between two bots ends; every command they choose must be among the legal."""
    rng, state = Random(seed), new()
    for _ in range(MOVES_MOST):
        seat = state.turn
        legal = list(GAME.legal(state, seat))
        command = bots[seat].choose(GAME.view(state, seat), legal, seat, rng)
        assert command in legal
        if (outcome := GAME.outcome(do(state, seat, command))) is not None:
            return outcome
    raise AssertionError(f"the game is not over after {MOVES_MOST} moves")


def test_levels() -> None:
    bots = bots_for("four-stone")
    assert list(bots) == ["random", "sensible", "strong"]
    assert isinstance(bots["sensible"], SensibleMover)


@pytest.mark.parametrize("seat", [0, 1])
def test_sensible_beats_random(seat: int) -> None:
    players: list[Bot] = [RandomBot(), RandomBot()]
    players[seat] = SensibleMover()
    wins = sum(play(players, seed).winners == (seat,) for seed in range(100))
    assert wins >= 90


def test_sensible_against_itself_comes_to_an_end() -> None:
    for seed in range(20):
        play([SensibleMover(), SensibleMover()], seed)


# What it sees


@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize(
    ("board", "seat", "digits"),
    [
        # Takes the last but one, in a row and in a column, as either seat.
        (".... F.W. .F.W ...F", 0, "1211"),
        (".... W.F. .W.F ...W", 1, "1211"),
        (".F.. F... .W.. ...W", 0, "0111"),
        # Two at once before one.
        (".F.W F.W. .F.. .W.W", 0, "1011"),
        # Shuts the opponent in: the stone on [1, 3] is the only one that can move.
        ("...W W... FWW. FF..", 1, "2223"),
    ],
)
def test_sensible_takes(board: str, seat: int, digits: str, wire: bool) -> None:
    for seed in range(10):
        assert chosen(at(board, seat), wire, seed) == move(digits)


def test_sensible_sees_every_win() -> None:
    seen = 0
    for seed in range(150):
        rng, state = Random(seed), new()
        while state.outcome is None:
            seat = state.turn
            legal = list(GAME.legal(state, seat))
            wins = [command for command in legal if _winners(state, command) == (seat,)]
            if wins:
                seen += 1
                assert chosen(state, seed=seed) in wins
            do(state, seat, rng.choice(legal))
    assert seen > 100


def _winners(state: Position, command: Command) -> tuple[int, ...]:
    outcome = GAME.outcome(do(GAME.fork(state), state.turn, command))
    return () if outcome is None else outcome.winners


def test_sensible_finds_the_best_that_can_be_found() -> None:
    """As a search that leaves nothing out."""
    for seed in range(12):
        rng, state = Random(seed), new()
        while state.outcome is None:
            seat = state.turn
            legal = list(GAME.legal(state, seat))
            if rng.random() < 0.1:
                own, enemy = state.stones[seat], state.stones[1 - seat]
                worth = {
                    command: _worth(own, enemy, stone(command.from_), stone(command.to), 4)
                    for command in legal
                    if isinstance(command, Move)
                }
                choice = chosen(state, seed=seed)
                assert isinstance(choice, Move)
                assert worth[choice] == max(worth.values())
            do(state, seat, rng.choice(legal))


def _worth(own: int, enemy: int, source: int, target: int, plies: int) -> int:
    own = own & ~source | target
    enemy &= ~taken(own, enemy, target)
    if enemy.bit_count() == 1 or enemy == 0:
        return WON + plies
    if plies == 1:
        return own.bit_count() - enemy.bit_count()
    answers = [_worth(enemy, own, *answer, plies - 1) for answer in moves(enemy, own)]
    return -max(answers) if answers else WON + plies


def test_it_looks_as_far_as_these_tests_do() -> None:
    assert four_stone.PLIES == 4


def test_the_same_seed_chooses_the_same() -> None:
    choices = {chosen(new(), seed=5) for _ in range(5)}
    assert len(choices) == 1
    assert len({chosen(new(), seed=seed) for seed in range(30)}) > 1
