"""A finished tournament verifies: its seeding, its pairings and its end follow from its log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gamehall.hall.tournaments.events import Begin, Report
from gamehall.table_log.verify import Verdict, verify_log
from tests.games.exporting import Forge, command, event, exported, forged, omit, sender
from tests.games.forging import found
from tests.hall.formats.play import FORMATS
from tests.hall.tournament_play import GAME, TournamentTable, a_table

GAMES = {"tournament": GAME}
DECIDED = "Decided again, event"


def judged(lines: list[bytes]) -> Verdict:
    return verify_log(lines, GAMES)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_by_the_rules_passes(format: str, seed: int) -> None:
    options = {"format": format, "minutes": 0.01, "starts_at_ms": 1_000_050 if seed == 1 else 0}
    table = TournamentTable(GAME, options, seed=seed, strays=0.1, people=6)
    table.run()
    verdict = judged(exported(table, 1))
    assert verdict.ok, verdict.problems


def three_rounds() -> TournamentTable:
    """A round-robin of four, which whoever began has always won."""
    table = a_table(people=4)
    table.act(None, Begin())
    while not table.ended:
        match = table.playing()[0]
        table.act(None, Report(match.number, match.first, "won"))
    return table


LINES = exported(three_rounds(), 1)
ROWS = [json.loads(line) for line in LINES[:-1]]
BEGIN = next(n for n, row in enumerate(ROWS) if row["command"]["type"] == "begin")
FIRST_REPORT, LAST_REPORT = BEGIN + 1, len(ROWS) - 1


def other_way_round(row: int, place: int) -> Forge:
    def change(rows: list[Any]) -> None:
        paired = rows[row]["events"][place]
        paired["first"], paired["second"] = paired["second"], paired["first"]

    return change


def first(rows: list[Any]) -> int:
    seat: int = rows[BEGIN]["events"][1]["first"]
    return seat


def second(rows: list[Any]) -> int:
    seat: int = rows[BEGIN]["events"][1]["second"]
    return seat


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(event(BEGIN, 0, order=[3, 2, 1, 0]), id="another seeding"),
        pytest.param(other_way_round(BEGIN, 1), id="another begins"),
        pytest.param(event(FIRST_REPORT, 0, winner=second(ROWS)), id="another has won"),
        pytest.param(command(FIRST_REPORT, winner=second(ROWS)), id="another was reported"),
        pytest.param(event(LAST_REPORT, 1, ranking=[0, 1, 2, 3]), id="another ranking"),
        pytest.param(event(LAST_REPORT, 1, winners=[0, 1]), id="others are the winners"),
    ],
)
def test_what_does_not_follow_is_found(change: Forge) -> None:
    assert found(judged(forged(LINES, change)), DECIDED)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (sender(FIRST_REPORT, first(ROWS)), "No seat can send this command"),
        (omit(BEGIN), "The rules refuse this command (no_such_pairing)"),
        (command(FIRST_REPORT, game=99), "The rules refuse this command (no_such_pairing)"),
        (command(FIRST_REPORT + 1, game=1), "The rules refuse this command (result_known)"),
    ],
)
def test_what_the_rules_refuse_is_found(change: Callable[[list[Any]], object], words: str) -> None:
    assert found(judged(forged(LINES, change)), words)
