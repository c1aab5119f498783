"""The player's modules, importable as they import each other: it is a program, not a package."""

from __future__ import annotations

import sys

from tests.player.programs import PLAYER

sys.path.insert(0, str(PLAYER))
