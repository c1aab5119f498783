"""What holds in every format, whatever the results, and whoever goes."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamehall.hall.tournaments.formats
from gamehall.hall.tournaments.formats.field import Match
from tests.hall.formats.play import FORMATS, MOODS, SEEDS, Mood, Run

CLUBS = ("", "oslo", "rome", "kyiv", "lima")


def a_run(format: str, players: int, rng: Random, **options: int) -> Run:
    clubs = {seat: rng.choice(CLUBS[: rng.randint(1, len(CLUBS))]) for seat in range(players)}
    return Run(format, players, clubs, **options)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60)
@given(players=st.integers(0, 14), rounds=st.integers(0, 14), seed=SEEDS, mood=MOODS)
def test_it_ends_with_everyone_ranked(
    format: str, players: int, rounds: int, seed: int, mood: Mood
) -> None:
    rng = Random(seed)
    a_run(format, players, rng, rounds=rounds).play(rng, mood)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("players", [0, 1])
def test_too_few_end_at_once(format: str, players: int) -> None:
    run = Run(format, players)
    run.check_end()
    assert run.state.finished is not None
    assert run.state.finished.reason == "too_few"
    assert not run.pairs()


@pytest.mark.parametrize("format", FORMATS)
def test_if_everyone_goes_it_ends_with_the_games_that_are_open(format: str) -> None:
    run = Run(format, 6, dict.fromkeys(range(6), "oslo"))
    for seat in range(6):
        run.withdraw(seat)
    opened = len(run.pairs())
    for match in run.playing():
        run.missed(match.first, match.second)
    if format == "arena":
        run.time_up()
    run.check_end()
    assert len(run.pairs()) == opened


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "arena"])
@settings(max_examples=30)
@given(players=st.integers(2, 12), seed=SEEDS, draws=st.sampled_from((0, 40)))
def test_the_order_in_which_results_come_makes_no_difference(
    format: str, players: int, seed: int, draws: int
) -> None:
    def winner_of(match: Match) -> int | None:
        """The same whoever reports first: it depends on who meets when, and nothing else."""
        pair = sorted((match.first, match.second))
        lot = crc32(f"{seed}:{pair}:{match.stage}:{match.round}".encode()) % 100
        return None if lot < draws else pair[lot % 2]

    runs = [a_run(format, players, Random(seed)) for _ in range(2)]
    for order, run in enumerate(runs):
        run.play_by(winner_of, Random(order))
    one, other = runs
    assert one.ranking() == other.ranking()
    assert sorted(one.pairs()) == sorted(other.pairs())


@settings(max_examples=30)
@given(players=st.integers(2, 12), seed=SEEDS)
def test_the_standings_of_an_arena_depend_on_its_results_alone(players: int, seed: int) -> None:
    rng = Random(seed)
    run = Run("arena", players)
    run.play(rng, Mood(draws=0.3, no_shows=0.1))
    before = run.ranking()
    rng.shuffle(run.state.field.matches)
    assert run.ranking() == before


def test_formats_have_no_clock_no_chance_and_no_io() -> None:
    folder = Path(gamehall.hall.tournaments.formats.__file__).parent
    may_import = {
        "__future__", "bisect", "collections", "copy", "functools", "gamehall", "msgspec", "typing",
    }  # fmt: skip
    for path in (*folder.glob("*.py"), folder.parent / "tournament.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert str(node.module).split(".")[0] in may_import, path.name
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= may_import, path.name
