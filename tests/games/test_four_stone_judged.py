"""Four Stone before another judge, who reads boards as texts, and what holds for any game."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from gamehall import errors
from gamehall.games.four_stone import Move, Position
from gamehall.games.game import Outcome
from gamehall.testing import a_context
from tests.contract.game_contract import GameContract
from tests.games.four_stone_play import GAME, at, board, do, new

START = "WWWW" + "." * 8 + "FFFF"
"""16 letters, row by row."""
LINES = [[f"{4 * y + x:x}" for x in range(4)] for y in range(4)]
LINES += [[f"{4 * y + x:x}" for y in range(4)] for x in range(4)]
"""The places of a line, as hexadecimal digits."""


class TestFourStoneContract(GameContract):
    game = GAME
    option_sets = ({}, {"move_seconds": 0.5})


# The other judge


def judge_moves(text: str, mover: str) -> set[tuple[int, int]]:
    """A stone moves between letters that are neighbours in a line."""
    found = set()
    for line in LINES:
        places = [int(place, 16) for place in line]
        letters = "".join(text[place] for place in places)
        for match in re.finditer(rf"(?={mover}\.)", letters):
            found.add((places[match.start()], places[match.start() + 1]))
        for match in re.finditer(rf"(?=\.{mover})", letters):
            found.add((places[match.start() + 1], places[match.start()]))
    return found


def judge_after(text: str, mover: str, source: int, target: int) -> str:
    """The board after a move."""
    letters = list(text)
    letters[source], letters[target] = ".", mover
    moved = "".join(letters)
    enemy = "FW".replace(mover, "")
    for line in LINES:
        if f"{target:x}" not in line:
            continue
        for read in (line, line[::-1]):
            words = "".join(moved[int(place, 16)] for place in read)
            match = re.fullmatch(
                f"{mover * 2}({enemy})[^{enemy}]|[^{enemy}]{mover * 2}({enemy})", words
            )
            if match:
                letters[int(read[match.start(match.lastindex or 0)], 16)] = "."
    return "".join(letters)


def judge_end(history: list[str], mover: str) -> Outcome | None:
    """After this player's move; `history` has boards with the letter of who is to move."""
    last = history[-1][:16]
    other = "FW".replace(mover, "")
    if last.count(other) <= 1:
        return Outcome(("FW".index(mover),), "one_stone")
    if not judge_moves(last, other):
        return Outcome(("FW".index(mover),), "no_move")
    return Outcome((), "repetition") if history.count(history[-1]) == 3 else None


def as_move(source: int, target: int) -> Move:
    return Move((source % 4, source // 4), (target % 4, target // 4))


def text_of(state: Position) -> str:
    return board(state).replace(" ", "")


def test_both_judges_see_the_same_games() -> None:
    judged = 0
    reasons = set()
    for seed in range(200):
        rng, state, history = Random(seed), new(), [START + "F"]
        while state.outcome is None:
            mover = "FW"[state.turn]
            moves = judge_moves(history[-1][:16], mover)
            legal = list(GAME.legal(state, state.turn))
            assert len(legal) == len(moves)
            assert set(legal) == {as_move(*move) for move in moves}
            move = rng.choice(sorted(moves))
            after = judge_after(history[-1][:16], mover, *move)
            do(state, state.turn, as_move(*move))
            history.append(after + "FW".replace(mover, ""))
            assert text_of(state) == after
            assert state.outcome == judge_end(history, mover)
            assert GAME.view(state, None).times == history.count(history[-1])
            judged += 1
        reasons.add(state.outcome.reason)
    assert judged >= 10_000
    assert reasons == {"one_stone", "repetition"}


def test_both_judges_see_the_same_in_any_position() -> None:
    """Also in those that no game leads to."""
    rng = Random(7)
    judged = 0
    reasons = set()
    fallen: dict[int, int] = {}
    while judged < 20_000:
        stones = "F" * rng.randint(2, 6) + "W" * rng.randint(2, 6)
        text = "".join(rng.sample(stones.ljust(16, "."), 16))
        seat = rng.randrange(2)
        rows = " ".join(text[n : n + 4] for n in range(0, 16, 4))
        for move in sorted(judge_moves(text, "FW"[seat])):
            state = do(at(rows, seat), seat, as_move(*move))
            after = judge_after(text, "FW"[seat], *move)
            assert text_of(state) == after
            assert state.outcome == judge_end([after], "FW"[seat])
            reasons.add(state.outcome and state.outcome.reason)
            took = text.count("WF"[seat]) - after.count("WF"[seat])
            fallen[took] = fallen.get(took, 0) + 1
            judged += 1
    assert reasons == {None, "one_stone", "no_move"}
    assert set(fallen) == {0, 1, 2}


# What follows from the rules agrees with itself


def test_what_is_legal_is_what_is_accepted() -> None:
    places = [(x, y) for x in range(-1, 5) for y in range(-1, 5)]
    for seed in range(3):
        rng, state = Random(seed), new()
        while state.outcome is None:
            for seat in (0, 1):
                accepted = {
                    Move(from_, to)
                    for from_, to in product(places, repeat=2)
                    if is_accepted(state, seat, Move(from_, to))
                }
                assert set(GAME.legal(state, seat)) == accepted
            do(state, state.turn, rng.choice(list(GAME.legal(state, state.turn))))


def is_accepted(state: Position, seat: int, command: Move) -> bool:
    try:
        GAME.decide(state, seat, command, a_context())
    except errors.Refused:
        return False
    return True


@pytest.mark.parametrize("seed", range(5))
def test_a_fork_stays_where_it_is(seed: int) -> None:
    rng, state = Random(seed), new()
    while state.outcome is None:
        fork, before = GAME.fork(state), repr(state)
        do(fork, fork.turn, rng.choice(list(GAME.legal(fork, fork.turn))))
        assert repr(state) == before
        state = fork
