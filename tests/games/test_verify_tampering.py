"""Every kind of tampering with a log is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.table_log.verify import verify_log
from tests.games.forging import (
    HONEST,
    LATE,
    LEAVE_0,
    LEAVE_1,
    OPEN,
    REMATCH_0,
    REMATCH_1,
    ROLL_0,
    ROLL_1,
    ROLL_R2,
    ROWS,
    SIT_ANA,
    SIT_BO,
    forged,
    found,
    judged,
    written,
)
from tests.games.verify_toy import BO, DiceGame

# Tampering that leaves the chain behind


def test_removed_swapped_and_repeated_rows_are_found() -> None:
    lines = HONEST.lines
    removed = [*lines[:ROLL_1], *lines[ROLL_1 + 1 :]]
    assert found(judged(removed), "Row 6 follows row 4", seq=6)
    swapped = [*lines[:ROLL_0], lines[ROLL_1], lines[ROLL_0], *lines[ROLL_1 + 1 :]]
    assert found(judged(swapped), "Row 5 follows row 3", seq=5)
    repeated = [*lines[: ROLL_0 + 1], *lines[ROLL_0:]]
    assert found(judged(repeated), "Row 4 follows row 4", seq=4)


def test_a_cut_off_end_is_found_by_the_known_hash() -> None:
    cut = HONEST.lines[: ROLL_1 + 1]
    assert judged(cut).ok
    assert found(judged(cut, HONEST.hash), "No row has the given hash")
    assert found(judged([*cut, HONEST.trailer()]), "The log's last line tells of 11 rows")
    miscounted = written({"head": 12, "hash": HONEST.hash})
    assert found(judged([*HONEST.lines, miscounted]), "The log's last line tells of 12 rows")


def test_a_hash_from_before_the_log_proves_nothing_of_it() -> None:
    later = HONEST.lines[REMATCH_0:]
    assert found(judged(later, HONEST.hashes[REMATCH_1]), "No row has the given hash")


def test_a_changed_row_is_found_by_the_next_rounds_opening() -> None:
    changed = HONEST.lines.copy()
    changed[SIT_ANA] = changed[SIT_ANA].replace(b"Ana", b"Eve")
    assert found(judged(changed), "hash chain breaks", seq=REMATCH_0 + 1)


def test_a_log_written_anew_as_a_whole_is_found_by_the_known_hash() -> None:
    def later(rows: list[Any]) -> None:
        for row in rows[LEAVE_0:]:
            row["at_ms"] += 1000

    assert judged(forged(later)).ok
    assert found(judged(forged(later), HONEST.hash), "No row has the given hash")


@settings(max_examples=300)
@given(st.data())
def test_any_flipped_byte_is_found(data: st.DataObject) -> None:
    log = b"\n".join(HONEST.exported())
    place = data.draw(st.integers(0, len(log) - 1))
    other = data.draw(st.integers(1, 255))
    changed = log[:place] + bytes([log[place] ^ other]) + log[place + 1 :]
    assert not judged(changed.split(b"\n")).ok
    rows_only = changed.split(b"\n")[: len(HONEST.lines)]
    if place < len(log) - len(HONEST.trailer()) - 1:
        assert not judged(rows_only, HONEST.hash).ok


# Tampering by whoever writes the chain anew: the rules find it


def change(row: int, event: int, **fields: Any) -> Callable[[list[Any]], None]:
    return lambda rows: rows[row]["events"][event].update(fields)


def change_row(row: int, **fields: Any) -> Callable[[list[Any]], None]:
    return lambda rows: rows[row].update(fields)


def drop_event(row: int, event: int) -> Callable[[list[Any]], None]:
    return lambda rows: rows[row]["events"].pop(event)


def add_event(row: int, **fields: Any) -> Callable[[list[Any]], None]:
    return lambda rows: rows[row]["events"].append(fields)


SECRET_3 = (bytes([3]) * 32).hex()


@pytest.mark.parametrize(
    ("forge", "row", "words"),
    [
        (change(ROLL_0, 0, dice=[6, 6]), ROLL_0, "Decided again, event 1"),
        (change(ROLL_0, 0, luck=1), ROLL_0, "not written as the hall writes"),
        (drop_event(SIT_BO, 2), SIT_BO, "the log says none"),
        (add_event(ROLL_0, type="too_late", seat=1), ROLL_0, "event 2 is none"),
        (change(SIT_BO, 1, order=[1, 0]), SIT_BO, '"order":[0,1]}; the log'),
        (change(ROLL_1, 1, secret=SECRET_3), ROLL_1, "secret of round 1 is not the one committed"),
        (change(ROLL_1, 1, secret="zz"), ROLL_1, "secret of round 1 is not the one committed"),
        (change(OPEN, 0, commitment="00" * 32), ROLL_1, "secret of round 1 is not the one"),
        (change(REMATCH_0, 1, nonce="aa"), REMATCH_0, "Decided again, event 2"),
        (change_row(ROLL_0, seat=1), ROLL_0, "refuse this command (not_your_turn)"),
        (change_row(ROLL_0, seat=2), ROLL_0, "Nobody sits on seat 2"),
        (change_row(ROLL_0, seat=None), ROLL_0, "no seat sent it"),
        (change_row(LEAVE_1, seat=0), LEAVE_1, "Nobody sits on seat 0"),
        (change_row(LATE, seat=1), LATE, "No seat can send this"),
        (change_row(OPEN, seat=0), OPEN, "first row is the hall's"),
        (change_row(ROLL_1, command={"type": "late"}), ROLL_1, "No seat can send"),
        (
            change_row(ROLL_R2, seat=None, command={"type": "next_round"}),
            ROLL_R2,
            "No timer was set",
        ),
        (change_row(ROLL_0, round=2), ROLL_0, "not of round 2"),
        (change_row(ROLL_0, table=8), ROLL_0, "of table 8"),
        (change_row(ROLL_0, at_ms=1), ROLL_0, "earlier than the row before"),
        (change_row(LATE, at_ms=ROWS[ROLL_R2]["at_ms"]), LATE, "not due yet"),
        (lambda rows: rows.append({**rows[-1], "seq": 12}), 11, "Nobody sits on seat 1"),
        (
            lambda rows: rows.append(
                {**rows[-1], "seq": 12, "seat": None, "command": rows[1]["command"]}
            ),
            11,
            "refuse this command (table_closed)",
        ),
    ],
    ids=range(23),
)
def test_a_forged_log_is_found(forge: Callable[[list[Any]], object], row: int, words: str) -> None:
    assert found(judged(forged(forge)), words, seq=row + 1)


def test_a_draw_without_a_told_secret_is_a_problem() -> None:
    def forge(rows: list[Any]) -> None:
        del rows[ROLL_1:]
        rows[ROLL_0]["events"].append({"type": "closed", "reason": "fault"})

    assert found(judged(forged(forge)), "the secret of its round is not told", seq=SIT_BO + 1)


def test_rules_that_fail_on_a_forged_log_are_a_problem() -> None:
    class Fragile(DiceGame):
        def decide(self, *_: Any) -> Any:
            raise ZeroDivisionError

    verdict = verify_log(HONEST.lines, {"dice": Fragile()})
    assert found(verdict, "The rules fail here (ZeroDivisionError)", seq=ROLL_0 + 1)
    assert any("after row 4 was not decided again" in note for note in verdict.notes)


def test_a_later_round_cannot_begin_a_log_with_drawn_seats() -> None:
    rows = json.loads(json.dumps(ROWS[REMATCH_0:]))
    rows[0]["events"].insert(2, {"type": "seats_drawn", "order": [1, 0]})
    verdict = judged([written(row) for row in rows])
    assert found(verdict, "not how a later round opens", seq=REMATCH_0 + 1)


def test_bots_and_names_are_part_of_what_is_decided() -> None:
    assert BO.bot == "random"
    verdict = judged(forged(change(SIT_BO, 0, person={"player": 12, "name": "Bo"})))
    assert found(verdict, "Decided again, event 1", seq=SIT_BO + 1)
