"""Finished games of two-player Bingo verify, also a rematch by itself; tampered ones do not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.two_in_turn import Resign
from gamehall.table_log import house
from gamehall.table_log.verify import Verdict, verify_log
from gamehall.testing import Playout
from tests.games.bingo_duel_play import a_table
from tests.games.exporting import (
    Forge,
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

GAMES = {"bingo-duel": BingoDuel()}
DECIDED = "Decided again, event"


def three_rounds(seed: int = 5) -> Playout:
    """Two games that are over, and a third that has begun."""
    table = a_table(seed, size=3, drawn=True)
    for _ in range(2):
        table.run()
        table.act(1, house.Rematch())
        table.act(0, house.Rematch())
    table.step()
    return table


TABLE = three_rounds()
FIRST, SECOND = exported(TABLE, 1), exported(TABLE, 2)
ROWS = [json.loads(line) for line in SECOND[:-1]]
HASH = hash_after(TABLE.lines[: ROWS[-1]["seq"]])
PICK = 1
LAST = len(ROWS) - 1
WANTED, OPENED, STARTED, DEALT = range(4)


def judged(lines: list[bytes], last_hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES, last_hash)


# Honest games


def test_the_round_is_what_these_tests_take_it_for() -> None:
    assert [e["type"] for e in ROWS[0]["events"]] == [
        "rematch_wanted",
        "opened",
        "started",
        "boards_dealt",
    ]
    assert {row["command"]["type"] for row in ROWS[1:]} == {"pick"}
    assert forged(SECOND, lambda rows: None) == SECOND


def test_a_later_round_passes_by_itself() -> None:
    verdict = judged(SECOND, HASH)
    assert verdict.ok, verdict.problems
    words = "\n".join(verdict.checks)
    assert "Secrets told: 1 (round 2)" in words
    assert f"{len(ROWS) - 1} commands were decided again" in words
    assert any(f"begins with row {ROWS[0]['seq']}" in note for note in verdict.notes)


def test_the_first_round_and_all_finished_ones_pass() -> None:
    assert judged(FIRST).ok
    verdict = judged(TABLE.lines[: ROWS[-1]["seq"]], HASH)
    assert verdict.ok, verdict.problems


def test_the_running_round_cannot_be_verified() -> None:
    later = next(n for n, row in enumerate(TABLE.rows) if _opens(row, 3))
    assert found(judged(TABLE.lines[later:]), "Round 3 has no end in this log")


def _opens(row: Any, round: int) -> bool:
    return any(isinstance(e, house.Opened) and e.round == round for e in row.events)


@pytest.mark.parametrize("rated", [False, True])
def test_games_that_someone_gives_up_pass(rated: bool) -> None:
    for end in (Resign(), house.Leave(), house.Leave("dropped")):
        table = a_table(size=7, rated=rated)
        table.step()
        table.act(0, end)
        verdict = judged(exported(table, 1), table.chain)
        assert verdict.ok, verdict.problems


@settings(max_examples=15)
@given(st.integers(0, 1000), st.sampled_from([3, 4, 7]))
def test_whatever_is_played_by_the_rules_passes(seed: int, size: int) -> None:
    table = Playout(BingoDuel(), {"size": size}, seed=seed, strays=0.1)
    for round in (1, 2):
        table.run()
        verdict = judged(exported(table, round), table.chain)
        assert verdict.ok, verdict.problems
        if table.state.gone or table.state.closed:
            return
        for seat in (0, 1):
            table.act(seat, house.Rematch())


# Tampering, with all hashes written anew: the rules find it


def exchange(seat: int, one: int, other: int) -> Forge:
    """Two numbers of a board change places."""

    def change(rows: list[Any]) -> None:
        board = rows[0]["events"][DEALT]["boards"][seat]
        board[one], board[other] = board[other], board[one]

    return change


def boards_exchanged(rows: list[Any]) -> None:
    rows[0]["events"][DEALT]["boards"].reverse()


def pick_instead(row: int) -> Forge:
    """A number that was not picked before, in the command and in the event."""

    def change(rows: list[Any]) -> None:
        picked = {each["events"][0]["number"] for each in rows[1:]}
        other = next((n for n in range(1, 10) if n not in picked), 99)
        rows[row]["command"]["number"] = rows[row]["events"][0]["number"] = other

    return change


def win_instead(rows: list[Any]) -> None:
    outcome = rows[LAST]["events"][1]["outcome"]
    outcome["winners"] = [1 - seat for seat in outcome["winners"]] or [0]


NOT_BEGUN = "does not begin as its secret says"


@pytest.mark.parametrize(
    ("forge", "row", "words"),
    [
        (exchange(0, 0, 8), 0, NOT_BEGUN),
        (exchange(1, 3, 4), 0, NOT_BEGUN),
        (boards_exchanged, 0, NOT_BEGUN),
        (event(0, DEALT, hidden=True), 0, NOT_BEGUN),
        (lambda rows: rows[0]["events"].pop(DEALT), 0, NOT_BEGUN),
        (lambda rows: rows[0]["events"].append(rows[0]["events"][DEALT]), 0, NOT_BEGUN),
        (lambda rows: rows[0]["events"].pop(STARTED), 0, "not how a later round opens"),
        (event(0, STARTED, at_ms=5), 0, "not how a later round opens"),
        (event(0, OPENED, commitment="00" * 32), LAST, "is not the one committed to"),
        (event(LAST, 1, secret="00" * 32), LAST, "is not the one committed to"),
        (event(PICK, 0, number=77), PICK, DECIDED),
        (command(PICK, number=77), PICK, "refuse this command (no_such_number)"),
        (sender(PICK, 0), PICK, "refuse this command (not_your_turn)"),
        (sender(PICK, None), PICK, "no seat sent it"),
        (sender(PICK, 2), PICK, "Nobody sits on seat 2"),
        (swap(PICK, PICK + 1), PICK, "refuse this command (not_your_turn)"),
        (omit(PICK), PICK, "refuse this command (not_your_turn)"),
        (event(PICK, 0, seat=0), PICK, DECIDED),
        (pick_instead(LAST), LAST, ""),
        (win_instead, LAST, DECIDED),
        (event(LAST, 1, at_ms=1), LAST, DECIDED),
        (
            lambda rows: rows[LAST]["events"][1]["outcome"]["scores"].update({"0": 9}),
            LAST,
            DECIDED,
        ),
    ],
    ids=range(22),
)
def test_a_forged_game_is_found(forge: Forge, row: int, words: str) -> None:
    assert found(judged(forged(SECOND, forge)), words, seq=ROWS[0]["seq"] + row)


def test_other_boards_in_the_first_round_are_found() -> None:
    rows = [json.loads(line) for line in FIRST[:-1]]
    dealt = next(
        (r, e)
        for r, row in enumerate(rows)
        for e, each in enumerate(row["events"])
        if each["type"] == "boards_dealt"
    )

    def change(rows: list[Any]) -> None:
        rows[dealt[0]]["events"][dealt[1]]["boards"].reverse()

    assert found(judged(forged(FIRST, change)), DECIDED, seq=dealt[0] + 1)


def test_boards_without_a_secret_are_not_believed() -> None:
    """Rows up to a pick of a round that was never finished."""
    rows = SECOND[:3]
    assert not judged(rows).ok


def test_a_game_with_another_secret_is_found_by_who_kept_the_hash() -> None:
    lines = exported(three_rounds(seed=6), 2)
    assert judged(lines).ok
    assert found(judged(lines, HASH), "No row has the given hash")
