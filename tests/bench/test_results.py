"""Ratios are taken within a pass, and one that has fallen by more than a fifth is complained of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from comparing.parts import Bench, Part, Ratio, Seen
from comparing.report import markdown
from comparing.results import Kept, Results, Spread, complaints, read


def _nothing(_: Bench) -> Iterator[Seen]:
    return iter(())


PART = Part("moves", "Moves", "", _nothing, (Ratio("hall", "sketch", "moves/s", "higher"),))
NAME = PART.ratios[0].name


def seen(hall: float, sketch: float) -> list[Seen]:
    return [Seen("hall", "moves/s", hall), Seen("sketch", "moves/s", sketch)]


@pytest.fixture
def results() -> Results:
    """The machine was ten times slower in the second pass; in the third, only one was measured."""
    results = Results({"Python": "3"}, passes=3, seconds=1)
    results.add(PART, 0, seen(500, 1000))
    results.add(PART, 1, seen(60, 100))
    results.add(PART, 2, seen(9, 0)[:1])
    results.compare([PART])
    return results


def test_a_ratio_is_taken_within_a_pass(results: Results) -> None:
    assert results.ratios["moves"][NAME].spread == Spread(0.55, 0.5, 0.6)


def test_what_is_written_is_read_again(results: Results, tmp_path: Path) -> None:
    assert read(tmp_path) is None
    results.write(tmp_path)
    assert read(tmp_path) == results


def test_the_report_has_figures_ratios_and_notes(results: Results) -> None:
    results.notes.append("sketch: the generator was the limit")
    text = markdown(results, [PART])
    assert "| hall | 60 (9–500) |" in text
    assert f"| {NAME} | 0.55 (0.5–0.6) | higher |" in text
    assert "- sketch: the generator was the limit" in text


@pytest.mark.parametrize(
    ("better", "was", "now", "falls"),
    [
        ("higher", 0.5, 0.41, False),
        ("higher", 0.5, 0.39, True),
        ("higher", 0.5, 0.9, False),
        ("lower", 2.0, 2.4, False),
        ("lower", 2.0, 2.6, True),
        ("lower", 2.0, 1.0, False),
    ],
)
def test_a_fall_by_more_than_a_fifth_is_complained_of(
    better: str, was: float, now: float, falls: bool
) -> None:
    kept = {"moves": {"r": Kept(Spread(was, was, was), better)}}
    here = {"moves": {"r": Kept(Spread(now, now, now), better), "new": kept["moves"]["r"]}}
    assert bool(complaints(here, kept)) == falls
