"""docs/fairness.md is executed: its vectors, its example and its program."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.games.chance import Chance, commitment_to
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.sicbo import SicBo, SicBoOptions
from gamehall.games.sicbo_events import Bet, CloseBetting, OneBet, PlaceBets, Reveal
from gamehall.games.sicbo_layout import SIDES
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.draws import DrawKey, TableDraws
from gamehall.table_log import house
from gamehall.table_log.journal import chained
from gamehall.table_log.verify import verify_log
from tests.games.sicbo_odds import returned
from tests.games.verify_toy import Recorder

DOC = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
VECTORS, LOG, ROUND, BINGO_VECTORS = re.findall(r"```jsonl\n(.*?)```", DOC, re.DOTALL)
PROGRAM, ROUND_PROGRAM, BINGO_PROGRAM = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
KEY = DrawKey(bytes(range(32)))
NONCE = "4fd0c1e6a3b2987710ffe5dca0b1c2d3"


def example() -> Recorder:
    table = Recorder(ConnectFour(), draws=TableDraws(KEY, 7, NONCE), nonce=NONCE)
    table.act(None, house.Sit(house.Person(1, "Ana")), wait_ms=2000)
    table.act(None, house.Sit(house.Person(2, "Bo")), wait_ms=3000)
    table.act(0, Drop(3), wait_ms=1500)
    table.act(1, Resign(), wait_ms=4000)
    table.act(0, house.Leave(), wait_ms=1000)
    table.act(1, house.Leave(), wait_ms=1000)
    return table


def sicbo_example(more: PlaceBets | None = None) -> Recorder:
    options = msgspec.to_builtins(SicBoOptions())
    table = Recorder(SicBo(), options, draws=TableDraws(KEY, 7, NONCE), nonce=NONCE)
    table.act(None, CloseBetting(), wait_ms=30_000)
    table.act(None, Reveal(), wait_ms=3_000)
    table.act(None, house.NextRound(), wait_ms=5_000)
    table.act(None, Bet("BIG", 1000, 2), wait_ms=4_000, walks_in=house.Person(1, "Ana"))
    table.act(None, Bet("SMALL", 500), wait_ms=1_500, walks_in=house.Person(2, "Bo"))
    table.act(0, Bet("SMALL", 200), wait_ms=2_500)
    if more is not None:
        table.act(None, more, walks_in=house.Person(3, "Cy"))
    table.act(None, CloseBetting(), wait_ms=22_000)
    table.act(None, Reveal(), wait_ms=3_000)
    return table


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-c", program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def run_program(folder: Path, log: str, more: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "journal.jsonl").write_text(log, encoding="utf-8")
    return run(PROGRAM + more, folder)


def run_round_program(folder: Path, log: str) -> subprocess.CompletedProcess[str]:
    (folder / "round.jsonl").write_text(log, encoding="utf-8")
    return run(ROUND_PROGRAM, folder)


@pytest.mark.parametrize("vector", [json.loads(line) for line in VECTORS.splitlines()])
def test_the_hall_draws_as_the_vectors_say(vector: dict[str, Any]) -> None:
    chance = Chance(bytes.fromhex(vector["secret"]))
    if "below" in vector:
        assert list(chance.below(vector["label"], *vector["below"])) == vector["gives"]
    else:
        assert chance.shuffled(vector["label"], vector["shuffle"]) == vector["gives"]


def test_the_vectors_reach_every_part_of_the_algorithm() -> None:
    vectors = [json.loads(line) for line in VECTORS.splitlines()]
    assert any(len(vector.get("below", ())) > 8 for vector in vectors), "a second block"
    assert any(3_000_000_000 in vector.get("below", ()) for vector in vectors), "words passed over"
    assert any(not vector["label"].isascii() for vector in vectors), "UTF-8"
    assert any(len(vector.get("shuffle", ())) > 2 for vector in vectors), "a shuffle"


def test_the_program_draws_as_the_vectors_say(tmp_path: Path) -> None:
    (tmp_path / "vectors").write_text(VECTORS, encoding="utf-8")
    more = """
for vector in map(json.loads, open("vectors", encoding="utf-8")):
    secret, label = bytes.fromhex(vector["secret"]), vector["label"]
    if "below" in vector:
        assert below(secret, label, *vector["below"]) == vector["gives"]
    else:
        assert shuffled(secret, label, vector["shuffle"]) == vector["gives"]
