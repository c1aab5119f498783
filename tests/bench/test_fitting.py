"""The power that is fitted to costs."""

from __future__ import annotations

import pytest

from growing.fitting import Growth, at_the_end, fitted, median_of


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_a_power_is_found_again(power: float) -> None:
    exponent, factor = fitted([(x, 3 * x**power) for x in (10.0, 100.0, 1000.0, 10_000.0)])
    assert exponent == pytest.approx(power, abs=1e-9)
    assert factor == pytest.approx(3)


def test_at_the_end_a_constant_part_hides_less() -> None:
    points = [(x, 100 + x) for x in (1.0, 10.0, 100.0, 1000.0, 10_000.0)]
    assert fitted(points).exponent < at_the_end(points) < 1


def test_each_point_is_the_median_of_its_own() -> None:
    runs = [[Growth("a move", "tables", [(10, y), (100, 2 * y)])] for y in (1.0, 9.0, 3.0)]
    assert median_of(runs) == [Growth("a move", "tables", [(10, 3.0), (100, 6.0)])]
