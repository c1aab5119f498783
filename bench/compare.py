"""The hall beside its peers, in one run: `make bench`, and `make bench-quick` for a first look.

    PYTHONPATH=. python bench/compare.py --passes 5 --seconds 4 moves fanout
    PYTHONPATH=. python bench/compare.py --quick

Parts are interleaved: each pass measures all of them once. The server has core 0, the load core 1;
limits of connections and messages are off (see servers.py). Figures, a report and pictures go to
bench/results; those of a trial (few passes, or some parts only) to bench/results/trial, which git
ignores. The quick form writes nothing: it compares its ratios with those that are kept, and fails
if one has fallen by more than a fifth.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import SubprocessError

from broadcast import allow_many_files
from charts import number
from comparing.contenders import PEERS
from comparing.crowds import BROADCAST, FANOUT, HELLO
from comparing.generator import Faulty, Generator
from comparing.latency import ALONE, IDLE_CROWD
from comparing.moves import MOVES
from comparing.parts import Bench, Part
from comparing.report import PASSES_MIN, REPORT, write_report
from comparing.results import Results, complaints, read
from comparing.starting import MEMORY, RESTART, STARTS
from comparing.versions import versions
from servers import UNLIMITED, pin

PARTS = (MOVES, ALONE, IDLE_CROWD, FANOUT, HELLO, STARTS, BROADCAST, RESTART, MEMORY)
KEPT = Path(__file__).parent / "results"
TRIAL = KEPT / "trial"
FILES = 12_000


def run(parts: Sequence[Part], bench: Bench, results: Results) -> None:
    for turn in range(results.passes):
        bench.backwards = turn % 2 == 1
        for part in parts:
            if part.once and turn > 0:
                continue
            began = time.monotonic()
            try:
                results.add(part, turn, part.measure(bench))
            except (Faulty, SubprocessError, SystemExit) as fault:
                bench.faults.append(f"{part.name} was not measured in pass {turn + 1}: {fault}")
            results.compare(parts)
            _show(part, turn, results, time.monotonic() - began)
    results.notes, results.faults = bench.notes, bench.faults


def _show(part: Part, turn: int, results: Results, seconds: float) -> None:
    print(f"pass {turn + 1}, {part.name}, {seconds:.0f} s", flush=True)
    for what, by_who in results.figures.get(part.name, {}).items():
        here = {who: passes[turn] for who, passes in by_who.items() if turn in passes}
        told = "   ".join(f"{who} {number(value)}" for who, value in here.items())
        print(f"  {what:30} {told}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(part.name for part in PARTS))
    parser.add_argument("--passes", type=int, default=PASSES_MIN)
    parser.add_argument("--seconds", type=float, default=4, help="of each load")
    parser.add_argument("--results", type=Path, help="where the report goes")
    parser.add_argument("--quick", action="store_true", help="beside the bare sketches only")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - {part.name for part in PARTS}
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    parts = [
        part
        for part in PARTS
        if (not arguments.parts or part.name in arguments.parts)
        and (not arguments.quick or part.quick)
    ]
    allow_many_files(FILES)
    if not arguments.quick and not (PEERS / "node_modules").exists():
        raise SystemExit("The peers are not installed: `make bench` does it.")
    print(f"limits off: {', '.join(UNLIMITED)}", flush=True)
    results = Results(versions(peers=not arguments.quick), arguments.passes, arguments.seconds)
    with tempfile.TemporaryDirectory() as built:
        bench = Bench(Generator(Path(built)), arguments.seconds, only_sketches=arguments.quick)
        pin(0, 1)
        run(parts, bench, results)
    for sentence in (*results.notes, *results.faults):
        print(sentence)
    if arguments.quick:
        return judge(results, arguments.results or KEPT)
    is_trial = arguments.parts or arguments.passes < PASSES_MIN
    folder = arguments.results or (TRIAL if is_trial else KEPT)
    folder.mkdir(parents=True, exist_ok=True)
    results.write(folder)
    write_report(results, PARTS, folder)
    print(f"The report is {folder / REPORT}.")
    return 1 if results.faults else 0


def judge(results: Results, folder: Path) -> int:
    """0 if all was measured, and every ratio is about what was kept, or better."""
    for part, ratios in results.ratios.items():
        for name, ratio in ratios.items():
            print(f"{part}, {name}: {ratio.spread.median:.2f}")
    kept = read(folder)
    if kept is None:
        print(f"There is nothing to compare with in {folder}: `make bench` writes it.")
        return 1
    found = complaints(results.ratios, kept.ratios)
    print("\n".join(found) or "No ratio has fallen by more than a fifth.")
    return 1 if found or results.faults else 0


if __name__ == "__main__":
    sys.exit(main())
