"""A finished round of Sic Bo verifies while the next is played; a tampered one does not."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.games.sicbo import SicBo
from gamehall.table_log import house
from gamehall.table_log.verify import Verdict, verify_log
from gamehall.testing import Playout
from tests.games.exporting import Forge, exported, hash_after, trailer
from tests.games.forging import found, written
from tests.games.sicbo_play import a_table, finish, walk_in

GAMES = {"sicbo": SicBo()}


def three_rounds() -> Playout:
    """Two rounds that are over, and a third that takes bets."""
    table = a_table(seed=3)
    for _ in range(2):
        walk_in(table, 1, "BIG", 1000)
        table.at_ms += 40
        walk_in(table, 2, "SMALL", 500)
        walk_in(table, 1, "SMALL", 200)
        table.at_ms += 40
        walk_in(table, 3, "BIG", 70)
        finish(table)
        table.fire()
    walk_in(table, 2, "BIG", 9)
    return table


TABLE = three_rounds()
ROUND = exported(TABLE, 2)
*LINES, _ = ROUND
HASH = hash_after(TABLE.lines[: json.loads(LINES[-1])["seq"]])
ROWS = [json.loads(line) for line in LINES]
OPEN, BET_1, BET_2, BET_1_AGAIN, BET_3, CLOSE, REVEAL = range(7)
BEFORE = ROWS[OPEN]["events"][0]["previous"]


def judged(lines: list[bytes], last_hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES, last_hash)


def forged(change: Forge) -> list[bytes]:
    """The round with a change by someone who also writes its hashes and its last line anew."""
    rows = json.loads(json.dumps(ROWS))
    change(rows)
    lines = [written(row) for row in rows]
    return [*lines, trailer(rows[-1]["seq"], hash_after(lines, BEFORE))]


# Honest rounds


def test_a_round_passes_while_the_next_is_played() -> None:
    verdict = judged(ROUND, HASH)
    assert verdict.ok, verdict.problems
    words = "\n".join(verdict.checks)
    assert f"7 rows of table 1 (Sic Bo) are numbered {ROWS[0]['seq']} to {ROWS[-1]['seq']}" in words
    assert f"hash is that of row {ROWS[-1]['seq']}" in words
    assert "Secrets told: 1 (round 2)" in words
    assert "6 commands were decided again" in words
    assert any(f"begins with row {ROWS[0]['seq']}" in note for note in verdict.notes)


def test_the_first_round_passes_too() -> None:
    verdict = judged(exported(TABLE, 1))
    assert verdict.ok, verdict.problems
    assert "7 commands were decided again" in "\n".join(verdict.checks)


def test_all_finished_rounds_pass_at_once() -> None:
    lines = TABLE.lines[: ROWS[-1]["seq"]]
    verdict = judged(lines, HASH)
    assert verdict.ok, verdict.problems
    assert "Secrets told: 2 (rounds 1 to 2)" in "\n".join(verdict.checks)


def test_the_forgers_tools_of_these_tests_write_honest_rounds_too() -> None:
    assert forged(lambda rows: None) == ROUND


def test_the_running_round_cannot_be_verified() -> None:
    assert found(judged(TABLE.lines[ROWS[-1]["seq"] :]), "Round 3 has no end in this log")


def test_a_void_round_and_the_one_after_new_options_pass() -> None:
    table = a_table()
    walk_in(table, 1, "BIG", 5)
    table.act(None, house.Void("a test"))
    options = msgspec.structs.replace(table.state.options, betting_seconds=10)
    table.act(None, house.SetOptions(msgspec.to_builtins(options)))
    table.fire()
    walk_in(table, 1, "SMALL", 5)
    finish(table)
    for round in (1, 2):
        verdict = judged(exported(table, round))
        assert verdict.ok, verdict.problems
    rows = [json.loads(line) for line in exported(table, 1)[:-1]]
    rows[-1]["command"]["reason"] = "another"
    assert found(judged([written(row) for row in rows]), "Decided again, event 1")


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_whatever_is_played_by_the_rules_passes(seed: int) -> None:
    table = Playout(SicBo(), seed=seed, strays=0.1)
    for round in (1, 2, 3):
        table.run()
        verdict = judged(exported(table, round), table.chain)
        assert verdict.ok, verdict.problems
        table.fire()


# Tampering, with all hashes written anew: the rules find it


def event(row: int, place: int, **fields: Any) -> Forge:
    return lambda rows: rows[row]["events"][place].update(fields)


def command(row: int, **fields: Any) -> Forge:
    return lambda rows: rows[row]["command"].update(fields)


def omit(row: int) -> Forge:
    """The next row takes its place."""

    def change(rows: list[Any]) -> None:
        del rows[row]
        for seq, each in enumerate(rows, start=rows[0]["seq"]):
            each["seq"] = seq

    return change


def swap(one: int, other: int) -> Forge:
    def change(rows: list[Any]) -> None:
        first, second = rows[one], rows[other]
        rows[one], rows[other] = second, first
        for field in ("seq", "at_ms"):
            first[field], second[field] = second[field], first[field]

    return change


def pay(seat: str, place: int, chips: int) -> Forge:
    def change(rows: list[Any]) -> None:
        rows[REVEAL]["events"][1]["payouts"][seat][place][1] = chips

    return change


ROLLED = ROWS[REVEAL]["events"][0]
OTHER = {"dice": [1, 1, 2], "sum": 4, "result": "SMALL"}
if ROLLED["result"] == "SMALL":
    OTHER = {"dice": [6, 6, 5], "sum": 17, "result": "BIG"}
SECRET = ROWS[REVEAL]["events"][2]["secret"]
DECIDED = "Decided again, event"


@pytest.mark.parametrize(
    ("forge", "row", "words"),
    [
        (event(REVEAL, 0, dice=OTHER["dice"]), REVEAL, DECIDED),
        (event(REVEAL, 0, **OTHER), REVEAL, DECIDED),
        (event(REVEAL, 0, result="NONE"), REVEAL, DECIDED),
        (event(REVEAL, 0, sum=ROLLED["sum"] + 1), REVEAL, DECIDED),
        (pay("0", 0, 4000), REVEAL, DECIDED),
        (pay("1", 0, 1), REVEAL, DECIDED),
        (lambda rows: rows[REVEAL]["events"][1]["payouts"].pop("2"), REVEAL, DECIDED),
        (lambda rows: rows[REVEAL]["events"].pop(1), REVEAL, DECIDED),
        (event(REVEAL, 2, secret="00" * 32), REVEAL, "is not the one committed to"),
        (event(OPEN, 0, commitment="00" * 32), REVEAL, "is not the one committed to"),
        (event(BET_2, 1, amount=5000), BET_2, DECIDED),
        (command(BET_2, amount=5000), BET_2, DECIDED),
        (command(BET_2, side="BIG"), BET_2, DECIDED),
        (event(BET_1_AGAIN, 0, stake={"big": 1000, "small": 0}), BET_1_AGAIN, DECIDED),
        (event(BET_3, 1, bet=99), BET_3, DECIDED),
        (event(CLOSE, 0, tally={}), CLOSE, "not a row of a sicbo table"),
        (event(CLOSE, 0, sides={}), CLOSE, "not written as the hall writes them"),
        (omit(BET_1), BET_1, DECIDED),
        (omit(BET_2), BET_2, DECIDED),
        (omit(BET_1_AGAIN), BET_1_AGAIN, DECIDED),
        (omit(BET_3), BET_3, DECIDED),
        (omit(CLOSE), CLOSE, "No timer was set"),
        (swap(BET_1, BET_2), BET_1, DECIDED),
        (swap(BET_2, BET_1_AGAIN), BET_2, DECIDED),
        (swap(BET_3, CLOSE), BET_3, "not due yet"),
        (lambda rows: rows[BET_2].update(seat=0), BET_2, DECIDED),
        (lambda rows: rows[BET_2].update(seat=5), BET_2, "Nobody sits on seat 5"),
        (lambda rows: rows[BET_2].update(seat=None), BET_2, "no seat sent it"),
        (lambda rows: rows[CLOSE].update(at_ms=rows[CLOSE]["at_ms"] - 1), CLOSE, "not due yet"),
        (lambda rows: rows[REVEAL].update(at_ms=rows[CLOSE]["at_ms"]), REVEAL, "not due yet"),
        (event(OPEN, 1, at_ms=1), OPEN, "not how a later round opens"),
    ],
    ids=range(31),
)
def test_a_forged_round_is_found(forge: Forge, row: int, words: str) -> None:
    assert found(judged(forged(forge)), words, seq=ROWS[0]["seq"] + row)


def test_a_late_bet_is_found() -> None:
    def change(rows: list[Any]) -> None:
        rows[BET_3]["at_ms"] = rows[CLOSE]["at_ms"]

    assert found(judged(forged(change)), "refuse this command (bet_window_closed)")


def test_a_round_of_another_secret_is_found_by_who_kept_the_hash() -> None:
    """A whole round that the rules could have given, with other dice and a bet left out."""
    other = a_table(seed=4)
    for _ in range(2):
        walk_in(other, 1, "BIG", 1000)
        finish(other)
        other.fire()
    lines = exported(other, 2)
    assert judged(lines).ok
    assert found(judged(lines, HASH), "No row has the given hash")


# Tampering that leaves the hashes behind


def test_rows_that_are_missing_or_out_of_order_are_found() -> None:
    for place in range(1, len(LINES)):
        assert not judged([*LINES[:place], *LINES[place + 1 :], ROUND[-1]]).ok
    for place in range(1, len(LINES) - 1):
        swapped = [*LINES[:place], LINES[place + 1], LINES[place], *LINES[place + 2 :]]
        assert found(judged([*swapped, ROUND[-1]]), f"Row {ROWS[place + 1]['seq']} follows row")


def test_a_bet_that_is_changed_throughout_is_found_by_the_last_line() -> None:
    """Command, event, totals and payouts agree with each other, and not with the hash."""
    honest, changed = (exported(one_bet(amount), 1) for amount in (500, 501))
    assert judged(changed).ok
    assert found(judged([*changed[:-1], honest[-1]]), "The log's last line tells of")


def one_bet(amount: int) -> Playout:
    table = a_table()
    walk_in(table, 1, "BIG", amount)
    finish(table)
    return table


@settings(max_examples=200)
@given(st.data())
def test_any_flipped_byte_is_found(data: st.DataObject) -> None:
    log = b"\n".join(ROUND)
    place = data.draw(st.integers(0, len(log) - 1))
    other = data.draw(st.integers(1, 255))
    changed = log[:place] + bytes([log[place] ^ other]) + log[place + 1 :]
    assert not judged(changed.split(b"\n")).ok
