"""python -m tests.soak MINUTES [FOLDER]

Ends with 1, and a sentence for each thing that is not flat, or with 0."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.soak.soaking import soak
from tests.support.arguments import minutes


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tests.soak",
        description="Plays at every door of a hall, and fails if memory, files, tasks or tables"
        " keep growing.",
    )
    parser.add_argument("minutes", type=minutes, metavar="MINUTES", help="how long to play")
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=Path("build/soak"),
        metavar="FOLDER",
        help="for what is measured; what is in it is deleted first (default: %(default)s)",
    )
    return parser.parse_args(given)


def main() -> None:
    options = arguments()
    place: Path = options.folder
    # What is left there of the last soak.
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    complaints = soak(place, options.minutes)
    sys.stderr.write(f"{place / 'samples.csv'} and {place / 'soak.svg'} have what was measured.\n")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
