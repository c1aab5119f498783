"""Charts in one picture, without a library: soaks and benchmarks draw with it."""

from __future__ import annotations

from collections.abc import Sequence

STYLE = (
    "text{font:12px sans-serif;fill:#222}.name{font-weight:bold}.value{text-anchor:end}"
    ".curve{fill:none;stroke:#2563eb;stroke-width:1.2}"
    ".trend{stroke:#dc2626;stroke-width:1.5;stroke-dasharray:5 3}"
    ".frame{fill:none;stroke:#bbb}"
)


def document(
    charts: Sequence[str], width: int, height: int, *, columns: int, style: str = STYLE
) -> str:
    """An SVG with all of the charts, all of one size, side by side and below each other."""
    placed = [
        f'<g transform="translate({number % columns * width} {number // columns * height})">'
        f"{chart}</g>"
        for number, chart in enumerate(charts)
    ]
    whole_width, whole_height = width * columns, height * -(-len(charts) // columns)
    background = f'<rect width="{whole_width}" height="{whole_height}" fill="#fff"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole_width}" height="{whole_height}"'
        f' viewBox="0 0 {whole_width} {whole_height}"><style>{style}</style>'
        f"{background}{''.join(placed)}</svg>\n"
    )
