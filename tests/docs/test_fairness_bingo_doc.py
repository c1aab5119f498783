"""What docs/fairness.md says of both Bingos is executed: its vectors and its program."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gamehall.games.bingo import Deal, columns, dealt_card
from gamehall.games.chance import Chance
from gamehall.games.two_in_turn import Resign
from gamehall.table_log import house
from gamehall.testing import Playout
from tests.docs.test_fairness_doc import BINGO_PROGRAM, BINGO_VECTORS, PROGRAM, run
from tests.games import bingo_duel_play, bingo_play
from tests.games.exporting import Forge, exported, forged

DEFINITIONS = PROGRAM.partition("last_hash, drawn = ")[0]
DRAWS = BINGO_PROGRAM.partition("opened = None")[0]
VECTORS: list[dict[str, Any]] = [json.loads(line) for line in BINGO_VECTORS.splitlines()]


@pytest.mark.parametrize("vector", VECTORS)
def test_the_hall_draws_as_the_vectors_say(vector: dict[str, Any]) -> None:
    chance = Chance(bytes.fromhex(vector["secret"]))
    if "card" in vector:
        card = dealt_card(chance, vector["card"], vector["free_centre"])
        assert [list(column) for column in columns(card)] == vector["gives"]
    elif "calls" in vector:
        hand = bingo_play.Hand()
        hand.chance = chance
        hand.deal().call(vector["calls"])
        assert list(hand.state.called) == vector["gives"]
    else:
        boards = bingo_duel_play.begun(chance, vector["boards"]).boards
        assert boards is not None
        assert [list(board) for board in boards] == vector["gives"]


def test_the_program_draws_as_the_vectors_say(tmp_path: Path) -> None:
    (tmp_path / "vectors").write_text(BINGO_VECTORS, encoding="utf-8")
    more = """
for vector in map(json.loads, open("vectors", encoding="utf-8")):
    secret = bytes.fromhex(vector["secret"])
    if "card" in vector:
        assert card(secret, vector["card"], vector["free_centre"]) == vector["gives"]
    elif "calls" in vector:
        assert calls(secret, vector["calls"]) == vector["gives"]
    else:
        assert boards(secret, vector["boards"]) == vector["gives"]
print("vectors", "done")
"""
    done = run(DEFINITIONS + DRAWS + more, tmp_path)
    assert done.stdout == "vectors done\n", done.stderr


def checked(folder: Path, lines: list[bytes]) -> subprocess.CompletedProcess[str]:
    (folder / "round.jsonl").write_bytes(b"\n".join(lines))
    return run(DEFINITIONS + BINGO_PROGRAM, folder)


def called_bingo(**options: Any) -> Playout:
    """Two rounds, of which one player sees no end and another comes late."""
    table = bingo_play.a_table(people=3, **options)
    table.act(0, Deal())
    table.sit()
    bingo_play.win(table, 1)
    table.act(3, Deal())
    bingo_play.leave(table, 0)
    bingo_play.win(table, 3)
    return table


def two_player_bingo(size: int) -> Playout:
    table = bingo_duel_play.a_table(size=size)
    table.run()
    for seat in (0, 1):
        table.act(seat, house.Rematch())
    table.step()
    table.act(0, Resign())
    return table


CALLED, OPEN_CENTRE, DUEL = called_bingo(), called_bingo(free_centre=False), two_player_bingo(5)


@pytest.mark.parametrize("table", [CALLED, OPEN_CENTRE, DUEL, two_player_bingo(7)], ids=range(4))
def test_the_program_accepts_whole_logs_and_single_rounds(tmp_path: Path, table: Playout) -> None:
    for lines, rounds in ((table.lines, (1, 2)), *((exported(table, n), (n,)) for n in (1, 2))):
        done = checked(tmp_path, lines)
        assert done.returncode == 0, done.stderr
        told = [line.rpartition(" ")[2] for line in done.stdout.splitlines()]
        assert told == [table.draws.commitment(round) for round in rounds]


def of(rows: list[Any], kind: str) -> Any:
    """The last event of that kind."""
    return [e for row in rows for e in row["events"] if e["type"] == kind][-1]


def another_number(rows: list[Any]) -> None:
    card = of(rows, "cards_dealt")["cards"]["3"]
    card[0] = next(n for n in range(1, 16) if n not in card)


def another_order(rows: list[Any]) -> None:
    calls = [e for row in rows for e in row["events"] if e["type"] == "called"]
    calls[3]["number"], calls[4]["number"] = calls[4]["number"], calls[3]["number"]


def another_board(rows: list[Any]) -> None:
    of(rows, "boards_dealt")["boards"].reverse()


def another_secret(rows: list[Any]) -> None:
    of(rows, "round_ended")["secret"] = "00" * 32


@pytest.mark.parametrize(
    ("table", "forge", "words"),
    [
        (CALLED, another_number, "another card"),
        (OPEN_CENTRE, another_number, "another card"),
        (CALLED, another_order, "other calls"),
        (DUEL, another_board, "other boards"),
        (CALLED, another_secret, "another secret"),
        (DUEL, another_secret, "another secret"),
    ],
    ids=range(6),
)
def test_the_program_finds_tampering(
    tmp_path: Path, table: Playout, forge: Forge, words: str
) -> None:
    done = checked(tmp_path, forged(exported(table, 2), forge))
    assert done.returncode == 1
    assert f"AssertionError: {words}" in done.stderr
