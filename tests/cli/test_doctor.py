"""`gamehall doctor`: sound books are called sound, and every way to spoil them is named."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from gamehall.cli.doctor import doctor
from gamehall.hall.audit.findings import PROBLEMS_MAX
from gamehall.hall.beat.requests import Ask, Done
from gamehall.table_log import house
from tests.games import toys
from tests.hall.halls import TestHall, answer_of
from tests.hall.ledger_play import CARDS, EVERY_GAME, SICBO, play_an_evening, play_cards

RULES = (Path(toys.__file__),)
VOIDED, RUNNING = "pot:1:4", "pot:1:5"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    asyncio.run(play_an_evening(folder))
    return folder


@pytest.fixture
def data(evening: Path, tmp_path: Path) -> Path:
    """The folder of a stopped hall, to be spoilt."""
    folder = tmp_path / "data"
    shutil.copytree(evening, folder)
    return folder


def spoil(data: Path, *statements: str) -> None:
    connection = sqlite3.connect(data / "hall.db")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements:
        cursor = connection.execute(statement)
        assert cursor.rowcount > 0, f"changes nothing: {statement}"
    connection.commit()
    connection.close()


def one(data: Path, query: str) -> int:
    connection = sqlite3.connect(data / "hall.db")
    found = connection.execute(query).fetchone()[0]
    connection.close()
    return int(found)


def test_sound_books(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(data=data, game=RULES) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == str(data / "hall.db")
    assert said[-1] == "Sound."
    assert all(line.startswith("  ok ") for line in said[1:-1])
    words = "\n".join(said)
    transfers = one(data, "SELECT count(*) FROM transfers WHERE table_id <> 0")
    rows = one(data, "SELECT count(*) FROM journal")
    pots = one(data, "SELECT sum(iif(target GLOB 'pot:*', chips, -chips)) FROM transfers"
                     " WHERE 'pot' IN (substr(source, 1, 3), substr(target, 1, 3))")  # fmt: skip
    assert "5 players: each balance is the sum" in words
    assert f"pots {pots:,}" in words
    assert pots == 7 * (1 + 2 + 3 + 4 + 5) + 10
    assert "5 closed rounds" in words
    assert "2 running rounds" in words
    assert f"{transfers} transfers at tables" in words
    assert "6 more are the mint's" in words
    assert f"{rows} rows at 2 tables" in words


def test_an_empty_hall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def begin() -> None:
        hall = TestHall(tmp_path)
        await hall.start()
        await hall.stop()

    asyncio.run(begin())
    assert doctor(data=tmp_path) == 0
    assert "players have 0, pots 0, the house 0, the mint 0" in capsys.readouterr().out


PAY = "INSERT INTO transfers (table_id, seq, n, source, target, chips, at_ms)"
FAULTS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "a balance was raised": (
        ["UPDATE balances SET chips = chips + 1 WHERE player = 3"],
        [r"player:3: The balance is \d+, but its transfers add up to \d+\.",
         r"All accounts add up to 1\."],
    ),
    "a balance is gone": (
        ["DELETE FROM balances WHERE player = 4"],
        [r"player:4: It has transfers but no balance\."],
    ),
    "a balance is below zero": (
        ["UPDATE balances SET chips = -5 WHERE player = 2"],
        [r"player:2: It is below zero: -5\."],
    ),
    "a transfer was deleted": (
        ["DELETE FROM transfers WHERE table_id = 1 AND seq = 3"],
        [r"table 1, row 3: Transfer 0 is missing: 10 from player:1 to pot:1:1\.",
         r"player:1: The balance is",
         r"table 1, pot:1:1: The round is closed, but its pot holds -10\."],
    ),
    "a transfer's chips were changed": (
        ["UPDATE transfers SET chips = 9000 WHERE table_id = 1 AND seq = 4"],
        [r"table 1, row 4: Transfer 0 is 9000 from player:2 to pot:1:1;"
         r" by the rules it is 2000 from player:2 to pot:1:1\."],
    ),
    "another player paid": (
        ["UPDATE transfers SET source = 'player:3' WHERE table_id = 1 AND seq = 4"],
        [r"table 1, row 4: Transfer 0 is 2000 from player:3 to pot:1:1;"],
    ),
    "a transfer has another number": (
        ["UPDATE transfers SET n = 7 WHERE table_id = 1 AND seq = 4"],
        [r"table 1, row 4: Transfer 0 is missing", r"table 1, row 4: No event causes transfer 7"],
    ),
    "a transfer for a row that pays nothing": (
        [f"{PAY} VALUES (1, 1, 0, 'house', 'pot:1:1', 5, 0)"],
        [r"table 1, row 1: No event causes transfer 0: 5 from house to pot:1:1\.",
         r"table 1, pot:1:1: The round is closed, but its pot holds 5\."],
    ),
    "a transfer behind the journal's end": (
        [f"{PAY} VALUES (1, 9999, 0, 'house', '{VOIDED}', 5, 0)"],
        [r"table 1, row 9999: No event causes transfer 0",
         r"table 1, pot:1:4: The round is closed, but its pot holds 5\."],
    ),
    "a transfer of a table that never was": (
        [f"{PAY} VALUES (999, 1, 0, 'house', 'pot:999:1', 5, 0)"],
        [r"table 999: There has never been such a table",
         r"table 999, pot:999:1: The round is closed, but its pot holds 5\."],
    ),
    "a pot of a table that is not there": (
        ["UPDATE transfers SET target = 'pot:77:1' WHERE table_id = 1 AND seq = 4"],
        [r"pot:77:1: There is no such table, but its pot holds 2000\."],
    ),
    "an account that is none": (
        ["UPDATE transfers SET target = 'hose' WHERE target = 'house' AND table_id = 2"],
        [r"hose: There is no such account"],
    ),
    "more in the running pot than at stake": (
        [f"{PAY} VALUES (2, 9999, 0, 'house', '{RUNNING}', 5, 0)"],
        [r"table 1, pot:1:5: The pot holds 110, but 105 are at stake\."],
    ),
    "nothing in the running pot": (
        [f"DELETE FROM transfers WHERE target = '{RUNNING}'"],
        [r"table 1, pot:1:5: The pot holds 0, but 105 are at stake\."],
    ),
    "the mint did not give": (
        ["DELETE FROM transfers WHERE table_id = 0 AND seq = 1 AND n = 0"],
        [r"player:1: The mint's transfer 0 to this player is missing\."],
    ),
    "the house gave in place of the mint": (
        ["UPDATE transfers SET source = 'house' WHERE table_id = 0 AND seq = 2"],
        [r"player:2: Not the mint's to this player: 1000000 from house to player:2\."],
    ),
    "a statement leaves something out": (
        ["UPDATE transfers SET source_before = NULL WHERE table_id = 1 AND seq = 4"],
        [r"player:2: The balance is \d+, but its statement adds up to -?\d+\."],
    ),
    "a statement runs in a circle": (
        ["UPDATE transfers SET source_before = id WHERE table_id = 1 AND seq = 4"],
        [r"player:2: The balance is \d+, but its statement adds up to -?\d+\."],
    ),
    "a bet was changed in the journal": (
        ["""UPDATE lines SET line = CAST(replace(line, '"amount":2000', '"amount":1') AS BLOB)
         WHERE table_id = 1 AND seq = 4"""],
        [r"table 1, row 4: Transfer 0 is 2000 from player:2 to pot:1:1; by the rules it is 1 from",
         r"table 1, row \d+: The chain of hashes breaks here",
         r"table 1: The chain of hashes over \d+ rows does not lead to the table's hash\."],
    ),
    "a row is written in another way": (
        ["UPDATE lines SET line = CAST(line || ' ' AS BLOB) WHERE table_id = 2 AND seq = 2"],
        [r"table 2, row \d+: The chain of hashes breaks here",
         r"table 2: The chain of hashes over \d+ rows does not lead"],
    ),
    "a row is none": (
        ["UPDATE lines SET line = x'00' WHERE table_id = 1 AND seq = 4"],
        [r"table 1, row 4: This is no row of a sicbo table: .* was not recomputed\."],
    ),
    "a row is of another table": (
        ["""UPDATE lines SET line = CAST(replace(line, '"table":1,', '"table":2,') AS BLOB)
         WHERE table_id = 1 AND seq = 4"""],
        [r"table 1, row 4: It says that it is row 4 of table 2\."],
    ),
    "the rules cannot follow a row": (
        ["""UPDATE lines SET line = CAST(replace(line, '"seated"', '"left","reason":""') AS BLOB)
         WHERE table_id = 1 AND seq = 2"""],
        [r"table 1, row 2: The rules cannot follow this row \(KeyError\)\."],
    ),
    "a row is missing": (
        ["DELETE FROM lines WHERE table_id = 1 AND seq = 5"],
        [r"table 1, row 6: Rows are missing before this one: the last is 4\.",
         r"table 1, row 5: No event causes transfer 0"],
    ),
    "the last row is missing": (
        ["DELETE FROM lines WHERE table_id = 2 AND seq = (SELECT head FROM tables WHERE id = 2)"],
        [r"table 2: The journal ends with row (\d+), but the table with row",
         r"table 2, row \d+: No event causes transfer 0: 10 from"],
    ),
    "the table's hash was changed": (
        ["UPDATE tables SET hash = 'f' || substr(hash, 2) || 'f' WHERE id = 1"],
        [r"table 1: The chain of hashes over \d+ rows does not lead to the table's hash\."],
    ),
    "a table is gone": (
        ["DELETE FROM tables WHERE id = 2"],
        [r"table 2: The table is gone, but \d+ rows of its journal are there\.",
         r"table 2, pot:2:2: The round is closed, but its pot holds 10\."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found(data: Path, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    statements, sentences = FAULTS[fault]
    spoil(data, *statements)
    assert doctor(data=data, game=RULES) == 1
    said = capsys.readouterr().out.splitlines()
    problems = [line.removeprefix("  problem  ") for line in said if line.startswith("  problem ")]
    for sentence in sentences:
        assert any(re.match(sentence, problem) for problem in problems), problems
    assert said[-1] == "Not sound."


def test_only_what_is_spoilt_is_called_a_problem(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data, "UPDATE transfers SET source_before = NULL WHERE table_id = 1 AND seq = 4")
    assert doctor(data=data, game=RULES) == 1
    said = capsys.readouterr().out
    assert said.count("  problem  ") == 1
    assert said.count("  ok  ") == 5


def test_of_many_problems_the_first_are_told(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data, "UPDATE transfers SET chips = chips + 1 WHERE table_id = 1")
    assert doctor(data=data, game=RULES) == 1
    said = capsys.readouterr().out
    assert said.count("  problem  ") == PROBLEMS_MAX + 1
    assert re.search(r"  problem  … and \d+ more\.", said)


def test_a_game_that_is_not_installed_is_no_fault(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(data=data) == 0
    said = capsys.readouterr().out
    assert "note     Not installed here: high-card (tables: 1). The 5 transfers there" in said
    assert "nor the stakes in 1 pots" in said
    assert "4 closed rounds" in said
    # What needs no rules is looked at all the same.
    spoil(data, f"{PAY} VALUES (1, 1, 0, 'pot:2:1', 'house', 3, 0)")
    assert doctor(data=data) == 1
    assert "table 2, pot:2:1: The round is closed, but its pot holds -3." in capsys.readouterr().out


@pytest.mark.parametrize("whole", [True, False])
def test_deleted_journals_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setattr("gamehall.store.journals.FORGET_ROWS", 1000 if whole else 3)

    async def play_and_forget() -> None:
        hall = TestHall(tmp_path, EVERY_GAME)
        await hall.start()
        people = [await hall.guest("Ann"), await hall.guest("Bob")]
        await hall.hall.house_tables.table("sicbo")
        await play_cards(hall, *people)
        await hall.hall.house_tables.table("sicbo")
        closed = await answer_of(
            lambda reply: hall.hall.rooms.tables.put(Ask(CARDS, None, house.Close("late"), reply))
        )
        assert isinstance(closed, Done)
        if whole:
            assert await hall.store.forget(hall.clock.now_ms() + 1, 10) == 1
        else:
            assert await hall.store._forget_part(CARDS), "there is more"
        await hall.stop()

    asyncio.run(play_and_forget())
    assert doctor(data=tmp_path, game=RULES) == 0
    said = capsys.readouterr().out
    assert "note     The journals of 1 tables were deleted, as `store.keep_days` says." in said
    assert "Their 6 transfers cannot be recomputed" in said
    spoil(tmp_path, f"{PAY} VALUES (2, 9, 9, 'house', 'pot:2:1', 3, 0)")
    assert doctor(data=tmp_path, game=RULES) == 1


# The call


def test_the_store_of_the_settings_is_looked_at(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    (data / "hall.db").rename(elsewhere)
    assert doctor(data=data) == 2
    assert f"There is no hall in {data}" in capsys.readouterr().err
    assert doctor(data=data, set_=(f"store.url=sqlite:///{elsewhere}",)) == 0
    settings = tmp_path / "hall.toml"
    settings.write_text(f'[store]\nurl = "sqlite:///{elsewhere}"\n')
    assert doctor(data=data, config=settings) == 0
    monkeypatch.setenv("GAMEHALL_STORE_URL", f"sqlite:///{elsewhere}")
    assert doctor(data=data) == 0


def test_a_wrong_call(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(data=tmp_path / "nowhere") == 2
    assert doctor(data=data, set_=("store.ulr=x",)) == 2
    assert "Did you mean `store.url`?" in capsys.readouterr().err
    assert doctor(data=data, game=(tmp_path / "missing.py",)) == 2
    assert doctor(data=data, config=tmp_path / "missing.toml") == 2
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 1", "was written by an older Gamehall. Start the hall once"),
        ("PRAGMA user_version = 999", "was written by a newer Gamehall"),
        ("PRAGMA application_id = 1", "holds the data of another program"),
    ],
)
def test_a_file_of_another_version_or_program(
    data: Path, statement: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = sqlite3.connect(data / "hall.db")
    connection.execute(statement)
    connection.close()
    assert doctor(data=data) == 1
    assert words in capsys.readouterr().err


def test_a_damaged_file(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / "hall.db"
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)
    assert doctor(data=data) == 1
    assert "is damaged" in capsys.readouterr().err
    path.write_bytes(b"Dear diary, " * 1000)
    assert doctor(data=data) == 1
    assert "is not a database" in capsys.readouterr().err


def test_looking_changes_nothing(data: Path) -> None:
    assert SICBO != CARDS
    before = (data / "hall.db").read_bytes()
    assert doctor(data=data, game=RULES) == 0
    assert (data / "hall.db").read_bytes() == before
