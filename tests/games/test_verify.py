"""What a verdict says of honest logs, and of what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.verify import verify_log
from gamehall.testing import Playout
from tests.games.forging import (
    GAMES,
    HONEST,
    OPEN,
    REMATCH_0,
    REMATCH_1,
    ROLL_0,
    ROLL_1,
    ROLL_R2,
    ROWS,
    SIT_ANA,
    SIT_BO,
    filtered,
    forged,
    found,
    judged,
    written,
)
from tests.games.toys import HighCard
from tests.games.verify_toy import ANA, DiceGame, Recorder, Roll

# Honest logs


def test_an_honest_log_passes_and_says_what_was_checked() -> None:
    verdict = judged(HONEST.exported(), HONEST.hash)
    assert verdict.ok, verdict.problems
    words = "\n".join(verdict.checks)
    assert "11 rows of table 7 (Dice) are numbered 1 to 11" in words
    assert HONEST.hash in words
    assert "hash is that of row 11" in words
    assert "Secrets told: 2" in words
    assert "11 commands were decided again" in words
    assert verdict.notes == ()


def test_the_forgers_tools_of_these_tests_write_honest_logs_too() -> None:
    assert forged(lambda rows: None) == HONEST.exported()


def test_without_a_known_hash_the_verdict_asks_to_compare() -> None:
    verdict = judged(HONEST.lines)
    assert verdict.ok
    assert any("Compare the last hash" in note for note in verdict.notes)


def test_a_hash_told_at_the_end_of_an_earlier_round_is_found() -> None:
    verdict = judged(HONEST.exported(), HONEST.hashes[ROLL_1])
    assert verdict.ok
    assert any("hash is that of row 5" in check for check in verdict.checks)
    assert any("after 5 are newer" in note for note in verdict.notes)


def test_a_log_may_begin_with_a_later_round() -> None:
    verdict = judged(HONEST.lines[REMATCH_0:], HONEST.hash)
    assert verdict.ok, verdict.problems
    assert any("begins with row 7" in note for note in verdict.notes)


def test_a_log_may_end_with_a_finished_round() -> None:
    assert judged(HONEST.lines[: ROLL_1 + 1], HONEST.hashes[ROLL_1]).ok
    assert judged(HONEST.lines[: REMATCH_1 + 1]).ok


def test_line_ends_and_blank_lines_do_not_matter() -> None:
    lines = [line + b"\r\n" for line in HONEST.exported()]
    assert judged([b"\n", *lines, b"\n", b"  "], HONEST.hash).ok


def test_rounds_that_follow_by_themselves() -> None:
    for again_ms in (0, 50):
        table = Recorder(DiceGame(), {"again_ms": again_ms})
        table.sit_both()
        table.act(0, Roll())
        table.act(1, Roll())
        assert judged(table.lines).ok
        if again_ms:
            table.act(None, house.NextRound(), wait_ms=50)
        table.act(0, Roll())
        table.act(1, house.Leave())
        verdict = judged(table.exported(), table.hash)
        assert verdict.ok, verdict.problems
        assert "Secrets told: 2" in "".join(verdict.checks)
        opening = 4 if again_ms == 0 else 5
        assert judged(table.lines[opening:], table.hash).ok


def test_a_void_round_and_a_table_that_never_began() -> None:
    table = Recorder(DiceGame())
    table.sit_both()
    table.act(0, Roll())
    table.act(None, house.Close("fault"))
    assert judged(table.exported()).ok
    table = Recorder(DiceGame())
    table.act(None, house.Sit(ANA))
    table.act(0, house.Leave())
    verdict = judged(table.exported())
    assert verdict.ok, verdict.problems
    assert any("Secrets told: 1" in check for check in verdict.checks)


def test_a_game_of_connect_four() -> None:
    table = Recorder(ConnectFour(), {"columns": 5, "rows": 4})
    table.sit_both()
    for column in (0, 1, 0, 1, 0, 1):
        table.act(table.state.game.turn if table.state else None, Drop(column))
    table.act(0, Drop(0))
    assert judged(table.exported(), table.hash).ok
    rows = [json.loads(line) for line in table.lines]
    drawn = rows[2]["events"][1]
    assert drawn["type"] == "seats_drawn"
    drawn["order"].reverse()
    assert found(judged([written(row) for row in rows]), "Decided again, event 2", seq=3)


@pytest.mark.parametrize("game", [ConnectFour(), HighCard()], ids=lambda game: game.name)
def test_whatever_is_played_by_the_rules_passes(game: Game[Any]) -> None:
    for seed in range(20):
        table = Playout(game, seed=seed, strays=0.2)
        table.run()
        verdict = verify_log(table.lines, {game.name: game}, table.chain)
        assert verdict.ok, verdict.problems


# Logs that cannot be judged


def test_a_running_round_cannot_be_verified() -> None:
    for end in (OPEN, SIT_BO, ROLL_0):
        verdict = judged(HONEST.lines[: end + 1])
        assert found(verdict, "Round 1 has no end in this log")
        assert len(verdict.problems) == 1
        assert len(verdict.checks) == 2
    verdict = judged(HONEST.lines[: ROLL_R2 + 1])
    assert found(verdict, "Round 2 has no end in this log")
    assert len(verdict.problems) == 1
    assert "5 commands were decided again" in "".join(verdict.checks)


def test_rows_for_spectators_are_called_that() -> None:
    in_first_round = [HONEST.lines[OPEN], *map(filtered, ROWS[SIT_ANA : ROLL_0 + 1])]
    verdict = judged([*in_first_round, HONEST.trailer()])
    assert found(verdict, "After row 1 the log shows only what a spectator may see")
    assert len(verdict.problems) == 1
    in_second_round = [*HONEST.lines[: REMATCH_0 + 1], filtered(ROWS[ROLL_R2])]
    verdict = judged(in_second_round, HONEST.hashes[ROLL_1])
    assert found(verdict, "After row 7 the log shows only what a spectator may see")
    assert len(verdict.problems) == 1
    assert any("Secrets told: 1" in check for check in verdict.checks)
    tampered = in_second_round.copy()
    tampered[ROLL_0] = written({**ROWS[ROLL_0], "seat": 1})
    assert found(judged(tampered), "not_your_turn")
    assert not judged([filtered(ROWS[OPEN])]).ok


def test_rows_for_spectators_behind_a_finished_round_are_not_passed_over() -> None:
    finished = HONEST.lines[: ROLL_1 + 1]
    assert judged(finished).ok
    verdict = judged([*finished, filtered(ROWS[REMATCH_1])])
    assert found(verdict, "After row 5 the log shows only what a spectator may see")


def test_a_game_that_is_not_installed_is_named() -> None:
    assert found(verify_log(HONEST.lines, {}), "`dice` is not installed")


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [b""],
        [b"\xff\xfe"],
        [b"null"],
        [b"[]"],
        [b"{}"],
        [b"[" * 100_000],
        [b'{"events":' + b'[{"type":' * 3000],
        [b'{"events":[]}'],
        [b'{"events":[{"type":"opened"}]}'],
        [b'{"events":[{"type":"opened","game":"dice"}]}'],
        [b'{"events":[{"type":"opened","game":{"a":1}}]}'],
        [b'{"head":1,"hash":""}'],
        [HONEST.lines[0], b"{"],
        [HONEST.lines[0], b"1" * 5000],
        [HONEST.lines[0][:-1]],
        HONEST.lines[1:],
        [HONEST.trailer(), *HONEST.lines],
    ],
    ids=range(18),
)
def test_what_is_no_log_is_a_problem_and_no_exception(lines: list[bytes]) -> None:
    verdict = judged(lines)
    assert not verdict.ok
    assert verdict.problems


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(HONEST.exported()))))
def test_any_lines_are_judged_without_an_exception(lines: list[bytes]) -> None:
    verify_log(lines, GAMES)
