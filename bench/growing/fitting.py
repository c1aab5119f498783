"""A power fitted to costs: y = factor × x to the power of the exponent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import linear_regression, median
from typing import NamedTuple

Point = tuple[float, float]


class Growth(NamedTuple):
    """What something costs, by how much there is of it."""

    what: str
    """With its unit."""
    across: str
    """What there is more and more of."""
    points: list[Point]


class Power(NamedTuple):
    exponent: float
    factor: float


def fitted(points: Sequence[Point]) -> Power:
    """The straight line through the logarithms, by least squares."""
    xs, ys = zip(*((math.log(x), math.log(y)) for x, y in points), strict=True)
    slope, intercept = linear_regression(xs, ys)
    return Power(slope, math.exp(intercept))


def median_of(runs: Sequence[Sequence[Growth]]) -> list[Growth]:
    """The same measured several times: each point is the median of its own."""
    found = []
    for same in zip(*runs, strict=True):
        by_number = zip(*(growth.points for growth in same), strict=True)
        points = [(points[0][0], median(y for _, y in points)) for points in by_number]
        found.append(same[0]._replace(points=points))
    return found


def at_the_end(points: Sequence[Point]) -> float:
    """The exponent between the last two: where a constant part no longer hides what grows."""
    return fitted(points[-2:]).exponent
