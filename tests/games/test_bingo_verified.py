"""Finished rounds of called Bingo verify, while the next is played; tampered ones do not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.games.bingo import Bingo, Claim, Deal
from gamehall.table_log import house
from gamehall.table_log.verify import Verdict, verify_log
from gamehall.testing import Playout
from tests.games.bingo_play import a_table, call_until, leave, win
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
)  # fmt: skip
from tests.games.forging import found

GAMES = {"bingo": Bingo()}


def three_rounds() -> Playout:
    """Two rounds that are over, with people who come late and leave, and a third that runs."""
    table = a_table(people=2, seed=11)
    for _ in range(2):
        table.act(0, Deal())
        late = table.sit()
        call_until(table, lambda state: len(state.called) == 4)
        leave(table, table.state.seat_of[late])
        win(table, 1)
    table.act(0, Deal())
    table.fire()
    return table


TABLE = three_rounds()
ROUND = exported(TABLE, 2)
ROWS = [json.loads(line) for line in ROUND[:-1]]
HASH = hash_after(TABLE.lines[: ROWS[-1]["seq"]])
OPEN, START, SIT, FIRST_CALL = range(4)
LEAVE = FIRST_CALL + 4
CLAIM = len(ROWS) - 1
DEALT = ROWS[START]["events"][0]
NUMBERS = [row["events"][0]["number"] for row in ROWS if row["command"]["type"] == "call"]
CLAIMED, ENDED, OPENED = range(3)
DECIDED = "Decided again, event"


def judged(lines: list[bytes], last_hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES, last_hash)


# Honest rounds


def test_the_round_is_what_these_tests_take_it_for() -> None:
    kinds = [row["command"]["type"] for row in ROWS]
    assert kinds[:8] == ["claim", "start", "sit", "call", "call", "call", "call", "leave"]
    assert kinds[8:] == ["call"] * (len(ROWS) - 9) + ["claim"]
    assert forged(ROUND, lambda rows: None) == ROUND


def test_a_round_passes_while_the_next_is_played() -> None:
    verdict = judged(ROUND, HASH)
    assert verdict.ok, verdict.problems
    words = "\n".join(verdict.checks)
    assert "Secrets told: 1 (round 2)" in words
    assert f"{len(ROWS) - 1} commands were decided again" in words
    assert any(f"begins with row {ROWS[0]['seq']}" in note for note in verdict.notes)


def test_the_first_round_and_all_finished_ones_pass() -> None:
    assert judged(exported(TABLE, 1)).ok
    verdict = judged(TABLE.lines[: ROWS[-1]["seq"]], HASH)
    assert verdict.ok, verdict.problems
    assert "Secrets told: 2 (rounds 1 to 2)" in "\n".join(verdict.checks)


def test_the_running_round_cannot_be_verified() -> None:
    assert found(judged(TABLE.lines[ROWS[-1]["seq"] - 1 :]), "Round 3 has no end in this log")


def test_rounds_that_end_in_other_ways_pass() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    call_until(table, lambda state: len(state.called) == 75)
    table.fire()
    table.act(1, Deal())
    leave(table, 0)
    leave(table, 1, "dropped")
    table.sit()
    table.act(0, Deal())
    table.act(None, house.Void("a test"))
    assert [ended.outcome.reason for ended in table.ended] == ["all_called", "abandoned"]
    for round in (1, 2, 3):
        verdict = judged(exported(table, round))
        assert verdict.ok, verdict.problems


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(1, 5), st.booleans())
def test_whatever_is_played_by_the_rules_passes(seed: int, people: int, free: bool) -> None:
    table = Playout(Bingo(), {"free_centre": free}, seed=seed, strays=0.1, people=people)
    for round in (1, 2):
        table.run()
        verdict = judged(exported(table, round), table.chain)
        assert verdict.ok, verdict.problems


# Tampering, with all hashes written anew: the rules find it


def other_card(rows: list[Any]) -> None:
    cards = rows[START]["events"][0]["cards"]
    cards["0"], cards["1"] = cards["1"], cards["0"]


def a_number_of_a_card(seat: str, place: int) -> Forge:
    def change(rows: list[Any]) -> None:
        card = rows[START]["events"][0]["cards"][seat]
        low = place // 5 * 15 + 1
        card[place] = next(n for n in range(low, low + 15) if n not in card)

    return change


def call_instead(row: int, number: int) -> Forge:
    return event(row, 0, number=number)


def deal_in_late(rows: list[Any]) -> None:
    rows[START]["events"][0]["cards"]["2"] = rows[START]["events"][0]["cards"]["0"]
    rows[START]["events"][0]["count"] = 3


@pytest.mark.parametrize(
    ("forge", "row", "words"),
    [
        (other_card, START, DECIDED),
        (a_number_of_a_card("0", 0), START, DECIDED),
        (a_number_of_a_card("1", 24), START, DECIDED),
        (lambda rows: rows[START]["events"][0]["cards"].pop("0"), START, DECIDED),
        (deal_in_late, START, DECIDED),
        (event(START, 0, count=5), START, DECIDED),
        (event(START, 0, at_ms=1), START, DECIDED),
        (call_instead(FIRST_CALL, NUMBERS[1]), FIRST_CALL, DECIDED),
        (call_instead(LEAVE + 1, NUMBERS[0]), LEAVE + 1, DECIDED),
        (call_instead(CLAIM - 1, NUMBERS[-2]), CLAIM - 1, DECIDED),
        (swap(FIRST_CALL, FIRST_CALL + 1), FIRST_CALL, DECIDED),
        (
            both(
                call_instead(FIRST_CALL, NUMBERS[1]),
                call_instead(FIRST_CALL + 1, NUMBERS[0]),
            ),
            FIRST_CALL,
            DECIDED,
        ),
        (omit(FIRST_CALL), FIRST_CALL, DECIDED),
        (omit(CLAIM - 1), CLAIM - 1, "refuse this command (no_bingo)"),
        (omit(START), START + 1, "No timer was set"),
        (omit(SIT), LEAVE - 1, "Nobody sits on seat 2"),
        (omit(LEAVE), CLAIM - 1, DECIDED),
        (swap(CLAIM - 1, CLAIM), CLAIM - 1, "refuse this command (no_bingo)"),
        (sender(CLAIM, None), CLAIM, "no seat sent it"),
        (sender(CLAIM, 7), CLAIM, "Nobody sits on seat 7"),
        (sender(FIRST_CALL, 0), FIRST_CALL, "No seat can send this command"),
        (event(CLAIM, CLAIMED, seat=0), CLAIM, DECIDED),
        (
            lambda rows: rows[CLAIM]["events"][ENDED]["outcome"].update(winners=[0]),
            CLAIM,
            DECIDED,
        ),
        (event(CLAIM, ENDED, secret="00" * 32), CLAIM, "is not the one committed to"),
        (event(OPEN, OPENED, commitment="00" * 32), CLAIM, "is not the one committed to"),
        (
            lambda rows: rows[CLAIM]["events"][OPENED]["chairs"].pop(),
            CLAIM,
            DECIDED,
        ),
        (command(SIT, seat=9), SIT, DECIDED),
    ],
    ids=range(27),
)
def test_a_forged_round_is_found(forge: Forge, row: int, words: str) -> None:
    assert found(judged(forged(ROUND, forge)), words, seq=ROWS[0]["seq"] + row)


def test_a_round_with_another_secret_is_found_by_who_kept_the_hash() -> None:
    other = a_table(people=2, seed=12)
    for _ in range(2):
        other.act(0, Deal())
        win(other, 1)
    lines = exported(other, 2)
    assert judged(lines).ok
    assert found(judged(lines, HASH), "No row has the given hash")


def test_rows_that_are_missing_are_found_by_their_hashes_too() -> None:
    *lines, last = ROUND
    for place in range(1, len(lines)):
        assert not judged([*lines[:place], *lines[place + 1 :], last]).ok


def test_a_claim_that_was_left_out_is_found() -> None:
    """Someone had won, and the log lets the numbers go on: the last line does not fit."""
    table = a_table(people=2)
    table.act(0, Deal())
    call_until(table, lambda state: state.has_bingo(0))
    honest, silent = table.fork(), table.fork()
    honest.act(0, Claim())
    call_until(silent, lambda state: state.has_bingo(1))
    silent.act(1, Claim())
    *rows, _ = exported(silent, 1)
    assert judged(rows).ok, "nobody can show that someone said something"
    assert found(judged(rows, honest.chain), "No row has the given hash")
