"""The samples of a soak as a picture: one chart for each measure, and its trend."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tests.soak.judging import DATABASE, FLAT, MEMORY, WAL, Measure, after_warm_up, trend
from tests.soak.samples import Sample
from tests.support.svg import STYLE, document

WIDTH, HEIGHT = 460, 170
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 28, 26
"""What a chart leaves free around its curve."""
COLUMNS = 2


def svg(samples: Sequence[Sample]) -> str:
    charts = [_chart(measure, samples) for measure in (*FLAT, MEMORY, DATABASE, WAL)]
    style = STYLE + ".warm{fill:#f3f4f6}"
    return document(charts, WIDTH, HEIGHT, columns=COLUMNS, style=style)


def _chart(measure: Measure, samples: Sequence[Sample]) -> str:
    times, values = [each.seconds for each in samples], [measure.of(each) for each in samples]
    top = max(*values, 1e-9) * 1.1
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(seconds: float) -> float:
        return round(LEFT + wide * seconds / times[-1], 1)

    def y(value: float) -> float:
        return round(TOP + high * (1 - max(0.0, value) / top), 1)

    curve = " ".join(f"{x(at)},{y(value)}" for at, value in zip(times, values, strict=True))
    counts = after_warm_up(samples)
    begins, ends = counts[0].seconds, counts[-1].seconds
    parts = [
        f'<rect class="warm" x="{LEFT}" y="{TOP}" width="{x(begins) - LEFT:.1f}" height="{high}"/>',
        f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{wide}" height="{high}"/>',
        f'<polyline class="curve" points="{curve}"/>',
        f'<text class="value" x="{LEFT - 4}" y="{TOP + 10}">{top:.4g}</text>',
        f'<text class="value" x="{LEFT - 4}" y="{HEIGHT - BOTTOM}">0</text>',
        f'<text class="value" x="{WIDTH - RIGHT}" y="{HEIGHT - 8}">{times[-1] / 60:.3g} min</text>',
    ]
    title = f"{measure.name} ({measure.unit})" if measure.unit else measure.name
    if measure in FLAT:
        level, rise = trend([each.seconds for each in counts], [measure.of(s) for s in counts])
        parts.append(
            f'<line class="trend" x1="{x(begins)}" y1="{y(level - rise / 2)}"'
            f' x2="{x(ends)}" y2="{y(level + rise / 2)}"/>'
        )
        title += f": {level:.4g}, {rise:+.3g}"
    parts.append(f'<text class="name" x="{LEFT}" y="{TOP - 8}">{escape(title)}</text>')
    return "".join(parts)
