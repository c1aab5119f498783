"""The hall of each file of tests, and whoever plays there."""

from tests.doors.duel.conftest import at, hall

__all__ = ["at", "hall"]
