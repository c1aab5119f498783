"""The judgement of a backup, of copies that were made up."""

from __future__ import annotations

import pytest

from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.records import Record, Written
from gamehall.table_log.journal import chained
from tests.faults.backups import Copied
from tests.many_nodes.processes.records import Records

LINES = (b"first", b"second", b"third")
TWO = chained(chained("", LINES[0]), LINES[1])
WRITTEN = Records(
    [
        Record(
            table=4,
            game="sicbo",
            head=3,
            hash=chained(TWO, LINES[2]),
            status="playing",
            origin="",
            due_ms=None,
            written=tuple(Written(seq, line, None) for seq, line in enumerate(LINES, 1)),
            seated=frozenset(),
        )
    ],
    Ledger(
        (
            Transfer(1, 0, 1, 0, "mint", "player:7", 100),
            Transfer(2, 4, 2, 0, "player:7", "pot:4", 30),
            Transfer(3, 4, 3, 0, "player:7", "pot:4", 50),
        ),
        {7: 20},
    ),
    order=[],
)
# As of after the second row.
COPY = rf"""
COPY hall.balances (player, chips) FROM stdin;
7	70
\.
COPY hall.journal (table_id, seq, line) FROM stdin;
4	1	\\x{LINES[0].hex()}
4	2	\\x{LINES[1].hex()}
\.
COPY hall.tables (id, head, hash) FROM stdin;
4	2	{TWO}
\.
COPY hall.transfers (table_id, seq, n, source, target, chips) FROM stdin;
0	1	0	mint	player:7	100
4	2	0	player:7	pot:4	30
\.
"""
SECOND = rf"4	2	\\x{LINES[1].hex()}"


def test_a_sound_one() -> None:
    Copied.read(COPY).check(WRITTEN)


@pytest.mark.parametrize(
    ("there", "instead", "told"),
    [
        (f"{SECOND}\n", "", "has 1 rows, and not 2"),
        (SECOND, SECOND.replace("4	2", "4	3"), "has gaps"),
        (SECOND, f"{SECOND}00", "the chain breaks"),
        (f"4	2	{TWO}\n", "", "rows of no table"),
        (f"4	2	{TWO}\n", f"4	2	{TWO}\n5	1	{TWO}\n", "table 5 has 0 rows"),
        ("4	2	0	player:7	pot:4	30\n", "", "rows without what they moved"),
        ("pot:4	30", "pot:4	31", "moved no more"),
        ("7	70", "7	20", "has 20 chips, and 70 were moved"),
        ("7	70\n", "", "player:7"),
    ],
)
def test_one_that_is_not(there: str, instead: str, told: str) -> None:
    assert COPY.count(there) == 1
    with pytest.raises(AssertionError, match=told):
        Copied.read(COPY.replace(there, instead)).check(WRITTEN)


def test_one_of_other_rows() -> None:
    other = chained(chained("", LINES[0]), LINES[2])
    copy = COPY.replace(LINES[1].hex(), LINES[2].hex()).replace(TWO, other)
    with pytest.raises(AssertionError, match="has other rows by now"):
        Copied.read(copy).check(WRITTEN)
