"""python -m tests.soak MINUTES [FOLDER]

Ends with 1, and a sentence for each thing that is not flat, or with 0."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.soak.soaking import soak


def main(minutes: str, folder: str = "build/soak") -> None:
    place = Path(folder)
    # What is left there of the last soak.
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    complaints = soak(place, float(minutes))
    sys.stderr.write(f"{place / 'samples.csv'} and {place / 'soak.svg'} have what was measured.\n")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main(*sys.argv[1:])
