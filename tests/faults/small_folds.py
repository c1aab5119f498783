"""`gamehall` that folds its journal every few rows: a run has some hundred, and no fold otherwise.

python -m tests.faults.small_folds serve …
"""

from __future__ import annotations

import sys

from gamehall.__main__ import main
from gamehall.store.sqlite import folding
from tests.system.e2e.programs import ROOT, Program

HALL = Program(module="tests.faults.small_folds", folder=ROOT)

if __name__ == "__main__":
    folding.FOLD_ROWS = 20
    folding.FOLD_ROWS_MAX = 15
    main(sys.argv[1:])
