"""Finished games of Four Stone verify, also a rematch by itself; tampered ones do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gamehall.games.four_stone import FourStone
from gamehall.games.two_in_turn import Resign
from gamehall.table_log import house
from gamehall.table_log.verify import Verdict, verify_log
from gamehall.testing import Playout
from tests.games.exporting import (
    Forge,
    both,
    command,
    event,
    exported,
    forged,
    hash_after,
    omit,
    sender,
    swap,
)
from tests.games.forging import found
from tests.games.four_stone_play import move

GAME = FourStone()
GAMES = dict.fromkeys((GAME.name, *GAME.aliases), GAME)
DECIDED = "Decided again, event"
WATER_WINS = "0302 1011 1312 2010 2322 1101 2221 1011"
"""It takes with the fourth, the sixth and the eighth move."""
DRAW = "0302 0001 0203 0100 " * 2


def a_table(**options: Any) -> Playout:
    return Playout(GAME, options)


def play(table: Playout, moves: str) -> Playout:
    for digits in moves.split():
        table.at_ms += 10
        table.act(table.state.game.turn, move(digits))
    return table


def two_rounds() -> Playout:
    """A game that water wins, and a rematch that is drawn."""
    table = play(a_table(), WATER_WINS)
    for seat in (1, 0):
        table.act(seat, house.Rematch())
    return play(table, DRAW)


TABLE = two_rounds()
FIRST, SECOND = exported(TABLE, 1), exported(TABLE, 2)
ROWS = [json.loads(line) for line in FIRST[:-1]]
MOVES = next(n for n, row in enumerate(ROWS) if row["command"]["type"] == "move")
"""The row of the first move."""
TOOK, LAST = MOVES + 3, MOVES + 7


def judged(lines: list[bytes], last_hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES, last_hash)


# Honest games


def test_the_games_are_what_these_tests_take_them_for() -> None:
    assert [ended.outcome.reason for ended in TABLE.ended] == ["one_stone", "repetition"]
    assert [row["command"]["type"] for row in ROWS[MOVES:]] == ["move"] * 8
    assert ROWS[TOOK]["events"][0]["taken"] == [[1, 2]]
    assert forged(FIRST, lambda rows: None) == FIRST


@pytest.mark.parametrize("lines", [FIRST, SECOND], ids=["won", "drawn"])
def test_a_round_passes_by_itself(lines: list[bytes]) -> None:
    verdict = judged(lines, hash_after(TABLE.lines[: json.loads(lines[-2])["seq"]]))
    assert verdict.ok, verdict.problems
    assert any("commands were decided again" in check for check in verdict.checks)


def test_all_rounds_together_pass() -> None:
    assert judged(TABLE.lines, TABLE.chain).ok


@pytest.mark.parametrize("end", [Resign(), house.Leave(), house.Leave("dropped")])
@pytest.mark.parametrize("seat", [0, 1])
def test_games_that_someone_gives_up_pass(seat: int, end: Any) -> None:
    table = play(a_table(), "0302")
    table.act(seat, end)
    verdict = judged(exported(table, 1), table.chain)
    assert verdict.ok, verdict.problems


def test_a_game_that_the_clock_ends_passes() -> None:
    table = play(a_table(move_seconds=2), "0302 1011")
    table.fire()
    assert table.ended[0].outcome.reason == "time"
    verdict = judged(exported(table, 1), table.chain)
    assert verdict.ok, verdict.problems


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_played_by_the_rules_passes(seed: int) -> None:
    table = Playout(GAME, seed=seed, strays=0.02)
    table.run()
    verdict = judged(exported(table, 1), table.chain)
    assert verdict.ok, verdict.problems


# Tampering, with all hashes written anew: the rules find it


def instead(row: int, from_: list[int], to: list[int]) -> Forge:
    """Another move, in the command and in the event."""
    return both(
        command(row, **{"from": from_, "to": to}), event(row, 0, **{"from": from_, "to": to})
    )


@pytest.mark.parametrize(
    ("forge", "row", "words"),
    [
        (event(TOOK, 0, taken=[]), TOOK, DECIDED),
        (event(TOOK, 0, taken=[[0, 2]]), TOOK, DECIDED),
        (event(TOOK, 0, taken=[[1, 2], [0, 2]]), TOOK, DECIDED),
        (event(MOVES, 0, taken=[[0, 0]]), MOVES, DECIDED),
        (event(MOVES, 0, to=[0, 1]), MOVES, DECIDED),
        (event(MOVES, 0, seat=1), MOVES, DECIDED),
        (event(MOVES, 0, at_ms=1), MOVES, DECIDED),
        (command(MOVES, to=[1, 2]), MOVES, "refuse this command (not_adjacent)"),
        (instead(MOVES, [0, 2], [0, 1]), MOVES, "refuse this command (not_your_stone)"),
        (instead(MOVES, [0, 3], [1, 3]), MOVES, "refuse this command (place_taken)"),
        (instead(MOVES, [0, 3], [0, 4]), MOVES, "refuse this command (no_such_place)"),
        (instead(LAST, [1, 0], [2, 0]), LAST, DECIDED),
        (sender(MOVES, 1), MOVES, "refuse this command (not_your_turn)"),
        (sender(MOVES, None), MOVES, "no seat sent it"),
        (swap(MOVES, MOVES + 1), MOVES, "refuse this command (not_your_turn)"),
        (omit(MOVES), MOVES, "refuse this command (not_your_turn)"),
        (lambda rows: rows[LAST]["events"][1]["outcome"].update(winners=[0]), LAST, DECIDED),
        (lambda rows: rows[LAST]["events"][1]["outcome"].update(reason="no_move"), LAST, DECIDED),
    ],
    ids=range(18),
)
def test_a_forged_game_is_found(forge: Forge, row: int, words: str) -> None:
    assert found(judged(forged(FIRST, forge)), words, seq=ROWS[0]["seq"] + row)


def test_a_draw_cannot_be_made_a_win() -> None:
    rows = [json.loads(line) for line in SECOND[:-1]]

    def change(rows: list[Any]) -> None:
        rows[-1]["events"][1]["outcome"].update(winners=[0], reason="one_stone")

    assert found(judged(forged(SECOND, change)), DECIDED, seq=rows[-1]["seq"])
