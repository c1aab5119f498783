"""How cost grows with tables, spectators, players and rows, and with which power: a plot for each.

    PYTHONPATH=. python bench/growth.py
    PYTHONPATH=. python bench/growth.py --quick
    PYTHONPATH=. python bench/growth.py journal --rows 1000000

Tables and spectators come through sockets, to a hall on core 0 with the load on core 1; players and
the journal are measured within this process. A power of 0 is what does not grow; one of 1 is in
proportion. The report goes to bench/results, that of a quick or partial run to bench/results/trial.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from broadcast import allow_many_files
from charts import Curve, curves, number
from compare import KEPT, TRIAL
from comparing.generator import Generator
from comparing.report import version_table
from comparing.versions import versions
from growing.by_sockets import spectators, tables
from growing.fitting import Growth, at_the_end, fitted, median_of
from growing.journal import journal
from growing.players import players
from servers import UNLIMITED, pin

FILES = 12_000


def decades(least: int, most: int) -> list[int]:
    """Powers of ten, from the least to the most."""
    found = [least]
    while found[-1] * 10 <= most:
        found.append(found[-1] * 10)
    return found


def markdown(all_growth: list[Growth], seconds: float, runs: int) -> str:
    lines = ["# How cost grows", ""]
    lines += [
        f"Each point is the median of {runs}, of {seconds:g} s or a fixed number of moves each; the"
        " journal's are of one. The power is fitted to all points; the power at the end is that of"
        " the last two, where a constant part hides less. `make bench-growth` writes this page.",
        "",
        "| what | with | from | to | power | at the end |",
        "|---|---|---|---|---|---|",
    ]
    for growth in all_growth:
        (few, little), (many, much) = growth.points[0], growth.points[-1]
        lines.append(
            f"| {growth.what} | {few:,.0f} to {many:,.0f} {growth.across} | {number(little)}"
            f" | {number(much)} | {fitted(growth.points).exponent:.2f}"
            f" | {at_the_end(growth.points):.2f} |"
        )
    lines += ["", "![Each of them on logarithmic scales](growth.svg)", ""]
    return "\n".join([*lines, *version_table(versions(peers=False))]) + "\n"


def drawn(growth: Growth) -> Curve:
    exponent, factor = fitted(growth.points)
    return Curve(growth.what, growth.across, growth.points, exponent, factor)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="tables, spectators, players, journal")
    parser.add_argument("--quick", action="store_true", help="less of everything: two minutes")
    parser.add_argument("--seconds", type=float, help="of each load")
    parser.add_argument(
        "--runs", type=int, default=3, help="of which medians are taken; the journal has one"
    )
    parser.add_argument("--rows", type=int, help="the most rows in the journal")
    parser.add_argument("--results", type=Path, help="where the report goes")
    given = parser.parse_args()
    seconds = given.seconds or (1 if given.quick else 4)
    scale = 10 if given.quick else 1
    rows = given.rows or 10_000_000 // scale
    with tempfile.TemporaryDirectory() as built:
        generator = Generator(Path(built))
        known: dict[str, Callable[[], list[Growth]]] = {
            "tables": lambda: tables(generator, decades(10, 10_000 // scale), seconds),
            "spectators": lambda: spectators(generator, decades(1, 10_000 // scale)),
            "players": lambda: players(decades(100, 100_000 // scale)),
            "journal": lambda: journal(decades(10_000, rows), seconds),
        }
        if unknown := set(given.parts) - known.keys():
            parser.error(f"there is no part {', '.join(sorted(unknown))}")
        allow_many_files(FILES)
        pin(0, 1)
        print(f"limits off: {', '.join(UNLIMITED)}", flush=True)
        found: list[Growth] = []
        for name in given.parts or known:
            began = time.monotonic()
            times = 1 if name == "journal" else given.runs
            new = median_of([known[name]() for _ in range(times)])
            print(f"{name}, {time.monotonic() - began:.0f} s", flush=True)
            for growth in new:
                told = "   ".join(f"{x:,.0f}: {number(y)}" for x, y in growth.points)
                power = fitted(growth.points).exponent
                print(f"  {growth.what:32} {told}   power {power:.2f}", flush=True)
            found += new
    folder = given.results or (TRIAL if given.quick or given.parts else KEPT)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.svg").write_text(curves([drawn(growth) for growth in found]), "utf-8")
    (folder / "growth.md").write_text(markdown(found, seconds, given.runs), "utf-8")
    print(f"The report is {folder / 'growth.md'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
