"""The halls and visitors of the other Sic Bo door serve here too."""

from __future__ import annotations

from tests.doors.rfc.conftest import at, hall

__all__ = ["at", "hall"]
