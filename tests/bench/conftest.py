"""The scripts in bench/ are no package: they import each other by name, and so do their tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
