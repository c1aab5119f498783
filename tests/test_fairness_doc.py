"""docs/fairness.md is executed: its vectors, its example and its program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gamehall.games import house
from gamehall.games.chance import Chance, commitment_to
from gamehall.games.connect_four import ConnectFour, Drop, Resign
from gamehall.games.verify import verify_log
from gamehall.hall.draws import DrawKey, TableDraws
from tests.games.verify_toy import Recorder

DOC = (Path(__file__).parent.parent / "docs" / "fairness.md").read_text(encoding="utf-8")
VECTORS, LOG = re.findall(r"```jsonl\n(.*?)```", DOC, re.DOTALL)
(PROGRAM,) = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
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


def run_program(folder: Path, log: str, more: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "journal.jsonl").write_text(log, encoding="utf-8")
    command = [sys.executable, "-I", "-c", PROGRAM + more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


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
