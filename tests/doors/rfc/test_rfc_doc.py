"""docs/protocols/rfc.md, played against a real hall."""

from __future__ import annotations

from pathlib import Path

from tests.doors.rfc.halls import SLOW, Visitors, open_hall
from tests.doors.rfc.sessions import Reader, sessions


async def test_the_session_is_played_as_it_is_written(tmp_path: Path) -> None:
    (session,) = sessions("rfc.md")
    with open_hall(tmp_path, *SLOW) as hall:
        at = Visitors(hall)
        reader = Reader(await at.rfc())
        for _, direction, message in session:
            await reader.play(direction, message, frozenset())
        await at.leave()