print("vectors", "done")
"""
    done = run_program(tmp_path, LOG, more)
    assert done.stdout.endswith("vectors done\n"), done.stderr


def test_secret_and_commitment_follow_as_written() -> None:
    secret = KEY.secret(7, 1, NONCE)
    assert f"secret     {secret.hex()}\n" in DOC
    assert f"commitment {commitment_to(secret)}\n" in DOC


def test_the_example_is_what_the_hall_writes() -> None:
    assert LOG.encode().splitlines() == example().exported()
    verdict = verify_log(LOG.encode().splitlines(), {"connect-four": ConnectFour()})
    assert verdict.ok, verdict.problems
    assert '"order":[1,0]' in LOG, "an example in which the draw changes something"


def test_the_program_accepts_the_example(tmp_path: Path) -> None:
    done = run_program(tmp_path, LOG)
    assert done.returncode == 0, done.stderr
    assert example().hash in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"Ana"', '"Eve"', "a row was changed, or is missing"),
        ('"previous":""', '"previous":"00"', "a row was changed"),
        ('"secret":"17', '"secret":"18', "another secret"),
        ('"order":[1,0]', '"order":[0,1]', "other seats"),
    ],
)
def test_the_program_finds_tampering(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in LOG
    done = run_program(tmp_path, LOG.replace(old, new))
    assert done.returncode == 1
    assert f"AssertionError: {words}" in done.stderr


# A round of Sic Bo


def test_the_round_is_what_the_hall_writes() -> None:
    lines = ROUND.encode().splitlines()
    assert lines == sicbo_example().exported()[3:]
    verdict = verify_log(lines, {"sicbo": SicBo()}, sicbo_example().hash)
    assert verdict.ok, verdict.problems
    assert '"round":2' in ROUND


def test_the_program_accepts_the_round(tmp_path: Path) -> None:
    done = run_round_program(tmp_path, ROUND)
    assert done.returncode == 0, done.stderr
    assert sicbo_example().hash in done.stdout
    assert json.loads(ROUND.splitlines()[0])["events"][0]["commitment"] in done.stdout


def test_the_round_program_rolls_as_the_hall_does(tmp_path: Path) -> None:
    """Also where a word is passed over."""
    program = (
        ROUND_PROGRAM.partition("bets, paid = ")[0]
        + """
for secret in map(bytes.fromhex, open("secrets").read().split()):
    print(*roll(secret))
"""
    )
    secrets = [hashlib.sha256(b"%d" % n).digest() for n in range(500)]
    (tmp_path / "secrets").write_text("\n".join(secret.hex() for secret in secrets))
    done = run(program, tmp_path)
    rolls = [" ".join(str(n + 1) for n in Chance(s).below("dice", 6, 6, 6)) for s in secrets]
    assert done.stdout.splitlines() == rolls, done.stderr


def test_the_round_program_knows_the_odds_of_every_side(tmp_path: Path) -> None:
    program = (
        ROUND_PROGRAM.partition("bets, paid = ")[0]
        + """
sides = open("sides").read().split()
for one in range(1, 7):
    for two in range(1, 7):
        for three in range(1, 7):
            print(*(int(odds(side, [one, two, three])) for side in sides))
"""
    )
    (tmp_path / "sides").write_text(" ".join(SIDES))
    done = run(program, tmp_path)
    throws = product(range(1, 7), repeat=3)
    expected = [[max(0, returned(side, 1, dice) - 1) for side in SIDES] for dice in throws]
    assert [list(map(int, line.split())) for line in done.stdout.splitlines()] == expected


def test_the_round_program_takes_several_bets_at_once(tmp_path: Path) -> None:
    table = sicbo_example(PlaceBets(tuple(OneBet(side, 7) for side in SIDES)))
    lines = b"\n".join(table.exported()[3:]).decode()
    done = run_round_program(tmp_path, lines)
    assert done.returncode == 0, done.stderr
    wrong = re.sub(r'"2":\[\[4,\d+\]', '"2":[[4,8]', lines)
    assert wrong != lines
    done = run_round_program(tmp_path, with_new_hashes(wrong))
    assert "AssertionError: another payout" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"secret":"d5', '"secret":"d6', "another secret"),
        ('"dice":[5,5,2]', '"dice":[5,5,3]', "other dice"),
        ('"BIG"},{"type":"settled"', '"SMALL"},{"type":"settled"', "another result"),
        ("[1,2000]", "[1,3000]", "another payout"),
        ('"bet":2,"side":"SMALL"', '"bet":2,"side":"BIG"', "another payout"),
    ],
)
def test_the_round_program_finds_tampering(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert ROUND.count(old) == 1
    changed = ROUND.replace(old, new)
    done = run_round_program(tmp_path, changed)
    assert "AssertionError: a row was changed, or is missing" in done.stderr
    done = run_round_program(tmp_path, with_new_hashes(changed))
    assert done.returncode == 1
    assert f"AssertionError: {words}" in done.stderr


def with_new_hashes(log: str) -> str:
    """As someone would who also writes the last line anew."""
    *lines, _ = log.splitlines()
    hash = json.loads(lines[0])["events"][0]["previous"]
    for line in lines:
        hash = chained(hash, line.encode())
    return "\n".join([*lines, json.dumps({"head": 9, "hash": hash})])
