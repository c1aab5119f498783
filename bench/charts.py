"""Pictures for reports: bars with their range, and curves on two logarithmic scales."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from tests.support.svg import STYLE, document

if TYPE_CHECKING:
    from comparing.results import Spread

WIDTH, LINE = 720, 24
LEFT, RIGHT, TOP, BOTTOM = 190, 150, 34, 14
"""What a chart of bars leaves free around them."""
BAR_STYLE = STYLE + ".bar{fill:#93c5fd}.range{stroke:#1e3a8a;stroke-width:2}"

SIDE, MARGIN = 380, 56
"""Of a chart with curves."""
CURVE_STYLE = STYLE + ".point{fill:#2563eb}.grid{stroke:#eee}.middle{text-anchor:middle}"


def number(value: float) -> str:
    """Three digits that say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def bars(figures: Mapping[str, Mapping[str, Spread]]) -> str:
    """A chart for each thing that was measured, all of one height."""
    most = max(len(by_who) for by_who in figures.values())
    height = TOP + LINE * most + BOTTOM
    charts = [_bars(what, by_who) for what, by_who in figures.items()]
    return document(charts, WIDTH, height, columns=1, style=BAR_STYLE)


def _bars(what: str, by_who: Mapping[str, Spread]) -> str:
    top = max((spread.most for spread in by_who.values()), default=0) or 1
    wide = WIDTH - LEFT - RIGHT
    parts = [f'<text class="name" x="{LEFT}" y="{TOP - 12}">{escape(what)}</text>']
    for line, (who, spread) in enumerate(by_who.items()):
        y = TOP + LINE * line
        least, middle, most = (
            LEFT + wide * value / top for value in (spread.least, spread.median, spread.most)
        )
        parts += [
            f'<text class="value" x="{LEFT - 6}" y="{y + 13}">{escape(who)}</text>',
            f'<rect class="bar" x="{LEFT}" y="{y}" width="{middle - LEFT:.1f}" height="18"/>',
            f'<line class="range" x1="{least:.1f}" y1="{y + 9}" x2="{most:.1f}" y2="{y + 9}"/>',
            f'<text x="{most + 6:.1f}" y="{y + 13}">{number(spread.median)}</text>',
        ]
    return "".join(parts)


class Curve(NamedTuple):
    """What something costs, by how much there is of it."""

    title: str
    across: str
    points: Sequence[tuple[float, float]]
    exponent: float
    factor: float


def curves(all_curves: Sequence[Curve]) -> str:
    charts = [_curve(curve) for curve in all_curves]
    return document(charts, SIDE, SIDE, columns=2, style=CURVE_STYLE)


def _curve(curve: Curve) -> str:
    """Points and the fitted line; where both scales are logarithmic, a power is straight."""
    decades = [(math.log10(x), math.log10(y)) for x, y in curve.points]
    left, right = math.floor(min(x for x, _ in decades)), math.ceil(max(x for x, _ in decades))
    low, high = math.floor(min(y for _, y in decades)), math.ceil(max(y for _, y in decades))
    right, high = max(right, left + 1), max(high, low + 1)
    inner = SIDE - 2 * MARGIN

    def at(x: float, y: float) -> tuple[float, float]:
        across, up = (x - left) / (right - left), (y - low) / (high - low)
        return round(MARGIN + inner * across, 1), round(SIDE - MARGIN - inner * up, 1)

    parts = [
        f'<text class="name" x="{MARGIN}" y="24">{escape(curve.title)}</text>',
        f'<text x="{MARGIN}" y="42">grows with the power {curve.exponent:.2f}</text>',
        f'<text class="value" x="{SIDE - MARGIN}" y="{SIDE - 14}">{escape(curve.across)}</text>',
    ]
    for decade in range(left, right + 1):
        (x1, y1), (x2, y2) = at(decade, low), at(decade, high)
        parts.append(f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        parts.append(f'<text class="middle" x="{x1}" y="{y1 + 16}">{number(10.0**decade)}</text>')
    for decade in range(low, high + 1):
        (x1, y1), (x2, y2) = at(left, decade), at(right, decade)
        parts.append(f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        parts.append(f'<text class="value" x="{x1 - 5}" y="{y1 + 4}">{number(10.0**decade)}</text>')
    ends = [
        (x, math.log10(curve.factor) + curve.exponent * x) for x in (decades[0][0], decades[-1][0])
    ]
    (x1, y1), (x2, y2) = (at(*end) for end in ends)
    parts.append(f'<line class="trend" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
    for x, y in (at(*point) for point in decades):
        parts.append(f'<circle class="point" cx="{x}" cy="{y}" r="4"/>')
    return "".join(parts)
