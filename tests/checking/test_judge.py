"""The judge finds nothing wrong with sound games, and each planted fault with its name."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamehall.catalogue import catalogue
from gamehall.checking.finding import Fault, Trial
from gamehall.checking.judge import CHECKS, Judge
from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.table_log.money import UnsoundMoney
from tests.checking import faults
from tests.checking.faults import Matching
from tests.games.toys import HighCard

NIM = catalogue([Path(__file__).parents[2] / "examples" / "nim.py"])["nim"]


def found(
    game: Game[Any],
    options: dict[str, Any] | None = None,
    tables: int = 6,
    now_seconds: Callable[[], float] = time.perf_counter,
) -> dict[str, Fault]:
    """The faults that it has, by the check's title."""
    judge = Judge(game, now_seconds)
    judge.play(options or {}, range(tables))
    return {f.title: f.fault for f in judge.findings() if f.fault is not None}


@pytest.mark.parametrize("game", [*GAMES, NIM, Matching()], ids=lambda game: game.name)
def test_sound_games_pass(game: Game[Any]) -> None:
    assert not found(game, tables=3)


@pytest.mark.parametrize(
    "options",
    [{}, {"least": 0}, {"least": 3, "kept": False}, {"again_ms": None}, {"again_ms": 0}],
    ids=str,
)
def test_a_game_with_everything_passes(options: dict[str, Any]) -> None:
    assert not found(HighCard(), options)


@pytest.mark.parametrize(
    ("game", "title", "words"),
    [
        (faults.OwnDice, "Determinism", "twice gives"),
        (faults.OutOfTheEvents, "Replay", "rebuilt from the journal"),
        (faults.HiddenOutOfTheEvents, "Replay", "rebuilt from the journal"),
        (faults.SharedCards, "Forks", "changes the state"),
        (faults.PromisesTooMuch, "Legal commands", "`decide` refuses it"),
        (faults.AnyTurn, "Legal commands", "Is its turn looked at?"),
        (faults.FailsAtOddCommands, "Legal commands", "IndexError"),
        (faults.ApplyRefuses, "Legal commands", "`apply` refuses"),
        (faults.ShowsTheChoice, "Secrets", "`view` tells"),
        (faults.ShowsCards, "Secrets", "`view` tells"),
        (faults.ForgetsSeen, "Secrets", "Hide it in `seen`"),
        (faults.LegalTells, "Secrets", "`legal` tells seat"),
        (faults.CarriesTuples, "JSON", "`carry`"),
        (faults.ViewOfNumbers, "JSON", "no JSON object"),
        (faults.NeverOver, "Ends", "nothing happens by itself"),
        (faults.GoesRound, "Ends", "not over after 2000 random steps"),
        (faults.ApplyFails, "Rules", "`apply` (line"),
        (faults.WaitsForWhoLeft, "Ends", "nobody can move"),
        (faults.KeepsThePot, "Money", "left in its pot"),
        (faults.TakesStakesAtOnce, "Money", "called off"),
        (faults.PaysTooMuch, "Money", "below zero, at -1 chips"),
        (faults.ForgetsToDeclare, "JSON", "Folded is not among the `events` of high-card"),
        (faults.WritesWhatItDoesNotDeclare, "JSON", "cannot be read back"),
        (faults.NobodyWins, "Ends", "The winners of a round are [7]"),
        (faults.Shouts, "Names", "Game Over!"),
        (faults.TagOfTheHouse, "Names", "sit"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_is_found(game: type[Game[Any]], title: str, words: str) -> None:
    fault = found(game())[title]
    assert words in fault.what


def test_a_slow_game_is_found() -> None:
    slow = faults.Slow()
    fault = found(slow, now_seconds=lambda: slow.now_seconds)["Speed"]
    assert "`decide` takes 100 ms" in fault.what


def test_a_counter_example_can_be_played_again() -> None:
    fault = found(faults.KeepsThePot())["Money"]
    assert isinstance(fault.trial, Trial)
    table = fault.trial.table(faults.KeepsThePot())
    for _ in range(fault.steps):
        table.step()
    assert table.lines[-1].decode() == fault.last_line
    with pytest.raises(UnsoundMoney, match="left in its pot"):
        table.step()


def test_every_check_is_seen_to_fail() -> None:
    marks = test_a_fault_is_found.pytestmark
    covered = {title for mark in marks for _, title, _ in mark.args[1]}
    assert covered == {check.title for check in CHECKS}
